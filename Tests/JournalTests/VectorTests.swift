import Foundation
import Journal
import Testing

func vectorFile(_ name: String, beside path: String = #filePath) throws -> Data {
  let folder = URL(filePath: path).deletingLastPathComponent()
  return try Data(contentsOf: folder.appending(path: "Vectors").appending(path: name))
}

/// Gives the bytes it was made of as random numbers, so that a vector's salt is drawn.
private struct Fixed: RandomNumberGenerator {
  var words: [UInt64]

  mutating func next() -> UInt64 { words.removeFirst() }
}

@Suite("Test vectors")
struct VectorTests {
  private enum Plain: Decodable {
    case null, bool(Bool), integer(Int64), text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let bool = try? container.decode(Bool.self) {
        self = .bool(bool)
      } else if let integer = try? container.decode(Int64.self) {
        self = .integer(integer)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    var value: Value {
      switch self {
      case .null: .null
      case .bool(let bool): .bool(bool)
      case .integer(let integer): .integer(integer)
      case .text(let text): .text(text)
      }
    }
  }

  private struct File: Decodable { let operations: [Vector] }

  private struct Vector: Decodable {
    struct Header: Decodable {
      let id, device, tx, kind, entity, entityID, prevHash: String
      let deviceSeq, hlc, wallTime, clockError: Int64
      let txIndex, txSize, schema: Int
      let examTime, staff: Int64?
      let sitting, reason: String?
    }
    struct Body: Decodable {
      let fields: [String: Plain]
      let replaces: [String: [String]]
      let covers: [String: [String: [String: [String]]]]?
      let reason, source: String?
    }
    let name: String
    let header: Header
    let body: Body
    let salt, headerBytes, bodyBytes, bodyHash, hash: String
  }

  private func id(_ text: String) throws -> UUIDBytes { try #require(UUIDBytes(text)) }

  private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

  private func bytes(_ hex: String) throws -> [UInt8] {
    let digits = Array(hex)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
    }
  }

  private func body(_ body: Vector.Body) throws -> OperationBody {
    var covers: [RowKey: [String: [OperationID]]] = [:]
    for (entity, rows) in body.covers ?? [:] {
      for (key, fields) in rows {
        covers[RowKey(entity: entity, id: key)] = try fields.mapValues { try $0.map(id) }
      }
    }
    return OperationBody(
      fields: body.fields.mapValues(\.value), replaces: try body.replaces.mapValues { try $0.map(id) }, covers: covers,
      reason: body.reason, source: body.source)
  }

  private func operation(_ vector: Vector) throws -> Journal.Operation {
    let header = vector.header
    let salt = try #require(UUIDBytes(bytes: try bytes(vector.salt)))
    var generator = Fixed(words: [salt.high, salt.low])
    return Journal.Operation.seal(
      id: try id(header.id), device: try id(header.device), deviceSeq: header.deviceSeq, tx: try id(header.tx),
      txIndex: header.txIndex, txSize: header.txSize, kind: OperationKind(rawValue: header.kind),
      row: RowKey(entity: header.entity, id: header.entityID), body: try body(vector.body),
      hlc: HybridTime(raw: header.hlc), wallTime: header.wallTime, clockError: header.clockError,
      examTime: header.examTime.map(ExamTime.init(milliseconds:)), staff: header.staff,
      sitting: try header.sitting.map(id), reason: header.reason, schema: header.schema,
      prevHash: try bytes(header.prevHash), salt: .drawn(using: &generator))
  }

  @Test("canonical bytes and hashes are what another implementation computes")
  func vectors() throws {
    let vectors = try JSONDecoder().decode(File.self, from: vectorFile("operations.json")).operations
    #expect(vectors.count >= 10)
    var verifier = ChainVerifier()
    for vector in vectors {
      let operation = try operation(vector)
      let sealed = try #require(operation.sealedBody)
      #expect(hex(operation.headerBytes) == vector.headerBytes, "\(vector.name)")
      #expect(hex(Array(sealed.prefix(16))) == vector.salt, "\(vector.name)")
      #expect(hex(Array(sealed.dropFirst(16))) == vector.bodyBytes, "\(vector.name)")
      #expect(hex(operation.bodyHash) == vector.bodyHash, "\(vector.name)")
      #expect(hex(operation.hash) == vector.hash, "\(vector.name)")
      #expect(verifier.feed(operation) == nil, "\(vector.name)")
      let decoded = try OperationBody.decode(try bytes(vector.bodyBytes))
      #expect(decoded == (try body(vector.body)), "\(vector.name)")
      #expect(decoded.encode() == (try bytes(vector.bodyBytes)), "\(vector.name)")
    }
  }
}
