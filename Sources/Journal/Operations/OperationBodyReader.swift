/// Reads a body straight from its bytes: a check of a store reads each body of its journal.
///
/// It says only whether bytes are a body. Why they are none is for `OperationBody.decode` to find.
struct OperationBodyReader {
  private struct NoBody: Error {}

  private var reader: CanonicalReader
  /// The list that was read last: in most bodies every field has the same one.
  private var lastList: [OperationID] = []

  static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> OperationBody? {
    guard bytes.count <= CanonicalJSON.Limits().bytes else { return nil }
    var reader = OperationBodyReader(reader: CanonicalReader(bytes))
    return try? reader.readBody()
  }

  private init(reader: CanonicalReader) { self.reader = reader }

  private mutating func readBody() throws -> OperationBody {
    var fields: [String: Value]?
    var replaces: [String: [OperationID]]?
    var covers: [RowKey: [String: [OperationID]]] = [:]
    var (reason, source): (String?, String?)
    var last: CanonicalReader.Text?
    guard try beginsObject() else { throw NoBody() }
    repeat {
      let part = try reader.readKey(after: last)
      last = part
      if reader.says(part, "fields") {
        fields = try readFields()
      } else if reader.says(part, "replaces") {
        replaces = try readNamed(about: fields?.count ?? 0)
      } else if reader.says(part, "covers") {
        covers = try readCovers()
      } else if reader.says(part, "reason") {
        reason = reader.string(try reader.readText())
      } else if reader.says(part, "source") {
        source = reader.string(try reader.readText())
      } else {
        throw NoBody()
      }
    } while try objectGoesOn()
    try reader.expectEnd()
    guard let fields, let replaces else { throw NoBody() }
    return OperationBody(inOrder: fields, replaces, covers, reason: reason, source: source)
  }

  private mutating func readFields() throws -> [String: Value] {
    guard try beginsObject() else { return [:] }
    var fields = [String: Value](minimumCapacity: 6)
    var last: CanonicalReader.Text?
    repeat {
      let name = try reader.readKey(after: last)
      last = name
      let value: Value =
        switch try reader.readScalar() {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .integer(let integer): .integer(integer)
        case .text(let text): .text(reader.string(text))
        }
      // Keys that differ in bytes but are one key to a dictionary are refused.
      guard fields.updateValue(value, forKey: reader.string(name)) == nil else { throw NoBody() }
    } while try objectGoesOn()
    return fields
  }

  /// - Parameter count: how many there may be.
  private mutating func readNamed(about count: Int) throws -> [String: [OperationID]] {
    guard try beginsObject() else { return [:] }
    var named = [String: [OperationID]](minimumCapacity: count)
    var last: CanonicalReader.Text?
    repeat {
      let name = try reader.readKey(after: last)
      last = name
      guard named.updateValue(try readList(), forKey: reader.string(name)) == nil else { throw NoBody() }
    } while try objectGoesOn()
    return named
  }

  private mutating func readList() throws -> [OperationID] {
    guard try reader.begins("[", end: UInt8(ascii: "]")) else { return [] }
    let first = try readID()
    guard try reader.goesOn(until: UInt8(ascii: "]")) else {
      if lastList.count != 1 || lastList[0] != first { lastList = [first] }
      return lastList
    }
    var list = [first]
    repeat {
      let id = try readID()
      guard list[list.count - 1] < id else { throw NoBody() }
      list.append(id)
    } while try reader.goesOn(until: UInt8(ascii: "]"))
    return list
  }

  private mutating func readID() throws -> OperationID {
    let text = try reader.readText()
    guard let id = OperationID(canonical: UnsafeRawBufferPointer(reader.slice(text))) else { throw NoBody() }
    return id
  }

  private mutating func readCovers() throws -> [RowKey: [String: [OperationID]]] {
    var covers: [RowKey: [String: [OperationID]]] = [:]
    var entities: Set<String> = []
    var lastEntity: CanonicalReader.Text?
    guard try beginsObject() else { throw NoBody() }
    repeat {
      let entityText = try reader.readKey(after: lastEntity)
      lastEntity = entityText
      let entity = reader.string(entityText)
      guard entities.insert(entity).inserted, try beginsObject() else { throw NoBody() }
      var ids: Set<String> = []
      var lastID: CanonicalReader.Text?
      repeat {
        let idText = try reader.readKey(after: lastID)
        lastID = idText
        let id = reader.string(idText)
        guard ids.insert(id).inserted else { throw NoBody() }
        covers[RowKey(entity: entity, id: id)] = try readNamed(about: 0)
      } while try objectGoesOn()
    } while try objectGoesOn()
    return covers
  }

  private mutating func beginsObject() throws -> Bool { try reader.begins("{", end: UInt8(ascii: "}")) }
  private mutating func objectGoesOn() throws -> Bool { try reader.goesOn(until: UInt8(ascii: "}")) }
}
