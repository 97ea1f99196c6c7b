import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

import class GRDB.Database

/// The halls of some circuits as they were read last, and where someone has to go in them. What only assessors have
/// changed is read again at most every five seconds.
@MainActor
final class HallWatch {
  /// One circuit's session.
  struct Hall {
    let session: Session
    let view: HallView
    let signals: StationSignals
    let excuses: Excuses

    /// Whether each station is at work, in the board's order.
    /// - Parameter fold: the circuit's clock.
    func stationSignals(_ fold: Fold?, at now: Instant) -> [StationSignal] {
      StationSignal.all(in: view, signals, excusing: excuses.isExcused, fold, at: now)
    }

    /// How many sheets are due by now, one of each who marks, and how many of them are not signed.
    var sheets: (due: Int, unsigned: Int) { view.dueSheets(excusing: excuses.isExcused) }

    /// The second assessors who have not signed what the lead assessor has: `CONSENT FitzGerald 2 unsigned`.
    private var unsignedSecondAssessors: [String] {
      view.board.stations.flatMap { station in
        let open = view.due(at: station, excusing: excuses.isExcused).filter(\.isSigned)
          .map(view.unsignedSecondAssessors)
        return station.assessors.compactMap { person in
          let count = open.count { $0.contains(person) }
          return count == 0 ? nil : "\(station.stationCode) \(person.name.surname) \(count) unsigned"
        }
      }
    }

    /// Whom someone has to go to, and for what.
    /// - Parameters:
    ///   - fold: the circuit's clock.
    ///   - countsUnsigned: whether they end with how many sheets are not signed.
    fileprivate func chases(_ fold: Fold?, at now: Instant, countsUnsigned: Bool) -> [String] {
      let unsigned = countsUnsigned ? sheets.unsigned : 0
      let found = zip(view.board.stations, stationSignals(fold, at: now)).compactMap {
        station, signal -> (isUnattended: Bool, text: String)? in
        signal.chase.map { (signal.isUnattended, "\(station.stationCode) \($0)") }
      }
      // Before anybody has come one sentence says it; a station that is silent is never behind those.
      let empty = found.count(where: \.isUnattended)
      let areMany = empty > 2
      return found.filter { !areMany || !$0.isUnattended }.map(\.text)
        + (areMany ? ["no one signed in at \(empty) stations"] : []) + unsignedSecondAssessors
        + (unsigned > 0 ? ["\(unsigned) unsigned"] : [])
    }
  }

  private let context: AppContext
  private(set) var halls: [Hall] = []
  /// How often they were read, so that a page sees when there is something newer.
  private(set) var readings = 0
  /// When they were read, by the loop's clock, and whether anything was saved since.
  private var readAt: Int64 = 0
  private var isOld = false
  private static let restMs: Int64 = 5000

  init(_ context: AppContext) { self.context = context }

  /// The hall of a session; nil where that was not read.
  func hall(of session: Session?) -> Hall? { halls.first { $0.session == session } }

  /// Notes that something was saved.
  func note() { isOld = true }

  func read(_ circuits: [DeskCircuit]) throws {
    let now = context.store.clock.now
    (readAt, isOld) = (context.monotonic(), false)
    halls = try context.store.read { db in
      let excuses = try Excuses.read(in: db)
      return try circuits.compactMap { try $0.session.map { try HallWatch.read($0, at: now, excuses, in: db) } }
    }
    readings += 1
  }

  nonisolated private static func read(
    _ session: Session, at now: Instant, _ excuses: Excuses, in db: Database
  ) throws -> Hall {
    let view = try HallView.read(session, at: now, excusing: excuses.isExcused, in: db)
    let rounds = [view.now] + (view.next.map { [$0] } ?? [])
    let entries = view.board.stations.flatMap { station in
      rounds.flatMap { view.entries(station: station.timetable, $0) }
    }
    return Hall(
      session: session, view: view, signals: try StationSignals.read(view, entries: entries, in: db),
      excuses: excuses)
  }

  /// Reads again what is old, or of another round or session than the circuits have now.
  /// - Parameter now: the loop's clock, in milliseconds.
  /// - Returns: whether it has read.
  func passTime(_ circuits: [DeskCircuit], _ now: Int64) throws -> Bool {
    let instant = context.store.clock.now
    let isOther = circuits.compactMap(\.session) != halls.map(\.session)
    guard isOther || isOld && now - readAt >= HallWatch.restMs || halls.contains(where: { !$0.view.isOf(instant) })
    else { return false }
    try read(circuits)
    return true
  }

  /// Whom someone has to go to: of each circuit in turn, so that one of them alone never fills the line.
  /// - Parameter counted: the session of which the screen itself says how many sheets are not signed.
  func chases(_ circuits: [DeskCircuit], at now: Instant, counted: Session? = nil) -> [String] {
    let names = CircuitName.short(circuits.map(\.circuit.name))
    var lists = zip(circuits, names).map { circuit, name in
      let found =
        hall(of: circuit.session)?.chases(
          circuit.fold, at: now, countsUnsigned: circuit.session != counted) ?? []
      return (circuits.count > 1 ? found.map { "\(name) \($0)" } : found)[...]
    }
    var chases: [String] = []
    while lists.contains(where: { !$0.isEmpty }) {
      for index in lists.indices {
        if let first = lists[index].popFirst() { chases.append(first) }
      }
    }
    return chases
  }

  /// Draws them in a line; what has no room is counted, and never cut.
  static func draw(_ chases: [String], on canvas: inout Canvas, in line: Rect, theme: Theme) {
    if chases.isEmpty || line.isEmpty { return }
    let end = canvas.draw(" CHASE ", in: line, style: theme[.warning])
    let rest = line.columns(end - line.x + 1, line.width)
    let separator = " \(theme.glyphs.separator.plain) "
    func text(_ count: Int) -> SafeText {
      let more = chases.count - count
      return SafeText((chases.prefix(count) + (more > 0 ? ["\(more) more"] : [])).joined(separator: separator))
    }
    var shown = chases.count
    while shown > 1, text(shown).width > rest.width { shown -= 1 }
    canvas.draw(text(shown).truncated(to: rest.width), in: rest, style: theme[.warning])
  }
}
