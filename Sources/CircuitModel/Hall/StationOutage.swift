import ExamStore
import GRDB
import Timer

/// A station that cannot be used in a round.
public enum StationOutage {
  /// Records that a station was out of order: an incident, and the candidates who were to be examined there are queued for
  /// the re-run. What they were given there already stays on their sheets.
  /// - Throws: `RerunRefusal` where a sheet is signed.
  public static func record(
    _ station: StationSession, entries: [RosterEntry], reason: String, _ transaction: JournalTransaction
  ) throws {
    try Incidents.report(.equipment, at: station.timetable, secondsLost: nil, text: reason, transaction)
    for entry in entries where entry.candidate != nil {
      try RerunQueue.add(entry: entry.key, reason: "out of order: \(reason)", transaction)
    }
  }
}
