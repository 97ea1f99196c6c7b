import GRDB
import Glibc
import Journal

/// Ties a store to the machine and the file it lives in: a copied store starts a chain of its own, so that two
/// copies never write the same sequence numbers.
enum DeviceBinding {
  /// The device that this store writes as, made if the store is new or has been copied here.
  static func bind(
    _ writer: DatabaseQueue, location: StoreLocation, knowing knowledge: ExamKnowledge, clock: ExamClock
  ) throws -> UUIDBytes {
    let place = place(of: location)
    return try writer.inDatabase { db in
      if let device = try known(db), try value("place", db) == place { return device }
      let device = UUIDBytes.random()
      try db.inTransaction(.immediate) {
        let transaction = try JournalTransaction(
          db, author: .program, device: device, knowing: knowledge, clock: clock)
        try transaction.create(
          "Device", device.description,
          [
            "name": .text(hostName()), "file": .text(place), "created": .integer(clock.wall),
          ])
        try transaction.seal()
        for (key, value) in [("device", device.description), ("place", place)] {
          try db.execute(sql: "INSERT OR REPLACE INTO storeInfo (key, value) VALUES (?, ?)", arguments: [key, value])
        }
        return .commit
      }
      return device
    }
  }

  /// The device that a store is bound to, wherever it lies now; a new one if it is bound to none. Nothing is written.
  static func known(_ reader: DatabaseQueue) throws -> UUIDBytes {
    try reader.inDatabase { db in try known(db) ?? .random() }
  }

  private static func known(_ db: Database) throws -> UUIDBytes? { try value("device", db).flatMap { UUIDBytes($0) } }

  private static func value(_ key: String, _ db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT value FROM storeInfo WHERE key = ?", arguments: [key])
  }

  /// The machine and the file, as one text.
  static func place(of location: StoreLocation) -> String {
    var status = stat()
    _ = stat(location.path, &status)
    let machine = readSmallFile("/etc/machine-id", limit: 64).map { String($0.prefix { $0 != "\n" }) } ?? ""
    return "\(machine)/\(status.st_dev)/\(status.st_ino)"
  }

  private static func hostName() -> String {
    readSmallFile("/proc/sys/kernel/hostname", limit: 256).map { String($0.prefix { $0 != "\n" }) } ?? "unknown"
  }
}
