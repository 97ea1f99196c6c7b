import Journal
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
      covers: [sheet: ["x": [low]], section: [:], RowKey(entity: "DataForm", id: "b"): ["y": []]], source: "import")
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
      #"{"fields":{},"replaces":{"a":"x"}}"#, #"{"fields":{},"replaces":{"a":["x"]}}"#,
      #"{"fields":{},"replaces":{"a":["0000000A-0000-0000-0000-000000000000"]}}"#,
      "{\"fields\":{\"Zoe\u{308}\":1,\"Zo\u{EB}\":2},\"replaces\":{}}", #"{"fields": {},"replaces":{}}"#,
    ])
  func refused(text: String) {
    #expect(throws: OperationBodyProblem.self) { try OperationBody.decode(Array(text.utf8)) }
  }
}
