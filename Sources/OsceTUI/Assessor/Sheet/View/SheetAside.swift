import CircuitModel
import ExamStore
import Reports
import Terminal

/// What stands under the focused item on a wide terminal: who comes next, which sheets must be finished, and the
/// station's instructions.
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

  let reading: Reading
  let lines: [Line]

  /// At most so many candidates of a kind are named.
  private static let most = 3
  /// At most so many lines of the instructions are shown.
  private static let mostInstructions = 8

  @MainActor
  init(_ reading: Reading, of screen: SheetScreen) throws {
    let (context, session, seat) = (screen.context, screen.session, screen.seat)
    let entries = try context.store.read { try Roster.entries(timetable: session.timetable, seat: seat, in: $0) }
    let clock = context.clock
    let planned = entries.filter { $0.candidate != nil && !clock.isAway($0) && $0.key != screen.entryKey }
      .sortedByRound { clock.round(of: $0) }
    func title(_ entry: RosterEntry) -> Line {
      let round = clock.round(of: entry).map(String.init) ?? "-"
      return Line(text: SafeText("  \(round)  \(context.title(of: entry.candidate))").truncated(to: reading.width))
    }
    let next = planned.filter { clock.presence(of: $0) == .notYetHere }.prefix(SheetAside.most)
    let unsigned = planned.filter { entry in
      clock.presence(of: entry) == .left && !(!entry.sheets.isEmpty && entry.sheets.allSatisfy(\.isSigned))
    }
    var lines: [Line] = []
    if !next.isEmpty { lines += [Line(text: "NEXT CANDIDATES", isHeading: true)] + next.map(title) }
    if !unsigned.isEmpty {
      lines += [Line(text: "TO FINISH", isHeading: true)] + unsigned.prefix(SheetAside.most).map(title)
      if unsigned.count > SheetAside.most {
        lines.append(Line(text: SafeText("  and \(unsigned.count - SheetAside.most) more")))
      }
    }
    if let instructions = screen.sheet?.template.assessorInstructions, !instructions.isEmpty {
      let all = SafeText.wrap(instructions, to: reading.width)
      let shown = all.prefix(SheetAside.mostInstructions)
      // What is cut says so, and which key shows the rest.
      lines.append(Line(text: all.count > shown.count ? "INSTRUCTIONS   i all" : "INSTRUCTIONS", isHeading: true))
      lines += shown.map { Line(text: $0) }
    }
    (self.reading, self.lines) = (reading, lines)
  }
}

extension SheetScreen {
  /// Reads what stands beside the sheet, where there is room for it and it has changed.
  func readAside(_ region: Rect) {
    guard region.width >= SheetLayout.besideWidth, sheet != nil else { return flow.aside = nil }
    let width = SheetLayout.detailWidth(region.width)
    let reading = SheetAside.Reading(entry: entryKey, moment: context.clock.moment, width: width)
    if flow.aside?.reading == reading { return }
    do { flow.aside = try SheetAside(reading, of: self) } catch { context.noteUnread(error) }
  }
}
