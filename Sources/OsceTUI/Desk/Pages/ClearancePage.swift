import CircuitModel
import ExamStore
import Reports
import Terminal

/// Stations that are not clear yet: blanks and unsigned sheets, and who has been released.
@MainActor
final class ClearancePage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("St", width: 8), .init("Assessor", width: 16, stretch: 1), .init("Not complete", width: 28, stretch: 3),
    .init("", width: 14),
  ])
  /// What was read of the session last: its station sessions, and the runs that say where its clock stands.
  private var read: (session: Session?, stations: [StationClearance], runs: [Run]) = (nil, [], [])
  private var excuses = Excuses()
  private var moment = SessionStage.before
  /// When it was read, by the loop's clock, and whether others have saved something since.
  private var readAt: Int64 = 0
  private var isStale = false
  /// How long that may wait, in milliseconds: reading all sheets of a large session takes a good part of a poll.
  private static let restMs: Int64 = 1000
  private var stations: [Place] = []

  /// A station, and what holds it up as of where the clock stands.
  private struct Place {
    let clearance: StationClearance
    let lines: ClearanceLines
    var station: StationSession { clearance.station }
  }

  init(_ desk: Desk) { self.desk = desk }

  nonisolated static let keys = KeyTable<ClearancePage>(
    "Clear", at: .desk,
    [
      KeyBinding(
        "clear.release", [.enter], "release", help: "Release this station's assessors, or recall them",
        group: "Stations", when: { $0.focused == nil ? .disabled("no station is chosen") : $0.context.changing() }
      ) { page, _ in if let place = page.focused { page.release(place) } }
      .labelled { $0.focused?.clearance.releasedAt == nil ? "release" : "recall" }
    ])

  private func release(_ place: Place) {
    let (timetable, code) = (place.station.timetable, desk.name(place.station))
    if place.clearance.releasedAt != nil {
      return context.save(saying: { SafeText("\(code) is recalled") }) {
        try StationClearance.takeBack(timetable: timetable, $0)
      }
    }
    let release: @MainActor (String?) -> Void = { [self] reason in
      context.save(reason: reason, saying: { SafeText("\(code) may go") }) {
        try StationClearance.release(timetable: timetable, $0)
      }
    }
    if place.lines.isDone { return release(nil) }
    let why =
      place.lines.isClear
      ? "is still needed: \(toCome(place, most: 3)) to come"
      : "is NOT clear: \(place.lines.missing.joined(separator: ", "))"
    context.confirm(SafeText("\(code) \(why). Release its assessors anyway?"), reason: .required, release)
  }

  let showsMarks = true
  let emptyText: SafeText = "No station is marked in this session"
  var count: Int { desk.state?.status == .finished ? stations.count { !$0.lines.isClear } : 0 }

  private var focused: Place? { table.selection.focused(of: stations) }

  /// Who is still to come, the first few by name.
  private func toCome(_ place: Place, most: Int) -> String {
    let all = place.lines.toCome
    let more = all.count > most ? " and \(all.count - most) more" : ""
    return all.prefix(most).joined(separator: ", ") + more
  }

  /// What holds a station up; else how many are still to come, and who next.
  private func text(_ place: Place) -> String {
    if !place.lines.isClear { return place.lines.missing.joined(separator: ", ") }
    return place.lines.toCome.first.map { "\(place.lines.toCome.count) to come, next \($0)" } ?? ""
  }

  var detail: String {
    guard let place = focused else { return "" }
    if !place.lines.isClear { return "Not complete: " + place.lines.missing.joined(separator: "; ") }
    return place.lines.toCome.isEmpty ? "" : "Still to come: " + toCome(place, most: 20)
  }

  /// Sheets are read again only where the store has changed; where the clock stands decides which of them are due.
  func clockMoved() {
    let now = SessionStage(of: read.runs, at: desk.now)
    if now != moment { show(at: now) }
  }

  func follow() throws {
    isStale = true
    _ = try passTime(context.monotonic())
  }

  func passTime(_ now: Int64) throws -> Bool {
    guard isStale, now - readAt >= ClearancePage.restMs || read.session != desk.session else { return false }
    try reload()
    return true
  }

  func reload() throws {
    (readAt, isStale) = (context.monotonic(), false)
    let session = desk.session
    (read, excuses) = try context.store.read { db in
      guard let session else { return ((nil, [], []), Excuses()) }
      let stations = try StationClearance.read(session, in: db).filter { !$0.station.isRest }
      return ((session, stations, try Run.all(of: session, in: db)), try Excuses.read(in: db))
    }
    show(at: SessionStage(of: read.runs, at: desk.now))
  }

  private func show(at moment: SessionStage) {
    self.moment = moment
    stations = read.stations.map { Place(clearance: $0, lines: ClearanceLines($0, at: moment, excuses)) }
    let tick = context.theme.glyphs.tick
    table.rows = stations.map { place in
      let state: SafeText =
        place.clearance.releasedAt.map { SafeText("released \(LocalTime.reading(of: $0).minute)") }
        ?? (place.lines.isDone ? tick + " clear" : place.lines.isClear ? tick + " so far" : "not clear")
      return Table.Row(
        [
          SafeText(place.station.stationCode), SafeText(place.station.assessors.first?.name ?? "nobody"),
          SafeText(text(place)), state,
        ], role: place.lines.isClear ? .normal : .warning, id: "\(place.station.timetable)")
    }
  }
}
