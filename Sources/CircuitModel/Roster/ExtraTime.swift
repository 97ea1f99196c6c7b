import ExamStore
import GRDB
import Timer

/// Time beyond everybody's that a candidate is given, before the day or on it.
public struct ExtraTime: Equatable, Sendable {
  /// Seconds of reading.
  public let readingSeconds: Int
  /// Seconds at each station.
  public let stationSeconds: Int

  /// The most that can be given, in seconds: an hour.
  private static let most = 3600

  /// As it is said: `2` and `2:30` are minutes at each station, `25%` is so much more of reading and station, `0` is none.
  /// - Returns: nil for anything else, and for more than an hour.
  public init?(_ text: String, phases: PhaseList) {
    let text = text.filter { !$0.isWhitespace }
    if text.hasSuffix("%") {
      guard let percent = Int(text.dropLast()), (0...100).contains(percent) else { return nil }
      func share(of type: PhaseType) -> Int {
        let planned = (1...max(1, phases.count)).lazy.compactMap { phases.phase($0) }.first { $0.type == type }?
          .plannedMs
        return (Int((planned ?? 0) / 1000) * percent + 99) / 100
      }
      (readingSeconds, stationSeconds) = (share(of: .reading), share(of: .rotation))
    } else {
      guard let said = ReportedTime.seconds(text), said >= 0 else { return nil }
      (readingSeconds, stationSeconds) = (0, Int(text.contains(":") ? said : said * 60))
    }
    if max(readingSeconds, stationSeconds) > ExtraTime.most { return nil }
  }

  /// Gives it to a candidate, instead of what they had.
  public func give(to student: Int, in transaction: JournalTransaction) throws {
    try transaction.set(
      Stored.Student.self, student,
      [.extraReadingSeconds(readingSeconds), .extraStationSeconds(stationSeconds)])
  }
}

extension Fold {
  /// Milliseconds that a candidate with so many seconds beyond everybody's still has after the bell of a round; nil before
  /// the bell and once they are over. No pause of the hall's clock stops them.
  public func leftAfterBell(round: Int, extraSeconds: Int, at now: Instant) -> Int64? {
    guard extraSeconds > 0,
      let end = timeline(at: now).passages.last(where: { $0.type == .rotation && $0.round == round })?.end
    else { return nil }
    let left = end + Int64(extraSeconds) * 1000 - now
    return left > 0 ? left : nil
  }
}
