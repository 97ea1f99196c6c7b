import Journal
import SeededNumbers
import Testing

@Suite("Bodies of operations")
struct OperationBodyTests {
  private let low = UUIDBytes(high: 0, low: 1)
  private let high = UUIDBytes(high: 0, low: 2)

  @Test("a body comes back as it was, whatever is in it")
  func roundTrip() throws {
    let body = OperationBody(
      fields: ["a": .null, "b": .bool(true), "c": .integer(.min), "d": .text("\u{0}\"Zoe\u{308}𐀀")],
      replaces: ["a": [high, low, high], "z": []],
      covers: [sheet: ["x": [low]], section: [:], RowKey(entity: "DataForm", id: "b"): ["y": []]],
      reason: "\u{0}é", source: "import")
    #expect(body.replaces["a"] == [low, high])
    #expect(try OperationBody.decode(body.encode()) == body)
    #expect(try OperationBody.decode(OperationBody().encode()) == OperationBody())
    #expect(body.causes == [low, high])
  }

  @Test("lists of operations are sorted and free of repeats")
  func lists() throws {
    func decode(_ ids: [UUIDBytes]) throws -> OperationBody {
      let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
      return try OperationBody.decode(Array("{\"fields\":{},\"replaces\":{\"a\":[\(list)]}}".utf8))
    }
    #expect(try decode([low, high]).replaces == ["a": [low, high]])
    #expect(throws: OperationBodyProblem.form) { try decode([high, low]) }
    #expect(throws: OperationBodyProblem.form) { try decode([low, low]) }
  }

  @Test(
    "a body has only one form",
    arguments: [
      "[]", "{}", #"{"fields":{}}"#, #"{"fields":[],"replaces":{}}"#, #"{"fields":{"a":[]},"replaces":{}}"#,
      #"{"fields":{},"other":1,"replaces":{}}"#, #"{"covers":{},"fields":{},"replaces":{}}"#,
      #"{"covers":{"a":{}},"fields":{},"replaces":{}}"#, #"{"fields":{},"replaces":{},"source":null}"#,
      #"{"fields":{},"reason":null,"replaces":{}}"#, #"{"fields":{},"replaces":{},"reason":"x"}"#,
      #"{"fields":{},"replaces":{"a":"x"}}"#, #"{"fields":{},"replaces":{"a":["x"]}}"#,
      #"{"fields":{},"replaces":{"a":["0000000A-0000-0000-0000-000000000000"]}}"#,
      "{\"fields\":{\"Zoe\u{308}\":1,\"Zo\u{EB}\":2},\"replaces\":{}}", #"{"fields": {},"replaces":{}}"#,
    ])
  func refused(text: String) {
    #expect(throws: OperationBodyProblem.self) { try OperationBody.decode(Array(text.utf8)) }
  }

  @Test("changed bytes are decided as they would be from the tree of their nodes, and for the same reason")
  func decidedAsFromTree() throws {
    var bodies = 0
    var problems: Set<CanonicalJSON.Problem.Kind> = []
    for seed in Seeded.seeds(200) {
      var generator = Seeded(seed: seed)
      let bytes = Self.body(using: &generator).encode()
      #expect(Self.decision(bytes) == Tree.decision(bytes), "seed \(seed)")
      for _ in 0..<60 {
        let changed = Self.changed(bytes, using: &generator)
        let decision = Self.decision(changed)
        #expect(decision == Tree.decision(changed), "seed \(seed): \(String(decoding: changed, as: UTF8.self))")
        switch decision {
        case .success(let body):
          bodies += 1
          #expect(body.encode() == changed, "seed \(seed)")
        case .failure(.notCanonical(let problem)): problems.insert(problem.kind)
        case .failure(.form): break
        }
      }
    }
    #expect(bodies > 100)
    #expect(problems.count >= 8)
  }

  private static func decision(_ bytes: [UInt8]) -> Result<OperationBody, OperationBodyProblem> {
    do { return .success(try OperationBody.decode(bytes)) } catch { return .failure(error) }
  }

  private static let names = ["a", "rating", "Zoe\u{308}", "Zo\u{EB}", "\u{1}\"", "𐀀", ""]

