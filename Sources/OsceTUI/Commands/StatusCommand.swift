import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce status`: how many sheets and marks are expected and how many are held.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Count expected, started, filled and signed sheets, and where the marks are.")

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var choice: PlanChoice
  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    let (filter, now) = (try store.read { try choice.filter.withKnownCandidate(in: $0) }, store.clock.now)
    let report = try store.read { db in try StatusReport.read(db, of: filter.candidate).only(filter, in: db, at: now) }
    try PartNote.say(of: store)
    if json { return try Output.standard.json(report.json) }
    Output.standard.text(StatusCommand.text(report))
  }

  private static func text(_ report: StatusReport) -> String {
    let all = report.total
    var lines = [
      "\(all.signed) of \(all.expected) sheets signed, \(all.filled) filled, \(all.started) started",
      "\(all.held) of \(all.items) items held, \(all.blank) required items blank",
      "saved only here \(all.disk), at the hub \(all.hub), needing attention \(all.attention)",
    ]
    lines.append(OutboxText.waiting(report.unsent, isEnrolled: report.isEnrolled))
    if report.refused > 0 {
      let changes = Plural.count(Int(report.refused), "change")
      lines.append("\(changes) REFUSED, or waiting for others: osce outbox lists them")
    }
    if report.forks > 0 {
      lines.append("\(Plural.count(report.forks, "conflicting value")): the exam lead must decide")
    }
    if report.concerns > 0 {
      lines.append(
        "\(Plural.count(report.concerns, "CONCERN", "CONCERNS")) raised: osce export comments lists them in its column concern"
      )
    }
    lines += report.identityNotes.map { note in
      let who = [note.number, note.candidate].compactMap { $0 }.joined(separator: " ")
      let place = [note.station, note.circuit, "\(note.date) \(note.start)"].joined(separator: ", ")
      return PlainText.cell("IDENTITY did not match: \(who) at \(place): \(note.text)")
    }
    if report.reruns > 0 {
      let stations = Plural.count(report.reruns, "station")
      lines.append("\(stations) queued for a re-run and NOT examined yet: osce missing lists them")
    }
    if all.excused > 0 {
      let sheets = Plural.count(all.excused, "expected sheet is", "expected sheets are")
      lines.append("\(sheets) excused or ruled out: nothing is due")
    }
    if all.unable > 0 {
      let sheets = Plural.count(all.unable, "sheet")
      lines.append("\(sheets) with an item unable to assess: osce export marks, column unable")
    }
    if all.unexpected > 0 {
      lines.append(
        "\(Plural.count(all.unexpected, "sheet")) with marks not expected (absent, withdrawn or removed)"
      )
    }
    if report.hiddenMarks > 0 {
      lines.append(
        "\(Plural.count(report.hiddenMarks, "mark is", "marks are")) HIDDEN: a section, sheet or session was deleted or cancelled; osce doctor says where"
      )
    }
    let shown = lines.flatMap(LineFold(Output.standard).lines)
    return ([shown.joined(separator: "\n") + "\n"] + tables(report)).joined(separator: "\n")
  }

  /// The stations of each session under its name.
  private static func tables(_ report: StatusReport) -> [String] {
    var tables: [(session: Session, circuit: String, table: TextTable)] = []
    for (place, counts) in report.stations {
      if tables.last?.session != place.session {
        var table = TextTable()
        table.row(["station", "expected", "started", "filled", "signed", "items", "held", "blank"])
        tables.append((place.session, place.circuit.name, table))
      }
      let numbers = [
        counts.expected, counts.started, counts.filled, counts.signed, counts.items, counts.held, counts.blank,
      ]
      tables[tables.count - 1].table.row([place.stationCode] + numbers.map { String($0) })
    }
    return tables.map { PlainText.cell("\($0.circuit), \($0.session.name)") + "\n" + $0.table.text }
  }
}
