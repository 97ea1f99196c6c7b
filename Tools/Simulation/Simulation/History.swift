import CSeededSystem
import CircuitModel
import ExamStore
import GRDB
import Glibc
import Hub
import Journal
import SeededNumbers
import StoreSync
import Sync

/// One history: terminals that edit and exchange, a hub, and everything that can go wrong between them, all decided by a
/// seed. Time is virtual, and only one of them runs at any moment.
public final class History {
  static let entity = "CommentMetaStation"

  /// What a history met, so that a run of many can say what it was about.
  public struct Counts: Sendable {
    /// How often each kind of thing happened.
    public var events: [String: Int] = [:]

    /// None yet.
    public init() {}

    /// Adds another history's.
    public mutating func add(_ other: Counts) { events.merge(other.events) { $0 + $1 } }
  }

  let slot: Slot
  let stage = Stage()
  let sabotage: Sabotage?
  var random: Seeded
  var hub: SimulatedHub
  var terminals: [Int: SimulatedTerminal] = [:]
  var deliveries = Deliveries()
  var outages = Outages()
  var edits = Edits()
  var nextNumber = 0
  var lastWatch: Int64 = 0
  /// Whether nothing goes wrong any more.
  var isCalm = false
  var hostile: HostileDevice
  /// By what the hub knows the candidates who were erased, by their numbers.
  var pseudonyms: [String: Set<String>] = [:]
  /// What the hub answered for in the run of its log that is served now, by number.
  var ledger: [Int64: OperationID] = [:]
  /// The terminals of which it is looked at whether what their cursor has passed is here.
  var pendingCursorChecks: Set<Int> = []
  private(set) var counts = Counts()
  private(set) var trace: [String] = []
  private let isTraced: Bool

  /// Whether the hub can be restored; else terminals can be. A device that writes a second history under numbers which
  /// the hub has lost meanwhile is another case.
  let restoresHub: Bool

  /// What of the exam the terminal is given that is not given all of it; nil where there is no such terminal.
  var part: CodeScope?

  private init(_ seed: UInt64, in slot: Slot, _ sabotage: Sabotage?, isTraced: Bool) throws {
    (self.slot, self.sabotage, self.isTraced) = (slot, sabotage, isTraced)
    random = Seeded(seed: seed)
    let isOfHub = random.chance(50)
    switch sabotage?.expected {
    case .restored: restoresHub = true
    case .once, .fork, .filled: restoresHub = false
    default: restoresHub = isOfHub
    }
    try slot.hubImage.write(to: slot.hubPath)
    hub = try SimulatedHub(path: slot.hubPath, exam: slot.exam, stage: stage, lead: 0, sabotage)
    hostile = HostileDevice(seed: seed)
    // Of its own randomness: a history without such a terminal is the same as before there were any.
    var other = Seeded(seed: seed ^ 0x9A27)
    if sabotage?.expected == .parts || other.chance(30) { part = CodeScope() }
  }

  /// Runs a history.
  /// - Returns: what was found, and what happened; `trace` only where it is asked for.
  public static func run(
    seed: UInt64, in slot: Slot, sabotage: Sabotage? = nil, steps: Int = 220, isTraced: Bool = false
  ) async throws -> (finding: Finding?, counts: Counts, trace: [String]) {
    seeded_system_begin(seed ^ 0x5EED)
    defer { seeded_system_end() }
    let history = try History(seed, in: slot, sabotage, isTraced: isTraced)
    var finding: Finding?
    do {
      try await history.play(steps)
    } catch let found as Finding { finding = found }
    for (_, terminal) in history.terminals.sorted(by: { $0.key < $1.key }) { _ = await terminal.end() }
    try history.hub.database.close()
    return (finding, history.counts, history.trace)
  }

  func note(_ kind: String, _ text: @autoclosure () -> String = "") {
    counts.events[kind, default: 0] += 1
    if isTraced { trace.append("\(stage.time) \(kind) \(text())") }
  }

  func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  func chance(_ percent: Int) -> Bool { random.chance(percent) }

  /// One of some events, by how often each comes in a thousand draws.
  func draw<Event>(_ weights: [(Int, Event)]) -> Event {
    var left = pick(0..<1000)
    for (weight, event) in weights {
      if left < weight { return event }
      left -= weight
    }
    preconditionFailure("the weights are not a thousand")
  }

  var alive: [SimulatedTerminal] { terminals.sorted { $0.key < $1.key }.map(\.value) }
  /// Those that are given the whole exam.
  var whole: [SimulatedTerminal] { alive.filter { $0.index != Slot.guest } }
  /// What of the exam a terminal is given.
  func scope(of terminal: SimulatedTerminal) -> CodeScope { terminal.index == Slot.guest ? part ?? .whole : .whole }
}
