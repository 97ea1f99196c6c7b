import Journal

/// A value of a column, or for one.
public enum HubValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
  init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
  init(_ id: some CustomStringConvertible) { self = .text(id.description) }

  /// A word by which rows are found. One that is longer than any real one, or that no text of a database holds, is
  /// hostile, and kept as its digest: the keys of a database have an end.
  init(key: String) {
    let isPlain = key.utf8.count <= 512 && !key.utf8.contains(0)
    self = .text(isPlain ? key : "sha256:" + Hexadecimal.text(StreamDigest.of(Array(key.utf8))))
  }
}

extension RowKey {
  /// The columns of a table that name it.
  var held: [HubValue] { [HubValue(key: entity), HubValue(key: id)] }
}
