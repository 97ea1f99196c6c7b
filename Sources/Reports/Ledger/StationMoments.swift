import CircuitModel
import ExamStore
import GRDB
import Timer

/// What a moment at a station falls into: which session, which round, and who was there then. Each session's clock is
/// read once.
struct StationMoments {
  /// A station at a moment.
  struct Place {
    let station: StationSession
    /// The round, of the re-run if it is one; nil where no round was on.
    let slot: HeldRounds.Slot?
    /// The key of who was there.
    let entry: String?
    /// The candidate's number.
    let number: String?
    /// The candidate's name.
    let candidate: String?
  }

  private let now: Instant
  private var rounds: [Session: HeldRounds] = [:]
  private var stations: [Int: [StationSession]] = [:]

  /// - Parameter now: as of when the clocks are read.
  init(_ db: Database, at now: Instant) throws {
    self.now = now
    for place in try StationSession.all(in: db) { stations[place.station, default: []].append(place) }
  }

  /// The station session of a station at whose clock a moment lies; nil where its clock had never been started.
  /// - Parameter station: the key in `ActivityType`.
  mutating func place(station: Int, at instant: Instant, in db: Database) throws -> Place? {
    var found: (entered: Instant, place: StationSession, rounds: HeldRounds)?
    for place in stations[station] ?? [] {
      let rounds = try rounds(of: place.session, in: db)
      guard let entered = rounds.lastEntry(before: instant) else { continue }
      if found.map({ $0.entered < entered }) ?? true { found = (entered, place, rounds) }
    }
    guard let found else { return nil }
    return try self.place(found.place, found.rounds, at: instant, in: db)
  }

  /// Who was at a station session at a moment.
  mutating func place(_ place: StationSession, at instant: Instant?, in db: Database) throws -> Place {
    try self.place(place, try rounds(of: place.session, in: db), at: instant, in: db)
  }

  /// Who comes to a station session in one of its session's rounds.
  func place(_ place: StationSession, round: Int, in db: Database) throws -> Place {
    try self.place(place, in: HeldRounds.Slot(round: round, isRerun: false), db)
  }

  private func place(
    _ place: StationSession, _ rounds: HeldRounds, at instant: Instant?, in db: Database
  ) throws -> Place {
    try self.place(place, in: instant.flatMap { rounds.wasOver(at: $0) ? nil : rounds.slot(at: $0) }, db)
  }

  private func place(_ place: StationSession, in slot: HeldRounds.Slot?, _ db: Database) throws -> Place {
    let who = try slot.flatMap { try StationMoments.entry(at: place.timetable, $0, in: db) }
    return Place(
      station: place, slot: slot, entry: who.map { $0[0] as String }, number: who.flatMap { $0[1] as String? },
      candidate: who.flatMap { personName(title: $0[2], forename: $0[3], surname: $0[4]) })
  }

  private mutating func rounds(of session: Session, in db: Database) throws -> HeldRounds {
    if let known = rounds[session] { return known }
    let read = HeldRounds(try SessionTimeline.read(session, at: now, in: db))
    rounds[session] = read
    return read
  }

  private static func entry(at timetable: Int, _ slot: HeldRounds.Slot, in db: Database) throws -> ReadRow? {
    let comes =
      slot.isRerun
      ? "EXISTS (SELECT 1 FROM rerunEntry r WHERE r.attendanceLogID = e.uuid AND r.place = ? AND r.dsDeleted = 0 "
        + "AND r.status <> 'withdrawn')" : "e.\"order\" = ?"
    return try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT e.uuid, u.studentNumber, u.title, u.forename, u.surname FROM timetableAttendanceLog e
            LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE e.timetableID = ? AND e.dsDeleted = 0 AND e.practice = 0 AND \(comes) ORDER BY e.uuid LIMIT 1
          """), arguments: [timetable, slot.round])
  }
}
