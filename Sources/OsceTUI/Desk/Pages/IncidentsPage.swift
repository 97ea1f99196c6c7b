import CircuitModel
import ExamStore
import Reports
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

  enum Keys {
    static let new = KeyBinding<IncidentsPage>(
      "incident.new", ["n"], "new", help: "Report what went wrong at a station", group: "Incidents",
      when: { $0.desk.session == nil ? .disabled("there is no session") : $0.context.changing() }
    ) { page, _ in page.askStation("At which station (its code):") { IncidentForm(desk: page.desk).ask(at: $0) } }
  }

  nonisolated private static let group = "Incidents"
  nonisolated static let keys = KeyTable<IncidentsPage>(
    "Incidents", at: .desk,
    [
      KeyBinding(
        "incident.seconds", [.enter], "time lost", help: "Say how many seconds it cost", group: group,
        when: { $0.onIncident }
      ) { page, _ in if let incident = page.focused { page.askSeconds(incident) } },
      KeyBinding(
        "incident.time", ["t"], "time", help: "Say when it happened", group: group, when: { $0.onIncident }
      ) { page, _ in if let incident = page.focused { page.askTime(incident) } },
      Keys.new,
      KeyBinding(
        "incident.withdraw", ["x"], "withdraw", help: "Take the report back; it stays in the journal", group: group,
        when: { $0.onIncident }
      ) { page, _ in if let incident = page.focused { page.withdraw(incident) } },
    ])

  private var onIncident: Availability { focused == nil ? .disabled("there is no incident") : context.changing() }

  private func askTime(_ incident: Incident) {
    context.prompt(IncidentForm.whenQuestion) { [self] text in
      guard let time = IncidentForm.time(text, context) else { return }
      context.save(saying: { "the time is kept" }) { try Incidents.amend(incident.key, time: time, $0) }
    }
  }

  private func askSeconds(_ incident: Incident) {
    context.prompt("Seconds lost:") { [self] text in
      guard let seconds = IncidentForm.seconds(text), let seconds else {
        return context.refuse("whole seconds are asked for, 0 to 86400")
      }
      context.save(saying: { "the time lost is kept" }) { try Incidents.amend(incident.key, secondsLost: seconds, $0) }
    }
  }

  private func withdraw(_ incident: Incident) {
    context.confirm(
      SafeText("Take back \(incident.kind.name) at \(incident.stationCode)?"), reason: .optional
    ) { [self] reason in
      context.save(reason: reason, saying: { "withdrawn" }) { try Incidents.withdraw(incident.key, $0) }
    }
  }

  var emptyText: SafeText {
    let (new, there) = (context.key(of: Keys.new), context.key(of: HallPage.Keys.incident))
    return "No incident was reported; \(new) reports one, and \(there) on page 1"
  }

  var detail: String {
    focused.map { "\($0.stationCode): \($0.kind.name). \($0.text ?? "")  (\($0.reporter ?? "nobody known"))" } ?? ""
  }

  private var focused: Incident? { table.selection.focused(of: incidents) }

  func reload() throws {
    guard let session = desk.session else {
      incidents = []
      table.rows = []
      return
    }
    incidents = try context.store.read { try Incidents.all(of: session, in: $0) }
    table.rows = incidents.map { incident in
      Table.Row(
        [
          SafeText(incident.time.map { LocalTime.reading(of: $0).time } ?? ""), SafeText(incident.stationCode),
          SafeText(incident.kind.name),
          SafeText(incident.secondsLost.map { PhaseText.digits(Int64($0) * 1000) } ?? "?"),
          SafeText(incident.text ?? ""), SafeText(incident.reporter ?? ""),
        ], id: incident.key)
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
        (key, SafeText(kind.name), { @MainActor in askTime(kind, station) })
      })
  }

  static let whenQuestion: SafeText = "When (Enter: now; 09:12, or 5 for five minutes ago):"

  /// When it happened, as it was said; nil, with a line that says why, for what cannot be understood.
  static func time(_ text: String, _ context: AppContext) -> Instant? {
    let time = ReportedTime.parse(text, now: context.store.clock.now)
    if time == nil {
      context.refuse("write a time of day such as 09:12, or the minutes ago, at most twelve hours; nothing kept")
    }
    return time
  }

  private func askTime(_ kind: Incident.Kind, _ station: StationSession) {
    let context = desk.context
    context.prompt(IncidentForm.whenQuestion) { text in
      if let time = IncidentForm.time(text, context) { askSeconds(kind, station, time) }
    }
  }

  private func askSeconds(_ kind: Incident.Kind, _ station: StationSession, _ time: Instant) {
    desk.context.prompt("Seconds lost (Enter: not known yet):") { [desk] text in
      guard let seconds = IncidentForm.seconds(text) else {
        return desk.context.refuse("whole seconds are asked for, 0 to 86400; nothing was reported")
      }
      desk.context.prompt("In words (Enter: none):", keptAs: "incident \(station.timetable)") { text in
        desk.context.save(
          saying: { _ in
            SafeText("reported at \(station.stationCode), \(LocalTime.reading(of: time).time): \(kind.name)")
          }
        ) {
          try Incidents.report(
            kind, at: station.timetable, secondsLost: seconds, text: text.withSingleSpaces, time: time, $0)
        }
      }
    }
  }

  /// Whole seconds; `.some(nil)` for an empty answer, nil for anything else.
  static func seconds(_ text: String) -> Int?? {
    let text = text.withSingleSpaces
    if text.isEmpty { return .some(nil) }
    guard let number = Int(text), (0...86_400).contains(number) else { return nil }
    return .some(number)
  }
}
