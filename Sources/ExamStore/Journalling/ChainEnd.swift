import GRDB
import Journal

import struct Foundation.Data

/// Where a device's chain of operations ends.
struct ChainEnd {
  var sequence: Int64
  var hash: [UInt8]
  var time: HybridTime

  static func read(_ db: Database, device: UUIDBytes) throws -> ChainEnd {
    let statement = try db.cachedStatement(sql: "SELECT lastSeq, lastHash, lastTime FROM chain WHERE device = ?")
    guard let row = try ReadRow.fetchOne(statement, arguments: [device.description]) else {
      return ChainEnd(sequence: 0, hash: Operation.genesisHash, time: HybridTime(raw: 0))
    }
    return ChainEnd(
      sequence: try row.counted(0), hash: try row.bytes(1) ?? [], time: HybridTime(raw: try row.held(2)))
  }

  /// The last operation of a device's chain.
  static func tip(of device: UUIDBytes, in db: Database) throws -> ChainTip {
    let end = try read(db, device: device)
    return ChainTip(device: device, deviceSeq: end.sequence, hash: end.hash)
  }

  /// The latest time of the operations of all other devices.
  static func latest(besides device: UUIDBytes, in db: Database) throws -> HybridTime {
    let statement = try db.cachedStatement(sql: "SELECT coalesce(max(lastTime), 0) FROM chain WHERE device <> ?")
    return HybridTime(raw: try Int64.fetchOne(statement, arguments: [device.description]) ?? 0)
  }

  func write(_ db: Database, device: UUIDBytes) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO chain (device, lastSeq, lastHash, lastTime) VALUES (?, ?, ?, ?)")
    try statement.execute(arguments: [device.description, sequence, Data(hash), time.raw])
  }
}
