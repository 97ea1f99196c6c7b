import ExamStore
import GRDB
import Journal

/// The queue as it is when a re-run begins: what has been signed is done, and the rest moves up, in its order, to the
/// first rounds that are free for candidate and station, so that no round of the re-run is empty.
public struct RerunArrangement: Sendable {
  /// The items to be examined, each with its round.
  public let places: [(item: RerunItem, place: Int)]
  /// The items of which nothing is due, as of who is excused: a round in which they stand in nobody's way.
  private let aside: [(item: RerunItem, place: Int)]
  /// The items whose sheets are all signed by now.
  public let done: [RerunItem]

  /// How many rounds the re-run needs; 0 if nothing is queued.
  public var rounds: Int { places.map(\.place).max() ?? 0 }

  /// Works it out.
  /// - Parameters: as for the items of the queue.
  public static func read(
    _ session: Session, excusing isExcused: (RosterEntry, StationSession) -> Bool = { _, _ in false },
    without excluded: Set<String>? = nil, in db: Database
  ) throws -> RerunArrangement {
    let queued = try RerunQueue.items(session, excusing: isExcused, without: excluded, in: db)
      .filter { $0.status == .queued }
    let due = queued.filter(\.isDue)
    var places: [(item: RerunItem, place: Int)] = []
    for item in due + queued.filter({ !$0.isDue && !$0.isSigned }) {
      places.append((item, RerunQueue.firstFree(from: 1, for: item.entry, at: item.station, among: places)))
    }
    return RerunArrangement(
      places: Array(places.prefix(due.count)), aside: Array(places.dropFirst(due.count)),
      done: queued.filter(\.isSigned))
  }

  /// Holds a re-run to the queue.
  /// - Throws: `ClockRefusal` if so many rounds are too few.
  public func check(rounds: Int, of session: Session) throws {
    guard rounds < self.rounds else { return }
    throw ClockRefusal.notTaken(event: "rerun", .rerunTooShort(needs: self.rounds), session: session.name)
  }

  /// Whether another examines the same in the same rounds, whatever was written on the sheets meanwhile.
  public func isSame(as other: RerunArrangement) -> Bool {
    places.map(\.place) == other.places.map(\.place) && places.map(\.item.key) == other.places.map(\.item.key)
      && done.map(\.key) == other.done.map(\.key)
  }

  /// The station sessions at which something is due and whose assessors were released: they are called back.
  public func released(in db: Database) throws -> [StationSession] {
    try places.map(\.item.station).reduce(into: []) { released, place in
      guard !released.contains(where: { $0.timetable == place.timetable }) else { return }
      if try StationClearance.releasedAt(timetable: place.timetable, in: db) != nil { released.append(place) }
    }
  }

  /// Writes it, and calls released assessors back.
  public func apply(_ transaction: JournalTransaction) throws {
    for place in try released(in: transaction.db) {
      try StationClearance.takeBack(timetable: place.timetable, transaction)
    }
    for item in done { try RerunQueue.finish(item.key, transaction) }
    for (item, place) in places + aside where place != item.place {
      try transaction.set(Stored.RerunEntry.self, item.key, [.place(place)])
    }
  }
}

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
    let traces = try MarkedEntries.read(session, in: db)
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
