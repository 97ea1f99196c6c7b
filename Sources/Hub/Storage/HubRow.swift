import Journal

/// A row of a query, its columns by their places.
public struct HubRow: Sendable {
  /// Its columns.
  public let values: [HubValue]

  /// A row with these values.
  public init(_ values: [HubValue]) {
    self.values = values
  }

  private func value(_ place: Int) throws -> HubValue {
    guard values.indices.contains(place) else { throw HubDamage(what: "a column is missing") }
    return values[place]
  }

  func integer(ifAny place: Int) throws -> Int64? {
    switch try value(place) {
    case .null: return nil
    case .integer(let integer): return integer
    default: throw HubDamage(what: "a column holds no number")
    }
  }

  func integer(_ place: Int) throws -> Int64 {
    guard let integer = try integer(ifAny: place) else { throw HubDamage(what: "a column holds nothing") }
    return integer
  }

  func text(ifAny place: Int) throws -> String? {
    switch try value(place) {
    case .null: return nil
    case .text(let text): return text
    default: throw HubDamage(what: "a column holds no text")
    }
  }

  func text(_ place: Int) throws -> String {
    guard let text = try text(ifAny: place) else { throw HubDamage(what: "a column holds nothing") }
    return text
  }

  func bytes(ifAny place: Int) throws -> [UInt8]? {
    switch try value(place) {
    case .null: return nil
    case .bytes(let bytes): return bytes
    default: throw HubDamage(what: "a column holds no bytes")
    }
  }

  func bytes(_ place: Int) throws -> [UInt8] {
    guard let bytes = try bytes(ifAny: place) else { throw HubDamage(what: "a column holds nothing") }
    return bytes
  }

  func id(_ place: Int) throws -> UUIDBytes {
    guard let id = UUIDBytes(try text(place)) else { throw HubDamage(what: "a column holds no identifier") }
    return id
  }

  func flag(_ place: Int) throws -> Bool { try integer(place) != 0 }
}
