import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The lines of one check, each of which can be settled.
@MainActor
final class ClosingLinesScreen: OverClosing {
  let context: AppContext
  let closing: ClosingScreen
  private let code: ClosingReport.Code
  private var rows: [Row] = []
  var table = Table([
    .init("", width: 1), .init("Circ.", width: 5, stretch: 1), .init("Station", width: 7),
    .init("Number", width: 7), .init("Rd", width: 2, .right), .init("What", width: 28, stretch: 4),
    .init("Who", width: 9, stretch: 1), .init("At", width: 5, stretch: 1),
  ])

  /// What is listed: what is open or waived, and below it what was ruled and is in no line any more.
  private enum Row {
    case line(ClosingReport.Line)
    case ruled(ClosingReport.Ruled)
  }

  init(_ context: AppContext, _ closing: ClosingScreen, _ code: ClosingReport.Code) {
    (self.context, self.closing, self.code) = (context, closing, code)
    fill()
  }

  func fill() {
    let check = closing.report?.checks.first { $0.code == code }
    rows = (check?.lines ?? []).map { .line($0) } + (check?.ruled ?? []).map { .ruled($0) }
    table.rows = rows.map { row in
      switch row {
      case .line(let line): tableRow(line)
      case .ruled(let ruled): tableRow(ruled)
      }
    }
  }

  private func tableRow(_ line: ClosingReport.Line) -> Table.Row {
    let waiver = line.waiver
    let at = waiver == nil ? line.terminal : waiver?.time.map { LocalTime.reading(of: $0).minute }
    return Table.Row(
      [
        waiver == nil ? context.theme.glyphs.cross : context.theme.glyphs.tick,
        SafeText(CircuitName.short(line.circuit ?? "")),
        SafeText(line.station ?? ""), SafeText(line.candidate ?? ""), SafeText(line.round.map { "\($0)" } ?? ""),
        SafeText((waiver == nil ? "" : "waived: ") + line.what), SafeText((waiver?.staff ?? line.call) ?? ""),
        SafeText(at ?? ""),
      ], role: waiver == nil ? .normal : .muted, id: line.id)
  }

  private func tableRow(_ ruled: ClosingReport.Ruled) -> Table.Row {
    Table.Row(
      [
        context.theme.glyphs.tick, SafeText(CircuitName.short(ruled.circuit ?? "")), SafeText(ruled.station ?? ""),
        SafeText(ruled.candidate ?? ""), "", SafeText("\(ruled.decision): \(ruled.reason)"),
        SafeText(ruled.staff ?? ""), SafeText(ruled.at.map { LocalTime.reading(of: $0).minute } ?? ""),
      ], role: .muted, id: ruled.key ?? ruled.text)
  }

  private var focusedRow: Row? { table.selection.focused(of: rows) }

  /// The line under the cursor; nil where that is a ruling.
  private var focused: ClosingReport.Line? {
    if case .line(let line)? = focusedRow { line } else { nil }
  }

  private var lines: [ClosingReport.Line] {
    rows.compactMap { row in if case .line(let line) = row { line } else { nil } }
  }

  /// Whether the focused line is of a sheet that is in no class.
  private var isOfSheet: Bool { code == .identity && focused != nil }

  /// Whether the focused line is of somebody of whom a sheet is expected, or who never comes to the station.
  private var canExcuse: Bool {
    guard [.identity, .attendance, .missedStation].contains(code), let focused else { return false }
    return focused.sheetClass != .unplanned && focused.station != nil && focused.candidate != nil
  }

  /// Rules that the focused line's sheet is not to be had.
  private func ruleOut() {
    guard let line = focused else { return }
    let who = line.call.map { " of \($0)" } ?? ""
    closing.asLead(
      SafeText("The sheet\(who) counts for nothing; what others marked there does."), saying: "ruled out"
    ) { lead, reason, transaction in
      if let sheet = line.sheet {
        try Rulings.make(.exclusion, on: .init(sheet: sheet), reason: reason, by: lead, transaction)
      } else if let vacancy = line.vacancy {
        try Rulings.exclude(vacancy, reason: reason, by: lead, transaction)
      }
    }
  }

