import ExamStore
import GRDB
import Journal
import Timer

/// The stations that candidates have missed and are to be examined at after the session, each with its round of the
/// re-run. A roster entry has one place in the queue: queued again, it takes it up again.
public enum RerunQueue {
  /// How the reason of a place begins that a station out of order has made.
  static let outage = "out of order: "

  /// A session's items, withdrawn and finished ones included, in the order of the re-run's rounds and the ring.
  /// - Parameters:
  ///   - isExcused: whether nothing is due of an entry's candidate at a station session.
  ///   - excluded: the sheets that the lead has ruled out, where they were read already.
  public static func items(
    _ session: Session, excusing isExcused: (RosterEntry, StationSession) -> Bool = { _, _ in false },
    without excluded: Set<String>? = nil, in db: Database
  ) throws -> [RerunItem] {
    let stations = try StationSession.all(of: session, in: db)
    let order = Dictionary(stations.enumerated().map { ($1.timetable, $0) }) { first, _ in first }
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT r.uuid, r.place, r.status, r.reason, r.time, e.uuid, e.timetableID
          FROM rerunEntry r JOIN timetableAttendanceLog e ON e.uuid = r.attendanceLogID
            JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
          WHERE \(Session.condition) AND r.dsDeleted = 0 AND e.dsDeleted = 0
          """), arguments: session.arguments
    )
    let entries = try Roster.entries(keys: rows.map { $0[5] }, in: db)
    let queued = Set(rows.filter { $0[2] == RerunItem.Status.queued.rawValue }.compactMap { order[$0[6]] })
    let places = queued.map { stations[$0] }
    let signed = try queued.isEmpty ? [] : MarkedEntries.complete(session, at: places, in: db)
    let ruledOut = try ruledOut(at: places, without: excluded, in: db)
    let items = rows.compactMap { row -> RerunItem? in
      guard let entry = entries[row[5] as String], let index = order[row[6]] else { return nil }
      return RerunItem(
        key: row[0], entry: entry, station: stations[index], place: min(max(row[1] as Int, 1), Expansion.mostRounds),
        status: RerunItem.Status(rawValue: row[2]) ?? .queued, reason: row[3],
        since: (row[4] as Int64?).map { Instant(stored: $0) }, isSigned: signed.contains(entry.key),
        isRuledOut: ruledOut.contains(entry.key), isExcused: isExcused(entry, stations[index]))
    }
    func rank(_ item: RerunItem) -> (Int, Int, String) { (item.place, order[item.station.timetable] ?? 0, item.key) }
    return items.sorted { rank($0) < rank($1) }
  }

  /// What is still to be examined in re-runs, session by session: the queued stations of which not every sheet is signed
  /// or ruled out by now. One that is forgotten here leaves its candidate without a mark, though the candidate is recorded
  /// absent.
  package static func remaining(in db: Database) throws -> [RerunItem] {
    let sessions = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT DISTINCT a.clinicGroupID, t.date, t.startTime
        FROM rerunEntry r JOIN timetableAttendanceLog e ON e.uuid = r.attendanceLogID
          JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
        WHERE r.status = 'queued' AND r.dsDeleted = 0 AND e.dsDeleted = 0
          AND t.date IS NOT NULL AND t.startTime IS NOT NULL
        ORDER BY t.date, t.startTime, a.clinicGroupID
        """)
    if sessions.isEmpty { return [] }
    let excluded = try ExamRuling.excludedSheets(in: db)
    return try sessions.flatMap { row in
      let session = Session(circuit: row[0], date: row[1], startTime: row[2])
      return try RerunArrangement.read(session, without: excluded, in: db).places.map(\.item)
    }
  }

  /// The entries at some station sessions of which the lead has ruled out every sheet that is not signed: nothing is left
  /// to be examined, whether or not the candidate is recorded absent.
  private static func ruledOut(
    at places: [StationSession], without excluded: Set<String>?, in db: Database
  ) throws -> Set<String> {
    if places.isEmpty { return [] }
    let excluded = try excluded ?? ExamRuling.excludedSheets(in: db)
    if excluded.isEmpty { return [] }
    let holder = try db.cachedStatement(
      sql: """
        SELECT e.timetableID FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
        WHERE f.uuid = ?
        """)
    let holders = try Set(excluded.compactMap { try Int.fetchOne(holder, arguments: [$0]) })
    let places = places.filter { holders.contains($0.timetable) }
    var (ruledOut, open): (Set<String>, Set<String>) = ([], [])
    try SheetWalk.forEach(.tally, at: places, asIfPresent: true, in: db) { sheet in
      guard sheet.isExpected else { return }
      if let held = sheet.held, excluded.contains(held.key) {
        ruledOut.insert(sheet.entry.key)
      } else if sheet.held?.signedAt == nil {
        open.insert(sheet.entry.key)
      }
    }
    return ruledOut.subtracting(open)
  }

  /// Queues a roster entry in the first round of the re-run in which neither its candidate nor its station is needed
  /// otherwise; while a re-run is open, in a round that is still to come. An entry that is queued keeps its round.
  /// An entry with marks may be queued too, as after a failure of the equipment: its sheet goes on as it is.
  /// - Parameter replacesReason: whether an entry that is queued already has this reason from now on.
  /// - Throws: `RerunRefusal` if there is no such entry, if it is for practice or at a rest station, or if a sheet is
  ///   signed.
  /// - Returns: the item's key.
  @discardableResult public static func add(
    entry: String, reason: String?, replacingReason replacesReason: Bool = false, _ transaction: JournalTransaction
  ) throws -> String {
    let db = transaction.db
    let (roster, station) = try place(of: entry, in: db)
    let key = DerivedKeys.rerun(entry: entry)
    let items = try items(station.session, in: db)
    if items.contains(where: { $0.key == key && $0.status == .queued }) {
      if replacesReason { try transaction.set(Stored.RerunEntry.self, key, [.reason(reason)]) }
      return key
    }
    let queued = items.filter { $0.status == .queued }
    let next = try Run.openRerunRound(of: station.session, at: transaction.clock.now, in: db) + 1
    let place = firstFree(from: next, for: roster, at: station, among: queued.map { ($0, $0.place) })
    var changes: [FieldChange<Stored.RerunEntry>] = [
      .place(place), .status(RerunItem.Status.queued.rawValue), .time(transaction.clock.now),
    ]
    if let reason { changes.append(.reason(reason)) }
    if let staff = transaction.author.staff { changes.append(.staff(staff)) }
    if try transaction.create(Stored.RerunEntry.self, key, [.attendanceLog(entry)] + changes) == nil {
      try transaction.set(Stored.RerunEntry.self, key, changes)
    }
    return key
  }

  /// The first round from one on in which neither a candidate nor a station is needed otherwise.
  /// - Parameter places: what is to be examined, each item with its round.
  static func firstFree(
    from first: Int, for entry: RosterEntry, at station: StationSession, among places: [(item: RerunItem, place: Int)]
  ) -> Int {
    let others = places.filter {
      $0.item.station.timetable == station.timetable || $0.item.entry.candidate?.id == entry.candidate?.id
    }
    let taken = Set(others.map(\.place))
    var place = first
    while taken.contains(place) { place += 1 }
    return place
  }

  /// Takes an item off the queue: the station is not to be made up.
  /// - Parameter undoing: the operations that this takes back; see `SessionUndo`.
  /// - Throws: `RowRefusal` if there is no such item.
  public static func withdraw(
    _ key: String, undoing: [OperationID] = [], _ transaction: JournalTransaction
  ) throws {
    try transaction.set(
      Stored.RerunEntry.self, key, [.status(RerunItem.Status.withdrawn.rawValue)], undoing: undoing)
  }

  /// Records that the candidate was examined.
  /// - Throws: `RowRefusal` if there is no such item.
  public static func finish(_ key: String, _ transaction: JournalTransaction) throws {
    try transaction.set(Stored.RerunEntry.self, key, [.status(RerunItem.Status.done.rawValue)])
  }

  /// The queued stations for which a run has no round left if it is cut to so many; none where it is no re-run.
  public static func leftOut(of run: Run, rounds: Int, in db: Database) throws -> [RerunItem] {
    guard run.isRerun else { return [] }
    return try items(run.session, in: db).filter { $0.status == .queued && $0.place > rounds }
  }

  private static func place(of entry: String, in db: Database) throws -> (RosterEntry, StationSession) {
    guard let roster = try Roster.entry(entry, seat: .lead, in: db), let candidate = roster.candidate,
      let timetable = try Roster.timetable(of: entry, in: db)
    else { throw RerunRefusal.noCandidate(entry: entry) }
    let station = try StationSession.find(timetable, in: db)
    if station.isRest { throw RerunRefusal.restStation(station.stationTitle) }
    if try MarkedEntries.complete(station.session, in: db).contains(entry) {
      throw RerunRefusal.signed(candidate.name, station: station.stationTitle)
    }
    return (roster, station)
  }
}

