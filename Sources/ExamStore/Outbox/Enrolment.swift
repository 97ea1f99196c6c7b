import GRDB
import Journal
import Timer

import struct Foundation.Data
import class Foundation.JSONDecoder

/// A store's place at a hub. A store is enrolled while this is in it, and nothing else makes it so.
///
/// The credential lies beside the store, never in it: backups and copies carry none.
public struct Enrolment: Equatable, Sendable {
  /// Where the hub answers.
  public let url: String
  /// The exam at the hub.
  public let exam: UUIDBytes
  /// Which run of the hub's log the cursor is of.
  public let epoch: UUIDBytes
  /// What this device is there.
  public let role: DeviceRole
  /// When the hub accepted it, by the exam's clock.
  public let enrolledAt: Instant
  /// How far the hub's log is here; after the colon it is the hub's to read.
  public let cursor: String
  /// The hub's log hash there: 32 bytes.
  public let cursorHash: [UInt8]
  /// What of the exam the hub gives this device, as JSON.
  public let scope: String

  /// - Parameters:
  ///   - cursor: where the exchange begins; nil: at the beginning of the hub's log.
  ///   - scope: as the hub gave it.
  public init(
    url: String, exam: UUIDBytes, epoch: UUIDBytes, role: DeviceRole, enrolledAt: Instant, cursor: String? = nil,
    cursorHash: [UInt8], scope: String
  ) {
    self.url = url
    self.exam = exam
    self.epoch = epoch
    self.role = role
    self.enrolledAt = enrolledAt
    self.cursor = cursor ?? "\(epoch):0"
    self.cursorHash = cursorHash
    self.scope = scope
  }

  /// The place of the hub's log up to which it is here; nil where the hub's words do not say.
  var mark: LogMark? {
    let place = String(cursor.drop { $0 != ":" }.dropFirst())
    return ExchangeCursor(epoch: epoch, place: place, hash: cursorHash).seq.map { LogMark(seq: $0, hash: cursorHash) }
  }

  /// This enrolment from a former place at the hub on, which may have given another part of the exam.
  public func goingOn(from former: Enrolment) -> Enrolment {
    var cursor = former.cursor
    if isPartial || former.isPartial, let mark = former.mark {
      cursor = ExchangeCursor(epoch: former.epoch, backTo: mark, isPartial: true).text
    }
    return Enrolment(
      url: url, exam: exam, epoch: former.epoch, role: role, enrolledAt: enrolledAt, cursor: cursor,
      cursorHash: former.cursorHash, scope: scope)
  }

  /// What the hub gives this device, by the hub's own names; nil where it does not say.
  package var atoms: [String]? {
    struct Scope: Decodable { let atoms: [String] }
    return try? JSONDecoder().decode(Scope.self, from: Data(scope.utf8)).atoms
  }

  /// Whether the hub gives this device less than the whole exam: what others hold of the rest is not here to be counted.
  public var isPartial: Bool { atoms.map { !$0.contains("all") } ?? false }

  /// Whether a store holds less than the whole exam, as its hub gives it.
  /// - Throws: `StoreError` if what is stored of the hub cannot be read.
  public static func isPartial(_ db: Database) throws -> Bool { try read(db)?.isPartial ?? false }

  /// Makes the tables of the exchange. None of them travels.
  static func createTables(in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE hub (one INTEGER PRIMARY KEY CHECK (one = 1), url TEXT NOT NULL, exam TEXT NOT NULL,
          epoch TEXT NOT NULL, role TEXT NOT NULL, enrolledAt INTEGER NOT NULL, cursor TEXT NOT NULL,
          cursorHash BLOB NOT NULL, scope TEXT NOT NULL);
        CREATE TABLE hubMark (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL);
        """)
  }

  /// Whether the store is enrolled.
  package static func exists(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM hub)")) ?? false
  }

  /// The role in which the store is enrolled; nil where it is not.
  static func role(_ db: Database) throws -> DeviceRole? {
    try String.fetchOne(db.cachedStatement(sql: "SELECT role FROM hub")).map { DeviceRole(rawValue: $0) ?? .station }
  }

  /// The enrolment; nil where there is none.
  /// - Throws: `StoreError` if what is stored of it cannot be read.
  public static func read(_ db: Database) throws -> Enrolment? {
    let statement = try db.cachedStatement(
      sql: "SELECT url, exam, epoch, role, enrolledAt, cursor, cursorHash, scope FROM hub")
    guard let row = try ReadRow.fetchOne(statement) else { return nil }
    guard let exam = UUIDBytes(row[1]), let epoch = UUIDBytes(row[2]), let role = DeviceRole(rawValue: row[3]) else {
      throw StoreError("what is noted of the hub cannot be read; run: osce doctor")
    }
    return Enrolment(
      url: row[0], exam: exam, epoch: epoch, role: role, enrolledAt: Instant(stored: row[4]), cursor: row[5],
      cursorHash: [UInt8](row[6] as Data), scope: row[7])
  }

  func write(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO hub (one, url, exam, epoch, role, enrolledAt, cursor, cursorHash, scope)
        VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        url, exam.description, epoch.description, role.rawValue, enrolledAt.milliseconds, cursor, Data(cursorHash),
        scope,
      ])
  }
}

extension ExamStore {
  /// Takes a place at a hub: from then on what is owed to it is what the place's role sends.
  /// - Throws: `StoreError` if the disk or the store refuses.
  public func enrol(_ enrolment: Enrolment) throws {
    try merge { merge in
      try enrolment.write(merge.db)
      try HubClock.forget(merge.db)
      try SyncState.forgetDevices(merge.db)
      try Outbox.judgeAll(as: enrolment.role, in: merge.db)
    }
  }
}
