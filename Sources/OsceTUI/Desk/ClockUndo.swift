import CircuitModel
import ExamStore
import Reports
import Timer

/// What an undo takes out: of the clocks that are meant the event that was given last, and where several are meant the
/// same action at the same instant at all of them, as one key for all circuits gave it.
struct ClockUndo {
  private let undone: [(target: DeskTarget, last: ClockLogEntry)]
  /// The clocks at which something else came last, or nothing, each with what.
  let leftAlone: [String]

  /// - Returns: nil if nothing was done to any of the clocks.
  init?(at targets: [DeskTarget], now: Instant, in store: ExamStore) throws {
    let found = try store.read { db in
      try targets.map { (target: $0, last: try ClockLog.lastGiven(of: $0.session, at: now, in: db)) }
    }
    let lasts = found.compactMap(\.last)
    guard let latest = lasts.max(by: { $0.order < $1.order })?.entry else { return nil }
    func isTogether(_ entry: ClockLogEntry) -> Bool {
      entry.event.at == latest.event.at && entry.words == latest.words
    }
    undone = found.compactMap { target, last in last.flatMap { isTogether($0.entry) ? (target, $0.entry) : nil } }
    leftAlone = found.compactMap { target, last in
      guard let last = last?.entry else { return "\(target.name): left alone, nothing was done to it yet" }
      return isTogether(last) ? nil : "\(target.name): left alone, its last is \(ClockUndo.words(last))"
    }
  }

  var orders: [ClockIntent.Order] {
    undone.map { ClockIntent.Order(action: .annul(target: $0.last.event.id), target: $0.target) }
  }

  /// `UNDO pause of 09:00:05 by nokafor`.
  func title(at now: Instant) -> String {
    guard let first = undone.first?.last else { return "UNDO" }
    let staff = Set(undone.map(\.last.event.staff))
    let who = staff.count == 1 ? first.event.staff.map { " by \($0)" } ?? "" : ""
    return "\(first.event.at > now ? "CALL OFF" : "UNDO") \(ClockUndo.words(first))\(who)"
  }

  private static func words(_ entry: ClockLogEntry) -> String {
    "\(entry.words) of \(LocalTime.reading(of: entry.event.at).time)"
  }
}
