import CircuitModel
import ExamStore
import GRDB
import Reports
import Timer

/// A circuit as the desk sees it: the session that is controlled, and its clock.
struct DeskCircuit {
  let circuit: Circuit
  /// The session that the invigilator chose; nil: the one that is on.
  let chosen: Session?
  let session: Session?
  let run: Run?
  let fold: Fold?
  /// The sessions whose clocks are open, in the order of their starts.
  let open: [Session]
  /// The pause by which its clock stands; nil while it does not.
  var pause: StandingPause?
  /// Why there is no session, such as two runs that are open at once.
  let trouble: String?
  /// Why it could not be read the last time: all else is then as it was before.
  private(set) var unread: (any Error)?

  /// A pause with who gave it, and why.
  struct StandingPause {
    let since: Instant
    let author: String?
    let reason: String?

    init?(of session: Session, at now: Instant, in db: Database) throws {
      guard let pause = try ClockLog.standingPause(of: session, at: now, in: db) else { return nil }
      since = pause.at
      reason = pause.reason
      author = pause.staff.map { (try? StaffMember.find(username: $0, in: db))?.name ?? $0 }
    }

    /// How long it stands, by whom and why, each shorter than the one before: `3 min by Dr Ngozi Okafor: fire door`,
    /// `3 min, Okafor: fire door`, `3 min, Okafor`.
    func texts(at now: Instant) -> [String] {
      let (age, why) = (AgeText.text(now - since), reason.map { ": \($0)" } ?? "")
      let surname = author.map { ", " + $0.surname } ?? ""
      return [age + (author.map { " by \($0)" } ?? "") + why, age + surname + why, age + surname]
    }
  }

  /// Whether more than one session could be meant and nobody has said which: several are open, or one that was left on
  /// an earlier day.
  var isUndecided: Bool { session == nil && !open.isEmpty }

  /// What is open, where that is why nobody knows which session to control.
  var openText: String {
    open.count > 1 ? "\(open.count) runs are open" : "the run of \(open.first?.name ?? "") was left open"
  }

  /// Whether an alarm is for all that are open: nobody has chosen one of them alone.
  var isForAll: Bool { chosen == nil && open.count > 1 }

  /// What an action at a session of this circuit is said to be about: the circuit, and the session where it could be
  /// another.
  func name(of session: Session) -> String {
    open.count > 1 || !open.isEmpty && !open.contains(session) ? "\(circuit.name) \(session.name)" : circuit.name
  }

  /// Reads a circuit with its current session at an instant.
  /// - Parameters:
  ///   - last: the session that was controlled; it stays, also after its end, until another one's clock is started.
  ///   - before: what is shown; it stays where the store cannot be read.
  static func read(
    _ circuit: Circuit, chosen: Session?, last: Session? = nil, before: DeskCircuit? = nil, at now: Instant,
    in store: ExamStore
  ) -> DeskCircuit {
    do {
      return try store.read { db in
        let circuit = try circuit.renamed(in: db)
        let open = try Session.open(of: circuit, at: now, in: db)
        let hasBegun = try chosen == nil && last.map { try Run.current(of: $0, at: now, in: db) != nil } == true
        // Another that begins takes nobody's eyes off the one that is on.
        let kept = open.count > 1 ? last.flatMap { open.contains($0) ? $0 : nil } : nil
        // Nor does one that was left on an earlier day, when today's has ended.
        let begun = hasBegun && last.map { !open.contains($0) } == true ? last : nil
        let isLeft = try !open.isEmpty && open.allSatisfy { try $0.wasLeft(at: now, in: db) }
        let known = chosen ?? kept ?? (isLeft ? begun : nil)
        if known == nil, isLeft || open.count > 1 { return undecided(circuit, among: open) }
        var session = try known ?? Session.choose(of: circuit, named: nil, at: now, in: db)
        if hasBegun, let last, try Run.current(of: session, at: now, in: db)?.isOpen(at: now) != true { session = last }
        let run = try Run.current(of: session, at: now, in: db)
        return DeskCircuit(
          circuit: circuit, chosen: chosen, session: session, run: run,
          fold: run.map { Rotation.fold($0.events, until: now) }, open: open,
          pause: try StandingPause(of: session, at: now, in: db), trouble: nil)
      }
    } catch {
      let isDiskError = !isRefusal(error)
      var kept =
        (isDiskError ? before : nil)
        ?? DeskCircuit(
          circuit: circuit, chosen: chosen, session: nil, run: nil, fold: nil, open: [], trouble: "\(error)")
      kept.unread = isDiskError ? error : nil
      return kept
    }
  }

  /// A circuit of which more than one session could be meant, and nobody has said which.
  private static func undecided(_ circuit: Circuit, among open: [Session]) -> DeskCircuit {
    DeskCircuit(
      circuit: circuit, chosen: nil, session: nil, run: nil, fold: nil, open: open,
      trouble: open.count > 1
        ? "\(open.count) sessions running: choose which to control"
        : "\(open[0].name) was never stopped: choose the session")
  }

  /// When it is going to end, held against the timetable; a re-run, which no timetable has, against its own start.
  func forecast(at now: Instant) -> Forecast? {
    fold?.forecast(at: now, planned: run?.isRerun == true ? nil : session?.plannedStart)
  }

  /// Round and phase in words: `ROUND 3 of 8  STATION`.
  func phaseText(at now: Instant) -> String {
    if unread != nil, trouble != nil { return "CLOCK NOT READ" }
    if unread != nil { return "STALE " + freshPhaseText(at: now) }
    return freshPhaseText(at: now)
  }

  private func freshPhaseText(at now: Instant) -> String {
    if trouble != nil { return "WHICH SESSION?" }
    guard let state = fold?.state(at: now), state.status != .notStarted else { return "NOT STARTED" }
    return state.heading(isRerun: run?.isRerun == true) ?? "FINISHED"
  }
}
