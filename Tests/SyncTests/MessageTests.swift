import Journal
import SeededNumbers
import Testing

@testable import Sync

/// Operations of one device's chain.
enum SampleChain {
  static func operations(_ count: Int, device: UUIDBytes, seed: UInt64 = 1) -> [Journal.Operation] {
    var generator = Seeded(seed: seed)
    var (hash, operations) = (Journal.Operation.genesisHash, [Journal.Operation]())
    for number in 1...max(1, Int64(count)) {
      let operation = Journal.Operation.seal(
        id: .v7(milliseconds: 1_795_222_800_000 + number, using: &generator), device: device, deviceSeq: number,
        tx: .random(using: &generator), kind: .set, row: RowKey(entity: "RatingQuestion", id: "row \"\(number)\"\n"),
        body: OperationBody(fields: ["feedback": .text("a\u{1}\"\\ß \(number)")], reason: "why"),
        hlc: HybridTime(raw: (1_795_222_800_000 + number) << 16), wallTime: 1_795_222_800_000, schema: 2,
        prevHash: hash, salt: .drawn(using: &generator))
      (hash, operations) = (operation.hash, operations + [operation])
    }
    return operations
  }
}

@Suite("Messages of the exchange") struct MessageTests {
  private static let device = UUIDBytes(high: 1, low: 2)
  private static let cursor = LogCursor(epoch: UUIDBytes(high: 3, low: 4), seq: 48_102)
  private static let hash = [UInt8](repeating: 0xAB, count: 32)

