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

    init(_ region: Rect) {
      summary = region.row(0)
      let rest = region.rows(1, region.height)
      let height = min(max(6, region.height / 3), max(0, rest.height - 3))
      let split = rest.splitBottom(height)
      list = split.rest
      rule = split.bottom.row(0)
      detail = split.bottom.rows(1, split.bottom.height)
    }
  }

  private let screen: SheetScreen
  private let theme: Theme
  private var glyphs: Glyphs { theme.glyphs }

  init(_ screen: SheetScreen) {
    self.screen = screen
    theme = screen.context.theme
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    guard let sheet = screen.sheet else { return drawIdentityStep(on: &canvas, in: region) }
    let layout = Layout(region)
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
    let box = region.centred(Size(width: min(70, region.width), height: min(13, region.height)))
    let title: SafeText = screen.entry?.isPractice == true ? "Practice" : "Who is in the room?"
    let inner = canvas.box(box, title: title, glyphs: glyphs, style: theme[.heading]).inset(columns: 2, rows: 1)
    guard let entry = screen.entry else { return }
    if let candidate = entry.candidate {
      canvas.draw(SafeText("Number   \(candidate.number)"), in: inner, row: 0, style: theme[.heading])
      canvas.draw(SafeText("Name     \(candidate.name)"), in: inner, row: 1, style: theme[.heading])
      let adjustments = candidate.adjustments ?? "none"
      canvas.drawWrapped("Adjustments: \(adjustments)", in: inner.rows(3, 3), style: theme[candidate.adjustments == nil ? .muted : .warning])
    } else {
      canvas.drawWrapped("A practice sheet: it never counts and never leaves as a result.", in: inner, style: theme[.normal])
    }
    canvas.draw("Enter  this is the candidate: record as present", in: inner, row: inner.height - 2, style: theme[.key])
    canvas.draw("q      go back without opening the sheet", in: inner, row: inner.height - 1, style: theme[.normal])
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
      guard let section = sheet.sections.first(where: { $0.key == key }) else { return }
      drawHeading(section, of: sheet, on: &canvas, in: rest)
    case .item(let key, _):
      guard let item = sheet.items.first(where: { $0.key == key }),
        let section = sheet.sections.first(where: { $0.items.contains { $0.key == key } })
      else { return }
      draw(item, in: section, of: sheet, isFocused: isFocused, on: &canvas, in: rest)
    case .end:
      let text: SafeText = sheet.isFilled ? "END OF SHEET: s signs" : "END OF SHEET: m lists the blanks"
      canvas.draw(text, in: rest, style: theme[isFocused ? .focus : .muted])
    }
  }

  private func drawHeading(_ section: SheetSection, of sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    let isOpen = section.items.allSatisfy { item in screen.rows.rows.contains(.item(item.key, section: section.key)) }
    let sign = section.template.isFoldable ? (isOpen ? glyphs.open : glyphs.folded) + " " : ""
    let copies = sheet.sections.filter { $0.template.link == section.template.link }.count
    let copy = copies > 1 ? " (\(section.copy))" : ""
    let answered = section.items.filter { !$0.isBlank }.count
    let count = SafeText("\(answered)/\(section.items.count)")
    let (right, left) = region.splitRight(min(count.width + 1, region.width))
    canvas.draw(count, in: right, .right, style: theme[.muted])
    canvas.draw(sign + SafeText(section.template.name + copy), in: left, style: theme[.heading])
  }

  private func draw(
    _ item: SheetItem, in section: SheetSection, of sheet: Sheet, isFocused: Bool, on canvas: inout Canvas,
    in region: Rect
  ) {
    let answer = levels(of: item, in: section, most: region.width / 2)
    let width = answer.reduce(0) { $0 + $1.0.width }
    let (right, left) = region.splitRight(min(width + 1, region.width))
    canvas.draw(answer, in: right.columns(1, right.width))
    let required = sheet.template.requires(item.template)
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
      return [(first.isEmpty ? "Enter writes" : SafeText(first).truncated(to: max(8, most)), theme[first.isEmpty ? .muted : .chosen])]
    }
    let keys = LevelKeys(section.template.items)
    var runs: [(SafeText, Style)] = []
    if LevelKeys.isTyped(item.template) {
      let value = item.rating.map { "[\($0)]" } ?? "=__"
      runs.append((SafeText("\(value)/\(item.template.maximum ?? MarkValue(scaled: 0)) "), theme[item.rating == nil ? .normal : .chosen]))
    } else {
      for index in item.template.levels.indices {
        let level = item.template.levels[index]
        let isChosen = item.rating == level.value
        let key = keys.key(of: index, in: item.template).map { String($0) } ?? "?"
        // The value stands beside a key that is not the value.
        let label = key == level.value.description ? key : "\(key)=\(level.value)"
        runs.append((SafeText(isChosen ? "[\(label)]" : " \(label) "), theme[isChosen ? .chosen : .normal]))
      }
    }
    if item.template.allowsUnable {
      runs.append((item.isUnable ? "[u]" : " u ", theme[item.isUnable ? .chosen : .muted]))
    }
    let width = runs.reduce(0) { $0 + $1.0.width }
    if width <= most { return runs }
    // Too narrow for values beside the keys: keys alone, the detail has the rest.
    return item.template.levels.indices.map { index in
      let isChosen = item.rating == item.template.levels[index].value
      let key = keys.key(of: index, in: item.template).map { String($0) } ?? "?"
      return (SafeText(isChosen ? "[\(key)]" : " \(key) "), theme[isChosen ? .chosen : .normal])
    } + (item.template.allowsUnable ? [(item.isUnable ? "[u]" : " u ", theme[item.isUnable ? .chosen : .muted])] : [])
  }

  // MARK: Detail

  /// The focused item in full: its text, and each level with key, value and descriptor.
  private func drawDetail(_ sheet: Sheet, on canvas: inout Canvas, in region: Rect) {
    guard let item = screen.focusedItem, let section = screen.rows.section(in: sheet) else {
      if let section = screen.rows.section(in: sheet), let information = section.template.information {
        canvas.drawWrapped(information, in: region, style: theme[.muted])
      }
      return
    }
    if let reason = screen.failed[item.key] {
      canvas.drawWrapped("NOT SAVED: \(reason). Press the key again.", in: region, style: theme[.error])
      return
    }
    var row = canvas.drawWrapped(item.template.text, in: region.rows(0, 2), style: theme[.heading])
    row = min(row, 2)
    if let information = item.template.information {
      row += min(2, canvas.drawWrapped(information, in: region.rows(row, 2), style: theme[.muted]))
    }
    let rest = region.rows(row, region.height)
    if item.template.kind.isWritten {
      canvas.drawWrapped(item.feedback.isEmpty ? "Enter writes; Esc keeps what is written" : item.feedback, in: rest, style: theme[.normal])
      return
    }
    let keys = LevelKeys(section.template.items)
    if let index = screen.readLevel, item.template.levels.indices.contains(index) {
      draw(levels: [index], of: item, keys, titles: section.template.matrixTitles, on: &canvas, in: rest)
    } else {
      draw(levels: Array(item.template.levels.indices), of: item, keys, titles: section.template.matrixTitles, on: &canvas, in: rest)
    }
  }

  private func draw(
    levels: [Int], of item: SheetItem, _ keys: LevelKeys, titles: [String], on canvas: inout Canvas, in region: Rect
  ) {
    var words = levels.map { index -> String in
      let level = item.template.levels[index]
      let key = keys.key(of: index, in: item.template).map { String($0) } ?? "="
      let title = titles.indices.contains(index) ? titles[index] : ""
      let value = key == level.value.description ? "" : " (\(level.value))"
      let text = [title, level.text].filter { !$0.isEmpty }.joined(separator: ": ")
      let sign = item.rating == level.value ? "\(glyphs.chosen)" : " "
      return "\(sign)\(key)\(value) \(text)"
    }
    let isPlain = item.template.levels.allSatisfy { $0.text.isEmpty } && titles.isEmpty
    if isPlain && levels.count > 1 {
      let low = item.template.levels.first?.value.description ?? "", high = item.template.levels.last?.value.description ?? ""
      words = LevelKeys.isTyped(item.template)
        ? ["= and a number from \(low) to \(high), then Enter"] : ["from \(low) to \(high): keys \(keys.range(of: item.template))"]
    }
    var row = 0
    for word in words where row < region.height {
      // With one level there is room for all of its text; of many, each gets a line and the arrows read on.
      let lines = levels.count == 1 ? region.height : 1
      let part = region.rows(row, lines)
      if lines == 1 {
        canvas.draw(SafeText(word), in: part, style: theme[.normal])
        row += 1
      } else {
        row += canvas.drawWrapped(word, in: part, style: theme[.normal])
      }
    }
    if levels.count > region.height {
      canvas.draw(glyphs.down + " arrows read on", in: region.row(region.height - 1), .right, style: theme[.muted])
    }
  }
}
