import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("A store and its hub") struct HubExchangeTests {
  private static let limit = OwedLimit(operations: 500, bytes: 1 << 20)
  private static let epoch = UUIDBytes(high: 1, low: 2)

  private static func hash(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

  private func enrolled(as role: DeviceRole = .station) throws -> TestStore {
    let exam = try TestStore()
    try exam.loadSmallExam()
    try exam.store.enrol(
      Enrolment(
        url: "https://hub", exam: Self.epoch, epoch: Self.epoch, role: role, enrolledAt: exam.store.clock.now,
        cursorHash: Self.hash(0), scope: "{}"))
    return exam
  }

  private func owed(_ exam: TestStore, after last: ChainTip? = nil, limit: OwedLimit = limit) throws -> [WireOperation]?
  {
    let last = last ?? ChainTip(device: exam.store.device, deviceSeq: 0, hash: Journal.Operation.genesisHash)
    guard case .operations(let operations) = try exam.store.owed(after: last, limit: limit) else { return nil }
    return operations
  }

  @Test("sends its chain from where the hub has it, whole transactions at a time, and what stays here without content")
  func owedOperations() throws {
    let exam = try enrolled()
    let chain = try exam.store.operations()
    let all = try #require(try owed(exam))
    #expect(all.map(\.operation.hash) == chain.map(\.hash))
    for wire in all {
      let isDown = ["ClinicGroup", "ActivityType", "TypeForm", "Staff", "Student"].contains(wire.operation.row.entity)
      if isDown { #expect(wire.absent == .withheld, "\(wire.operation.row)") }
    }
    #expect(all.contains { $0.operation.sealedBody != nil })
    #expect(try owed(exam, after: chain[2].tip)?.first?.operation.deviceSeq == 1, "what was never answered goes again")
    try exam.store.ingest(answers: chain.prefix(3).map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) })
    { _ in }
    #expect(try owed(exam, after: chain[2].tip)?.first?.operation.deviceSeq == 4)
    try exam.store.ingest(answers: chain.map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) }) { _ in }
    _ = try exam.setSurname("A")
    let imported = try #require(chain.last)
    _ = try exam.setSurname("B")
    let rest = try #require(try owed(exam, after: imported.tip, limit: OwedLimit(operations: 1, bytes: 1 << 20)))
    #expect(rest.count == 1)
  }

  @Test("finds what goes next at once, however much waits") func steps() throws {
    func steps(_ changes: Int) throws -> Int {
      let exam = try enrolled()
      let chain = try exam.store.operations()
      let imported = try #require(chain.last)
      try exam.store.ingest(answers: chain.map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) }) { _ in
      }
      for number in 0..<changes { _ = try exam.setSurname("A\(number)") }
      let few = OwedLimit(operations: 5, bytes: 1 << 20)
      _ = try owed(exam, after: imported.tip, limit: few)
      return try ReadSteps.of(exam.store) {
        let next = try owed(exam, after: imported.tip, limit: few)
        #expect(next?.count == 5)
      }
    }
    let (few, many) = (try steps(10), try steps(200))
    #expect(many < few + 50, "\(few) steps where 10 wait, \(many) where 200 do")
  }

  @Test("passes on both versions of one operation, also where a batch ends between them") func versions() throws {
    let two = try TwoStores()
    let genuine = try two.here.setSurname("Evans")
    let other = Journal.Operation.seal(
      id: genuine.id, device: genuine.device, deviceSeq: genuine.deviceSeq, tx: genuine.tx, kind: .set,
      row: genuine.row, body: OperationBody(fields: ["surname": .text("Forged")]), hlc: genuine.hlc, wallTime: 0,
      schema: 1, prevHash: genuine.prevHash)
    try two.there.store.apply([genuine, other])
    var place = ChainTip(device: genuine.device, deviceSeq: genuine.deviceSeq - 1, hash: genuine.prevHash)
    var passedOn: Set<[UInt8]> = []
    let one = OwedLimit(operations: 1, bytes: 1)
    while let next = try two.there.store.unnumbered(after: place, limit: one).last?.operation {
      passedOn.insert(next.hash)
      place = next.tip
    }
    #expect(passedOn == [genuine.hash, other.hash])
  }

  @Test("splits no transaction that fits") func transactions() throws {
    let exam = try enrolled()
    let chain = try exam.store.operations()
    let imported = try #require(chain.last)
    let size = chain.filter { $0.tx == imported.tx }.count
    try exam.store.ingest(
      answers:
        chain.dropLast(size).map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) }
    ) { _ in }
    _ = try exam.setSurname("A")
    let before = chain.dropLast(size).last?.tip
    let all = try owed(exam, after: before, limit: OwedLimit(operations: size + 1, bytes: 1 << 22))
    #expect(all?.count == size + 1)
    let whole = try owed(exam, after: before, limit: OwedLimit(operations: size, bytes: 1 << 22))
    #expect(whole?.count == size)
    try exam.store.ingest(answers: chain.map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) }) { _ in }
    try exam.store.write(Author(staff: 1)) {
      for key in ["11", "12"] { try $0.set("Student", key, ["surname": .text("B")]) }
    }
    let one = try owed(exam, after: imported.tip, limit: OwedLimit(operations: 2, bytes: 1 << 22))
    #expect(one?.count == 1, "the second transaction would be split")
  }

  @Test("says that the hub has another chain") func otherChain() throws {
    let exam = try enrolled()
    let end = try #require(try exam.store.operations().last).tip
    let device = exam.store.device
    #expect(try owed(exam, after: ChainTip(device: device, deviceSeq: end.deviceSeq, hash: Self.hash(9))) == nil)
    #expect(try owed(exam, after: ChainTip(device: device, deviceSeq: end.deviceSeq + 5, hash: Self.hash(9))) == nil)
    try exam.store.ingest(
      answers:
        try exam.store.operations().map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) }
    ) { _ in }
    #expect(try owed(exam, after: end)?.isEmpty == true)
  }

  @Test("remembers places in the hub's log, ever fewer the older they are") func marks() throws {
    let exam = try enrolled()
    for seq in Int64(0)...3000 where seq % 3 == 0 || seq > 2900 {
      let cursor = ExchangeCursor(epoch: Self.epoch, place: "\(seq)", hash: Self.hash(UInt8(seq % 251)))
      try exam.store.ingest(upTo: cursor) { _ in }
    }
    let marks = try #require(try exam.store.exchangeStanding()).marks
    #expect(marks.count <= 16 && marks.first?.seq == 3000)
    #expect(marks.allSatisfy { $0.hash == Self.hash(UInt8($0.seq % 251)) })
    let distances = marks.dropFirst().map { 3000 - $0.seq }
    #expect(distances == distances.sorted() && distances.count >= 8)
    for (near, far) in zip(distances, distances.dropFirst()) { #expect(far <= 4 * near + 8, "\(distances)") }
  }

  @Test("puts aside a plan of its own that the hub has without content: what others sent stands, and it is kept")
  func withheld() throws {
    let exam = try enrolled()
    let answers = try exam.store.operations().map { operation -> HubAnswer in
      let isStub = try owed(exam)?.first { $0.operation.id == operation.id }?.absent != nil
      return HubAnswer(id: operation.id, hubSeq: operation.deviceSeq, result: isStub ? .withheld : .applied)
    }
    let hub = try TestStore()
    try hub.loadSmallExam()
    try hub.store.write(.program) { try $0.set("ClinicGroup", "1", ["name": .text("The hub's")]) }
    let theirs = try hub.store.operations()
    try exam.store.ingest(answers: answers) { ingest in
      for (index, operation) in theirs.enumerated() {
        try ingest.take(.operation(operation, result: .applied, hubSeq: Int64(1000 + index)), bytes: [])
      }
    }
    #expect(try exam.store.value("name", "ClinicGroup", "1") == .text("The hub's"))
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") } == 0)
    #expect(try exam.store.read { try Outbox.waiting($0) } == 0)
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM withheldContent") ?? 0 } > 5)
    let failures = try exam.examine().failures
    #expect(failures == [])
  }

  @Test("is not sound where what it imported is kept from a hub that has nothing of it") func keptImport() throws {
    let exam = try enrolled(as: .lead)
    try exam.store.write(.program) {
      try $0.create("ClinicGroup", "7", ["name": .text("Green")], source: OperationBody.imported)
    }
    #expect(try exam.examine().failures == [])
    try exam.store.write(.program) { try $0.db.execute(sql: "UPDATE operation SET sends = 0 WHERE entityID = '7'") }
    #expect(try exam.examine().result("hub") == .failed)
  }

  @Test("is not sound where its role sends what the hub has from a former role without content")
  func formerRole() throws {
    let exam = try enrolled()
    try exam.store.write(.program) {
      try $0.create("ClinicGroup", "7", ["name": .text("Green")], source: OperationBody.imported)
    }
    try exam.store.acknowledge()
    #expect(try exam.examine().failures == [])
    #expect(try exam.store.read { try ImportDifferences.read($0) }.onlyHere.contains { $0.id == "7" })
    try exam.store.enrol(as: .lead)
    #expect(try exam.examine().result("hub") == .failed)
    try exam.store.enrol(as: .station)
    #expect(try exam.examine().failures == [])
  }

  @Test("keeps a change that stands at the hub when another device sends something under its identifier")
  func takenIdentifier() throws {
    let author = try TestStore()
    try author.store.write(.program) { try $0.create("CommentMetaStation", "c1", ["text": .text("calm")]) }
    let comment = try #require(try author.store.operations().last)
    let other = rival(of: comment)
    let first = ExchangeEntry.operation(comment, result: .applied, hubSeq: 1)
    let second = ExchangeEntry.operation(other, result: .rejected(.twoVersions), hubSeq: 2)
    // A lead is given what counts for nothing too, and after a restore in whatever order it comes.
    for entries in [[first, second], [second, first], [first, second, first, second]] {
      let exam = try enrolled(as: .lead)
      try exam.store.ingest { ingest in for entry in entries { try ingest.take(entry, bytes: [1]) } }
      #expect(try exam.store.value("text", "CommentMetaStation", "c1") == .text("calm"))
      #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pending") } == 0)
      let kept = try exam.store.operations(of: comment.device).first { $0.id == comment.id }
      #expect(kept?.hubSeq == 1 && kept?.result == "applied")
      #expect(try exam.store.read { try RefusedEntry.count($0) } == 1, "it can be listed")
    }
  }

  /// An operation on another row, under the identifier of one that is a store's own.
  private func rival(of operation: Journal.Operation) -> Journal.Operation {
    Journal.Operation.seal(
      id: operation.id, device: .random(), deviceSeq: 1, tx: .random(), kind: .set,
      row: RowKey(entity: "CommentMetaStation", id: "c2"), body: OperationBody(fields: ["text": .text("x")]),
      hlc: operation.hlc, wallTime: operation.wallTime, schema: 2, prevHash: Journal.Operation.genesisHash)
  }

  private func texts(_ exam: TestStore) throws -> [Value?] {
    try ["c1", "c2"].map { try exam.store.value("text", "CommentMetaStation", $0) }
  }

  @Test("follows a hub that was restored, and then brought two operations with one identifier in another order")
  func otherOrder() throws {
    let author = try enrolled(as: .lead)
    try author.store.write(.program) { try $0.create("CommentMetaStation", "c1", ["text": .text("calm")]) }
    let chain = try author.store.operations()
    let comment = try #require(chain.last)
    let other = rival(of: comment)
    let reader = try enrolled(as: .lead)
    try reader.store.ingest { try $0.take(.operation(comment, result: .applied, hubSeq: 100), bytes: []) }
    try author.store.ingest(answers: chain.map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) }) { _ in
    }
    for exam in [author, reader] { #expect(try texts(exam) == [.text("calm"), nil]) }
    for exam in [author, reader] {
      try exam.store.rewind(to: LogMark(seq: comment.deviceSeq - 1, hash: Self.hash(3)), epoch: Self.epoch)
    }
    // The hub was brought the other one first now.
    let number = comment.deviceSeq
    let second = HubAnswer(id: comment.id, hubSeq: number + 1, result: .rejected(.twoVersions))
    try author.store.ingest(answers: [second]) {
      try $0.take(.operation(other, result: .applied, hubSeq: number), bytes: [])
    }
    try reader.store.ingest { ingest in
      try ingest.take(.operation(other, result: .applied, hubSeq: number), bytes: [])
      try ingest.take(.operation(comment, result: .rejected(.twoVersions), hubSeq: number + 1), bytes: [])
    }
    for exam in [author, reader] {
      #expect(try texts(exam).last == .text("x"))
      #expect(try exam.store.read { try Outbox.attention($0, at: exam.store.clock.now) }.refused == 1)
      #expect(
        try exam.store.read { try Outbox.waiting($0) } == (exam === author ? 0 : try exam.store.operations().count))
      let failures = try exam.examine().failures.filter { !$0.hasPrefix("outbox") }
      #expect(failures == [])
    }
    #expect(try author.store.operations().last?.hash == comment.hash, "its chain is whole")
    // Restored once more, it was brought the first one first.
    try author.store.rewind(to: LogMark(seq: number - 1, hash: Self.hash(3)), epoch: Self.epoch)
    try author.store.ingest(answers: [HubAnswer(id: comment.id, hubSeq: number, result: .applied)]) {
      try $0.take(.operation(other, result: .rejected(.twoVersions), hubSeq: number + 1), bytes: [])
    }
    #expect(try texts(author).first == .text("calm"))
    #expect(try author.store.read { try OperationTable.applied(comment.id, in: $0)?.operation.hash } == comment.hash)
    let failures = try author.examine().failures.filter { !$0.hasPrefix("outbox") }
    #expect(failures == [])
  }

  @Test("is sound with a change of its own that others have named, and that stands back behind one with its identifier")
  func outvotedAndNamed() throws {
    let exam = try enrolled(as: .lead)
    try exam.store.write(.program) { try $0.create("CommentMetaStation", "c1", ["text": .text("calm")]) }
    try exam.store.write(.program) { try $0.set("CommentMetaStation", "c1", ["text": .text("calmer")]) }
    let chain = try exam.store.operations()
    let change = try #require(chain.last)
    let later = Journal.Operation.seal(
      id: .random(), device: .random(), deviceSeq: 1, tx: .random(), kind: .set, row: change.row,
      body: OperationBody(fields: ["text": .text("calmest")], replaces: ["text": [change.id]]),
      hlc: HybridTime.next(after: change.hlc, wall: 0), wallTime: change.wallTime, schema: 2,
      prevHash: Journal.Operation.genesisHash)
    let number = change.deviceSeq
    let answers =
      chain.dropLast().map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) } + [
        HubAnswer(id: change.id, hubSeq: number + 1, result: .rejected(.twoVersions))
      ]
    try exam.store.ingest(answers: answers) { ingest in
      try ingest.take(.operation(rival(of: change), result: .applied, hubSeq: number), bytes: [])
      try ingest.take(.operation(later, result: .conflict, hubSeq: number + 2), bytes: [])
    }
    #expect(try texts(exam) == [.text("calmest"), .text("x")])
    #expect(try exam.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") } == 1)
    let failures = try exam.examine().failures.filter { !$0.hasPrefix("outbox") }
    #expect(failures == [])
  }

  @Test("lets the one count that a hub says stands, of two with one identifier that came in a file")
  func versionsOfFile() throws {
    let (exam, author) = (try enrolled(as: .lead), try TestStore())
    try author.store.write(.program) { try $0.create("CommentMetaStation", "c1", ["text": .text("calm")]) }
    let comment = try #require(try author.store.operations().last)
    let other = rival(of: comment)
    try exam.store.apply([comment, other])
    #expect(try texts(exam) == [nil, nil], "nobody has said which")
    try exam.store.ingest { try $0.take(.operation(other, result: .applied, hubSeq: 1), bytes: []) }
    #expect(try texts(exam) == [nil, .text("x")])
    let failures = try exam.examine().failures.filter { !$0.hasPrefix("outbox") }
    #expect(failures == [])
  }

  @Test("counts what a hub counts though it names what this store was never given, and is sound") func absentCause()
    throws
  {
    let exam = try enrolled()
    let change = Journal.Operation.seal(
      id: .random(), device: .random(), deviceSeq: 7, tx: .random(), kind: .set,
      row: RowKey(entity: "CommentMetaStation", id: "c1"),
      body: OperationBody(fields: ["text": .text("calm")], replaces: ["text": [.random()]]),
      hlc: HybridTime(raw: exam.store.clock.now.milliseconds << 16), wallTime: 0, schema: 2,
      prevHash: Self.hash(9))
    try exam.store.ingest { try $0.take(.operation(change, result: .applied, hubSeq: 1), bytes: []) }
    #expect(try texts(exam).first == .text("calm"))
    let failures = try exam.examine().failures
    #expect(failures == [])
  }

  @Test("waits for the hub's answer to its own change though a clone of this store has brought that before")
  func clonesCopy() throws {
    let exam = try enrolled(as: .lead)
    try exam.store.ingest(
      answers:
        exam.store.operations().map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) }
    ) { _ in }
    let (first, second) = (try exam.setSurname("Evans"), try exam.setSurname("Fox"))
    let copy = first.resealed(as: .random(), deviceSeq: 1, after: Journal.Operation.genesisHash)
    let (number, later) = (first.deviceSeq, first.deviceSeq + 10)
    try exam.store.ingest(answers: [HubAnswer(id: second.id, hubSeq: second.deviceSeq, result: .applied)]) {
      try $0.take(.operation(copy, result: .applied, hubSeq: later), bytes: [])
    }
    #expect(try exam.store.read { try Outbox.waiting($0) } == 1)
    try exam.store.ingest(answers: [HubAnswer(id: first.id, hubSeq: number, result: .applied)]) { _ in }
    #expect(try exam.store.operations().first { $0.id == first.id }?.hubSeq == number)
    let failures = try exam.examine().failures
    #expect(failures == [])
  }

  @Test("takes what a hub counts though it is of tomorrow by this machine's clock, which may be a day behind")
  func clockBehind() throws {
    let exam = try enrolled()
    let ahead = exam.store.clock.now.milliseconds + 30 * 3_600_000
    func comment(_ key: String) -> Journal.Operation {
      Journal.Operation.seal(
        id: .random(), device: .random(), deviceSeq: 1, tx: .random(), kind: .create,
        row: RowKey(entity: "CommentMetaStation", id: key), body: OperationBody(fields: ["text": .text("calm")]),
        hlc: HybridTime(raw: ahead << 16), wallTime: ahead, schema: 2, prevHash: Journal.Operation.genesisHash)
    }
    try exam.store.ingest { ingest in
      try ingest.take(.operation(comment("c1"), result: .applied, hubSeq: 1), bytes: [])
      try ingest.take(.operation(comment("c2")), bytes: [])
    }
    #expect(try exam.store.value("text", "CommentMetaStation", "c1") == .text("calm"))
    #expect(try exam.store.value("text", "CommentMetaStation", "c2") == nil, "no hub has looked at it")
  }

  @Test("keeps nothing of what a hub refused and it does not hold: another run of the log may take it")
  func receiptOfOthers() throws {
    let author = try TestStore()
    try author.store.write(.program) { try $0.create("CommentMetaStation", "c1", ["text": .text("calm")]) }
    let comment = try #require(try author.store.operations().last)
    let refused = HubAnswer(id: comment.id, hubSeq: 7, result: .rejected(.role))
    for isHeld in [true, false] {
      let exam = try enrolled()
      if isHeld { try exam.store.ingest { try $0.take(.operation(comment), bytes: []) } }
      try exam.store.ingest { try $0.take(.receipt(refused), bytes: []) }
      #expect(try exam.store.value("text", "CommentMetaStation", "c1") == nil)
      try exam.store.rewind(to: LogMark(seq: 0, hash: Self.hash(0)), epoch: UUIDBytes(high: 8, low: 8))
      try exam.store.ingest { try $0.take(.operation(comment, result: .applied, hubSeq: 3), bytes: []) }
      #expect(try exam.store.value("text", "CommentMetaStation", "c1") == .text("calm"))
    }
  }

  @Test("takes back what a hub said that was restored, and sends it again") func rewind() throws {
    let exam = try enrolled()
    let first = try exam.setSurname("Evans")
    let second = try exam.setSurname("Fox")
    let chain = try exam.store.operations()
    try exam.store.ingest(
      answers:
        chain.map {
          HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: $0.id == second.id ? .rejected(.role) : .applied)
        }
    ) { _ in }
    #expect(try exam.surname() == .text("Evans"))
    let end = ExchangeCursor(epoch: Self.epoch, place: "\(second.deviceSeq)", hash: Self.hash(4))
    try exam.store.ingest(upTo: end) { _ in }
    let next = UUIDBytes(high: 8, low: 8)
    try exam.store.rewind(to: LogMark(seq: first.deviceSeq - 1, hash: Self.hash(3)), epoch: next)
    #expect(try exam.surname() == .text("Fox"), "what was refused counts until it is answered anew")
    let unanswered = try exam.store.operations().filter { $0.hubSeq == nil && $0.result == nil }
    #expect(unanswered.map(\.id) == [first.id, second.id])
    let standing = try #require(try exam.store.exchangeStanding())
    #expect(standing.enrolment.cursor == "\(next):\(first.deviceSeq - 1)" && standing.enrolment.epoch == next)
    let failures = try exam.examine().failures
    #expect(failures == [])
  }

  @Test("reads the log on from where it has, whatever a hub that was restored has said of later entries")
  func rewindBeyondCursor() throws {
    for isRestored in [true, false] {
      let exam = try enrolled()
      let chain = try exam.store.operations()
      let read = LogMark(seq: 2, hash: Self.hash(2))
      try exam.store.ingest(
        upTo: ExchangeCursor(epoch: Self.epoch, place: "2", hash: read.hash), end: LogMark(seq: 11, hash: Self.hash(4)),
        answers: chain.map { HubAnswer(id: $0.id, hubSeq: 10 + $0.deviceSeq, result: .applied) }
      ) { _ in }
      let standing = try #require(try exam.store.exchangeStanding())
      #expect(standing.marks.map(\.seq) == [11, 2], "the hub is told where its log ended")
      if isRestored {
        try exam.store.rewind(to: LogMark(seq: 10, hash: Self.hash(3)), epoch: UUIDBytes(high: 8, low: 8))
        #expect(try exam.store.operations().allSatisfy { $0.hubSeq == nil })
      } else {
        try exam.store.continueAsNewDevice(.random(), logFrom: LogMark(seq: 0, hash: Self.hash(0)))
      }
      #expect(try exam.store.exchangeStanding()?.enrolment.mark == read, "what lies between has not been read")
      let failures = try exam.examine().failures
      #expect(failures == [])
    }
  }

  @Test("goes on as a new device in all its processes, with each change as it was") func newDevice() throws {
    let exam = try enrolled()
    let other = try exam.reopened()
    let former = exam.store.device
    let agreed = try #require(try exam.store.operations().last)
    try exam.store.ingest(
      answers:
        exam.store.operations().map { HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: .applied) }
    ) { _ in }
    let change = try exam.setSurname("Evans")
    let sequence = try exam.store.lastSequence()
    let next = UUIDBytes.random()
    try exam.store.continueAsNewDevice(next, logFrom: LogMark(seq: 0, hash: Self.hash(0)))
    #expect(exam.store.device == next && next != former)
    #expect(try exam.surname() == .text("Evans"))
    let sealed = try exam.store.operations()
    #expect(sealed.map(\.deviceSeq) == Array(1...Int64(sealed.count)))
    let again = try #require(sealed.first { $0.id == change.id })
    #expect(
      again.bodyHash == change.bodyHash && again.hlc == change.hlc && again.tx == change.tx && again.damage == nil)
    #expect(try exam.store.value("continues", "Device", next.description) == .text(former.description))
    #expect(try exam.store.operations(of: former).last?.hash == agreed.hash)
    // Another process of the store.
    try other.write(Author(staff: 1)) { try $0.set("Student", "11", ["surname": .text("Fox")]) }
    #expect(other.device == next)
    #expect(try exam.store.operations().count == sealed.count + 1)
    #expect(try exam.store.operations(of: former).count == Int(agreed.deviceSeq))
    #expect(try exam.store.changes(since: sequence).rows.contains(RowKey(entity: "Student", id: "11")))
    let failures = try exam.examine().failures
    #expect(failures == [])
    // Elsewhere the same changes came in the former chain already.
    let pair = try TestStore()
    try pair.store.apply(try exam.store.operations(of: former) + [change])
    try pair.store.apply(try exam.store.operations())
    #expect(try pair.surname() == .text("Fox"))
    #expect(try pair.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pending") } == 0)
  }

  @Test("tells a hub that is filled what the lost one refused, also where it goes on as a new device there")
  func newDeviceAfterRefusal() throws {
    let exam = try enrolled()
    let change = try exam.setSurname("Evans")
    try exam.store.ingest(
      answers: exam.store.operations().map {
        HubAnswer(id: $0.id, hubSeq: $0.deviceSeq, result: $0.id == change.id ? .rejected(.role) : .applied)
      }
    ) { _ in }
    let start = LogMark(seq: 0, hash: Self.hash(0))
    try exam.store.rewind(to: start, epoch: UUIDBytes(high: 8, low: 8), keepsRefusals: true)
    try exam.store.continueAsNewDevice(.random(), logFrom: start)
    let told = try #require(try owed(exam)).filter { $0.said != nil }
    #expect(told.map(\.operation.id) == [change.id] && told.map(\.said) == [.rejected(.role)])
    let failures = try exam.examine().failures
    #expect(
      failures.map { $0.prefix { $0 != ";" } } == [
        "outbox: 1 change is refused and counts for nothing: osce outbox says which and why"
      ])
  }

  @Test("tells every terminal what its uploader does, and changes no row by it") func state() throws {
    let exam = try enrolled()
    let sequence = try exam.store.lastSequence()
    let state = SyncState(attemptAt: exam.store.clock.now, state: .backoff, trouble: "no network", clockOffset: -3)
    try exam.store.note(state)
    #expect(try exam.reopened().read { try SyncState.read($0) } == state)
    #expect(try exam.store.lastSequence() == sequence)
    let failures = try exam.examine().failures
    #expect(failures == [])
  }
}