  @Test("a request is read as it was written, its operations byte for byte") func request() throws {
    let operations = SampleChain.operations(3, device: Self.device)
    let request = SyncRequest(
      device: Self.device, cursor: Self.cursor, hash: Self.hash,
      marks: [LogMark(seq: 48_102, hash: Self.hash), LogMark(seq: 0, hash: Self.hash)],
      tip: ChainTip(device: Self.device, deviceSeq: 3, hash: operations[2].hash),
      operations: operations.map { WireOperation($0) } + [WireOperation(operations[0], withholding: .withheld)],
      isRelay: true, wantsReceipts: true, limit: 7, held: 48_102)
    let read = try SyncRequest.decode(request.encoded)
    #expect(read.encoded == request.encoded)
    #expect(read.operations.map(\.operation.sealedBody) == operations.map(\.sealedBody) + [nil])
    #expect(
      read.isRelay && read.wantsReceipts && read.limit == 7 && read.marks == request.marks && read.tip == request.tip)
  }

  @Test("a request that lacks a member, or has it of another type, is malformed, and the place is said")
  func malformed() throws {
    let request = SyncRequest(
      device: Self.device, cursor: Self.cursor, hash: Self.hash, marks: [],
      tip: ChainTip(device: Self.device, deviceSeq: 0, hash: Self.hash), held: 0)
    guard case .object(let members) = try WireJSON.decode(request.encoded) else { return #expect(Bool(false)) }
    for name in ["device", "cursor", "hash", "marks", "tip", "ops", "keys", "relay", "receipts", "limit", "held"] {
      let isFlag = name == "relay" || name == "receipts"
      for value in [nil, isFlag ? CanonicalJSON.Node.integer(1) : .bool(true)] {
        let others = members.filter { $0.key != name } + (value.map { [CanonicalJSON.Member(name, $0)] } ?? [])
        let fault = #expect(throws: WireFault.self) {
          try SyncRequest.decode(CanonicalJSON.encode(.object(others)))
        }
        #expect(fault?.pointer == "/" + name, "\(name)")
      }
    }
  }

  @Test("an operation that was changed on the way fails the request, and is named with its place") func damaged() throws
  {
    let operations = SampleChain.operations(2, device: Self.device).map { WireOperation($0) }
    let request = SyncRequest(
      device: Self.device, cursor: Self.cursor, hash: Self.hash, marks: [],
      tip: ChainTip(device: Self.device, deviceSeq: 2, hash: Self.hash), operations: operations, held: 0)
    let text = String(decoding: request.encoded, as: UTF8.self).replacing("ß 2", with: "ß 3")
    let fault = #expect(throws: WireFault.self) { try SyncRequest.decode(Array(text.utf8)) }
    #expect(fault?.why == "body_hash" && fault?.pointer == "/ops/1/bodyHash")
    #expect(fault?.id == operations[1].operation.id)
  }

  @Test("an answer is read as it was written; an entry that is none fails only itself") func answer() throws {
    let operations = SampleChain.operations(2, device: Self.device)
    let entries = [
      LogEntry(
        seq: 1, time: 5, .operation(WireOperation(operations[0]), .rejected(.role), .init(index: 0, count: 2))),
      LogEntry(
        seq: 2, time: 6, .verdict(operations[0].id, .withdrawn, by: operations[1].id, WireOperation(operations[1])),
        isBack: true),
      LogEntry(seq: 3, time: 7, .erase(subject: Self.device, bodies: [operations[0].id])),
      LogEntry(seq: 4, time: 8, .receipt(operations[0].id, .quarantined(.clockAhead))),
    ]
    let answer = SyncAnswer(
      results: [
        .init(id: operations[0].id, deviceSeq: 1, hubSeq: 9, outcome: .stored(.deferred(.causeMissing))),
        .init(id: operations[0].id, deviceSeq: 1, hubSeq: 9, outcome: .stored(.rejected(.role)), isDuplicate: true),
        .init(id: operations[1].id, deviceSeq: 2, hubSeq: nil, outcome: .hole),
      ], entries: entries, cursor: Self.cursor, hash: Self.hash, head: LogMark(seq: 9, hash: Self.hash),
      more: true,
      scope: SyncScope(version: 3, atoms: ["exam", "station:12"]), last: 2, lastHash: Self.hash, time: 99)
    let read = try SyncAnswer.decode(answer.encoded)
    #expect(read.encoded == answer.encoded)
    #expect(read.results == answer.results && read.head == answer.head)
    let spoilt = String(decoding: answer.encoded, as: UTF8.self).replacing("\"type\":\"erase\"", with: "\"type\":\"x\"")
    let other = try SyncAnswer.decode(Array(spoilt.utf8))
    #expect(other.entries.count == 4)
    guard case .unreadable("malformed", nil, let bytes) = other.entries[2].content else {
      return #expect(Bool(false), "\(other.entries[2])")
    }
    #expect(!bytes.isEmpty)
    let joined = String(decoding: answer.encoded, as: UTF8.self)
      .replacing(#""result":"quarantined""#, with: #""result":"quarantined:clock_ahead""#)
      .replacing(#""code":"clock_ahead""#, with: #""code":null"#)
    guard case .unreadable = try SyncAnswer.decode(Array(joined.utf8)).entries[3].content else {
      return #expect(Bool(false), "a code in the word is taken")
    }
  }

  @Test("no number in an answer ends the program that reads it") func numbers() throws {
    let operation = WireOperation(SampleChain.operations(1, device: Self.device)[0])
    let answer = SyncAnswer(
      results: [], entries: [LogEntry(seq: 1, time: 5, .operation(operation, .applied, .init(index: 0, count: 1)))],
      cursor: Self.cursor, hash: Self.hash, more: true, scope: SyncScope(version: 3, atoms: []), last: 2,
      lastHash: Self.hash, time: 99)
    let text = String(decoding: answer.encoded, as: UTF8.self)
    for number in [Int64.min, -1, 0, Int64.max] {
      for part in ["[0,\(number)]", "[\(number),1]", "[\(number),\(number)]"] {
        let read = try SyncAnswer.decode(Array(text.replacing(#""part":[0,1]"#, with: "\"part\":\(part)").utf8))
        #expect(read.entries.count == 1)
      }
      // Refused, or read as it is.
      let last = try? SyncAnswer.decode(Array(text.replacing(#""last":2"#, with: "\"last\":\(number)").utf8)).last
      #expect(last == nil || last == number)
      let seq = try? SyncAnswer.decode(Array(text.replacing(":48102", with: ":\(number)").utf8)).cursor.seq
      #expect(seq == nil || seq == number)
      if number == 0 { #expect(last == 0 && seq == 0) }
    }
    #expect(LogCursor("\(Self.device):-5")?.seq == nil)
  }

  @Test("an error is read as it was written, and what no hub says counts as a failure of the way") func errors() {
    let errors: [HubError] = [
      .malformed(pointer: "/a"), .damaged(Self.device, why: .bodyHash), .token, .session, .revoked, .role, .code,
      .notFound, .method, .slow, .encoding, .gap(expected: 4, hash: Self.hash),
      .fork(deviceSeq: 3, hash: Self.hash, last: 9),
      .cursor(
        epoch: Self.device, common: LogMark(seq: 7, hash: Self.hash), last: 5, lastHash: Self.hash), .filling,
      .tooLarge(limit: 10), .version(1...1), .schema(1...2), .busy(after: 3), .readOnly(after: 4), .standby(after: 5),
      .notReady(after: 6), .unavailable,
    ]
    for error in errors { #expect(HubError(error.response) == error) }
    #expect(HubError(WireResponse(status: 400, content: .text, body: Array("<html>".utf8))) == .unavailable)
    #expect(
      HubError(WireResponse(status: 409, content: .json, body: Array(#"{"error":{"code":"gap"}}"#.utf8)))
        == .unavailable)
  }

  @Test("what was changed is told apart from what has no valid form, and a long request from one that packs too well")
  func faults() {
    let (form, hash) = (HubError.damaged(Self.device, why: .form), HubError.damaged(Self.device, why: .hash))
    #expect(form.message.hasPrefix("operation \(Self.device) is not in the form that the protocol says; "))
    #expect(hash.message.hasPrefix("operation \(Self.device) is not what its author sealed (hash); "))
    for error in [form, hash] { #expect(error.message.hasSuffix("; nothing of the request was taken")) }
    let packed = HubError.tooLarge(limit: SyncLimits.standard.inflated)
    #expect(packed.message.hasSuffix("unpacks to more than 8388608 bytes, or to more than 200 times its size"))
    #expect(HubError.tooLarge(limit: 500).message == "the request has more than 500 operations")
    #expect(HubError.tooLarge(limit: 64).message == "the request has more than 64 marks")
    #expect(HubError.tooLarge(limit: 1 << 20).message == "the request is larger than 1048576 bytes")
  }

  @Test("two histories of a device are told apart from one that ends early") func forks() {
    func message(_ deviceSeq: Int64) -> String { HubError.fork(deviceSeq: deviceSeq, hash: Self.hash, last: 6).message }
    #expect(message(0) == "this device wrote up to number 6 here, and nothing of it is shown")
    #expect(message(2).contains("up to number 6 here, and what is shown ends at number 2 or is another there"))
    #expect(message(6) == "another operation of this device has number 6 here")
  }

  @Test("hello, enrolment, sessions, lists and pages are read as they were written") func others() throws {
    let scope = SyncScope(version: 1, atoms: ["all"])
    let exam = HubExam(
      id: Self.device, epoch: Self.device, name: "Year 3", head: LogMark(seq: 2, hash: Self.hash), isFilling: true)
    let place = HubDevice(
      id: Self.device, role: "desk", last: ChainTip(device: Self.device, deviceSeq: 2, hash: Self.hash), scope: scope)
    let hello = HelloAnswer(version: "1", time: 5, exam: exam, device: place)
    #expect(try HelloAnswer.decode(hello.encoded).encoded == hello.encoded)
    let bare = HelloAnswer(version: "1", time: 5, exam: nil, device: nil)
    #expect(try HelloAnswer.decode(bare.encoded).encoded == bare.encoded)
    let enrol = EnrolRequest(code: "C", device: Self.device, name: "host-a", tip: place.last, schema: 2)
    #expect(try EnrolRequest.decode(enrol.encoded) == enrol)
    let enrolled = EnrolAnswer(exam: exam, device: place, token: "ot1", hubDevice: Self.device)
    #expect(try EnrolAnswer.decode(enrolled.encoded) == enrolled)
    let list = DeviceList(devices: [
      ListedDevice(
        id: Self.device, name: "a", role: "desk", last: 1, held: 2, waiting: 3, seen: nil,
        clock: .init(offset: -3, bound: 9), isRevoked: true)
    ])
    #expect(try DeviceList.decode(list.encoded) == list)
    let page = SnapshotPage(
      entries: [LogEntry(seq: 4, time: 8, .receipt(Self.device, .applied))], next: "2", cursor: Self.cursor,
      hash: Self.hash, scope: scope, time: 9)
    #expect(try SnapshotPage.decode(page.encoded).encoded == page.encoded)
    #expect(try SnapshotPage.decode(page.encoded).time == 9)
    #expect(throws: WireFault.self) { try SnapshotPage.decode(Array(page.encoded.dropLast(3))) }
    #expect(DeviceNote("12;offset=-3;bound=9") == DeviceNote(waiting: 12, clock: .init(offset: -3, bound: 9)))
    #expect(DeviceNote("12") == DeviceNote(waiting: 12) && DeviceNote("x") == nil)
  }
}
