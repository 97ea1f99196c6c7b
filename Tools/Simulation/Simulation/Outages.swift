import ExamStore
import GRDB
import Glibc
import Hub
import Journal
import Sync

/// What ends, comes back from a copy or is lost: terminals and the hub.
extension History {
  /// What a history keeps of it.
  struct Outages {
    var hubCopy: StoreImage?
    /// Copies of stores, by their terminals.
    var copies: [Int: StoreImage] = [:]
    /// The run of its log in which the hub goes on from a copy without knowing: nobody has it write before a terminal
    /// has shown it that it was restored.
    var unawareIn: HubValue?
    /// Whether a store has a copy, or was one.
    var wasCopied = false
    /// Whether the hub goes on from a copy.
    var wasRestored = false
    /// Whether the hub was filled from its devices.
    var wasFilled = false
  }

  func begin(_ index: Int, from image: StoreImage, as role: DeviceRole) async throws {
    try image.write(to: slot.path(index))
    nextNumber += 1
    let skew = [0, 0, pick(-2000..<2000), pick(-86_400_000..<86_400_000)][pick(0..<4)]
    let clock = Slot.system(skew: Int64(skew), stage: stage, boot: "boot-\(nextNumber)")
    let terminal = try SimulatedTerminal(
      index, at: slot.path(index), as: role, clock: clock, number: nextNumber, seed: random.next(), stage: stage,
      sabotage)
    terminals[index] = terminal
    await terminal.begin()
  }

  func restart(_ terminal: SimulatedTerminal, from image: StoreImage? = nil) async throws {
    deliveries.flights[terminal.number] = nil
    let left = await terminal.end()
    try await begin(terminal.index, from: image ?? left, as: terminal.role)
    if let again = terminals[terminal.index] { try checkCursor(again) }
  }

  func crashTerminal() async throws {
    guard let terminal = alive.randomElement(using: &random) else { return }
    note("terminal killed", "t\(terminal.index)")
    if chance(50) {
      try await restart(terminal)
    } else {
      terminal.faulty.plan(FaultyStore.End.allCases[pick(0..<2)])
    }
  }

  func rollBack() async throws {
    guard !restoresHub, let terminal = alive.randomElement(using: &random), let copy = outages.copies[terminal.index]
    else {
      return
    }
    note("store restored", "t\(terminal.index)")
    outages.wasCopied = true
    try await restart(terminal, from: copy)
  }

  /// A copy of a whole machine: the same device, with its token.
  func makeTwin() async throws {
    guard !restoresHub, terminals[Slot.twin] == nil, let terminal = terminals[pick(0..<3)] else { return }
    note("store cloned", "t\(terminal.index)")
    outages.wasCopied = true
    let path = slot.path(Slot.twin)
    try StoreImage(of: terminal.path, besides: [".hub"]).write(to: path)
    try Self.place(path, at: slot.twinPlace)
    try await begin(Slot.twin, from: StoreImage(of: path, besides: [".hub"]), as: terminal.role)
  }

  /// Lets a store believe that it was always where it lies now.
  private static func place(_ path: String, at place: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE storeInfo SET value = ? WHERE key = 'place'", arguments: [place]) }
    try queue.close()
  }

  func crashHub() async throws {
    note("hub killed")
    if chance(40) {
      try hub.restart()
      dropFlights()
    } else {
      hub.database.plan(FaultyDatabase.End.allCases[pick(0..<3)])
    }
    try await checkLedger()
  }

  func restoreHub() async throws {
    guard restoresHub, let copy = outages.hubCopy else { return }
    let isKnown = sabotage != nil || chance(70)
    note("hub restored", isKnown ? "" : "without a word")
    try hub.restart(from: copy)
    dropFlights()
    outages.hubCopy = nil
    outages.wasRestored = true
    if isKnown { try await hub.hub.beginAnew(slot.exam) }
    outages.unawareIn = isKnown ? nil : try await epoch()
    let head = try await hub.rows("SELECT head FROM exam WHERE exam = ?")
    if case .integer(let last)? = head.first?.values.first { ledger = ledger.filter { $0.key <= last } }
    try await rereadLedger()
    try await hostile.begin(at: hub.hub)
  }

  func epoch() async throws -> HubValue? {
    try await hub.rows("SELECT epoch FROM exam WHERE exam = ?").first?.values.first
  }

  /// Whether the hub goes on from a copy and does not know it.
  func isUnaware() async throws -> Bool {
    guard let unawareIn = outages.unawareIn else { return false }
    return try await epoch() == unawareIn
  }

  /// Begins another process where the hub's has ended.
  /// - Returns: whether it had.
  @discardableResult func reviveHub() async throws -> Bool {
    guard hub.database.isDead else { return false }
    try hub.restart()
    dropFlights()
    try await checkLedger()
    return true
  }

  /// Connections to a hub that has ended are reset.
  private func dropFlights() {
    for (number, flight) in deliveries.flights {
      if case .listening = flight.state {
        deliveries.flights[number]?.state = .answered(.failure(.broken("reset")), due: stage.time + 50)
      }
    }
  }

  /// The hub's machine is gone, and one terminal with it: a new hub is filled from the others.
  func loseHub() async throws {
    note("hub lost")
    outages.wasFilled = true
    // Of a store and a copy that nothing has told apart yet, each would void the other's token in turn.
    let copy = terminals[Slot.twin].flatMap { twin in
      alive.contains { $0.index != twin.index && $0.store.device == twin.store.device } ? twin : nil
    }
    if let lost = copy ?? alive.filter({ $0.role != .lead }).randomElement(using: &random) {
      _ = await lost.end()
      terminals[lost.index] = nil
    }
    try hub.database.close()
    for end in ["", "-wal", "-shm"] { unlink(slot.hubPath + end) }
    hub = try SimulatedHub(path: slot.hubPath, exam: slot.exam, stage: stage, lead: 0, sabotage)
    ledger = [:]
    deliveries.flights = [:]
    try await hub.hub.makeExam(slot.exam, named: "Year 3", device: .random(), isFilling: true)
    for terminal in alive {
      try await Slot.enrol(
        terminal.store, terminal.role, at: hub.hub, of: slot.exam, isSameExam: true, scope: scope(of: terminal))
      try await restart(terminal)
    }
    try await becomeQuiet()
    try await hub.hub.endFilling(slot.exam)
    try await becomeQuiet()
  }
}
