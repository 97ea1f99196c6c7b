import ExamStore
import GRDB
import Journal
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
            WHERE g.name = ? AND t.date || ' ' || t.startTime = ? AND t.dsDeleted = 0 AND g.dsDeleted = 0)
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
        SELECT g.name, t.date || ' ' || t.startTime FROM dataForm f
        JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID JOIN timetable t ON t.dsid = e.timetableID
        JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup g ON g.dsid = a.clinicGroupID
        WHERE f.uuid = ?
        """, arguments: [sheet])
    guard let lock = try covering([(place?[0] ?? "", place?[1] ?? "")], in: db) else { throw RulingRefusal.notLocked }
    return lock
  }

  /// - Throws: `LockRefusal` where one of some sessions is locked.
  public static func refuse(_ sessions: [Session], in db: Database) throws {
    let locks = try standing(in: db)
    for session in sessions {
      func place() throws -> Place {
        let circuit = try String.fetchOne(
          db, sql: "SELECT name FROM clinicGroup WHERE dsid = ?", arguments: [session.circuit])
        return (circuit ?? "", session.name)
      }
      if let lock = try keeping([place()], among: locks) { throw LockRefusal(lock) }
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

/// Two different people who have proved who they are, for what one alone may not do.
public struct TwoPeople: Sendable {
  /// The exam lead.
  public let first: ExamLead
  /// A second lead, or somebody of the exam office.
  public let second: StaffMember

  /// - Parameters:
  ///   - proofs: those of both passcodes.
  /// - Throws: `RulingRefusal` if they are one person, without a passcode, or the second may not; `StaffRefusal` where a
  ///   proof is not theirs.
  public init(
    _ first: StaffMember, _ second: StaffMember, proofs: [PasscodeProof], in db: Database
  ) throws {
    try TwoPeople.check(first, second, in: db)
    for member in [first, second] {
      if !proofs.contains(where: { $0.staff == member.id }) {
        throw StaffRefusal.wrongPasscode(member.name, wait: 0)
      }
    }
    let lead = try ExamLead.find(username: first.username, in: db)
    self.first = try ExamLead.authorise(lead, by: proofs.first { $0.staff == first.id })
    self.second = second
  }

  /// Asks of two people what does not depend on their passcodes.
  /// - Throws: `RulingRefusal` if they are one person, without a passcode, or the second may not.
  public static func check(_ first: StaffMember, _ second: StaffMember, in db: Database) throws {
    if first.id == second.id { throw RulingRefusal.needsTwo }
    for member in [first, second] where !member.hasPasscode { throw RulingRefusal.withoutPasscode(member.name) }
    guard let role = try second.role(in: db), ExamRole.besideALead.contains(role) else {
      throw RulingRefusal.mayNot(second.name)
    }
  }

  /// Whether two people, by their keys, are a lead and a second lead or somebody of the office. What comes from another
  /// store holds no passcode, so that more cannot be asked of it.
  static func areNamed(_ first: Int64, _ second: Int64, in db: Database) throws -> Bool {
    let roles = try StaffRoles.read(db)
    func role(_ key: Int64) throws -> ExamRole? {
      try String.fetchOne(
        db, sql: "SELECT username FROM user WHERE dsid = ? AND dsDeleted = 0", arguments: [key]
      ).flatMap { roles[$0] }
    }
    guard first != second, try role(first) == .lead, let beside = try role(second) else { return false }
    return ExamRole.besideALead.contains(beside)
  }
}

/// Locks an exam, amends what is locked, and opens it again.
public enum ExamLocks {
  /// Locks.
  /// - Parameters:
  ///   - content: what is locked, in canonical JSON.
  ///   - hash: SHA-256 of it in hexadecimal digits.
  ///   - at: when, as the content says it.
  /// - Throws: `RulingRefusal` where it is locked already, or the hub gives this device less than the whole exam.
  @discardableResult public static func lock(
    _ scope: ExamLock.Scope, content: String, hash: String, at: Instant, by people: TwoPeople,
    _ transaction: JournalTransaction
  ) throws -> String {
    if try Enrolment.isPartial(transaction.db) { throw RulingRefusal.partOfExam }
    if let standing = try ExamLock.standing(of: scope, in: transaction.db).first {
      throw RulingRefusal.locked(by: standing.staff, at: standing.lockedAt)
    }
    return try write(scope, content: content, hash: hash, at: at, amendment: 0, reason: nil, by: people, transaction)
  }

  /// Writes what a lock comes to after an amendment.
  /// - Throws: `RulingRefusal` without a reason, or where nothing is locked.
  @discardableResult public static func amend(
    _ scope: ExamLock.Scope, content: String, hash: String, at: Instant, reason: String, by people: TwoPeople,
    _ transaction: JournalTransaction
  ) throws -> String {
    guard let last = try ExamLock.standing(of: scope, in: transaction.db).last else { throw RulingRefusal.notLocked }
    return try write(
      scope, content: content, hash: hash, at: at, amendment: last.amendment + 1,
      reason: try Rulings.checked(reason, shortest: Rulings.shortestReason), by: people, transaction)
  }

  /// Opens again what is locked, for a re-run: a new lock is needed afterwards.
  /// - Throws: `RulingRefusal` without a reason, or where nothing is locked.
  public static func reopen(
    _ scope: ExamLock.Scope, reason: String, by people: TwoPeople, _ transaction: JournalTransaction
  ) throws {
    let reason = try Rulings.checked(reason, shortest: Rulings.shortestReason)
    let standing = try ExamLock.standing(of: scope, in: transaction.db)
    if standing.isEmpty { throw RulingRefusal.notLocked }
    transaction.author.reason = reason
    try lifting(for: people, transaction) {
      for lock in standing {
        try transaction.set(
          Stored.ExamLock.self, lock.key,
          [
            .reopenedAt(transaction.clock.now), .reopenReason(reason), .reopenedBy(people.first.member.id),
            .secondReopenedBy(people.second.id),
          ])
      }
    }
  }

  /// Carries out a change of what is locked, which two people answer for.
  static func lifting<Result>(
    for people: TwoPeople, _ transaction: JournalTransaction, _ change: () throws -> Result
  ) rethrows -> Result {
    transaction.isLockLifted = true
    defer { transaction.isLockLifted = false }
    return try change()
  }

  /// Rules on what came from a terminal that did not know of a lock, and lets it count, or not. To be done before anything
  /// else in the transaction.
  /// - Returns: the lock that covers it, or its last amendment; nil where it is opened again by now.
  /// - Throws: `RulingRefusal` without a reason, or where nothing is kept back; `StoreError` where a hub keeps it.
  public static func settle(
    _ late: [LateOperation], admits: Bool, reason: String, by people: TwoPeople, _ transaction: JournalTransaction
  ) throws -> ExamLock? {
    let reason = try Rulings.checked(reason, shortest: Rulings.shortestReason)
    if late.isEmpty { throw RulingRefusal.nothingHeldBack }
    var lock: ExamLock?
    for one in late where lock == nil {
      lock = try LockGuard.covering(one.row, creating: one.fields, in: transaction.db)
    }
    try lifting(for: people, transaction) {
      try transaction.settle(admits ? .applied : .rejected, on: late, reason: reason)
      let choice: ExamRuling.ChoiceWord = admits ? .admitted : .dismissed
      try Rulings.recordAmendment(
        of: [.subject(late[0].row.id)], to: choice.rawValue, reason: reason, by: people, transaction)
    }
    return lock
  }

  private static func write(
    _ scope: ExamLock.Scope, content: String, hash: String, at: Instant, amendment: Int, reason: String?,
    by people: TwoPeople, _ transaction: JournalTransaction
  ) throws -> String {
    let key = UUIDBytes.random().description
    _ = try lifting(for: people, transaction) {
      try transaction.create(
        Stored.ExamLock.self, key,
        [
          .lockedAt(at), .circuit(scope.circuit), .session(scope.session), .amendment(amendment),
          .content(content), .hash(hash), .reason(reason), .staff(people.first.member.id),
          .secondStaff(people.second.id),
        ])
    }
    return key
  }
}
