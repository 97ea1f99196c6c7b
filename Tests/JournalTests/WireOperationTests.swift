import Foundation
import SeededNumbers
import Testing

@testable import Journal

/// Gives the bytes 00 to 0f as random numbers, so that they are the salt.
private struct Counting: RandomNumberGenerator {
  private var word: UInt64 = 0x0001_0203_0405_0607

  mutating func next() -> UInt64 {
    defer { word = 0x0809_0A0B_0C0D_0E0F }
    return word
  }
}

/// The example of the protocol, which another program computed.
private enum Example {
  static let header =
    #"{"clockError":12,"device":"0192f0c1-2f3a-7b6c-8d4e-5f60718293a4","deviceSeq":1,"entity":"RatingQuestion","#
    + #""entityID":"5b0e8a3c-7d11-5c7e-9a55-0d6f2b1c4e77","examTime":1795222800123,"hlc":117651721428860928,"#
    + #""id":"0193f5a0-8c7b-7a10-9b2c-3d4e5f607182","kind":"set","#
    + #""prevHash":"0000000000000000000000000000000000000000000000000000000000000000","schema":2,"sitting":null,"#
    + #""staff":1201,"tx":"0193f5a0-8c7b-7a10-8000-000000000001","txIndex":0,"txSize":1,"wallTime":1795222800100}"#
  static let body = #"{"fields":{"value":3000000},"reason":"re-read the tape","replaces":{"value":[]}}"#
  static let bodyHash = "4eea354ecfcf1a214e1d848f94a1047bc5298fe254432ba902c768b33b4d337c"
  static let hash = "5bc066e7c0a1612fecc64bf95732ff053e7c9d3e871e6c0843192e3c28f1a647"

  static var document: Document {
    Document(header: header, bodyHash: bodyHash, hash: hash, salt: "AAECAwQFBgcICQoLDA0ODw", body: body)
  }

  static func sealed() throws -> Journal.Operation {
    var salt = Counting()
    return Journal.Operation.seal(
      id: try #require(UUIDBytes("0193f5a0-8c7b-7a10-9b2c-3d4e5f607182")),
      device: try #require(UUIDBytes("0192f0c1-2f3a-7b6c-8d4e-5f60718293a4")), deviceSeq: 1,
      tx: try #require(UUIDBytes("0193f5a0-8c7b-7a10-8000-000000000001")), kind: .set,
      row: RowKey(entity: "RatingQuestion", id: "5b0e8a3c-7d11-5c7e-9a55-0d6f2b1c4e77"),
      body: OperationBody(fields: ["value": .integer(3_000_000)], replaces: ["value": []]),
      hlc: HybridTime(raw: 117_651_721_428_860_928), wallTime: 1_795_222_800_100, clockError: 12,
      examTime: ExamTime(milliseconds: 1_795_222_800_123), staff: 1201, reason: "re-read the tape", schema: 2,
      prevHash: Journal.Operation.genesisHash, salt: .drawn(using: &salt))
  }
}

/// The members of a document, each of which a test can change.
private struct Document {
  var header: String
  var bodyHash: String
  var hash: String
  var salt: String?
  var body: String?
  var absent: String?

  init(header: String, bodyHash: String, hash: String, salt: String?, body: String?) {
    (self.header, self.bodyHash, self.hash, self.salt, self.body) = (header, bodyHash, hash, salt, body)
  }