  private static func body(using generator: inout Seeded) -> OperationBody {
    func ids(_ generator: inout Seeded) -> [OperationID] {
      (0..<Int.random(in: 0..<3, using: &generator)).map { _ in
        UUIDBytes(high: 0, low: UInt64.random(in: 0..<4, using: &generator))
      }
    }
    func named(_ generator: inout Seeded) -> [String: [OperationID]] {
      var named: [String: [OperationID]] = [:]
      for _ in 0..<Int.random(in: 0..<4, using: &generator) {
        named[names.randomElement(using: &generator)!] = ids(&generator)
      }
      return named
    }
    let values: [Value] = [
      .null, .bool(true), .bool(false), .integer(.min), .integer(0), .integer(42), .text(""), .text("é\u{7}\\"),
    ]
    var fields: [String: Value] = [:]
    for _ in 0..<Int.random(in: 0..<5, using: &generator) {
      fields[names.randomElement(using: &generator)!] = values.randomElement(using: &generator)!
    }
    var covers: [RowKey: [String: [OperationID]]] = [:]
    for _ in 0..<Int.random(in: 0..<3, using: &generator) {
      covers[
        RowKey(entity: names.randomElement(using: &generator)!, id: names.randomElement(using: &generator)!)] = named(
          &generator)
    }
    return OperationBody(
      fields: fields, replaces: named(&generator), covers: covers,
      reason: Bool.random(using: &generator) ? names.randomElement(using: &generator) : nil,
      source: Bool.random(using: &generator) ? "import" : nil)
  }

  /// One change: a byte, a piece left out, doubled or put elsewhere.
  private static func changed(_ bytes: [UInt8], using generator: inout Seeded) -> [UInt8] {
    var changed = bytes
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, place + Int.random(in: 1..<12, using: &generator))
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: changed[place] = Array("{}[]\",:\\0-9n.eu".utf8).randomElement(using: &generator)!
    case 2: changed.removeSubrange(place..<end)
    case 3: changed.insert(contentsOf: bytes[place..<end], at: end)
    default: changed.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
    }
    return changed
  }
}

/// What a body's bytes are, by way of the nodes of any canonical JSON.
private enum Tree {
  static func decision(_ bytes: [UInt8]) -> Result<OperationBody, OperationBodyProblem> {
    do { return body(try CanonicalJSON.decode(bytes)).map { .success($0) } ?? .failure(.form) } catch {
      return .failure(.notCanonical(error))
    }
  }

  private static func body(_ node: CanonicalJSON.Node) -> OperationBody? {
    guard let parts = members(node),
      Set(parts.keys).isSubset(of: ["fields", "replaces", "covers", "reason", "source"]),
      let fields = parts["fields"].flatMap({ members($0) }), let replaces = parts["replaces"].flatMap({ named($0) })
    else { return nil }
    var values: [String: Value] = [:]
    for (name, node) in fields {
      switch node {
      case .null: values[name] = .null
      case .bool(let bool): values[name] = .bool(bool)
      case .integer(let integer): values[name] = .integer(integer)
      case .text(let text): values[name] = .text(text)
      case .array, .object: return nil
      }
    }
    var covers: [RowKey: [String: [OperationID]]] = [:]
    if let node = parts["covers"] {
      guard let entities = members(node), !entities.isEmpty else { return nil }
      for (entity, node) in entities {
        guard let rows = members(node), !rows.isEmpty else { return nil }
        for (id, node) in rows {
          guard let named = named(node) else { return nil }
          covers[RowKey(entity: entity, id: id)] = named
        }
      }
    }
    var texts: [String: String] = [:]
    for name in ["reason", "source"] {
      guard let node = parts[name] else { continue }
      guard case .text(let text) = node else { return nil }
      texts[name] = text
    }
    return OperationBody(
      fields: values, replaces: replaces, covers: covers, reason: texts["reason"], source: texts["source"])
  }

  private static func members(_ node: CanonicalJSON.Node) -> [String: CanonicalJSON.Node]? {
    guard case .object(let members) = node else { return nil }
    return Dictionary(grouping: members, by: \.key).values.allSatisfy({ $0.count == 1 })
      ? Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) }) : nil
  }

  private static func named(_ node: CanonicalJSON.Node) -> [String: [OperationID]]? {
    guard let members = members(node) else { return nil }
    var named: [String: [OperationID]] = [:]
    for (name, node) in members {
      guard case .array(let nodes) = node else { return nil }
      var ids: [OperationID] = []
      for node in nodes {
        guard case .text(let text) = node, let id = OperationID(text), id.description == text,
          ids.last.map({ $0 < id }) ?? true
        else { return nil }
        ids.append(id)
      }
      named[name] = ids
    }
    return named
  }
}
