import Journal
import Testing

@Suite("The hash chain")
struct ChainTests {
  private func chain(_ count: Int, seed: UInt64 = 1, schema: Int = 2) -> [Operation] {
    var author = Author(seed: seed)
    author.schema = schema
    return (0..<count).map { author.set("value", of: item, to: .integer(Int64($0))) }
  }

  private func problems(_ operations: [Operation]) -> [ChainProblem.Kind] {
    var verifier = ChainVerifier()
    return operations.compactMap { verifier.feed($0)?.kind }
  }

  @Test("a whole chain verifies, operation by operation and streamed, with devices in alternation")
  func whole() {
    let left = chain(5)
    let right = chain(5, seed: 2)
    #expect(problems(zip(left, right).flatMap { [$0, $1] }).isEmpty)
    var resumed = ChainVerifier(tips: [left[1].tip])
    #expect(left[2...].compactMap { resumed.feed($0) }.isEmpty)
    #expect(resumed.tips == [left[4].device: left[4].tip])
  }

  @Test("a repeat is no problem; a gap is one, once; another history is a fork")
  func places() {
    let operations = chain(5)
    #expect(problems(Array(operations[...2]) + Array(operations[...2]) + Array(operations[3...])).isEmpty)
    #expect(problems(Array(operations[...1]) + Array(operations[3...])) == [.gap(expected: 3)])
    #expect(problems(Array(operations[2...])) == [.gap(expected: 1)])
    var copied = Author(seed: 1)
    let shared = copied.set("value", of: item, to: .integer(0))
    let second = copied.set("value", of: item, to: .integer(100))
    let third = copied.set("value", of: item, to: .integer(101))
    #expect(shared == operations[0])
    #expect(problems([shared] + Array(operations[1...2]) + [second]) == [.fork])
    #expect(problems([shared, operations[1], third]) == [.fork])
    #expect(problems([shared, operations[1], third] + Array(operations[2...])) == [.fork])
    #expect(problems([shared, second, third, operations[1]]) == [.fork])
  }

  @Test("numbers at the end of their range are reported, not counted on")
  func extremes() {
    var author = Author(seed: 1)
    author.tip = ChainTip(device: author.device, deviceSeq: .max - 1, hash: Operation.genesisHash)
    let last = author.set("value", of: item, to: .integer(1))
    author.tip = ChainTip(device: author.device, deviceSeq: .min, hash: Operation.genesisHash)
    let negative = author.set("value", of: item, to: .integer(1))
    #expect(problems([last, last, negative, chain(1)[0]]) == [.gap(expected: 1), .fork, .fork])
  }

  @Test("a destroyed body leaves the chain whole, but its header cannot be changed")
  func destroyed() {
    let operations = chain(4).map { $0.withoutBody() }
    #expect(problems(operations).isEmpty)
    #expect(operations[1].changed(staff: 99).damage == .hash)
  }

  @Test("any flipped bit of body, salt or hashes is found")
  func bytes() {
    let operations = chain(2)
    let operation = operations[1]
    for bit in 0..<operation.sealedBody!.count * 8 {
      #expect(operation.changed(sealedBody: flip(bit, in: operation.sealedBody!)).damage == .bodyHash)
    }
    for bit in 0..<256 {
      #expect(operation.changed(bodyHash: flip(bit, in: operation.bodyHash)).damage == .bodyHash)
      #expect(operation.withoutBody().changed(bodyHash: flip(bit, in: operation.bodyHash)).damage == .hash)
      #expect(operation.changed(hash: flip(bit, in: operation.hash)).damage == .hash)
      #expect(operation.changed(prevHash: flip(bit, in: operation.prevHash)).damage == .hash)
    }
  }

  @Test("a chain goes on in another form, and either can be read")
  func schemas() throws {
    var author = Author(seed: 1)
    var operations: [Operation] = []
    for schema in [1, 1, 2, 2] {
      author.schema = schema
      operations.append(author.set("value", of: item, to: .integer(1)))
    }
    #expect(problems(operations).isEmpty)
    #expect(operations.map(\.reason) == Array(repeating: "because", count: 4))
    #expect(operations.map(\.headerReason) == ["because", "because", nil, nil])
    #expect(try operations.map { try $0.body()?.reason } == [nil, nil, "because", "because"])
    #expect(operations[3].withoutBody().reason == nil)
    #expect(operations[1].withoutBody().reason == "because")
  }

  @Test("a reason in a body of schema 1 makes it none; a schema that is not known is damage, and no trap")
  func foreignForms() throws {
    let (first, second) = (chain(1, schema: 1)[0], chain(1, schema: 2)[0])
    #expect(throws: OperationBodyProblem.form) { try first.changed(sealedBody: second.sealedBody).body() }
    #expect(try second.changed(sealedBody: first.sealedBody).body()?.reason == nil)
    for schema in [0, 3, -1, Int.max, Int.min] {
      #expect(second.changed(schema: schema).damage == .hash)
      #expect(OpenedOperation(second.changed(schema: schema)).content == .unreadable(.form))
    }
    #expect(first.changed(schema: 2).damage == .hash)
    #expect(second.changed(schema: 1).damage == .hash)
    #expect(second.changed(headerReason: "because").damage == .hash)
  }

