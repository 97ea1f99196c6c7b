import ExamStore
import GRDB
import Timer

/// A re-run: another run of a session that has been held, with a short clock of its own for the stations that were
/// missed.
extension Run {
  /// - Throws: `ClockRefusal` with the reason if a re-run cannot begin at an instant: no run of the session has
  ///   finished, one is open, or a start is set for later.
  static func checkRerun(of session: Session, rounds: Int, at instant: Instant, in db: Database) throws {
    func refusal(_ misfit: ClockRefusal.Misfit) -> ClockRefusal {
      .notTaken(event: "rerun", misfit, session: session.name)
    }
    guard rounds >= 1, rounds <= Expansion.mostRounds else {
      throw refusal(.rerunRounds(most: Expansion.mostRounds))
    }
    let folds = try all(of: session, in: db).map { Rotation.fold($0.events, until: instant) }
    let states = folds.map { $0.state(at: instant).status }
    if states.contains(where: \.isOpen) { throw refusal(.rerunWhileOpen) }
    if !states.contains(.finished) { throw refusal(.rerunOfNothing) }
    if folds.contains(where: { $0.scheduled.contains { $0.kind.isStart } }) {
      throw refusal(.rerunBeforeStart)
    }
  }

  /// The round that an open re-run of a session is in; 0 where none is open or it is before its first round.
  static func openRerunRound(of session: Session, at instant: Instant, in db: Database) throws -> Int {
    guard let run = try current(of: session, at: instant, in: db), run.isRerun, run.isOpen(at: instant) else {
      return 0
    }
    return run.state(at: instant).round ?? 0
  }
}

extension StartPlan {
  /// The plan of a re-run: the circuit's list of phases once through its first rotations, or repeated, until the
  /// rounds are in; nothing after the last of them but what belongs to it.
  /// - Throws: `ClockRefusal` if the list has no rotation.
  static func rerun(of session: Session, rounds: Int, in db: Database) throws -> StartPlan {
    let whole = try made(for: session, in: db)
    var durations = whole.durations
    let rotations = durations.indices.filter { durations[$0].type == .rotation }
    if rotations.isEmpty {
      throw ClockRefusal.notTaken(event: "rerun", .rerunWithoutRotation, session: session.name)
    }
    if rotations.count > rounds {
      let last = rotations[rounds - 1]
      let rest = durations[(last + 1)...].prefix { $0.type != .reading && $0.type != .rotation }
      durations = Array(durations[..<rest.endIndex])
    }
    return StartPlan(durations: durations, warnings: whole.warnings, rounds: rounds)
  }
}