  /// By way of another reader than the program's.
  init(_ bytes: [UInt8]) throws {
    let members = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])
    header = try #require(members["header"])
    bodyHash = try #require(members["bodyHash"])
    hash = try #require(members["hash"])
    (salt, body, absent) = (members["salt"], members["body"], members["absent"])
  }

  var members: [(String, String)] {
    [
      ("header", header), ("bodyHash", bodyHash), ("hash", hash), ("salt", salt), ("body", body), ("absent", absent),
    ].compactMap { name, text in text.map { (name, $0) } }
  }

  var bytes: [UInt8] {
    Array(("{" + members.map { "\(Self.plain($0.0)):\(Self.plain($0.1))" }.joined(separator: ",") + "}").utf8)
  }

  static func plain(_ text: String) -> String {
    String(decoding: CanonicalJSON.encode(.text(text)), as: UTF8.self)
  }

  /// In escapes alone, surrogates where a character needs two.
  static func escaped(_ text: String) -> String {
    "\"" + text.utf16.map { String(format: "\\u%04X", $0) }.joined() + "\""
  }
}

private func firstFault(of bytes: [UInt8]) -> WireFault? {
  do {
    _ = try WireOperation.decode(bytes)
    return nil
  } catch { return error }
}

@Suite("Operations on the wire")
struct WireOperationTests {
  private typealias Operation = Journal.Operation

  @Test("the protocol's example is written and read as another program does")
  func example() throws {
    let sealed = try Example.sealed()
    #expect(String(decoding: sealed.headerBytes, as: UTF8.self) == Example.header)
    #expect(sealed.reason == "re-read the tape" && sealed.headerReason == nil)
    let written = String(decoding: WireOperation(sealed).encoded(), as: UTF8.self)
    #expect(written == String(decoding: Example.document.bytes, as: UTF8.self))
    #expect(written.hasPrefix(#"{"header":"{\"clockError\":12,"#))
    #expect(try WireOperation.decode(Example.document.bytes) == sealed)
    #expect(try WireOperation.decode(written.utf8) == sealed)
  }

  // MARK: Random operations

  private static let texts = ["", "a", "re-read \"the\" tape\\", "Zoe\u{308}", "Zo\u{EB}", "\u{1}\u{7F}\n", "𐀀臨床"]

  private static func operation(using generator: inout Seeded) -> Operation {
    func text() -> String { texts.randomElement(using: &generator)! }
    func id() -> UUIDBytes { .random(using: &generator) }
    func number() -> Int64 { [0, 1, -1, .max, .min, 1_795_222_800_123].randomElement(using: &generator)! }
    func ifAny<T>(_ value: T) -> T? { generator.chance(50) ? value : nil }
    func place(_ range: ClosedRange<Int64>) -> Int64 {
      [range.lowerBound, range.lowerBound + 1, range.upperBound].randomElement(using: &generator)!
    }
    let parts = place(1...Operation.greatestPart)
    let values: [Value] = [.null, .bool(true), .integer(number()), .text(text())]
    var fields: [String: Value] = [:]
    for _ in 0..<Int.random(in: 0..<4, using: &generator) { fields[text()] = values.randomElement(using: &generator)! }
    let body = OperationBody(
      fields: fields, replaces: [text(): [id(), id()]],
      covers: generator.chance(30) ? [RowKey(entity: text(), id: text()): [text(): [id()]]] : [:],
      source: ifAny("import"))
    return Operation.seal(
      id: id(), device: id(), deviceSeq: place(1...Operation.greatestNumber), tx: id(),
      txIndex: Int([0, parts - 1].randomElement(using: &generator)!), txSize: Int(parts),
      kind: generator.chance(80) ? .set : OperationKind(rawValue: text()), row: RowKey(entity: text(), id: text()),
      body: body, hlc: HybridTime(raw: number()), wallTime: number(), clockError: number(),
      examTime: ifAny(ExamTime(milliseconds: number())), staff: ifAny(number()), sitting: ifAny(id()),
      reason: ifAny(text()), schema: generator.chance(50) ? 1 : 2, prevHash: id().bytes + id().bytes,
      salt: .drawn(using: &generator))
  }

