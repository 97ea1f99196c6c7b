import GRDB
import Glibc
import Journal

/// Ties a store to the machine and the file it lives in: a copied store starts a chain of its own, so that two
/// copies never write the same sequence numbers.
package enum DeviceBinding {
  /// The entity of devices, of which each store makes its own row.
  static let entity = "Device"

  /// The device that this store writes as, made if the store is new or has been copied here.
  static func bind(
    _ writer: DatabaseQueue, location: StoreLocation, knowing knowledge: ExamKnowledge, clock: ExamClock
  ) throws -> UUIDBytes {
    let place = place(of: location)
    return try writer.inDatabase { db in
      if let device = try known(db), let kept = try value("place", db), place.isKept(as: kept) {
        if kept != place.text { try set("place", place.text, db) }
        return device
      }
      let device = UUIDBytes.random()
      try db.inTransaction(.immediate) {
        let transaction = try JournalTransaction(
          db, author: .program, device: device, knowing: knowledge, clock: clock)
        try transaction.create(entity, device.description, description(at: place, clock))
        try transaction.seal()
        try set("device", device.description, db)
        try set("place", place.text, db)
        return .commit
      }
      return device
    }
  }

  private static func description(at place: Place, _ clock: ExamClock) -> [String: Value] {
    ["name": .text(hostName), "file": .text(place.text), "created": .integer(clock.wall)]
  }

  /// What the row of a device says that goes on in the place of another.
  static func description(
    at location: StoreLocation, continuing former: UUIDBytes, _ clock: ExamClock
  ) -> [String: Value] {
    description(at: place(of: location), clock).merging(["continues": .text(former.description)]) { $1 }
  }

  /// The device that a store is bound to, wherever it lies now; a new one if it is bound to none. Nothing is written.
  static func known(_ reader: DatabaseQueue) throws -> UUIDBytes {
    try reader.inDatabase { db in try known(db) ?? .random() }
  }

  /// The device that a store is bound to; nil where it is bound to none.
  package static func known(_ db: Database) throws -> UUIDBytes? { try value("device", db).flatMap { UUIDBytes($0) } }

  /// Binds a store to another device, where it lies.
  static func rebind(_ db: Database, to device: UUIDBytes) throws { try set("device", device.description, db) }

  private static func value(_ key: String, _ db: Database) throws -> String? {
    let statement = try db.cachedStatement(sql: "SELECT value FROM storeInfo WHERE key = ?")
    return try String.fetchOne(statement, arguments: [key])
  }

  private static func set(_ key: String, _ value: String, _ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO storeInfo (key, value) VALUES (?, ?)", arguments: [key, value])
  }

  /// The machine and the file.
  struct Place {
    let text: String
    /// As it was kept before the file's time of birth was looked at.
    let shortText: String

    /// Whether a store was last used in this place.
    func isKept(as kept: String?) -> Bool { kept == text || kept == shortText }

    /// Whether two notes are of one place: the older ones lack the file's time of birth, which ends the newer ones.
    static func isSame(_ noted: String, as older: String) -> Bool {
      guard noted != older else { return true }
      guard older.count(where: { $0 == "/" }) == 2, noted.hasPrefix(older + "/") else { return false }
      let birth = noted.dropFirst(older.count + 1)
      return Int64(birth).map(String.init) == String(birth)
    }
  }

  static func place(of location: StoreLocation) -> Place {
    let machine = readSmallFile("/etc/machine-id", limit: 64).map { String($0.prefix { $0 != "\n" }) } ?? ""
    let file = location.file
    return Place(text: "\(machine)/\(file?.text ?? "")", shortText: "\(machine)/\(file?.shortText ?? "")")
  }

  /// What people call this machine.
  package static var hostName: String {
    readSmallFile("/proc/sys/kernel/hostname", limit: 256).map { String($0.prefix { $0 != "\n" }) } ?? "unknown"
  }
}

extension ExamStore {
  /// The device that this store is by now: another process may have gone on as a new one.
  func device(in db: Database) throws -> UUIDBytes { try DeviceBinding.known(db) ?? device }
}
