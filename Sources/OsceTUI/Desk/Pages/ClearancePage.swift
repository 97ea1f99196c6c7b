import CircuitModel
import Terminal

/// Stations that are not clear yet: blanks and unsigned sheets, and who has been let go.
@MainActor
final class ClearancePage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("St", width: 8), .init("Assessor", width: 18, stretch: 1), .init("Not complete", width: 26, stretch: 3),
    .init("", width: 13),
  ])
  private var stations: [Place] = []

  /// A station, and what is not complete of the rounds that have begun.
  private struct Place {
    let clearance: StationClearance
    let missing: [String]
    var station: StationSession { clearance.station }
    var isClear: Bool { missing.isEmpty }
  }

  init(_ desk: Desk) { self.desk = desk }

  let name = "Clear"
  let emptyText: SafeText = "No station is marked in this session"
  var count: Int { desk.state?.status == .finished ? stations.count { !$0.isClear } : 0 }

  var bindings: [Binding<Command>] {
    [
      Binding(
        "clear.release", [.enter], focused?.clearance.releasedAt == nil ? "let go" : "call back",
        help: "Let this station's assessors go, or call them back", group: "Stations",
        focused == nil ? .disabled("no station is chosen") : .enabled, action: .open)
    ]
  }

  private var focused: Place? {
    stations.indices.contains(table.selection.index) ? stations[table.selection.index] : nil
  }

  func perform(_ command: Command) {
    guard command == .open, let place = focused else { return }
    let (timetable, code) = (place.station.timetable, place.station.stationCode)
    if place.clearance.releasedAt != nil {
      return save({ SafeText("\(code) is called back") }) { try StationClearance.takeBack(timetable: timetable, $0) }
    }
    let release: @MainActor (String?) -> Void = { [self] reason in
      save(because: reason, { SafeText("\(code) may go") }) { try StationClearance.release(timetable: timetable, $0) }
    }
    if place.isClear { return release(nil) }
    context.confirm(
      SafeText("\(code) is NOT clear: \(missing(place)). Let the assessors go all the same?"), reason: .required,
      release)
  }

  private func missing(_ place: Place) -> String { place.missing.joined(separator: ", ") }

  var detail: String { focused.map { $0.isClear ? "" : "Not complete: " + missing($0) } ?? "" }

  private func place(_ clearance: StationClearance, begun: Int) -> Place {
    func who(_ round: Int?, _ number: String) -> String? {
      guard let round else { return number }
      return round <= begun ? "round \(round) \(number)" : nil
    }
    let blanks = clearance.blanks.compactMap { blank in
      who(blank.round, blank.number).map { "\($0): \(blank.items) blank" }
    }
    let unsigned = clearance.unsigned.compactMap { sheet in
      who(sheet.round, sheet.number).map { "\($0): \(sheet.isStarted ? "not signed" : "no sheet")" }
    }
    return Place(clearance: clearance, missing: blanks + unsigned)
  }

  /// The last round that has begun.
  private var begun: Int {
    switch desk.state?.status {
    case nil, .notStarted: 0
    case .finished: .max
    default: desk.state?.round ?? 0
    }
  }

  func reload() throws {
    guard let session = desk.session else {
      stations = []
      table.rows = []
      return
    }
    let begun = begun
    stations = try context.store.read { try StationClearance.read(session, in: $0) }
      .filter { !$0.station.isRest }.map { place($0, begun: begun) }
    table.rows = stations.map { place in
      let state: SafeText =
        place.clearance.releasedAt.map { SafeText("let go \(LocalTime.reading(of: $0).minute)") }
        ?? (place.isClear ? context.theme.glyphs.tick + " clear" : "not clear")
      return Table.Row(
        [
          SafeText(place.station.stationCode), SafeText(place.station.assessors.first?.name ?? "nobody"),
          SafeText(missing(place)), state,
        ], role: place.isClear ? .normal : .warning)
    }
  }
}
