import ExamStore
import GRDB
import Journal
import Timer

/// A start or a resume that was set for later and does not come.
public struct CalledOff: Sendable {
  /// What does not come.
  public let event: ClockEvent
  /// The annul that took it out.
  public let annul: ClockEvent
}

extension ClockLog {
  /// The starts and resumes of a session's runs that are set for later than an instant and would take effect: the clock
  /// goes on by itself then. The first first.
  public static func scheduled(of session: Session, at instant: Instant, in db: Database) throws -> [ClockEvent] {
    try Run.all(of: session, in: db)
      .flatMap { Rotation.fold($0.events, until: instant).expected }
      .filter { $0.kind.isStart || $0.kind == .resume }
      .sorted(by: ClockEvent.precedes)
  }

  /// When a start that is set for later comes next, of whatever circuit: from then on another run may be the one that is
  /// meant, though nothing is saved at that instant. Also one that will not fit.
  public static func nextStart(after instant: Instant, in db: Database) throws -> Instant? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT min(at) FROM clockEvent WHERE kind = 'start' AND at > ?"),
      arguments: [instant.milliseconds]
    ).map { Instant(stored: $0) }
  }

  /// Annuls every start and resume of a session that is set for later and would take effect, so that its clock stands
  /// until a person lets it go on. What has come already stays.
  /// - Parameter at: when the annuls take effect.
  /// - Returns: what was called off, the first first.
  @discardableResult public static func callOff(
    _ session: Session, at instant: Instant, in transaction: JournalTransaction
  ) throws -> [CalledOff] {
    var calledOff: [CalledOff] = []
    // Without the first of them a later one may fit that did not before.
    let future = max(instant, transaction.clock.now)
    while let event = try scheduled(of: session, at: future, in: transaction.db).first {
      let annul = try append(.annul(target: event.id), to: session, at: instant, in: transaction)
      calledOff.append(CalledOff(event: event, annul: annul))
    }
    return calledOff
  }
}
