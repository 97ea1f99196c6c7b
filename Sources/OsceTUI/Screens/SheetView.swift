import CircuitModel
import Terminal

/// How a mark sheet looks: its progress, its items with their levels, and the focused item in full.
@MainActor
struct SheetView {
  /// Where the parts of the screen stand.
  struct Layout {
    let summary: Rect
    let list: Rect
    let rule: Rect
    let detail: Rect

    init(_ region: Rect, detail height: Int) {
      summary = region.row(0)
      let rest = region.rows(1, region.height)
      let split = rest.splitBottom(min(height + 1, max(0, rest.height - 3)))
      list = split.rest
      rule = split.bottom.row(0)
      detail = split.bottom.rows(1, split.bottom.height)
    }
  }

  private let screen: SheetScreen
  private let theme: Theme
  private let index: SheetIndex
  private var glyphs: Glyphs { theme.glyphs }

  init(_ screen: SheetScreen) {
    self.screen = screen
    theme = screen.context.theme
    index = SheetIndex(screen.sheet)
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    guard let sheet = screen.sheet else { return drawIdentityStep(on: &canvas, in: region) }
    let layout = Layout(region, detail: screen.detail.height)
    drawSummary(sheet, on: &canvas, in: layout.summary)
    let visible = screen.rows.selection.visible(layout.list.height)
    for (place, index) in visible.enumerated() {
      let line = layout.list.row(place)
      let isFocused = index == screen.rows.selection.index
      draw(screen.rows.rows[index], of: sheet, isFocused: isFocused, on: &canvas, in: line)
      if isFocused { canvas.cursor = line.origin }
    }
    canvas.horizontalLine(layout.rule, glyphs: glyphs, style: theme[.border])
    drawDetail(sheet, on: &canvas, in: layout.detail)
  }

  // MARK: Identity step

  private func drawIdentityStep(on canvas: inout Canvas, in region: Rect) {
    guard let entry = screen.entry else { return }
    let box = region.centred(Size(width: min(70, region.width), height: min(14, region.height)))
    let title: SafeText = entry.isPractice ? "Practice" : "Who is in the room?"
    let inner = canvas.box(box, title: title, glyphs: glyphs, style: theme[.heading]).inset(columns: 2, rows: 1)
    let text = inner.rows(0, inner.height - 3)
    if let candidate = entry.candidate {
      canvas.draw(SafeText("Number  \(candidate.number)"), in: text, row: 0, style: theme[.heading])
      canvas.draw("Name", in: text, row: 1, style: theme[.heading])
      let name = SafeText.wrap(candidate.name, to: max(1, text.width - 8))
      for (row, line) in name.prefix(3).enumerated() {
        canvas.draw(line, in: text.columns(8, text.width), row: 1 + row, style: theme[.heading])
      }
      let rest = text.rows(2 + min(3, name.count), text.height)
      if entry.isPresent == false {
        canvas.drawWrapped("Recorded ABSENT: Enter changes that to present.", in: rest, style: theme[.warning])
      } else {
        canvas.drawWrapped(
          "Adjustments: \(candidate.adjustments ?? "none")", in: rest,
          style: theme[candidate.adjustments == nil ? .muted : .warning])
      }
    } else {
      canvas.drawWrapped(
        "A practice sheet: try every key. It never counts and never leaves as a result.", in: text,
        style: theme[.normal])
    }
    let enter: SafeText = entry.isPractice ? "open the practice sheet" : "this is the candidate: record as present"
    canvas.draw(
      [("Enter  ", theme[.key]), (enter, theme[.normal])], in: inner, row: inner.height - 2)
    canvas.draw(
      [("q      ", theme[.key]), ("go back without opening the sheet", theme[.normal])], in: inner,
      row: inner.height - 1)
    canvas.cursor = Point(x: inner.x, y: inner.bottom - 2)
  }

  // MARK: Summary

