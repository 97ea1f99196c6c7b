import CircuitModel
import ExamStore
import Reports
import Terminal

/// What sheets lack: of one candidate, or of all who have been here. It is read from the store alone.
@MainActor
final class MissingScreen: TableScreen {
  /// One thing that is missing.
  private struct Line {
    let entry: RosterEntry
    let text: String
    /// The sheet, and the item by link and copy, where one is blank.
    var sheet: String?
    var item: (link: Int, copy: Int)?
    /// The section by link and copy, where it lacks something.
    var section: (link: Int, copy: Int)?
  }

  let context: AppContext
  private let session: StationSession
  private let seat: Seat
  private let entry: RosterEntry?
  private let isLeaving: Bool
  private var showsAll: Bool
  private var lines: [Line] = []
  var table = Table([
    .init("Round", width: 6), .init("Number", width: 9), .init("Candidate", width: 14, stretch: 1),
    .init("Missing", width: 30, stretch: 3),
  ])

  /// - Parameters:
  ///   - entry: whose sheets; nil: of all who have been here.
  ///   - isLeaving: whether the person is about to leave the station.
  init(
    _ context: AppContext, _ session: StationSession, _ seat: Seat, entry: RosterEntry?, isLeaving: Bool = false
  ) {
    (self.context, self.session, self.seat, self.entry, self.isLeaving) = (context, session, seat, entry, isLeaving)
    showsAll = entry == nil
    reload()
  }

  /// Whether nothing is missing.
  var isEmpty: Bool { lines.isEmpty }
  /// How much is missing.
  var count: Int { lines.count }

  /// What the list leaves out: items that may stay blank, and sheets of rounds to come.
  private var unlisted: String {
    let optional = optionalBlanks == 0 ? "" : ", \(optionalBlanks) optional"
    return optional + (dueLater == 0 || !showsAll ? "" : ", \(dueLater) due later")
  }
  private var optionalBlanks = 0
  private var dueLater = 0

  nonisolated private static let own: [KeyBinding<MissingScreen>] = [
    KeyBinding(
      "missing.open", [.enter], "go there", help: "Open the sheet at what is missing", group: "Missing",
      when: { $0.lines.isEmpty ? .disabled("nothing is missing") : .enabled }
    ) { screen, _ in screen.open() },
    KeyBinding(
      "missing.all", ["m"], "all so far", help: "This candidate, or all candidates so far",
      group: "Missing", when: { $0.entry == nil ? .disabled("all are shown") : .enabled }
    ) { screen, _ in
      screen.showsAll.toggle()
      screen.reload()
    }
    .labelled { $0.showsAll ? "this candidate" : "all so far" },
    .back("missing.back", "Back to where you were", group: "Missing"),
  ]

  nonisolated private static let leave = KeyBinding<MissingScreen>(
    "missing.leave", ["y"], "leave anyway", help: "Leave the station with this missing", group: "Missing"
  ) { screen, _ in screen.signOut() }

  nonisolated static let keys = KeyTable<MissingScreen>("Missing", at: .station, own + [leave])
  nonisolated private static let keysOfList = KeyTable<MissingScreen>("Missing", at: .station, own)

  var keySources: [any KeySource] { [BoundTable(isLeaving ? MissingScreen.keys : MissingScreen.keysOfList, self)] }

  var heading: Heading {
    let of = showsAll ? "all candidates so far" : context.title(of: entry?.candidate)
    let text = isLeaving ? "Before you leave: " : "Missing: "
    return Heading(
      text: SafeText(text + of), shorterTexts: showsAll ? [SafeText(text + "all so far")] : [],
      trailing: SafeText("\(count) missing" + unlisted))
  }

  private func open() {
    guard let line = table.selection.focused(of: lines) else { return }
    while !(context.screen is SheetScreen || context.screen is RosterScreen), context.pop() {}
    if (context.screen as? SheetScreen)?.entryKey != line.entry.key {
      let sheet = SheetScreen(context, session, seat: seat, entry: line.entry.key)
      if context.screen is SheetScreen { context.replace(with: sheet) } else { context.push(sheet) }
    }
    (context.screen as? SheetScreen)?.show(sheet: line.sheet, item: line.item, section: line.section)
  }

  private func signOut() {
    _ = context.pop()
    if StationExit.finish(context, session), !context.pop() {
      guard let member = context.sitting?.staff else { return }
      context.leaveStation()
      context.replace(with: SessionsScreen(context, member))
    }
  }