  /// Excuses the focused line's candidate at its station.
  private func excuse() {
    guard let line = focused, let station = line.station, let candidate = line.candidate else { return }
    let scope = ExamRuling.Scope(circuit: line.circuit, session: line.session, station: station, candidate: candidate)
    closing.asLead(
      SafeText("Nothing is due of \(candidate) at \(station), and nothing marked there counts."), saying: "excused"
    ) { lead, reason, transaction in
      try Rulings.make(.excuse, on: scope, reason: reason, by: lead, transaction)
    }
  }

  /// Whether the focused line can be accepted.
  private var waivable: Availability {
    focused != nil && focused?.waiver == nil && code.isWaivable ? .enabled : .disabled("it is settled, not waived")
  }

  /// Whether the focused line is a change that somebody can let in.
  private var heldBack: Availability {
    focused?.change == nil ? .disabled("only a change that is held back is let in or dismissed") : .enabled
  }

  /// The key of what was ruled of the focused row; nil where nothing is that can be withdrawn.
  private var ruling: String? {
    switch focusedRow {
    case .line(let line): line.waiver?.key
    case .ruled(let ruled): ruled.key
    case nil: nil
    }
  }

  enum Keys {
    static let waive = KeyBinding<ClosingLinesScreen>(
      "lines.waive", ["w"], "waive", help: "Accept this line, with a reason", group: group,
      when: { $0.waivable }
    ) { screen, _ in if let line = screen.focused { screen.closing.waive([line], of: screen.code) } }
    static let admit = KeyBinding<ClosingLinesScreen>(
      "lines.admit", ["i"], "let in", help: "Let a change count that is held back, with a reason", group: group,
      when: { $0.heldBack }
    ) { screen, _ in screen.rule(admits: true) }
    .inFooter { $0.focused?.change != nil }
    static let dismiss = KeyBinding<ClosingLinesScreen>(
      "lines.dismiss", ["d"], "dismiss", help: "Rule that such a change never counts, with a reason", group: group,
      when: { $0.heldBack }
    ) { screen, _ in screen.rule(admits: false) }
    .inFooter { $0.focused?.change != nil }
    static let ruleOut = KeyBinding<ClosingLinesScreen>(
      "lines.ruleOut", ["x"], "rule out", help: "This sheet counts for nothing, with a reason",
      group: group, when: { $0.isOfSheet ? .enabled : .disabled("only a sheet in no class is ruled out") }
    ) { screen, _ in screen.ruleOut() }
    .inFooter { $0.isOfSheet }
    static let excuse = KeyBinding<ClosingLinesScreen>(
      "lines.excuse", ["e"], "excuse", help: "Nothing is due of this candidate here, with a reason",
      group: group,
      when: { $0.canExcuse ? .enabled : .disabled("nobody is excused by a line of this kind") }
    ) { screen, _ in screen.excuse() }
    .inFooter { $0.canExcuse }
  }