  private func drawSummary(_ sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    let answered = sheet.items.filter { !$0.isBlank }.count
    var facts = "\(answered)/\(sheet.items.count) marked"
    let blanks = sheet.blanks.count
    if sheet.isComplete {
      facts += " \(glyphs.separator) SIGNED"
    } else if blanks == 0 {
      facts += " \(glyphs.separator) filled, s signs"
    } else {
      facts += " \(glyphs.separator) \(blanks) required to go"
    }
    if sheet.showsTotal { facts += " \(glyphs.separator) total \(sheet.total.score)/\(sheet.total.maximum)" }
    let trailing = SafeText(facts)
    let (right, left) = region.splitRight(min(trailing.width + 1, region.width))
    canvas.draw(trailing, in: right, .right, style: theme[sheet.isComplete ? .good : .muted])
    canvas.draw(SafeText(sheet.template.name), in: left, style: theme[.title])
  }

  // MARK: Rows

  private func draw(
    _ row: SheetRows.Row, of sheet: Sheet, isFocused: Bool, on canvas: inout Canvas, in line: Rect
  ) {
    let pointer: SafeText = isFocused ? glyphs.pointer : " "
    canvas.draw(pointer, at: line.origin, style: theme[.key])
    let rest = line.columns(2, line.width)
    switch row {
    case .section(let key):
      guard let section = index.section(key) else { return }
      drawHeading(section, of: sheet, on: &canvas, in: rest)
    case .item(let key, _):
      guard let (item, section) = index.item(key) else { return }
      draw(item, in: section, isFocused: isFocused, on: &canvas, in: rest)
    case .end:
      let text: SafeText =
        sheet.isComplete
        ? "END OF SHEET: signed"
        : sheet.isFilled ? "END OF SHEET: s signs" : "END OF SHEET: m lists the blanks, s signs"
      canvas.draw(text, in: rest, style: theme[isFocused ? .focus : .muted])
    }
  }

  private func drawHeading(_ section: SheetSection, of sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    let isOpen = !screen.folded.contains(section.key)
    let sign = section.template.isFoldable ? (isOpen ? glyphs.open : glyphs.folded) + " " : ""
    let copies = sheet.sections.filter { $0.template.link == section.template.link }.count
    var name = section.template.name + (copies > 1 ? " (\(section.copy))" : "")
    if section.template.asksQuadrantAndTooth {
      name +=
        " \(glyphs.separator) " + (section.tooth.map { "tooth \(section.quadrant ?? "")\($0)" } ?? "which tooth? Enter")
    }
    if let difficulty = section.difficulty { name += " \(glyphs.separator) difficulty \(difficulty)" }
    let answered = section.items.filter { !$0.isBlank }.count
    let count = SafeText("\(answered)/\(section.items.count)")
    let (right, left) = region.splitRight(min(count.width + 1, region.width))
    canvas.draw(count, in: right, .right, style: theme[.muted])
    canvas.draw(sign + SafeText(name), in: left, style: theme[.heading])
  }

  private func draw(
    _ item: SheetItem, in section: SheetSection, isFocused: Bool, on canvas: inout Canvas, in region: Rect
  ) {
    let answer = levels(of: item, in: section, most: region.width / 2)
    let width = answer.reduce(0) { $0 + $1.0.width }
    let (right, left) = region.splitRight(min(width + 1, region.width))
    canvas.draw(answer, in: right.columns(1, right.width))
    let required = index.requires(item.template)
    let mark: (SafeText, Style)
    if screen.pending[item.key] != nil {
      mark = (glyphs.pending, theme[.warning])
    } else if screen.failed[item.key] != nil {
      mark = (glyphs.cross, theme[.error])
    } else if item.isBlank {
      mark = (required ? glyphs.empty : " ", theme[.warning])
    } else {
      mark = (glyphs.chosen, theme[.good])
    }
    let number = SafeText("\(screen.rows.number(of: item) ?? 0)").padded(to: 3, .right) + " "
    let note: SafeText = item.feedback.isEmpty || item.template.kind.isWritten ? "" : " +note"
    let text = SafeText(item.template.text)
    let room = max(0, left.width - number.width - mark.0.width - 1 - note.width)
    canvas.draw(
      [
        (number, theme[.muted]), mark, (" ", theme[.normal]),
        (text.truncated(to: room), theme[isFocused ? .focus : .normal]), (note, theme[.muted]),
      ], in: left)
  }