/// A station to be made up in the re-run.
public struct RerunItem: Equatable, Sendable {
  /// The key in `RerunEntry`.
  public let key: String
  /// Who, as the roster has it.
  public let entry: RosterEntry
  /// Where.
  public let station: StationSession
  /// The round of the re-run, from 1.
  public let place: Int
  /// What became of it.
  public let status: Status
  /// Why the station was missed, in words.
  public let reason: String?
  /// When it was queued.
  public let since: Instant?

  /// Whether every sheet of it is signed by now, though it is queued.
  public let isSigned: Bool

  /// Whether the lead has ruled out every sheet of it that is not signed, though it is queued.
  public let isRuledOut: Bool

  /// Whether the candidate is excused at the station or left out, as far as the reader of the queue has asked.
  public let isExcused: Bool

  /// Whether it is still to be examined.
  public var isDue: Bool { status == .queued && !isSigned && !isRuledOut && !isExcused }

  /// Whether it is queued because its station was out of order.
  var isOutage: Bool { status == .queued && reason?.hasPrefix(RerunQueue.outage) == true }

  /// What became of an item.
  public enum Status: String, Sendable, CaseIterable {
    /// To be examined in the re-run.
    case queued
    /// Examined.
    case done
    /// Not to be examined after all.
    case withdrawn
  }
}
