import CircuitModel
import Terminal
import Timer

/// What all pages of the desk share: the circuits, the one that is looked after, and whose keys act on all of them.
@MainActor
final class Desk {
  let context: AppContext
  private(set) var circuits: [DeskCircuit] = []
  /// The place of the circuit that is looked after.
  private(set) var index = 0
  /// Whether the clock's keys act on every circuit.
  var actsOnAll = false

  init(_ context: AppContext, circuits: [Circuit]) {
    self.context = context
    let now = context.store.clock.now
    self.circuits = circuits.map { DeskCircuit.read($0, chosen: nil, at: now, in: context.store) }
    follow()
  }

  /// The circuit that is looked after; nil in a store without circuits.
  var circuit: DeskCircuit? { circuits.indices.contains(index) ? circuits[index] : nil }

  /// The session that is looked after.
  var session: Session? { circuit?.session }

  /// What the clock of that session shows.
  var state: ClockState? { circuit?.fold?.state(at: now) }

  var now: Instant { context.store.clock.now }

  /// Reads sessions and clocks anew.
  func reload() {
    circuits = circuits.map {
      DeskCircuit.read($0.circuit, chosen: $0.chosen, last: $0.session, at: now, in: context.store)
    }
    follow()
  }

  /// Looks after the next circuit.
  func next() {
    guard !circuits.isEmpty else { return }
    index = (index + 1) % circuits.count
    follow()
  }

  /// Looks after this session of the circuit, whatever else is on.
  func choose(_ session: Session) {
    guard let circuit else { return }
    circuits[index] = DeskCircuit.read(circuit.circuit, chosen: session, at: now, in: context.store)
    follow()
  }

  /// The circuits that the clock's keys act on.
  var targets: [DeskCircuit] { actsOnAll ? circuits : circuit.map { [$0] } ?? [] }

  private func follow() {
    if let circuit, let session = circuit.session {
      context.clock.follow(session, of: circuit.circuit)
    } else {
      context.clock.leave()
    }
  }
}