  /// The answer column: every level with the key printed on it, the chosen one in brackets.
  private func levels(of item: SheetItem, in section: SheetSection, most: Int) -> [(SafeText, Style)] {
    // Until the change is on the disk the mark is not shown.
    if screen.pending[item.key] != nil { return [("saving", theme[.muted])] }
    if item.template.kind.isWritten {
      let first = item.feedback.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      return [
        (
          first.isEmpty ? "Enter writes" : SafeText(first).truncated(to: max(8, most)),
          theme[first.isEmpty ? .muted : .chosen]
        )
      ]
    }
    let wide = scale(of: item, in: section, withValues: true)
    return wide.reduce(0) { $0 + $1.0.width } <= most ? wide : scale(of: item, in: section, withValues: false)
  }

  /// The levels of an item; too narrow a column has keys alone, the detail has the rest.
  private func scale(of item: SheetItem, in section: SheetSection, withValues: Bool) -> [(SafeText, Style)] {
    let keys = index.keys(of: section)
    var runs: [(SafeText, Style)] = []
    if LevelKeys.isTyped(item.template) {
      let value = item.rating.map { "[\($0)]" } ?? " =__"
      let maximum = item.template.maximum?.description ?? ""
      runs.append((SafeText("\(value)/\(maximum) "), theme[item.rating == nil ? .normal : .chosen]))
    } else {
      for index in item.template.levels.indices {
        let level = item.template.levels[index]
        let key = keys.key(of: index, in: item.template).map { String($0) } ?? "?"
        // The value stands beside a key that is not the value.
        let label = !withValues || key == level.value.description ? key : "\(key)=\(level.value)"
        let isSuggested = item.isBlank && item.template.suggestsPositive && level.value == item.template.maximum
        let isChosen = item.rating == level.value
        runs.append(
          (
            SafeText(isChosen ? "[\(label)]" : isSuggested ? "(\(label))" : " \(label) "),
            theme[isChosen ? .chosen : .normal]
          ))
      }
    }
    if item.template.allowsUnable {
      runs.append((item.isUnable ? "[u]" : " u ", theme[item.isUnable ? .chosen : .muted]))
    }
    return runs
  }

  // MARK: Detail

  /// What is left to do, at the end of the sheet.
  private func drawEnd(_ sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    let text: String
    if sheet.isComplete {
      text = "Signed. s reopens the sheet, with a reason."
    } else if sheet.isFilled {
      text = "No required item is blank."
    } else {
      text = "Required and blank: item \(screen.numbers(of: sheet.blanks))."
    }
    canvas.drawWrapped(text, in: region, style: theme[sheet.isFilled ? .normal : .warning])
  }

  /// The focused item in full: its text, and each level with key, value and descriptor.
  private func drawDetail(_ sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    guard let item = screen.focusedItem, let section = screen.rows.section(in: sheet) else {
      if let section = screen.rows.section(in: sheet), let information = section.template.information {
        canvas.drawWrapped(information, in: region, style: theme[.muted])
      } else if screen.rows.section(in: sheet) == nil {
        drawEnd(sheet, on: &canvas, in: region)
      }
      return
    }
    if let reason = screen.failed[item.key] {
      canvas.drawWrapped("NOT SAVED: \(reason). Then press the key again.", in: region, style: theme[.error])
      return
    }
    let lines = SheetDetail(item, in: section, glyphs).lines(width: region.width)
    let visible = DetailPane.visible(lines, height: region.height, reading: screen.readLevel)
    for (row, line) in visible.enumerated() {
      let isRead = line.level != nil && line.level == screen.readLevel
      canvas.draw(line.text, in: region, row: row, style: theme[isRead ? .focus : line.role])
      if isRead { canvas.draw(glyphs.pointer, in: region, row: row, style: theme[.focus]) }
    }
    if lines.count > region.height {
      let more: SafeText = " " + glyphs.left + glyphs.right + " read on, Enter all "
      let corner = region.row(region.height - 1).splitRight(more.width).right
      canvas.draw(more, in: corner, style: theme[.muted])
    }
  }
}