  func reload() {
    let (session, seat) = (session, seat)
    let own = showsAll ? nil : entry?.key
    let practice = entry.flatMap { $0.isPractice && !showsAll ? $0.key : nil }
    do {
      let (entries, found, practised, excuses) = try context.store.read { db in
        let excuses = try Excuses.read(in: db)
        // The open sheet shows what it lacks though nothing is due of it; among all nobody is asked for it.
        let entries = try Roster.entries(timetable: session.timetable, seat: seat, in: db).filter {
          !excuses.isExcused($0, at: session) || $0.key == own
        }
        var found: [MissingMark] = []
        try MissingMark.forEach(at: [session], in: db) {
          if $0.sheet.seat == seat, $0.sheet.entry.key == own || !excuses.isRuledOut($0.sheet) { found.append($0) }
        }
        // No report and no roster has practice: what it lacks is told by its sheets.
        let sheets = try practice.flatMap { try Roster.entry($0, seat: seat, in: db) }?.sheets ?? []
        return (entries, found, try sheets.compactMap { try Sheet.read($0.key, in: db) }, excuses)
      }
      fill(entries, found, practised, excuses)
    } catch { context.noteUnread(error) }
  }

  private func fill(
    _ entries: [RosterEntry], _ found: [MissingMark], _ practised: [Sheet], _ excuses: Excuses
  ) {
    let ofPractice = entry.map { entry in practised.flatMap { lines(of: $0, entry) } } ?? []
    let isRerun = context.clock.isRerun
    let listed = entries.filter {
      $0.isPresent != false && (showsAll ? hasHadTurn($0) : $0.key == self.entry?.key)
    }
    let required =
      found.count { mark in mark.item != nil && listed.contains { $0.key == mark.sheet.entry.key } }
      + ofPractice.count { $0.item != nil }
    let sheets = listed.flatMap(\.sheets).filter { !showsAll || !excuses.isRuledOut(sheet: $0.key) }
    let blank = sheets.reduce(0) { $0 + $1.items - $1.answered }
    optionalBlanks = max(0, blank - required)
    dueLater = entries.count { entry in
      let isDue = entry.isPresent != false || context.clock.rerunToCome(for: entry) != nil
      return isDue && entry.candidate != nil && !hasHadTurn(entry)
    }
    lines =
      entries.sortedByRound { $0.round(isRerun: isRerun) }.flatMap { entry -> [Line] in
        guard entry.isPresent != false, showsAll ? hasHadTurn(entry) : entry.key == self.entry?.key else { return [] }
        return found.filter { $0.sheet.entry.key == entry.key }.map { line($0, entry) }
      } + ofPractice
    table.rows = lines.map { line in
      Table.Row(
        [
          SafeText(context.clock.round(of: line.entry).map { "\($0)" } ?? "-"),
          SafeText(line.entry.candidate?.number ?? ""), SafeText(context.name(of: line.entry.candidate)),
          SafeText(line.text),
        ], id: "\(line.entry.key) \(line.sheet ?? "") \(line.item?.link ?? 0) \(line.item?.copy ?? 0) \(line.text)")
    }
  }

  /// Whether the candidate has been here, and not for a round that the re-run to come repeats.
  private func hasHadTurn(_ entry: RosterEntry) -> Bool {
    context.clock.rerunToCome(for: entry) == nil
      && (context.clock.presence(of: entry).hasBegun || !entry.sheets.isEmpty)
  }

  private func line(_ missing: MissingMark, _ entry: RosterEntry) -> Line {
    var line = Line(entry: entry, text: missing.sheetPrefix + missing.text)
    switch missing.kind {
    case .sheet, .signOut, .rerun: break
    case .fact(let fact): (line.sheet, line.section) = (missing.sheet.held?.key, (fact.section.link, fact.copy))
    case .signature: line.sheet = missing.sheet.held?.key
    case .item(let item): (line.sheet, line.item) = (missing.sheet.held?.key, (item.template.link, item.copy))
    }
    return line
  }

  /// What a sheet lacks that no report counts.
  private func lines(of sheet: Sheet, _ entry: RosterEntry) -> [Line] {
    let index = SheetIndex(sheet)
    let items = index.needed.map { item in
      let number = (sheet.items.firstIndex { $0.key == item.key } ?? 0) + 1
      let copy = index.item(item.key)?.1.copy ?? 1
      return Line(
        entry: entry, text: item.template.blankText(number, copy: copy), sheet: sheet.key,
        item: (item.template.link, copy))
    }
    return items
      + index.facts.map {
        Line(
          entry: entry, text: $0.lack, sheet: sheet.key, section: ($0.section.link, $0.copy))
      }
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    table.draw(on: &canvas, in: region, theme: context.theme)
    guard lines.isEmpty else { return }
    let whose = showsAll ? "of all candidates so far" : "of this candidate"
    canvas.draw(SafeText("Nothing is missing \(whose)."), in: region, row: 2, style: context.theme[.good])
    canvas.cursor = region.origin
  }
}
