import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal

/// How a mark sheet looks: its progress, its items with their levels, and the focused item in full.
@MainActor
struct SheetView {
  private let screen: SheetScreen
  private let theme: Theme
  private var glyphs: Glyphs { theme.glyphs }

  init(_ screen: SheetScreen) {
    self.screen = screen
    theme = screen.context.theme
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    guard let sheet = screen.sheet else {
      if let entry = screen.entry {
        SheetIdentityView(
          entry: entry, theme: theme, name: screen.context.name(of: entry.candidate),
          keys: .init(screen.context), standing: screen.identityStanding,
          opensFromPaper: screen.opensFromPaper,
          next: screen.surroundings.following.map { screen.context.title(of: $0.candidate) }
        ).draw(on: &canvas, in: region)
      }
      return
    }
    let layout = SheetLayout(region, detail: screen.detail.height)
    drawSummary(sheet, on: &canvas, in: layout.summary)
    let visible = drawList(sheet, on: &canvas, layout)
    if layout.isBeside {
      canvas.verticalLine(layout.rule, glyphs: glyphs, style: theme[.border])
    } else {
      canvas.horizontalLine(layout.rule, glyphs: glyphs, style: theme[.border])
      let more = [(glyphs.up, visible.lowerBound), (glyphs.down, screen.rows.rows.count - visible.upperBound)]
        .filter { $0.1 > 0 }.map { " " + $0.0 + SafeText(" \($0.1) more ") }
      canvas.draw(more.reduce("", +), in: layout.rule.columns(0, layout.rule.width - 1), .right, style: theme[.muted])
    }
    drawDetail(sheet, on: &canvas, in: layout.detail)
    if layout.isBeside { drawAside(on: &canvas, in: layout.detail) }
  }

  /// At the foot of the pane, so that it stays where it is from item to item; a long item leaves it fewer lines.
  private func drawAside(on canvas: inout Canvas, in region: Rect) {
    guard let aside = screen.surroundings.aside else { return }
    let used = (screen.detailLines(width: region.width)?.count ?? 3) + 1
    let lines = aside.lines(rows: region.height - used, marks: screen.lastMarks(width: region.width))
    for (row, line) in lines.enumerated() {
      canvas.draw(
        line.text, in: region, row: region.height - lines.count + row, style: theme[line.isHeading ? .heading : .normal]
      )
    }
  }

  /// How many rows of the sheet are in view at least, whichever they are.
  func page(in region: Rect) -> Int {
    let layout = SheetLayout(region, detail: screen.detail.height)
    let view = SheetRowView(screen: screen, theme: theme, layout: layout)
    return RowHeights(screen.rows.rows.map(view.height), room: layout.list.height).page
  }

  private func drawSummary(_ sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    let index = screen.index
    let separator = " \(glyphs.separator) "
    let isLate = screen.presence == .left && !sheet.isSigned
    let marked = "\(index.answered) of \(index.itemCount) marked"
    let style = theme[sheet.isSigned ? (index.isFilled ? .good : .error) : isLate ? .heading : .normal]
    let bar = glyphs.progress(index.answered, of: index.itemCount, width: max(6, region.width / 4 - 1))
    let room = screen.hasSeveralSheets ? region.width * 3 / 4 : region.width - bar.width - SafeText(marked).width - 3
    // What there is no room for goes whole, what is least needed first; which of several sheets it is comes before how
    // far it has come.
    let state = state(of: sheet)
    let total = index.total.map { "total \($0.score)/\($0.maximum)" }
    let late = isLate ? "after the bell" : nil
    let count = screen.hasSeveralSheets ? marked : nil
    let lines = [
      [count, total, late, state.whole], [count, total, late, state.short], [total, late, state.short],
      [late, state.short], [state.short],
    ].map { SafeText($0.compactMap(\.self).joined(separator: separator)) }
    let trailing = lines.first { $0.width < room } ?? lines[lines.count - 1]
    let (right, left) = region.splitRight(min(trailing.width + 1, max(0, room)))
    canvas.draw(trailing, in: right, .right, style: style)
    if screen.hasSeveralSheets {
      let name = SafeText(screen.placeOfSheet + sheet.template.name)
      canvas.draw(name.truncated(to: max(0, left.width - 1)), in: left, style: theme[.heading])
      return
    }
    let start = canvas.draw(" " + bar, in: left, style: theme[.key])
    canvas.draw(SafeText(" " + marked), in: left.columns(start - left.x, left.width), style: theme[.normal])
  }