  nonisolated private static let group = "Lines"
  nonisolated static let keys = KeyTable<ClosingLinesScreen>(
    "Closing, lines", at: .desk,
    [
      KeyBinding(
        "lines.open", [.enter], "read", help: "Read it: a concern, two sheets, two values, a ruling", group: group,
        when: { $0.focusedRow == nil ? .disabled("nothing is open or ruled of it") : .enabled }
      ) { screen, _ in screen.open() }
      .labelled { $0.isOfAssessors ? "compare" : $0.code == .contradictions ? "settle" : "read" },
      Keys.ruleOut, Keys.excuse, Keys.waive,
      KeyBinding(
        "lines.waiveStation", ["W"], "waive station", help: "Accept this station's open lines, with one reason",
        group: group,
        when: { $0.waivable }
      ) { screen, _ in screen.closing.waive(screen.ofStation, of: screen.code) },
      KeyBinding(
        "lines.answer", ["a"], "answer", help: "Say what became of it; of paper, that it says the same", group: group,
        when: { screen in
          screen.focused?.subject != nil && screen.code.isAnswered
            ? .enabled : .disabled("only concerns, identity notes and paper are answered")
        }
      ) { screen, _ in screen.answer() }
      .labelled { $0.code == .paper ? "compared" : "answer" },
      Keys.admit, Keys.dismiss,
      KeyBinding(
        "lines.withdraw", ["u"], "withdraw", help: "Withdraw what was ruled of this line, with a reason", group: group,
        when: { screen in
          if screen.ruling != nil { return .enabled }
          guard case .ruled? = screen.focusedRow else { return .disabled("nothing is ruled of this line") }
          return .disabled(screen.code == .contradictions ? "the value was changed since" : "two people ruled it")
        }
      ) { screen, _ in screen.withdraw() }
      .inFooter { $0.ruling != nil },
      KeyBinding(
        "lines.message", ["t"], "message", help: "Send a line to the station of this line", group: group,
        when: { $0.station == nil ? .disabled("the line is of no station") : .enabled }
      ) { screen, _ in if let station = screen.station { MessageForm(context: screen.context).ask(to: station) } },
      .back("lines.back", "Back to the checks", group: group),
    ])

  let showsClock = false

  var heading: Heading {
    let open = lines.count { $0.waiver == nil }
    let ruled = rows.count - open
    return Heading(
      text: SafeText(code.text), trailing: SafeText("\(open) open" + (ruled == 0 ? "" : " · \(ruled) ruled")))
  }

  /// The station session of the focused row; nil where it is of none.
  private var station: StationSession? {
    let (circuit, session, code) =
      switch focusedRow {
      case .line(let line): (line.circuit, line.session, line.station)
      case .ruled(let ruled): (ruled.circuit, ruled.session, ruled.station)
      case nil: (nil as String?, nil as String?, nil as String?)
      }
    guard let code else { return nil }
    return closing.places.first {
      $0.stationCode == code && $0.circuit.name == circuit ?? $0.circuit.name
        && $0.session.name == session ?? $0.session.name
    }
  }

  private func withdraw() {
    guard let key = ruling else { return }
    let what: SafeText =
      switch code {
      case .unsigned: "Withdrawn, the line is open again, and the sheet that was signed with it."
      case .contradictions: "Withdrawn, both values stand again; the journal keeps what was ruled."
      default: "Withdrawn, the line is open again; the journal keeps what was ruled."
      }
    closing.asLead(what, saying: "withdrawn") { lead, reason, transaction in
      try Rulings.withdraw(key, reason: reason, by: lead, transaction)
    }
  }

  /// A hub hears of each change by itself. Without one two people rule, at once on all that is held back of a sheet: a
  /// mark that counts without the signature after it would leave the sheet open.
  private func rule(admits: Bool) {
    guard let focused, let change = focused.change else { return }
    let ofSheet = lines.filter { line in
      line.candidate != nil && line.candidate == focused.candidate && line.station == focused.station
        && line.circuit == focused.circuit && line.session == focused.session
    }
    let isOne = closing.isEnrolled || ofSheet.isEmpty
    closing.rule(on: isOne ? [change] : ofSheet.compactMap(\.change), admits: admits)
  }

  /// The open lines of the station of the focused one.
  private var ofStation: [ClosingReport.Line] {
    guard let focused else { return [] }
    return lines.filter { $0.waiver == nil && $0.station == focused.station }
  }

  private func open() {
    if case .ruled(let ruled)? = focusedRow {
      context.overlay = .reader(Reader(title: SafeText(code.text), text: ruled.text))
    }
    guard let focused else { return }
    if isOfAssessors { return context.push(AdjudicationScreen(context, closing, focused)) }
    if focused.contradiction != nil { return context.push(ContradictionScreen(context, closing, focused)) }
    show(focused)
  }

