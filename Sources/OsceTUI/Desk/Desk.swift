import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// What all pages of the desk share: the circuits, the one that is controlled, and whose keys act on all of them.
@MainActor
final class Desk {
  let context: AppContext
  /// Who is where in the circuits' halls.
  let watch: HallWatch
  private(set) var circuits: [DeskCircuit] = []
  /// Every run of the store, for the announcements.
  private(set) var runs: [MonitoredRun] = []
  /// The place of the circuit that is controlled.
  private(set) var index = 0
  /// Whether the next action is for every circuit: it holds for one.
  private(set) var actsOnAll = false
  /// Which of the last actions is offered to be undone, while that is asked; nil: none is.
  var undoing: Int?

  /// Pauses on their way to the disk, and what was typed meanwhile: the beginning of a reason, and no command. The key
  /// of an alarm is neither.
  var pausing: (count: Int, typed: String, since: Int64, key: KeyEvent?) = (0, "", 0, nil)

  /// What was done last at any desk, the newest first, an undoing too.
  var lastActions: [HallAction] = []

  /// - Parameter sessions: those to look after from the beginning; a circuit without one shows what is on.
  init(_ context: AppContext, circuits: [Circuit], sessions: [Session] = []) {
    self.context = context
    watch = HallWatch(context)
    let now = context.store.clock.now
    self.circuits = circuits.map { circuit in
      let chosen = sessions.first { $0.circuit == circuit.id }
      return DeskCircuit.read(circuit, chosen: chosen, at: now, in: context.store)
    }
    readRuns()
    follow()
    noteUnread()
  }

  /// The circuit that is controlled; nil in a store without circuits.
  var circuit: DeskCircuit? { circuits.indices.contains(index) ? circuits[index] : nil }

  /// The session that is controlled.
  var session: Session? { circuit?.session }

  /// What the clock of that session shows.
  var state: ClockState? { circuit?.fold?.state(at: now) }

  var now: Instant { context.store.clock.now }

  /// When sessions and clocks were read, by the loop's clock.
  private var readAt: Int64 = 0
  /// How long they are relied upon while only marks come in, in milliseconds: time alone may begin another session.
  private static let restMs: Int64 = 5000

  /// Whether it is long since they were read.
  var isOld: Bool { context.monotonic() - readAt >= Desk.restMs }

  /// Reads sessions and clocks again.
  func reload() {
    readAt = context.monotonic()
    circuits = circuits.map {
      DeskCircuit.read($0.circuit, chosen: $0.chosen, last: $0.session, before: $0, at: now, in: context.store)
    }
    readRuns()
    follow()
    noteUnread()
  }

  /// Lets a circuit that could not be read be read again.
  private func noteUnread() {
    if let error = circuits.lazy.compactMap(\.unread).first { context.noteUnread(error) }
  }

  /// Looks after the next circuit.
  func next() { showCircuit(circuits.isEmpty ? 0 : (index + 1) % circuits.count) }

  /// Looks after the circuit of a place; one that there is not changes nothing.
  func showCircuit(_ place: Int) {
    guard circuits.indices.contains(place) else { return }
    index = place
    actsOnAll = false
    follow()
  }

  /// Looks after this session of the circuit, whatever else is on.
  func choose(_ session: Session) {
    guard let circuit else { return }
    circuits[index] = DeskCircuit.read(circuit.circuit, chosen: session, at: now, in: context.store)
    follow()
    noteUnread()
  }

  /// Makes the next action one for every circuit, or for one again.
  func toggleAll() { actsOnAll.toggle() }

  /// Whether the action that begins now is for every circuit. The one after it is not.
  func takeAll() -> Bool {
    defer { actsOnAll = false }
    return actsOnAll
  }

  /// The clocks that an action is for. Where nobody has said which of two open sessions to control, a resume of all is
  /// for both, and nothing else is done to either.
  func targets(of action: ClockAction, isForAll: Bool) -> [DeskTarget] {
    meant(isForAll).flatMap { circuit in
      let meant = isForAll && action == .resume && circuit.isForAll ? circuit.open : circuit.session.map { [$0] } ?? []
      return meant.map { DeskTarget(circuit, $0) }
    }
  }

  /// The circuits that are meant and where it is not known which session is.
  func undecided(isForAll: Bool) -> [DeskCircuit] { meant(isForAll).filter(\.isUndecided) }

  private func meant(_ isForAll: Bool) -> [DeskCircuit] { isForAll ? circuits : circuit.map { [$0] } ?? [] }

  /// A clock of an action that was done, also of a circuit that is not controlled here.
  func target(_ clock: HallAction.Clock) -> DeskTarget {
    circuits.first { $0.circuit.id == clock.session.circuit }.map { DeskTarget($0, clock.session) }
      ?? DeskTarget(session: clock.session, name: clock.circuit)
  }

  /// What a station is called on every page: where there are circuits to confuse it with, with its own before it.
  func name(_ code: String, of circuit: String?) -> String {
    guard let circuit, circuits.count > 1 || circuits.first?.circuit.name != circuit else { return code }
    let names = circuits.map(\.circuit.name)
    let place = names.firstIndex(of: circuit)
    return "\(place.map { CircuitName.short(names)[$0] } ?? circuit) \(code)"
  }

  /// The same for a station of an action.
  func name(_ station: HallAction.Station) -> String { name(station.code, of: station.circuit) }

  /// The same for a station of a session.
  func name(_ station: StationSession) -> String { name(station.stationCode, of: station.circuit.name) }

  /// Who still has extra time in a session's last round: `30107 at NEWS has 0:27 left`.
  func stillInside(_ session: Session, at now: Instant) -> [String] {
    let fold = circuits.first { $0.session == session }?.fold
    return watch.hall(of: session)?.view.stopping(fold, at: now).map {
      "\($0.candidate.number) at \($0.station.stationCode) has \(PhaseText.shortDigits($0.leftMs)) left."
    } ?? []
  }

  /// Milliseconds that everybody with extra time still has after a bell, in any circuit.
  func extraTimeLeft(at now: Instant) -> [Int64] {
    circuits.flatMap { watch.hall(of: $0.session)?.view.stopping($0.fold, at: now).map(\.leftMs) ?? [] }
  }

  /// Whom someone has to go to in any circuit, those of the controlled one first.
  var chases: [String] {
    watch.chases(Array(circuits[min(index, circuits.count)...] + circuits.prefix(index)), at: now)
  }

  /// Whether a clock of any circuit is open.
  var isAnyOpen: Bool { circuits.contains { !$0.open.isEmpty } }

  private func readRuns() {
    let now = now
    // A read that fails once takes no bell away: the runs that are known go on.
    guard let read = try? context.store.read({ try HallRuns.all(at: now, in: $0) }) else { return }
    runs = MonitoredRun.all(read) { run in
      circuits.contains { $0.circuit == run.circuit && ($0.chosen == nil || $0.chosen == run.run.session) }
    }
  }

  private func follow() {
    if let circuit, let session = circuit.session {
      context.clock.follow(session, of: circuit.circuit)
    } else {
      context.clock.leave()
    }
  }
}

/// A clock that an action is for.
struct DeskTarget: Equatable, Sendable {
  let session: Session
  /// The circuit's name, with the session's where more than one could be meant.
  let name: String

  init(_ circuit: DeskCircuit, _ session: Session) {
    self.init(session: session, name: circuit.name(of: session))
  }

  init(session: Session, name: String) { (self.session, self.name) = (session, name) }
}
