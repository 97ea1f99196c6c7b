import Foundation
import Journal
import Sync
import Testing
import Yams

@testable import Hub

/// The pages that another program is written by.
@Suite("The protocol's pages") struct ProtocolPageTests {
  private static func page(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: folder.appendingPathComponent("docs/" + name), encoding: .utf8)
  }

  private static func api() throws -> [String: Any] {
    try #require(try Yams.load(yaml: page("sync-openapi.yaml")) as? [String: Any])
  }

  @Test("name every address and method that a hub answers, and no other") func routes() throws {
    let paths = try #require(try Self.api()["paths"] as? [String: [String: Any]])
    let written = Set(paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
    let known = Set(Route.allCases.flatMap { route in route.methods.map { "\($0.rawValue) \(route.rawValue)" } })
    #expect(written == known)
  }

  @Test("name every member of every message, and no other") func members() throws {
    var seen: [String: Set<String>] = [:]
    for (schema, body) in Samples.messages {
      try Self.note(WireJSON.decode(body), schema, in: Self.schemas(), &seen)
    }
    for (name, schema) in try Self.schemas() where name != "Readiness" {
      let properties = Set((schema["properties"] as? [String: Any] ?? [:]).keys)
      #expect(seen[name] == properties, "\(name)")
    }
  }

  @Test("name the members without which a request is refused, and no other as required") func required() throws {
    for (name, samples, read) in Samples.requests {
      var needed: Set<String>?
      for sample in samples {
        guard case .object(let members) = try WireJSON.decode(sample) else { continue }
        try read(CanonicalJSON.encode(.object(members)))
        let missed = members.map(\.key).filter { key in
          (try? read(CanonicalJSON.encode(.object(members.filter { $0.key != key })))) == nil
        }
        needed = needed?.intersection(missed) ?? Set(missed)
      }
      let written = try #require(Self.schemas()[name]?["required"] as? [String], "\(name)")
      #expect(Set(written) == needed, "\(name)")
    }
  }

  @Test("name for each address what it takes in the head, and whether it answers without a token")
  func heads() throws {
    let paths = try #require(try Self.api()["paths"] as? [String: [String: [String: Any]]])
    for route in Route.allCases {
      for (method, operation) in paths[route.rawValue] ?? [:] {
        let named = Set(
          (operation["parameters"] as? [[String: Any]] ?? []).compactMap { parameter in
            parameter["name"] as? String
              ?? (parameter["$ref"] as? String).map { "Osce-\($0.split(separator: "/").last ?? "")" }
          }.filter { $0.hasPrefix("Osce-") })
        var expected: Set = ["Osce-Request"]
        if route.isOfProtocol { expected.insert("Osce-Proto") }
        if route.isOfDevice { expected.insert("Osce-Session") }
        if route == .sync { expected.insert("Osce-Waiting") }
        #expect(named == expected, "\(method) \(route.rawValue)")
        let schemes = (operation["security"] as? [[String: Any]])?.map { Set($0.keys) }
        #expect(schemes == (route == .hello ? [[], ["token"]] : route.isOfDevice ? nil : []), "\(route.rawValue)")
      }
    }
  }

  @Test("name every error, result and state") func words() throws {
    let error = try #require(try Self.schemas()["Error"]?["properties"] as? [String: [String: Any]])
    let inner = try #require(error["error"]?["properties"] as? [String: [String: Any]])
    let codes = try #require(inner["code"]?["enum"] as? [String])
    #expect(Set(codes) == Set(Samples.errors.map(\.code)))
    let text = try Self.page("sync-protocol.md")
    let words =
      HubResult.Rejection.allCases.map(\.rawValue) + HubResult.Quarantine.allCases.map(\.rawValue)
      + HubResult.Delay.allCases.map(\.rawValue) + AbsentContent.allCases.map(\.rawValue)
      + SyncMachine.Phase.allCases.map(\.rawValue) + Verdict.allCases.map(\.rawValue)
    for word in words {
      #expect(
        text.contains("`\(word)`") || text.contains("`\(word) ") || text.contains(" \(word)`")
          || text.contains(" \(word) "), "\(word)")
    }
  }

  // MARK: Walking

  private static func schemas() throws -> [String: [String: Any]] {
    let components = try #require(try api()["components"] as? [String: Any])
    return try #require(components["schemas"] as? [String: [String: Any]])
  }

  /// Notes which members a document has, schema by schema.
  private static func note(
    _ node: CanonicalJSON.Node, _ name: String, in schemas: [String: [String: Any]], _ seen: inout [String: Set<String>]
  ) throws {
    try walk(node, try #require(schemas[name], "\(name)"), name, schemas, &seen)
  }

  private static func walk(
    _ node: CanonicalJSON.Node, _ schema: [String: Any], _ name: String?, _ schemas: [String: [String: Any]],
    _ seen: inout [String: Set<String>]
  ) throws {
    if let reference = schema["$ref"] as? String {
      let target = String(reference.split(separator: "/").last ?? "")
      return try walk(node, try #require(schemas[target], "\(target)"), target, schemas, &seen)
    }
    if let choices = schema["oneOf"] as? [[String: Any]] {
      if node == .null { return }
      return try walk(node, try #require(choices.first), nil, schemas, &seen)
    }
    switch node {
    case .object(let members):
      let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
      for member in members {
        if let name { seen[name, default: []].insert(member.key) }
        guard let property = properties[member.key] else {
          Issue.record("\(name ?? "a document") has \(member.key), which the page does not name")
          continue
        }
        try walk(member.value, property, nil, schemas, &seen)
      }
    case .array(let nodes):
      guard let items = schema["items"] as? [String: Any] else { return }
      for node in nodes { try walk(node, items, nil, schemas, &seen) }
    default: break
    }
  }
}

/// One of each message, with every member.
private enum Samples {
  static let id = UUIDBytes(high: 1, low: 2)
  static let hash = [UInt8](repeating: 7, count: 32)
  static let cursor = LogCursor(epoch: id, seq: 3)
  static let tip = ChainTip(device: id, deviceSeq: 3, hash: hash)
  static let scope = SyncScope(version: 1, atoms: ["all"])

  static let errors: [HubError] = [
    .malformed(pointer: "/a"), .damaged(id, why: .hash), .token, .session, .revoked, .role, .code, .notFound, .method,
    .slow, .encoding, .gap(expected: 1, hash: hash), .fork(deviceSeq: 1, hash: hash, last: 2),
    .cursor(epoch: id, common: LogMark(seq: 1, hash: hash), last: 2, lastHash: hash), .filling, .tooLarge(limit: 1),
    .version(1...1), .schema(1...2), .busy(after: 1), .readOnly(after: 1), .standby(after: 1), .unavailable,
  ]

  static var operation: Journal.Operation {
    var generator = SystemRandomNumberGenerator()
    return Journal.Operation.seal(
      id: id, device: id, deviceSeq: 1, tx: id, kind: .set, row: RowKey(entity: "RatingQuestion", id: "a"),
      body: OperationBody(fields: ["rating": .integer(1)]), hlc: HybridTime(raw: 1), wallTime: 1, schema: 2,
      prevHash: Journal.Operation.genesisHash, salt: .drawn(using: &generator))
  }

  /// The requests, and an operation, by their schema; with what a hub reads them by.
  static var requests: [(String, [[UInt8]], ([UInt8]) throws -> Void)] {
    func sample(_ name: String) -> [[UInt8]] { messages.filter { $0.0 == name }.map(\.1) }
    return [
      ("EnrolRequest", sample("EnrolRequest"), { _ = try EnrolRequest.decode($0) }),
      ("DeviceRequest", sample("DeviceRequest"), { _ = try NewDeviceRequest.decode($0) }),
      ("SessionRequest", sample("SessionRequest"), { _ = try SessionRequest.decode($0) }),
      ("SyncRequest", sample("SyncRequest"), { _ = try SyncRequest.decode($0) }),
      (
        "Operation",
        [WireOperation(operation).encoded(), WireOperation(operation, withholding: .withheld).encoded()],
        { _ = try WireOperation.decode($0) }
      ),
    ]
  }

  static var messages: [(String, [UInt8])] {
    let exam = HubExam(id: id, epoch: id, name: "a", head: LogMark(seq: 1, hash: hash), isFilling: false)
    let device = HubDevice(id: id, role: "desk", last: tip, scope: scope)
    let operations = [WireOperation(operation), WireOperation(operation, withholding: .withheld)]
    var refused = operations[0]
    refused.said = .rejected(.role)
    let entries = [
      LogEntry(seq: 1, time: 1, .operation(operations[0], .rejected(.role), .init(index: 0, count: 1)), isBack: true),
      LogEntry(seq: 2, time: 1, .verdict(id, .withdrawn, by: id, operations[1])),
      LogEntry(seq: 3, time: 1, .erase(subject: id, bodies: [id])),
    ]
    let results = [
      SyncAnswer.Result(id: id, deviceSeq: 1, hubSeq: 1, outcome: .stored(.rejected(.role))),
      SyncAnswer.Result(id: id, deviceSeq: 1, hubSeq: 1, outcome: .stored(.applied), isDuplicate: true),
    ]
    return [
      ("Time", TimeAnswer(received: 1, sent: 2).encoded), ("Ring", WaitAnswer(head: 1).encoded),
      ("Hello", HelloAnswer(version: "1", time: 1, exam: exam, device: device).encoded),
      ("EnrolRequest", EnrolRequest(code: "a", device: id, name: "a", tip: tip, schema: 2).encoded),
      ("DeviceRequest", NewDeviceRequest(former: id, device: id, name: "a").encoded),
      ("Enrolled", EnrolAnswer(exam: exam, device: device, token: "a", hubDevice: id).encoded),
      ("SessionRequest", SessionRequest(username: "a", passcode: "b", timetable: 1).encoded),
      ("Session", SessionAnswer(session: "a", staff: 1, role: "lead", expires: 1, scope: scope).encoded),
      (
        "SyncRequest",
        SyncRequest(
          device: id, cursor: cursor, hash: hash, marks: [LogMark(seq: 1, hash: hash)], tip: tip,
          operations: operations + [refused], held: 1
        ).encoded
      ),
      (
        "SyncAnswer",
        SyncAnswer(
          results: results, entries: entries, cursor: cursor, hash: hash, head: LogMark(seq: 1, hash: hash),
          more: false,
          scope: scope, last: 1, lastHash: hash, time: 1
        ).encoded
      ),
      (
        "SnapshotEnd",
        SnapshotPage(entries: [], next: "a", cursor: cursor, hash: hash, scope: scope, time: 1).encoded
      ),
      (
        "Devices",
        DeviceList(devices: [
          ListedDevice(
            id: id, name: "a", role: "desk", last: 1, held: 1, waiting: 1, seen: 1, clock: nil, isRevoked: false)
        ]).encoded
      ),
    ] + errors.map { ("Error", $0.response.body) }
  }
}
