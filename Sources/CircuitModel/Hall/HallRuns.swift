import ExamStore
import GRDB
import Timer

/// The clocks of the hall that have something to announce.
public enum HallRuns {
  /// How long a run that has ended is still given, in milliseconds, so that its end is announced too.
  static let afterEndMs: Int64 = 120_000

  /// Every run of every circuit that is on, is going to start, or has just ended.
  public static func all(at now: Instant, in db: Database) throws -> [HallRun] {
    let circuits = Dictionary(try Circuit.every(db).map { ($0.circuit.id, $0.circuit) }) { first, _ in first }
    let runs = try Session.allWithRuns(in: db).flatMap { session -> [HallRun] in
      guard let circuit = circuits[session.circuit] else { return [] }
      return try Run.all(of: session, in: db).map {
        HallRun(circuit: circuit, run: $0, fold: Rotation.fold($0.events, until: now))
      }
    }
    return runs.filter { one in
      // A run whose start was annulled has nothing to announce, nor a name to be told apart from.
      if one.fold.state(at: now).status == .notStarted, one.fold.goesOn(after: now) == nil { return false }
      return [now, now + -afterEndMs].contains { one.fold.state(at: $0).status != .finished }
    }
  }
}

/// A run with whose it is, and its clock.
public struct HallRun: Sendable {
  /// The circuit that runs.
  public let circuit: Circuit
  /// The run.
  public let run: Run
  /// Its clock.
  public let fold: Fold
}
