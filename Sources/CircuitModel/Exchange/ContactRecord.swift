import ExamStore
import GRDB
import Glibc
import Journal
import Timer

/// What a terminal says of itself when it meets its hub: its row of `SyncInformation`.
///
/// A device has one row, set at the first contact and afterwards at most each quarter of an hour: a row for each contact
/// would make the largest table of all.
public struct ContactRecord: Equatable, Sendable {
  /// When the device met the hub, by its exam's time.
  public let lastSync: Instant?
  /// The version of its program.
  public let version: String?
  /// Its operating system, with the version.
  public let system: String?

  /// For how long a record holds before a contact sets it again, in milliseconds.
  public static let interval: Int64 = 15 * 60_000

  /// The records that are here, by device.
  public static func all(in db: Database) throws -> [String: ContactRecord] {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: "SELECT deviceUUID, lastSync, appVersion, iOSVersion FROM syncInformation WHERE dsDeleted = 0"))
    let records = rows.compactMap { row -> (String, ContactRecord)? in
      guard let device = row[0] as String? else { return nil }
      let time = (row[1] as Int64?).map { Instant(stored: $0) }
      return (device, ContactRecord(lastSync: time, version: row[2], system: row[3]))
    }
    return Dictionary(records) { $1 }
  }

  /// Records that a store has met its hub, where that is due.
  /// - Parameter name: what people call this machine.
  /// - Returns: whether it was due.
  /// - Throws: `StoreError` if the disk or the store refuses.
  @discardableResult public static func note(in store: ExamStore, name: String) throws -> Bool {
    let (now, wall) = (store.clock.now, store.clock.wall)
    guard try store.read({ try isDue(for: store.device, at: now, wall, in: $0) }) else { return false }
    return try store.write(.program) { transaction in
      let (device, db) = (transaction.device, transaction.db)
      // Another process may have recorded it, or gone on as another device.
      guard try isDue(for: device, at: now, wall, in: db) else { return false }
      try set(
        [
          .deviceUUID(device.description), .appUUID(device.description), .deviceName(name),
          .appVersion(ProgramVersion.text), .iOSVersion(operatingSystem), .staff(try person(at: device, in: db)),
        ], of: device, at: now, transaction)
      return true
    }
  }

  /// A clock that was set back makes it due too: else nothing would be recorded until it has caught up.
  private static func isDue(for device: UUIDBytes, at now: Instant, _ wall: Int64, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT lastSync FROM syncInformation WHERE uuid = ?")
    if let last = try ReadRow.fetchOne(statement, arguments: [device.description])?[0] as Int64?,
      (now - Instant(stored: last)).magnitude < interval.magnitude
    {
      return false
    }
    // A record that counts for nothing, as of a clock far ahead, leaves the row as it was, and was made.
    let made = try db.cachedStatement(
      sql: "SELECT wallTime FROM operation WHERE entity = ? AND entityID = ? AND device = ? ORDER BY seq DESC LIMIT 1")
    let key = device.description
    let arguments: StatementArguments = [Stored.SyncInformation.entityName, key, key]
    guard let last = try ReadRow.fetchOne(made, arguments: arguments)?[0] as Int64? else { return true }
    return (Instant(milliseconds: wall) - Instant(milliseconds: last)).magnitude >= interval.magnitude
  }

  private static func set(
    _ said: [FieldChange<Stored.SyncInformation>], of device: UUIDBytes, at now: Instant,
    _ transaction: JournalTransaction
  ) throws {
    let key = device.description
    let fields: [Stored.SyncInformation.Field] = [
      .deviceUUID, .appUUID, .deviceName, .appVersion, .iOSVersion, .staff,
    ]
    let standing = try FieldChange<Stored.SyncInformation>.standing(in: fields, of: key, in: transaction.db)
    if standing.isEmpty {
      try transaction.create(Stored.SyncInformation.self, key, [.lastSync(now)] + said)
    } else {
      // What is as it was is not said again: it would be most of what travels.
      try transaction.set(
        Stored.SyncInformation.self, key, [.lastSync(now)] + said.filter { !standing.contains($0) })
    }
  }

  /// Who signed in last of those who sit at this device's terminals now; nil: nobody does.
  private static func person(at device: UUIDBytes, in db: Database) throws -> Int? {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT staffID, process, processStart FROM sitting
          WHERE ended IS NULL AND deviceID = ? AND staffID IS NOT NULL ORDER BY began DESC, uuid
          """), arguments: [device.description]
    ).first { row in
      (row[1] as Int32?).map { OpenSheets.isAlive($0, startedAt: row[2]) } ?? false
    }?[0]
  }

  /// The operating system's name and version, such as `Ubuntu 24.04.2 LTS`.
  static let operatingSystem: String = {
    let release = readSmallFile("/etc/os-release", limit: 4096) ?? ""
    if let name = name(inRelease: release) { return name }
    var kernel = utsname()
    uname(&kernel)
    func text<T>(_ field: T) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(kernel.sysname)) \(text(kernel.release))"
  }()

  /// What `PRETTY_NAME` of an os-release file says; nil where it says nothing.
  static func name(inRelease text: String) -> String? {
    let start = "PRETTY_NAME="
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(start) }) else { return nil }
    let name = line.dropFirst(start.count).filter { $0 != "\"" && $0 != "'" }
    return name.isEmpty ? nil : String(name.prefix(64))
  }
}
