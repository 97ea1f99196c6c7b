import CircuitModel
import ExamStore
import Hub
import Journal

/// What people and programs do that is not an outage.
extension History {
  /// What a history keeps of it.
  struct Edits {
    /// The sizes of the transactions that make rows which nobody changes.
    var groups: [String: Int] = [:]
    /// How many edits were begun.
    var written = 0
  }

  func write(
    _ terminal: SimulatedTerminal, _ text: String, by author: Author = Author(staff: 1),
    _ body: (JournalTransaction) throws -> Void
  ) throws {
    do {
      try terminal.store.write(author, body)
      note("edit", "t\(terminal.index) \(text)")
    } catch is any RuleRefusal {} catch is StoreError {}
  }

  func edit() async throws {
    guard let terminal = whole.randomElement(using: &random) else { return }
    edits.written += 1
    let (key, text) = ("c\(pick(0..<6))", "text \(edits.written)")
    if chance(15) {
      try writeAbout(terminal, Slot.numbers[pick(0..<Slot.numbers.count)])
      if chance(80) { try await noteCommit(terminal) }
      return
    }
    if chance(10) {
      let (store, entity) = (terminal.store, Self.entity)
      terminal.faulty.plan { try? store.write(Author(staff: 1)) { _ = try $0.set(entity, key, ["text": .text(text)]) } }
      return note("edit while it asks", "t\(terminal.index) \(key) \(text)")
    }
    let kind = pick(0..<10)
    let count = pick(2..<4)
    let group = "g\(edits.written)"
    if kind >= 8 { edits.groups[group] = count }
    try write(terminal, "\(kind) \(key) \(text)") { transaction in
      switch kind {
      case 0..<2: try transaction.create(Self.entity, key, ["text": .text(text)])
      case 2..<7: _ = try transaction.set(Self.entity, key, ["text": .text(text)])
      case 7: _ = try transaction.delete(Self.entity, key)
      default:
        for index in 0..<count { try transaction.create(Self.entity, "\(group).\(index)", ["text": .text(text)]) }
      }
    }
    if chance(80) { try await noteCommit(terminal) }
  }

  func noteCommit(_ terminal: SimulatedTerminal) async throws {
    await terminal.client.noteCommit()
    await stage.settle(terminal.number)
  }

  /// A lead rules on what counts for nothing, or its author takes it back.
  func rule() async throws {
    guard let terminal = whole.randomElement(using: &random),
      let kept = try terminal.store.read({ try PendingOperation.all(in: $0) }).randomElement(using: &random)
    else { return }
    let verdict: Journal.Verdict = terminal.role == .lead ? (chance(60) ? .applied : .rejected) : .withdrawn
    try write(terminal, "rules \(verdict)") { try $0.rule(verdict, on: kept.operation.id, reason: "seen") }
  }

  func enrolNewcomer() async throws {
    guard terminals[Slot.newcomer] == nil else { return }
    note("enrolled")
    hub.database.plan(nil)
    try await begin(Slot.newcomer, from: slot.images[Slot.newcomer], as: .station)
    guard let terminal = terminals[Slot.newcomer] else { return }
    if chance(50) { try write(terminal, "c9") { try $0.create(Self.entity, "c9", ["text": .text("before")]) } }
    try await Slot.enrol(terminal.store, .station, at: hub.hub, of: slot.exam, isSameExam: false)
    await terminal.client.retry()
    await stage.settle(terminal.number)
  }

  func pushHostile() async throws {
    let known = try await hub.rows("SELECT id FROM op WHERE exam = ? ORDER BY seq").compactMap { row -> OperationID? in
      if case .text(let text)? = row.values.first { OperationID(text) } else { nil }
    }
    let response = await hostile.push(
      at: hub.hub, knowing: known, ownTime: sabotage == .timeOfOwnChain, at: Slot.start + stage.time)
    note("hostile \(response.status)")
    try await reviveHub()
    ring()
  }
}
