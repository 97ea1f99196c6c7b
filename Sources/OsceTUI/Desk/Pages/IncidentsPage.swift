import CircuitModel
import Terminal
import Timer

/// What went wrong at stations, when, and the seconds that it cost.
@MainActor
final class IncidentsPage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("Time", width: 8), .init("St", width: 8), .init("What", width: 24, stretch: 1),
    .init("Lost", width: 7, .right), .init("In words", width: 16, stretch: 3), .init("By", width: 8, stretch: 1),
  ])
  private var incidents: [Incident] = []

  init(_ desk: Desk) { self.desk = desk }

  let name = "Incidents"
  let emptyText: SafeText = "No incident was reported; on page 1, i reports one at a station"

  var bindings: [Binding<Command>] {
    let group = "Incidents"
    let any: Availability = focused == nil ? .disabled("there is no incident") : .enabled
    return [
      Binding(
        "incident.seconds", [.enter], "time lost", help: "Say how many seconds it cost", group: group, any,
        action: .open),
      Binding(
        "incident.withdraw", ["x"], "withdraw", help: "Take the report back; it stays in the journal", group: group,
        any, action: .desk(.withdraw)),
    ]
  }

  var detail: String {
    focused.map { "\($0.stationCode): \($0.kind.name). \($0.text ?? "")  (\($0.reporter ?? "nobody known"))" } ?? ""
  }

  private var focused: Incident? {
    incidents.indices.contains(table.selection.index) ? incidents[table.selection.index] : nil
  }

  func perform(_ command: Command) {
    guard let incident = focused else { return }
    switch command {
    case .open:
      context.prompt("Seconds lost:") { [self] text in
        guard let seconds = IncidentForm.seconds(text), let seconds else {
          return context.say("whole seconds are asked for, 0 to 86400", .warning)
        }
        save({ "the time lost is kept" }) { try Incidents.amend(incident.key, secondsLost: seconds, $0) }
      }
    case .desk(.withdraw):
      context.confirm(
        SafeText("Take back \(incident.kind.name) at \(incident.stationCode)?"), reason: .optional
      ) { [self] reason in
        save(because: reason, { "taken back" }) { try Incidents.withdraw(incident.key, $0) }
      }
    default: break
    }
  }

  func reload() throws {
    guard let session = desk.session else {
      incidents = []
      table.rows = []
      return
    }
    incidents = try context.store.read { try Incidents.all(of: session, in: $0) }
    table.rows = incidents.map { incident in
      Table.Row([
        SafeText(incident.time.map { LocalTime.reading(of: $0).time } ?? ""), SafeText(incident.stationCode),
        SafeText(incident.kind.name), SafeText(incident.secondsLost.map { PhaseText.digits(Int64($0) * 1000) } ?? "?"),
        SafeText(incident.text ?? ""), SafeText(incident.reporter ?? ""),
      ])
    }
  }
}

/// Asks what went wrong at a station.
@MainActor
struct IncidentForm {
  let desk: Desk

  func ask(at station: StationSession) {
    let kinds: [(Key, Incident.Kind)] = [
      ("s", .simulatedPatient), ("k", .equipment), ("i", .interruption), ("o", .other),
    ]
    desk.context.ask(
      SafeText("Incident at \(station.stationTitle)"), "What happened? It is kept with the time and the time lost.",
      kinds.map { key, kind in
        (key, SafeText(kind.name), { @MainActor in askSeconds(kind, station) })
      })
  }

  private func askSeconds(_ kind: Incident.Kind, _ station: StationSession) {
    desk.context.prompt("Seconds lost (Enter: not known yet):") { [desk] text in
      guard let seconds = IncidentForm.seconds(text) else {
        return desk.context.say("whole seconds are asked for, 0 to 86400; nothing was reported", .warning)
      }
      desk.context.prompt("In words (Enter: none):") { words in
        desk.context.save({
          try Incidents.report(kind, at: station.timetable, secondsLost: seconds, text: words.trimmingSpaces, $0)
        }) { result in
          guard case .success = result else { return }
          desk.context.screen?.refresh(nil)
          desk.context.say(SafeText("reported at \(station.stationCode): \(kind.name)"))
        }
      }
    }
  }

  /// Whole seconds; `.some(nil)` for an empty answer, nil for anything else.
  static func seconds(_ text: String) -> Int?? {
    let text = text.trimmingSpaces
    if text.isEmpty { return .some(nil) }
    guard let number = Int(text), (0...86_400).contains(number) else { return nil }
    return .some(number)
  }
}
