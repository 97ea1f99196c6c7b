import ExamStore
import GRDB
import Timer

/// One event of a session's clock, with what became of it.
public struct ClockLogEntry: Sendable {
  /// Which run of the session it belongs to, from 1.
  public let run: Int
  /// The event.
  public let event: ClockEvent
  /// Whether it takes effect; nil for an event that is later than the instant asked about.
  public let isApplied: Bool?
  /// Why it did not take effect.
  public let refusal: String?

  /// The events of a session's runs, in the order in which they take effect.
  /// - Parameter asked: the instant as of which `isApplied` holds; nil: with every event that is known, those to come
  ///   included.
  public static func all(of session: Session, asOf asked: Instant? = nil, in db: Database) throws -> [ClockLogEntry] {
    try Run.all(of: session, in: db).flatMap { run in
      let instant = asked ?? run.events.map(\.at).max() ?? .earliest
      let fold = Rotation.fold(run.events, until: instant)
      let verdicts = Dictionary(fold.verdicts.map { ($0.eventID, $0) }) { first, _ in first }
      let barred = Set(run.barred.map(\.id))
      return (run.events + run.barred).sorted(by: ClockEvent.precedes).map { event in
        if barred.contains(event.id) {
          return ClockLogEntry(
            run: run.number, event: event, isApplied: asked.map { $0 < event.at } == true ? nil : false,
            refusal: "another run of the session was open")
        }
        let verdict = verdicts[event.id]
        return ClockLogEntry(run: run.number, event: event, isApplied: verdict?.applied, refusal: verdict?.reason)
      }
    }
  }

  /// By how many seconds it extends; nil for another kind.
  public var seconds: Int64? { if case .extend(let seconds) = event.kind { seconds } else { nil } }
  /// To which phase it jumps; nil for another kind.
  public var index: Int? { if case .jump(let index) = event.kind { index } else { nil } }
  /// To how many rounds it sets the list; nil for another kind.
  public var rounds: Int? { if case .rounds(let rounds) = event.kind { rounds } else { nil } }
  /// Which event it annuls; nil for another kind.
  public var target: String? { event.target }
}