  private func answer() {
    guard let subject = focused?.subject else { return }
    let (question, done): (SafeText, SafeText) =
      code == .paper
      ? ("You have compared it with the paper: what you found is kept with it.", "compared")
      : ("What became of it? The answer is kept with it.", "answered")
    closing.asLead(question, saying: done) { lead, reason, transaction in
      try Rulings.make(.answer(row: subject), reason: reason, by: lead, transaction)
    }
  }

  /// Whether two assessors do not agree: that is settled with both sheets in view.
  private var isOfAssessors: Bool { code == .doubleMarks || code == .otherForm }

  private func show(_ line: ClosingReport.Line) {
    do {
      var text = [line.text.withSingleSpaces]
      if let subject = line.subject,
        let concern = try context.store.read({ try Concern.all(in: $0) }).first(where: { $0.key == subject })
      {
        text += ["", concern.text]
      }
      if code == .paper, let sheet = line.sheet {
        text += try [""] + context.store.read { try SheetText.lines(sheet, width: 76, in: $0) }
      }
      if let waiver = line.waiver {
        text += try [""] + context.store.read { try RulingNote.all([waiver], in: $0).map(\.text) }
      }
      context.overlay = .reader(Reader(title: SafeText(code.text), text: text.joined(separator: "\n")))
    } catch { context.noteUnread(error) }
  }

  func reload() {
    fill()
    closing.reload()
  }

  func follow(_ rows: Set<RowKey>) -> Bool { false }

  /// Rows under the table: what the focused row says in full, and what settles it or settled it.
  private static let foot = 2

  func tableRegion(_ region: Rect) -> Rect { region.splitBottom(Self.foot).rest }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: tableRegion(region), theme: context.theme)
    if rows.isEmpty { canvas.draw("Nothing is open.", in: region, row: 2, style: context.theme[.good]) }
    let foot = region.rows(region.height - Self.foot, Self.foot)
    let (full, settling) = detail
    canvas.draw(full, in: foot, style: context.theme[.normal])
    canvas.draw(settling, in: foot, row: 1, style: context.theme[.muted])
  }

  private var detail: (full: SafeText, settling: SafeText) {
    switch focusedRow {
    case .line(let line):
      let full = SafeText(line.shortText + (line.call.map { ", \($0)" } ?? ""))
      if let waiver = line.waiver { return (full, decided(waiver.reason, waiver.staff, waiver.time)) }
      if line.change != nil { return (full, SafeText("To settle: ") + howToRule) }
      var ways: [SafeText] = code.isWaivable ? [context.key(of: Keys.waive) + " accepts it"] : []
      if isOfSheet { ways.append(context.key(of: Keys.ruleOut) + " rules it out") }
      if canExcuse { ways.append(context.key(of: Keys.excuse) + " excuses") }
      return (full, ways.reduce(SafeText("To settle: \(code.remedy)")) { $0 + "; " + $1 })
    case .ruled(let ruled):
      let place = [ruled.station, ruled.candidate].compactMap { $0 }.joined(separator: " ")
      let full = place.isEmpty ? ruled.decision : "\(place): \(ruled.decision)"
      return (SafeText(full), decided(ruled.reason, ruled.staff, ruled.at))
    case nil: return ("", "")
    }
  }

  /// How a change that is held back is ruled on.
  private var howToRule: SafeText {
    let keys: SafeText = context.key(of: Keys.admit) + " lets it in, " + context.key(of: Keys.dismiss) + " dismisses it"
    return keys + (closing.isEnrolled ? "" : ": two people")
  }

  /// Who ruled, when and why.
  private func decided(_ reason: String, _ staff: String?, _ time: Instant?) -> SafeText {
    SafeText([staff, time?.localMoment].compactMap { $0 }.joined(separator: ", ") + ": " + reason)
  }
}
