import ExamStore
import GRDB

import struct Foundation.Data
import class Foundation.JSONDecoder

/// Where a device's chain ended when something was locked, as the content of a lock records it.
package struct LockHead: Decodable, Hashable {
  /// The device.
  package let device: String
  /// The hash of its last operation, in hexadecimal digits.
  package let hash: String
  /// The number of its last operation; 0: it had none.
  package let seq: Int64

  /// Where a chain ends.
  package init(device: String, hash: String, seq: Int64) { (self.device, self.hash, self.seq) = (device, hash, seq) }

  /// Where every chain ends now, by device.
  package static func all(in db: Database) throws -> [LockHead] {
    try ReadRow.fetchAll(db, sql: "SELECT device, lower(hex(lastHash)), lastSeq FROM chain ORDER BY device").map {
      LockHead(device: $0[0] ?? "", hash: $0[1] ?? "", seq: $0[2] ?? 0)
    }
  }

  /// Those that a lock recorded; none where its content cannot be read.
  static func recorded(by lock: ExamLock) -> [LockHead] {
    struct Content: Decodable { let heads: [LockHead] }
    return (try? JSONDecoder().decode(Content.self, from: Data(lock.content.utf8)))?.heads ?? []
  }
}