  /// Whether the sheet is signed, ready to be, or what it lacks: at length, and as short as can be.
  private func state(of sheet: Sheet) -> (whole: String, short: String) {
    let (items, facts) = (screen.index.needed, screen.index.facts)
    let isSigned = sheet.isSigned
    if items.isEmpty, facts.isEmpty {
      let signs =
        screen.ownership.isTakenOver ? "" : ", \(screen.context.key(of: SheetScreen.Keys.sign).plain) signs"
      let text = isSigned ? "\(glyphs.tick) SIGNED" : "ready" + signs
      return (text, text)
    }
    let head = isSigned ? "\(glyphs.cross) SIGNED, " : ""
    if items.isEmpty {
      let more = facts.count > 1 ? " and \(facts.count - 1) more" : ""
      return (head + "not recorded: " + facts[0].text + more, head + "\(facts.count) not recorded")
    }
    let numbers = items.prefix(4).compactMap { screen.rows.number(of: $0) }.map(String.init)
    let listed = numbers.joined(separator: " \(glyphs.separator) ")
    let more = items.count > 4 ? " and \(items.count - 4) more" : " blank"
    let lacks = facts.isEmpty ? "" : ", \(facts.count) not recorded"
    if items.count == 1 {
      return (
        head + "required blank: " + screen.name(of: items[0], to: 16) + lacks, head + "required blank: " + listed
      )
    }
    return (head + "required: " + listed + more + lacks, head + Plural.count(items.count, "required blank"))
  }

  /// - Returns: the rows that are in view.
  private func drawList(_ sheet: Sheet, on canvas: inout Canvas, _ layout: SheetLayout) -> Range<Int> {
    let view = SheetRowView(screen: screen, theme: theme, layout: layout)
    let rows = screen.rows
    let heights = RowHeights(rows.rows.map(view.height), room: layout.list.height)
    let visible = heights.visible(rows.selection)
    if layout.isMatrix, let first = visible.first, case .item(_, section: let key) = rows.rows[first],
      let section = screen.index.section(key)
    {
      view.drawHeading(section, on: &canvas, in: layout.pinned.columns(2, layout.list.width - 3))
    }
    var y = 0
    for index in visible {
      let line = layout.list.rows(y, heights.heights[index])
      y += heights.heights[index]
      let isFocused = index == rows.selection.index
      view.draw(rows.rows[index], of: sheet, isFocused: isFocused, on: &canvas, in: line)
      if isFocused { canvas.cursor = line.origin }
    }
    return visible
  }

  /// What is left to do, at the end of the sheet.
  private func drawEnd(_ sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    let text: String
    let (items, facts) = (screen.index.needed, screen.index.facts)
    let lacks = [
      items.isEmpty
        ? nil : "Required and blank: \(Plural.noun(items.count, "item")) \(screen.numbers(of: items)).",
      facts.isEmpty ? nil : "Not recorded: \(facts.map(\.text).joined(separator: "; ")).",
    ].compactMap(\.self).joined(separator: "\n")
    if sheet.isSigned {
      let reopens = "\(screen.context.key(of: SheetScreen.Keys.sign).plain) reopens the sheet, with a reason."
      text = lacks.isEmpty ? "Signed. " + reopens : "Signed. \(lacks)\n\(reopens)"
    } else {
      text = lacks.isEmpty ? "Nothing required is blank." : lacks
    }
    let others = screen.otherOpenSheets
    let key = screen.context.key(of: SheetScreen.Keys.nextForm).plain
    let open = others.isEmpty ? "" : "\n\(screen.text(for: others)). \(key) goes there."
    let isDone = screen.index.isFilled && others.isEmpty
    canvas.drawWrapped(text + open, in: region, style: theme[isDone ? .normal : .warning])
  }

  /// The focused item in full: its text, and each level with key, value and descriptor.
  private func drawDetail(_ sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    guard let lines = screen.detailLines(width: region.width) else {
      if let section = screen.rows.section(in: sheet) {
        let text = [section.template.information ?? "", screen.sectionHelp(section)].filter { !$0.isEmpty }
        canvas.drawWrapped(text.joined(separator: "\n"), in: region, style: theme[.muted])
      } else {
        drawEnd(sheet, on: &canvas, in: region)
      }
      return
    }
    let visible = DetailPane.visible(lines, height: region.height, reading: screen.readLevel)
    for (row, line) in visible.enumerated() {
      let isRead = line.level != nil && line.level == screen.readLevel
      canvas.draw(line.text, in: region, row: row, style: theme[isRead ? .focus : line.role])
      if isRead { canvas.draw(glyphs.pointer, in: region, row: row, style: theme[.focus]) }
    }
    if lines.count > region.height {
      let all: SafeText = screen.enterWord.isEmpty ? " " : ", " + screen.enterWord + " "
      let more: SafeText = " " + glyphs.left + glyphs.right + " read on" + all
      let corner = region.row(region.height - 1).splitRight(more.width).right
      canvas.draw(more, in: corner, style: theme[.muted])
    }
  }
}
