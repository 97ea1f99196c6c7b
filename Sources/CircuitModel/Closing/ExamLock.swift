import ExamStore
import GRDB
import Timer

/// What two people have locked.
public struct ExamLock: Equatable, Sendable {
  /// The key of its row.
  public let key: String
  /// What it covers: a circuit, a session, or with neither the whole exam.
  public let scope: Scope
  /// When.
  public let lockedAt: Instant?
  /// 0: the lock itself; else which amendment of it.
  public let amendment: Int
  /// What was locked, as it was hashed.
  public let content: String
  /// SHA-256 of the content, in hexadecimal digits.
  public let hash: String
  /// Why it was amended.
  public let reason: String?
  /// The two who locked, by username.
  public let staff: [String]
  /// How it was opened again; nil: it holds.
  public let reopening: Reopening?

  /// What two people did who opened a lock again.
  public struct Reopening: Equatable, Sendable {
    /// When.
    public let at: Instant
    /// Why.
    public let reason: String
    /// The two, by username.
    public let staff: [String]
  }

  /// What a lock covers.
  public struct Scope: Hashable, Sendable {
    /// The circuit's name; nil: every circuit.
    public var circuit: String?
    /// Date and start, as in `2026-12-01 08:30`; nil: every session.
    public var session: String?

    /// The whole exam, or a part of it.
    public init(circuit: String? = nil, session: String? = nil) { (self.circuit, self.session) = (circuit, session) }

    /// Whether it is the whole exam.
    public var isExam: Bool { circuit == nil && session == nil }

    /// Whether a session belongs to it.
    public func covers(circuit: String, session: String) -> Bool {
      (self.circuit ?? circuit) == circuit && (self.session ?? session) == session
    }

    /// - Throws: `RulingRefusal` for a circuit or session that the exam does not have.
    public func check(in db: Database) throws {
      try Rulings.check(ExamRuling.Scope(circuit: circuit, session: session), in: db)
      guard let circuit, let session else { return }
      let meets = try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM timetable t JOIN activityType a ON a.dsid = t.activityTypeID
            JOIN clinicGroup g ON g.dsid = a.clinicGroupID
            WHERE g.name = ? AND \(Session.nameSQL) = ? AND t.dsDeleted = 0 AND g.dsDeleted = 0)
          """, arguments: [circuit, session])
      if meets != true { throw RulingRefusal.notInExam(.session, name) }
    }

    /// As it is printed: `exam`, or what it names.
    public var name: String { isExam ? "exam" : [circuit, session].compactMap { $0 }.joined(separator: " · ") }
  }

  /// A session by its circuit's name and its date and start.
  public typealias Place = (circuit: String, session: String)

  /// What keeps sessions as they are: the lock of the whole exam before that of a part, of parts the one that was made
  /// first; nil where none does.
  /// - Parameter locks: those that hold, in their order; of what is amended the lock itself is the first.
  public static func keeping(
    _ sessions: @autoclosure () throws -> [Place], among locks: [ExamLock]
  ) rethrows -> ExamLock? {
    if let exam = locks.first(where: \.scope.isExam) { return exam }
    if locks.isEmpty { return nil }
    let sessions = try sessions()
    return locks.first { lock in sessions.contains { lock.scope.covers(circuit: $0.circuit, session: $0.session) } }
  }

  /// The lock, or its last amendment, that keeps sessions as they are; nil where none does.
  public static func covering(_ sessions: [Place], in db: Database) throws -> ExamLock? {
    let standing = try standing(in: db)
    let lock = keeping(sessions, among: standing)
    return lock.flatMap { lock in standing.last { $0.scope == lock.scope } }
  }

  /// The lock that keeps a sheet as it is, or its last amendment.
  /// - Throws: `RulingRefusal` where the sheet is not locked.
  public static func covering(sheet: String, in db: Database) throws -> ExamLock {
    let place = try ReadRow.fetchOne(
      db,
      sql: """
        SELECT g.name, \(Session.nameSQL) FROM dataForm f
        JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID JOIN timetable t ON t.dsid = e.timetableID
        JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup g ON g.dsid = a.clinicGroupID
        WHERE f.uuid = ?
        """, arguments: [sheet])
    guard let lock = try covering([(place?[0] ?? "", place?[1] ?? "")], in: db) else { throw RulingRefusal.notLocked }
    return lock
  }

  /// - Throws: `LockRefusal` where one of some sessions is locked.
  public static func refuse(_ sessions: [Session], in db: Database) throws {
    if let first = try refusals(of: sessions, in: db).first { throw first }
  }

  /// Why nothing of those of some sessions changes that are locked, in their order.
  public static func refusals(of sessions: [Session], in db: Database) throws -> [LockRefusal] {
    if sessions.isEmpty { return [] }
    let locks = try standing(in: db)
    if locks.isEmpty { return [] }
    return try sessions.compactMap { session in
      try keeping([(Circuit.name(of: session.circuit, in: db) ?? "", session.name)], among: locks)
        .map(LockRefusal.init)
    }
  }

  /// Every lock and amendment that holds, in the order in which they were made.
  public static func standing(in db: Database) throws -> [ExamLock] {
    try all(in: db).filter { $0.reopening == nil }
  }

  /// The lock of a scope and its amendments, as far as they hold.
  static func standing(of scope: Scope, in db: Database) throws -> [ExamLock] {
    try standing(in: db).filter { $0.scope == scope }
  }

  /// Every lock and amendment, those that were opened again first, each lock before its amendments, these by their
  /// numbers: an amendment may have been made while the exam's time stood before the lock's.
  public static func all(in db: Database) throws -> [ExamLock] {
    guard try db.holdsTable("examLock") else { return [] }
    return try ReadRow.fetchAll(
      db,
      sql: """
        SELECT l.uuid, l.circuit, l.session, l.lockedAt, l.amendment, l.content, l.hash, l.reason, s.username,
          x.username, l.reopenedAt, l.reopenReason, o.username, p.username
        FROM examLock l LEFT JOIN user s ON s.dsid = l.staffID LEFT JOIN user x ON x.dsid = l.secondStaffID
          LEFT JOIN user o ON o.dsid = l.reopenedByID LEFT JOIN user p ON p.dsid = l.secondReopenedByID
        WHERE l.dsDeleted = 0
        ORDER BY l.reopenedAt IS NULL, l.reopenedAt, l.amendment, l.lockedAt, l.uuid
        """
    ).map { row in
      ExamLock(
        key: row[0], scope: Scope(circuit: row[1], session: row[2]),
        lockedAt: (row[3] as Int64?).map { Instant(stored: $0) }, amendment: row[4] ?? 0, content: row[5] ?? "",
        hash: row[6] ?? "", reason: row[7], staff: [row[8] as String?, row[9]].compactMap { $0 },
        reopening: (row[10] as Int64?).map {
          Reopening(
            at: Instant(stored: $0), reason: row[11] ?? "", staff: [row[12] as String?, row[13]].compactMap { $0 })
        })
    }
  }
}
