import CircuitModel
import ExamStore
import Reports
import Terminal

/// What stands under the focused item on a wide terminal: who comes next, which sheets must be finished, the station's
/// instructions, and the sheet's last marks.
struct SheetAside {
  /// What it was read for: another candidate, round or width reads it again.
  struct Reading: Equatable {
    let entry: String
    let moment: ClockPanel.Moment?
    let width: Int
  }

  /// A line, and whether it is a heading.
  struct Line {
    let text: SafeText
    var isHeading = false
  }

  /// A heading with the lines under it.
  private struct Group {
    let heading: String
    let lines: [SafeText]
    /// Rows that it takes where there is room; what is more is counted, or named by its key.
    let most: Int
    /// What the heading says where lines are cut; nil: the last line counts them.
    var more: String?

    var least: Int { more == nil ? min(2, lines.count) : 1 }

    func shown(_ height: Int) -> [Line] {
      let isCut = lines.count > height
      let title = Line(text: SafeText(isCut ? heading + (more ?? "") : heading), isHeading: true)
      guard isCut, more == nil else { return [title] + lines.prefix(height).map { Line(text: $0) } }
      let names = lines.prefix(height - 1).map { Line(text: $0) }
      return [title] + names + [Line(text: SafeText("  and \(lines.count - names.count) more"))]
    }
  }

  let reading: Reading
  private let groups: [Group]

  /// The lines that have room: no heading without what it is of, and what is cut says so.
  /// - Parameter marks: the last marks; nil where they stand elsewhere.
  func lines(rows: Int, marks: [SafeText]?) -> [Line] {
    var shown = (groups + (marks.map { [SheetAside.group(ofMarks: $0)] } ?? []))
      .map { (group: $0, height: min($0.most, $0.lines.count)) }
    while let last = shown.last, shown.reduce(0, { $0 + $1.height + 1 }) > rows {
      if last.height > last.group.least { shown[shown.count - 1].height -= 1 } else { shown.removeLast() }
    }
    return shown.flatMap { $0.group.shown($0.height) }
  }

  /// As many rows with one mark as with many, so that none above moves when another comes.
  private static func group(ofMarks marks: [SafeText]) -> Group {
    let lines: [SafeText] = marks.isEmpty ? ["  none yet"] : Array(marks.prefix(mostMarks))
    let blanks = Array(repeating: SafeText(), count: mostMarks - lines.count)
    return Group(heading: "LAST MARKS", lines: lines + blanks, most: mostMarks, more: "")
  }

  /// What is saved of these at other sheets changes what stands here.
  static let entities: Set<String> = [
    Stored.TimetableAttendanceLog.entityName, Stored.Timetable.entityName, Stored.DataForm.entityName,
    Stored.RerunEntry.entityName, Stored.Student.entityName, Stored.User.entityName, Stored.ExamRuling.entityName,
    Stored.Config.entityName,
  ]

  /// At most so many candidates of a kind are named.
  private static let most = 3
  /// At most so many lines of the instructions are shown.
  private static let mostInstructions = 10
  /// At most so many marks are shown.
  private static let mostMarks = 5

  @MainActor
  init(_ reading: Reading, of screen: SheetScreen) throws {
    let (context, session, seat) = (screen.context, screen.session, screen.seat)
    let (entries, work) = try context.store.read {
      (
        try Roster.entries(timetable: session.timetable, seat: seat, in: $0),
        try RosterWork.read(at: session, seat: seat, in: $0)
      )
    }
    let clock = context.clock
    let planned = entries.filter {
      $0.candidate != nil && !clock.isAbsent($0) && work[$0.key]?.isDue != false && $0.key != screen.entryKey
    }.sortedByRound { clock.round(of: $0) }
    func title(_ entry: RosterEntry) -> SafeText {
      let round = clock.round(of: entry).map(String.init) ?? "-"
      return SafeText("  \(round)  \(context.title(of: entry.candidate))").truncated(to: reading.width)
    }
    let next = planned.filter { clock.presence(of: $0) == .notYetHere && clock.rerunToCome(for: $0) == nil }
    let unfinished = planned.filter { clock.isLeftOpen($0, work[$0.key]) }
    let all = "  " + context.key(of: EntryKeys<SheetScreen>.instructions).plain + " all"
    func instructions(_ heading: String, _ text: String?) -> Group {
      let lines = text.map { SafeText.wrap($0, to: reading.width) } ?? []
      return Group(heading: heading, lines: lines, most: SheetAside.mostInstructions, more: all)
    }
    let template = screen.sheet?.template
    groups = [
      Group(heading: "NEXT CANDIDATES", lines: next.prefix(SheetAside.most).map(title), most: SheetAside.most),
      Group(heading: "TO FINISH", lines: unfinished.map(title), most: SheetAside.most + 1),
      instructions("INSTRUCTIONS", template?.assessorInstructions),
      instructions("FOR THE CANDIDATE", template?.candidateInstructions),
    ].filter { !$0.lines.isEmpty }
    self.reading = reading
  }
}

extension SheetScreen {
  /// Reads what stands beside the sheet, where there is room for it and it has changed.
  func readAside(_ region: Rect) {
    guard region.width >= SheetLayout.besideWidth, sheet != nil else { return surroundings.aside = nil }
    let width = SheetLayout.detailWidth(region.width)
    let reading = SheetAside.Reading(entry: entryKey, moment: context.clock.moment, width: width)
    if surroundings.aside?.reading == reading, !surroundings.isAsideOld { return }
    surroundings.isAsideOld = false
    do { surroundings.aside = try SheetAside(reading, of: self) } catch { context.noteUnread(error) }
  }
}
