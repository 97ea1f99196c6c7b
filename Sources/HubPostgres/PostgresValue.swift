import CPostgres
import Hub

/// Values as they travel to and from a server: in binary.
enum PostgresValue {
  /// What goes to the server for a value; nil: NULL.
  static func bytes(_ value: HubValue) -> [UInt8]? {
    switch value {
    case .null: nil
    case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { Array($0) }
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    }
  }

  /// The kinds of columns that a hub's statements give, by the server's numbers for them.
  static func value(_ bytes: UnsafeBufferPointer<UInt8>, kind: Oid) throws(PostgresFault) -> HubValue {
    switch kind {
    case 20, 21, 23: .integer(integer(bytes))
    case 16: .integer(bytes.first == 0 ? 0 : 1)
    case 17: .bytes(Array(bytes))
    case 19, 25, 1043: .text(String(decoding: bytes, as: UTF8.self))
    case 2278: .null
    default: throw PostgresFault(.refused, "a column is of a kind (\(kind)) that the hub does not know")
    }
  }

  private static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64 {
    let negative = bytes.first.map { $0 & 0x80 != 0 } ?? false
    return bytes.reduce(negative ? -1 : 0) { $0 << 8 | Int64($1) }
  }
}
