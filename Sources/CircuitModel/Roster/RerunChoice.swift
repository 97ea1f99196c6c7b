import ExamStore
import GRDB

/// A station of a candidate, and whether it is to be made up in the re-run.
public struct RerunChoice: Equatable, Sendable {
  /// The roster entry.
  public let entry: RosterEntry
  /// Where.
  public let station: StationSession
  /// Its place in the queue, also one that was withdrawn; nil: it was never queued.
  public let item: RerunItem?
  /// Whether a sheet is signed: it is not queued then.
  public let isSigned: Bool
  /// Whether a sheet holds marks.
  public let isMarked: Bool

  /// Whether it is in the queue.
  public var isQueued: Bool { item?.status == .queued }

  /// Whether the candidate missed it, as far as is recorded by the end of a round: nothing was marked there, and
  /// nobody saw the candidate.
  public func isMissed(by round: Int) -> Bool {
    !isSigned && !isMarked && (entry.identityCheckedAt == nil || entry.isPresent == false)
      && entry.round.map { $0 <= round } ?? true
  }
}

extension RerunQueue {
  /// What of a candidate's stations can be queued by hand, in the order of rounds; rest stations are left out.
  public static func choices(_ student: Int, in session: Session, _ db: Database) throws -> [RerunChoice] {
    let board = try HallBoard.read(session, in: db)
    let traces = try SheetTraces.read(session, in: db)
    let items = try items(session, in: db)
    let places = board.everywhere(student).compactMap { timetable, entry in
      board.stations.first { $0.timetable == timetable && !$0.isRest }.map { ($0, entry) }
    }
    return places.map { station, entry in
      RerunChoice(
        entry: entry, station: station, item: items.first { $0.entry.key == entry.key },
        isSigned: traces.signed.contains(entry.key), isMarked: traces.marked.contains(entry.key))
    }
  }
}
