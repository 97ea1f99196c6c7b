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

  /// The columns of some rows, each as the server's binary form of an array.
  static func arrays(_ rows: [[HubValue]], _ kinds: [BulkStatement.Kind]) -> [HubValue] {
    kinds.enumerated().map { .bytes(array(rows.lazy.map { [place = $0] in $0[place] }, $1)) }
  }

  private static func array(_ values: some Collection<HubValue>, _ kind: BulkStatement.Kind) -> [UInt8] {
    let number: Int32 =
      switch kind {
      case .integer: 20
      case .text: 25
      case .bytes: 17
      }
    var out: [UInt8] = []
    func append(_ integer: Int32) { withUnsafeBytes(of: integer.bigEndian) { out.append(contentsOf: $0) } }
    // One dimension, in which there may be nothing in a place, of so many, from 1 on.
    for word in [1, 1, number, Int32(values.count), 1] { append(word) }
    for value in values {
      if let bytes = bytes(value) {
        append(Int32(bytes.count))
        out += bytes
      } else {
        append(-1)
      }
    }
    return out
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
