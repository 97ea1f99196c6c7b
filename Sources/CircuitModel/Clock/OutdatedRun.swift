import ExamStore
import GRDB
import Timer

/// An open run whose plan is no longer the session's: its clock keeps what it was started with.
public struct OutdatedRun: Equatable, Sendable {
  /// The circuit's name.
  public let circuit: String
  /// The session.
  public let session: Session
  /// The rounds that the clock has.
  public let rounds: Int
  /// The rounds that the rosters need now.
  public let needed: Int

  /// What lengthens the clock, in words; nil where it has rounds enough.
  public var remedy: String? {
    needed > rounds ? "\(needed) are planned: osce clock \"\(circuit)\" rounds \(needed)" : nil
  }

  /// Every one that is open at an instant. A re-run has rounds of its own.
  package static func all(in db: Database, at now: Instant) throws -> [OutdatedRun] {
    try plans(in: db, at: now).map { session, plan, needed in
      OutdatedRun(
        circuit: try Circuit.name(of: session.circuit, in: db) ?? String(session.circuit), session: session,
        rounds: plan.rounds, needed: needed)
    }
  }

  /// What each of them goes by, with the rounds that the clock has, and how many the rosters need now.
  package static func plans(
    in db: Database, at now: Instant
  ) throws -> [(session: Session, plan: StartPlan, needed: Int)] {
    try OpenRuns.all(db, at: now).filter { !$0.isRerun }.compactMap { run in
      guard let begun = run.startPlan, let rounds = run.state(at: now).rounds else { return nil }
      let planned = try StartPlan.made(for: run.session, in: db)
      guard planned.durations != begun.durations || planned.warnings != begun.warnings || planned.rounds > rounds
      else { return nil }
      let plan = StartPlan(durations: begun.durations, warnings: begun.warnings, rounds: rounds)
      return (run.session, plan, planned.rounds)
    }
  }
}

extension Run {
  /// What the start that took effect brought.
  fileprivate var startPlan: StartPlan? {
    let annulled = Set(events.compactMap(\.target))
    let starts = events.filter { $0.kind.isStart && !annulled.contains($0.id) }
    guard case .start(let plan)? = starts.min(by: { ($0.at, $0.id) < ($1.at, $1.id) })?.kind else { return nil }
    return plan
  }
}