  @Test("any flipped bit of a header's numbers and texts is found, and reported once", arguments: [1, 2])
  func header(schema: Int) {
    let operations = chain(4, schema: schema)
    let operation = operations[2]
    for bit in 0..<64 {
      let flipped = Int64(bitPattern: 1 << UInt64(bit))
      let word = UUIDBytes(high: 1 << UInt64(bit), low: 0)
      for changed in [
        operation.changed(deviceSeq: operation.deviceSeq ^ flipped), operation.changed(wallTime: 1 ^ flipped),
        operation.changed(hlc: HybridTime(raw: operation.hlc.raw ^ flipped)),
        operation.changed(clockError: operation.clockError ^ flipped), operation.changed(staff: 7 ^ flipped),
        operation.changed(examTime: ExamTime(milliseconds: operation.examTime!.milliseconds ^ flipped)),
        operation.changed(txIndex: operation.txIndex ^ Int(flipped)), operation.changed(schema: schema ^ Int(flipped)),
        operation.changed(txSize: operation.txSize ^ Int(flipped)), operation.changed(sitting: word),
        operation.changed(id: operation.id.xor(word)), operation.changed(tx: operation.tx.xor(word)),
      ] {
        #expect(changed.damage == .hash)
      }
    }
    #expect(operation.changed(device: UUIDBytes.random()).damage == .hash)
    #expect(operation.changed(kind: .create).damage == .hash)
    #expect(operation.changed(row: RowKey(entity: "RatingQuestion", id: "C")).damage == .hash)
    #expect(operation.changed(row: RowKey(entity: "RatingQuestio", id: "nc")).damage == .hash)
    #expect(operation.changed(headerReason: "becausf").damage == .hash)
    #expect(problems([operations[0], operations[1], operation.changed(staff: 8), operations[3]]) == [.hash])
    #expect(problems([operations[0], operations[1], operation.changed(deviceSeq: 77), operations[3]]) == [.hash])
  }

  @Test("what the hub says of an operation is not part of its hash")
  func unhashed() {
    var operation = chain(1)[0]
    operation.hubSeq = 12
    operation.result = "applied"
    #expect(problems([operation]).isEmpty)
  }

  @Test("two seals of one content have different salts, so that a body cannot be guessed from its hash")
  func salt() {
    func seal() -> Operation {
      Operation.seal(
        id: UUIDBytes(high: 1, low: 1), device: UUIDBytes(high: 2, low: 2), deviceSeq: 1,
        tx: UUIDBytes(high: 3, low: 3), kind: .set, row: item, body: OperationBody(fields: ["value": .integer(1)]),
        hlc: HybridTime(raw: 1), wallTime: 0, schema: 1, prevHash: Operation.genesisHash)
    }
    #expect(seal().bodyHash != seal().bodyHash)
  }

  private func flip(_ bit: Int, in bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }
}

extension UUIDBytes {
  fileprivate func xor(_ other: UUIDBytes) -> UUIDBytes {
    UUIDBytes(high: high ^ other.high, low: low ^ other.low)
  }
}

extension Operation {
  /// A forged copy: some parts changed, the hashes kept.
  fileprivate func changed(
    id: OperationID? = nil, device: UUIDBytes? = nil, deviceSeq: Int64? = nil, tx: UUIDBytes? = nil,
    txIndex: Int? = nil, txSize: Int? = nil, kind: OperationKind? = nil, row: RowKey? = nil,
    sealedBody: [UInt8]? = nil, bodyHash: [UInt8]? = nil, hlc: HybridTime? = nil, wallTime: Int64? = nil,
    clockError: Int64? = nil, examTime: ExamTime? = nil, staff: Int64? = nil, sitting: UUIDBytes? = nil,
    headerReason: String? = nil, schema: Int? = nil, prevHash: [UInt8]? = nil, hash: [UInt8]? = nil
  ) -> Operation {
    Operation(
      id: id ?? self.id, device: device ?? self.device, deviceSeq: deviceSeq ?? self.deviceSeq, tx: tx ?? self.tx,
      txIndex: txIndex ?? self.txIndex, txSize: txSize ?? self.txSize, kind: kind ?? self.kind, row: row ?? self.row,
      sealedBody: sealedBody ?? self.sealedBody, bodyHash: bodyHash ?? self.bodyHash, hlc: hlc ?? self.hlc,
      wallTime: wallTime ?? self.wallTime, clockError: clockError ?? self.clockError,
      examTime: examTime ?? self.examTime, staff: staff ?? self.staff, sitting: sitting ?? self.sitting,
      headerReason: headerReason ?? self.headerReason, schema: schema ?? self.schema,
      prevHash: prevHash ?? self.prevHash,
      hash: hash ?? self.hash)
  }
}