  @Test("any operation comes back as it was, with its content and as each kind of stub")
  func roundTrip() throws {
    for seed in Seeded.seeds(200) {
      var generator = Seeded(seed: seed)
      let operation = Self.operation(using: &generator)
      #expect(try WireOperation.decode(WireOperation(operation).encoded()) == operation, "OSCE_SEED=\(seed)")
      for absent in AbsentContent.allCases {
        let stub = WireOperation(operation, withholding: absent)
        let read = try WireOperation.decode(stub.encoded())
        #expect(read == operation.withoutBody(because: absent), "OSCE_SEED=\(seed)")
        #expect(read.hash == operation.hash && read.absent == absent && read.damage == nil)
        // A stub stays what it is when it goes on.
        #expect(WireOperation(read) == stub, "OSCE_SEED=\(seed)")
      }
    }
  }

  @Test("the same in any form of JSON: escapes, white space, another order, members from a newer program")
  func anyForm() throws {
    for seed in Seeded.seeds(100) {
      var generator = Seeded(seed: seed)
      let operation = Self.operation(using: &generator)
      var members = try Document(WireOperation(operation).encoded()).members.map { name, text in
        let isEscaped = generator.chance(50)
        return (isEscaped ? Document.escaped(name) : Document.plain(name))
          + [":", " :\r\n\t"].randomElement(using: &generator)!
          + (generator.chance(50) ? Document.escaped(text) : Document.plain(text))
      }
      members += [#""result" : "applied""#, #""part":[0,3]"#, #""later":{"x":[null,true,-0,{"y":"\/"}]}"#]
      let document = " {" + members.shuffled(using: &generator).joined(separator: " ,\n") + "}\n"
      #expect(try WireOperation.decode(document.utf8) == operation, "OSCE_SEED=\(seed)")
    }
  }

  @Test("any changed byte of header, hashes, salt or body is refused, and for what it is")
  func changed() throws {
    var seen: [String: Int] = [:]
    for seed in Seeded.seeds(400) {
      var generator = Seeded(seed: seed)
      let operation = Self.operation(using: &generator)
      let whole = try Document(WireOperation(operation).encoded())
      func change(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let letters = Array("\"\\,:{}[]aAzZ09-_+ \n".utf8)
        bytes[place] = letters.filter { $0 != bytes[place] }.randomElement(using: &generator)!
        return String(decoding: bytes, as: UTF8.self)
      }
      func expect(_ document: Document, _ allowed: Set<String>, _ what: String) {
        let fault = firstFault(of: document.bytes)
        let word = fault.map { $0.why ?? "\($0.kind)" } ?? "taken"
        #expect(allowed.contains(word), "OSCE_SEED=\(seed): \(what): \(word)")
        seen["\(what) \(word)", default: 0] += 1
      }
      var document = whole
      document.body = change(whole.body!)
      expect(document, ["body_hash"], "body")
      document = whole
      document.salt = change(whole.salt!)
      let isSalt = document.salt!.utf8.allSatisfy { isLetter($0) } && "AQgw".contains(document.salt!.last!)
      expect(document, [isSalt ? "body_hash" : "form"], "salt")
      document = whole
      document.bodyHash = change(whole.bodyHash)
      expect(document, [isHex(document.bodyHash) ? "body_hash" : "form"], "bodyHash")
      (document.salt, document.body, document.absent) = (nil, nil, "erased")
      expect(document, [isHex(document.bodyHash) ? "hash" : "form"], "bodyHash of a stub")
      document = whole
      document.hash = change(whole.hash)
      expect(document, [isHex(document.hash) ? "hash" : "form"], "hash")
      document = whole
      document.header = change(whole.header)
      expect(document, ["form", "hash", "schema(9)", "schema(0)"], "header")
    }
    let wanted = [
      "body body_hash", "salt form", "salt body_hash", "bodyHash form", "bodyHash body_hash", "bodyHash of a stub hash",
      "hash form", "hash hash", "header form", "header hash",
    ]
    if Seeded.given == nil { #expect(wanted.allSatisfy { seen[$0] ?? 0 > 3 }, "\(seen)") }
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8).contains(byte)
  }

  private func isHex(_ text: String) -> Bool { text.utf8.allSatisfy { Array("0123456789abcdef".utf8).contains($0) } }

  // MARK: One fault each

  @Test(
    "a header has only one form",
    arguments: [
      (#"{"clockError""#, #"{ "clockError""#), (#""clockError":12,"#, ""),
      (#""schema":2"#, #""reason":null,"schema":2"#),
      (#""schema":2"#, #""reason":"x","schema":2"#), (#""staff":1201"#, #""staff":"1201""#),
      (#""staff":1201"#, #""staff":1201.0"#), (#""txSize":1"#, #""txSize":null"#), (#""txSize":1"#, #""txSize":true"#),
      (#""txSize":1"#, #""txSize":2147483648"#), (#""txSize":1"#, #""txSize":-1"#),
      (#""txSize":1"#, #""txSize":0"#), (#""txIndex":0"#, #""txIndex":1"#), (#""txIndex":0"#, #""txIndex":-1"#),
      (#""txIndex":0"#, #""txIndex":9007199254740993"#), (#""deviceSeq":1"#, #""deviceSeq":0"#),
      (#"-9a55-"#, #"\u0000"#), (#""kind":"set""#, #""kind":["set"]"#), (#"0192f0c1"#, #"0192F0C1"#),
      (#""sitting":null"#, #""sitting":"x""#), (#""prevHash":"00"#, #""prevHash":"0"#), (Example.header, "[]"),
      (Example.header, ""), (#""schema":2"#, #""schema":1"#), (#","wallTime":1795222800100"#, ""),
      (#""wallTime":"#, #""wallTime":9223372036854775808,"x":"#),
    ])
  func headerForm(part: String, other: String) {
    var document = Example.document
    document.header = document.header.replacing(part, with: other)
    #expect(firstFault(of: document.bytes)?.kind == .damaged(.form))
    #expect(firstFault(of: document.bytes)?.pointer == "/header")
  }

  @Test(
    "a schema that is not known is said to be one, whatever else its header has", arguments: ["0", "3", "-1", "99"])
  func schema(number: String) throws {
    var document = Example.document
    document.header = document.header.replacing(#""schema":2"#, with: "\"schema\":\(number),\"seal\":null")
    let fault = try #require(firstFault(of: document.bytes))
    #expect(fault.kind == .schema(Int64(number)!) && fault.why == nil)
    #expect(fault.id == UUIDBytes("0193f5a0-8c7b-7a10-9b2c-3d4e5f607182"))
  }

  @Test("of several faults the first in the protocol's order is named")
  func order() throws {
    var document = Example.document
    document.hash = String(document.hash.reversed())
    #expect(firstFault(of: document.bytes)?.why == "hash")
    document.body = document.body?.replacing("3000000", with: "3000001")
    #expect(firstFault(of: document.bytes)?.why == "body_hash")
    document.header = document.header.replacing("set", with: "Set ")
    #expect(firstFault(of: document.bytes)?.why == "body_hash")
    document.header += " "
    #expect(firstFault(of: document.bytes)?.why == "form")
    document.body = String(repeating: " ", count: WireOperation.limit + 1)
    #expect(firstFault(of: document.bytes)?.kind == .tooLarge(limit: WireOperation.limit))
    document.salt = nil
    #expect(firstFault(of: document.bytes) == WireFault(.malformed, at: "/salt"))
    #expect(firstFault(of: document.bytes)?.below("/ops/3").pointer == "/ops/3/salt")
  }

  @Test("a body of 256 KiB travels, a byte more does not")
  func size() throws {
    func operation(_ count: Int) -> Operation {
      Operation.seal(
        id: UUIDBytes(high: 1, low: 1), device: UUIDBytes(high: 2, low: 2), deviceSeq: 1,
        tx: UUIDBytes(high: 3, low: 3), kind: .set, row: item,
        body: OperationBody(fields: ["value": .text(String(repeating: "x", count: count))]), hlc: HybridTime(raw: 1),
        wallTime: 0, schema: 2, prevHash: Operation.genesisHash)
    }
    let rest = operation(0).sealedBody!.count - Operation.saltLength
    let whole = operation(WireOperation.limit - rest)
    #expect(try WireOperation.decode(WireOperation(whole).encoded()) == whole)
    let larger = WireOperation(operation(WireOperation.limit - rest + 1)).encoded()
    #expect(firstFault(of: larger) == WireFault(.tooLarge(limit: WireOperation.limit), at: "/body"))
  }

  @Test("a stub has neither salt nor body, and one of four reasons")
  func stubs() throws {
    var document = Example.document
    document.absent = "erased"
    #expect(firstFault(of: document.bytes) == WireFault(.malformed, at: "/salt"))
    document.salt = nil
    #expect(firstFault(of: document.bytes) == WireFault(.malformed, at: "/body"))
    document.body = nil
    #expect(try WireOperation.decode(document.bytes).absent == .erased)
    document.absent = "lost"
    #expect(firstFault(of: document.bytes)?.kind == .damaged(.form))
    document.absent = nil
    #expect(firstFault(of: document.bytes) == WireFault(.malformed, at: "/salt"))
  }

  @Test("a body that its author sealed travels, whether or not it can be read: that stops nobody")
  func unreadable() throws {
    let sealed = try Example.sealed()
    for body in ["", "{}", "[", #"{"fields":{},"reason":1,"replaces":{}}"#] {
      let bytes = sealed.sealedBody!.prefix(Operation.saltLength) + Array(body.utf8)
      let operation = sealed.resealed(sealedBody: Array(bytes))
      let read = try WireOperation.decode(WireOperation(operation).encoded())
      #expect(read == operation)
      guard case .unreadable = OpenedOperation(read).content else {
        Issue.record("\(body) was read")
        continue
      }
    }
  }

  @Test("content that the disk has lost travels as a stub that says so")
  func damagedAtHome() throws {
    let sealed = try Example.sealed()
    var changed = sealed.sealedBody!
    changed[20] ^= 1
    for bytes in [changed, [], Array(changed.prefix(7))] {
      let wire = WireOperation(sealed.changed(sealedBody: bytes))
      #expect(wire.absent == .damaged)
      #expect(try WireOperation.decode(wire.encoded()) == sealed.withoutBody(because: .damaged))
    }
    let noText = sealed.resealed(sealedBody: Array(sealed.sealedBody!.prefix(16)) + [0xC3])
    #expect(WireOperation(noText).absent == .damaged)
    #expect(WireOperation(sealed.changed(sealedBody: nil)).absent == .erased)
  }

  @Test("members of others stand behind an operation's own")
  func more() throws {
    let sealed = try Example.sealed()
    let bytes = WireOperation(sealed).encoded(adding: [CanonicalJSON.Member("result", .text("rejected:role"))])
    #expect(try WireOperation.decode(bytes) == sealed)
    #expect(try WireJSON.decode(bytes)["result"]?.text == "rejected:role")
  }

  // MARK: Documents

  @Test(
    "what is no JSON of the protocol is malformed, and the place is named",
    arguments: [
      ("", ""), ("{", ""), ("[1,2", ""), ("{} x", ""), (#"{"a":}"#, "/a"), (#"{"a":1.5}"#, "/a"), (#"{"a":1e3}"#, "/a"),
      (#"{"a":01}"#, "/a"), (#"{"a":9223372036854775808}"#, "/a"), (#"{"a":-}"#, "/a"), (#"{"a":[1,nul]}"#, "/a/1"),
      (#"{"a":{"b/~":"\x"}}"#, "/a/b~1~0"), (#"["\uD800"]"#, "/0"), (#"["\uD800\u0041"]"#, "/0"),
      (#"["\uDC00"]"#, "/0"),
      (#"["\u12"]"#, "/0"), (#"["\u+123"]"#, "/0"), ("[\"\n\"]", "/0"), (#"["abc]"#, "/0"),
      (#"{"a":1,"b":2,"a":1}"#, "/a"),
      (#"{"a":1,"\u0061":1}"#, "/a"), ("{a:1}", ""), ("[1,]", "/1"), (#"{"a":1,}"#, ""), ("\u{FEFF}{}", ""),
      (String(repeating: "[", count: 17) + String(repeating: "]", count: 17), String(repeating: "/0", count: 16)),
    ])
  func malformed(text: String, pointer: String) {
    #expect(throws: WireFault(.malformed, at: pointer)) { try WireJSON.decode(text.utf8) }
  }

  @Test("bytes that are no UTF-8 are malformed, also around an escape")
  func encoding() {
    for bytes in [[0xC3], [0xC3, 0x5C, 0x6E], [0x5C, 0x6E, 0xA9], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]] {
      #expect(throws: WireFault.self) { try WireJSON.decode([0x22] + bytes + [0x22]) }
    }
  }

  @Test("texts that only look alike are two keys; every escape is read")
  func texts() throws {
    #expect(
      try WireJSON.decode("{\"Zoe\u{308}\":1,\"Zo\u{EB}\":2}".utf8)
        == .object([.init("Zoe\u{308}", .integer(1)), .init("Zo\u{EB}", .integer(2))]))
    #expect(
      try WireJSON.decode(#"["\"\\\/\b\f\n\r\t\u0000\u00e9\uD800\uDC00"]"#.utf8)
        == .array([.text("\"\\/\u{8}\u{C}\n\r\t\u{0}\u{E9}\u{10000}")]))
    #expect(
      try WireJSON.decode(" [ -9223372036854775808 , {} , [] ,false]\r\n".utf8)
        == .array([.integer(.min), .object([]), .array([]), .bool(false)]))
    #expect(throws: WireFault(.tooLarge(limit: 3))) { try WireJSON.decode("[1,2]".utf8, limits: .init(bytes: 3)) }
  }

  @Test("salts are written as RFC 4648 has it, and read in no other way")
  func base64() {
    for (bytes, text) in [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("\u{3F}\u{3F}>", "Pz8-"),
    ] {
      #expect(Base64URL.encode(bytes.utf8) == text)
      #expect(Base64URL.decode(text) == Array(bytes.utf8))
    }
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    for text in ["Zh", "Zg==", "Z", "Zm9", "Zm9vY", "Zm 9v", "Zm+v", "Zm/v", "é"] {
      #expect(Base64URL.decode(text) == nil)
    }
  }
}

extension Journal.Operation {
  /// A forged copy with other bytes for a body, and the hashes kept.
  fileprivate func changed(sealedBody: [UInt8]?) -> Journal.Operation { copy(sealedBody, bodyHash, hash) }

  /// The same with the hashes that belong to it.
  fileprivate func resealed(sealedBody: [UInt8]) -> Journal.Operation {
    let bodyHash = sha256(sealedBody)
    return copy(sealedBody, bodyHash, sha256(headerBytes, bodyHash))
  }

  private func copy(_ sealedBody: [UInt8]?, _ bodyHash: [UInt8], _ hash: [UInt8]) -> Journal.Operation {
    Journal.Operation(
      id: id, device: device, deviceSeq: deviceSeq, tx: tx, txIndex: txIndex, txSize: txSize, kind: kind, row: row,
      sealedBody: sealedBody, bodyHash: bodyHash, hlc: hlc, wallTime: wallTime, clockError: clockError,
      examTime: examTime, staff: staff, sitting: sitting, headerReason: headerReason, schema: schema,
      prevHash: prevHash, hash: hash)
  }
}
