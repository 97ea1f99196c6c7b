import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal

/// How a row of a mark sheet looks: a section's heading, an item with its answer, the end.
@MainActor
struct SheetRowView {
  let screen: SheetScreen
  let theme: Theme
  let layout: SheetLayout
  private let labels: LevelLabels
  private let columns: LevelColumns
  private let fitted: LevelColumns.Fitted
  /// Columns for "unable to assess", kept on every row of a sheet that offers it anywhere.
  private let unableWidth: Int
  /// The most levels that an item shows one by one.
  private let mostLevels: Int
  private var glyphs: Glyphs { theme.glyphs }
  private var index: SheetIndex { screen.index }

  init(screen: SheetScreen, theme: Theme, layout: SheetLayout) {
    (self.screen, self.theme, self.layout) = (screen, theme, layout)
    labels = screen.labels
    columns = screen.columns
    let isRoomy = layout.list.width >= 96
    mostLevels = layout.isMatrix ? LevelColumns.mostLevels : LevelColumns.mostLevelsWhereNarrow
    let unable = labels.unable(isGiven: true).width
    unableWidth = screen.index.allowsUnable ? (isRoomy ? max(8, unable) : unable) : 0
    // The mark's row loses seven columns to the focus and the number.
    let room = layout.list.width - 7
    fitted = screen.fitted(
      to: LevelColumns.Room(
        width: (layout.isMatrix ? room * 11 / 20 : room * 2 / 5) - unableWidth, isTitled: layout.isMatrix,
        mostLevels: mostLevels, isTight: layout.isBeside && !isRoomy))
  }

  /// Columns before an item's text: its number, what was given, and where that is.
  private static let head = 5
  private static let signs = 4
  /// Rows that an item's text may take beside a pane. In a narrow list more than one would leave fewer items in sight.
  private var mostRows: Int { layout.isMatrix ? 2 : 1 }

  /// Rows that a row of the sheet takes. It hangs on nothing that is marked: a row never moves under a mark.
  func height(of row: SheetRows.Row) -> Int {
    guard layout.isBeside, case .item(let key, _) = row, let (item, _) = index.item(key) else { return 1 }
    return text(of: item, in: layout.list.width - SheetRowView.head - 1).count
  }

  /// An item's text, wrapped under itself where the detail has a pane of its own.
  /// - Parameter width: columns beside the number.
  private func text(of item: SheetItem, in width: Int) -> [SafeText] {
    let text = SafeText(item.template.text)
    guard layout.isBeside else { return [text] }
    let right = columns.hold(item.template, in: fitted) ? fitted.width + unableWidth : width / 2
    let room = max(12, width - right - SheetRowView.signs - 1)
    let lines = text.wrapped(to: room)
    // The detail has it in full.
    guard lines.count > mostRows else { return lines }
    let rest = lines.dropFirst(mostRows - 1).map(\.plain).joined(separator: " ")
    return lines.prefix(mostRows - 1) + [SafeText(rest)]
  }

  func draw(_ row: SheetRows.Row, of sheet: Sheet, isFocused: Bool, on canvas: inout Canvas, in lines: Rect) {
    let line = lines.row(0)
    // The focus is a bar at both ends and the number in reverse video, not the text: a slow line repaints six cells of
    // two rows for each mark, and the text stands in full in the detail.
    let head = (isFocused ? glyphs.barStart : " ") + " " + number(of: row)
    canvas.draw(head, at: line.origin, style: theme[isFocused ? .focus : .normal])
    for row in 0..<lines.height where isFocused {
      if row > 0 { canvas.draw(glyphs.barStart, at: lines.row(row).origin, style: theme[.focus]) }
      canvas.draw(glyphs.barEnd, at: Point(x: line.right - 1, y: line.y + row), style: theme[.focus])
    }
    let rest = lines.columns(head.width, max(0, lines.width - head.width - 1))
    switch row {
    case .section(let key):
      guard let section = index.section(key) else { return }
      drawHeading(section, on: &canvas, in: rest)
    case .item(let key, _):
      guard let (item, section) = index.item(key) else { return }
      draw(item, in: section, of: sheet, on: &canvas, in: rest)
    case .end:
      let way: SafeText =
        screen.ownership.isTakenOver ? "read-only" : screen.context.key(of: SheetScreen.Keys.sign) + " signs"
      let text: SafeText =
        sheet.isSigned
        ? "END OF SHEET: signed" + (index.isFilled ? "" : " with something required blank")
        : "END OF SHEET: "
          + (index.isFilled ? "" : screen.context.key(of: SheetScreen.Keys.missing) + " lists the blanks, ")
          + way
      let key = screen.context.key(of: SheetScreen.Keys.nextForm)
      let open = screen.otherOpenSheets.first.map { "; \(key): \(SafeText($0.name)) open" as SafeText }
      canvas.draw(text + (open ?? ""), in: rest, style: theme[isFocused ? .focus : .muted])
    }
  }

  // MARK: Headings

  /// Name, what is recorded of the section as a whole, how much of it is marked, and the headings of its columns.
  func drawHeading(_ section: SheetSection, on canvas: inout Canvas, in region: Rect) {
    let figures = index.figures(of: section)
    let isFolded = screen.folded.contains(section.key)
    let sign = section.template.isFoldable ? (isFolded ? glyphs.folded : glyphs.open) + " " : ""
    var left = region
    let titles = isFolded ? [:] : fitted.titles(of: section.template)
    if let first = titles.keys.compactMap({ fitted.columns[$0]?.x }).min() {
      let split = region.splitRight(fitted.width + unableWidth)
      left = region.columns(0, split.rest.width + first - 1)
      drawTitles(titles, of: section, on: &canvas, in: split.right)
    }
    var count = "\(figures.answered) of \(section.items.count)"
    let facts = facts(of: section, copies: figures.copies)
    // Beside "difficulty 2 of 3" the count says of what it is.
    if !facts.isEmpty { count += " marked" }
    if isFolded && figures.blanks > 0 { count += ", \(figures.blanks) required blank" }
    let tail = facts + "  " + SafeText(count)
    let name = sign + SafeText(section.template.name).truncated(to: max(8, left.width - tail.width - sign.width))
    let end = canvas.draw(name, in: left, style: theme[.heading])
    canvas.draw(tail, in: left.columns(end - left.x, left.width), style: theme[.normal])
  }

  private func drawTitles(
    _ titles: [MarkValue: SafeText], of section: SheetSection, on canvas: inout Canvas, in region: Rect
  ) {
    for (value, title) in titles {
      guard let column = fitted.columns[value] else { continue }
      let cell = region.columns(column.x, column.width)
      canvas.draw(title.truncated(to: cell.width - 1), in: cell, .centre, style: theme[.heading])
    }
    if unableWidth >= 8, section.template.items.contains(where: \.allowsUnable) {
      canvas.draw("unable", in: region.columns(fitted.width, unableWidth), .centre, style: theme[.muted])
    }
  }

  /// What is recorded of the section as a whole, or asked for.
  private func facts(of section: SheetSection, copies: Int) -> SafeText {
    var facts: [String] = []
    var asked: [String] = []
    if section.template.isDuplicable {
      let most = section.template.maximumQuantity
      facts.append(most > 0 ? "\(section.copy) of at most \(most)" : "copy \(section.copy)")
    } else if copies > 1 {
      facts.append("copy \(section.copy)")
    }
    if section.template.asksQuadrantAndTooth {
      if let tooth = section.tooth {
        facts.append("tooth \(section.quadrant ?? "")\(tooth)")
      } else {
        if let quadrant = section.quadrant { facts.append("quadrant \(quadrant)") } else { asked.append("which tooth") }
      }
    }
    if let quantity = section.quantity { facts.append("done \(Plural.times(quantity))") }
    if let difficulty = section.difficulty {
      facts.append("difficulty \(difficulty) of \(section.template.maximumDifficulty)")
    } else if section.template.maximumDifficulty > 0 {
      asked.append("how difficult")
    }
    if !asked.isEmpty { facts.append("\(asked.joined(separator: ", "))? Enter") }
    let separator = " \(glyphs.separator) "
    return facts.isEmpty ? "" : SafeText(separator + facts.joined(separator: separator))
  }

  // MARK: Items

  /// The number of an item; nothing on other rows.
  private func number(of row: SheetRows.Row) -> SafeText {
    guard case .item(let key, _) = row, let (item, _) = index.item(key) else { return "" }
    return SafeText("\(screen.rows.number(of: item) ?? 0)").padded(to: 3, .right)
  }

  private func draw(
    _ item: SheetItem, in section: SheetSection, of sheet: Sheet, on canvas: inout Canvas, in lines: Rect
  ) {
    let region = lines.row(0)
    let sign = screen.sign(of: item)
    let held = columns.hold(item.template, in: fitted) ? fitted : nil
    let contradictions = screen.places.contradictions(of: item).map(\.values.count).max() ?? 0
    let word = SheetAnswerWord(
      of: item, in: sheet.template, sign: sign, contradictions: contradictions)
    let isRead = screen.focusedItem?.key == item.key
    let answer = SheetAnswer(
      item, labels: labels, sign: sign, columns: held, unableWidth: unableWidth, room: region.width / 2,
      mostLevels: mostLevels,
      reading: isRead ? screen.readLevel : nil, word: word, theme)
    let (right, rest) = region.splitRight(min(answer.width, region.width))
    canvas.draw(answer.levels, in: right)
    let place = sign.place(isEnrolled: screen.context.follower.hub.isEnrolled, glyphs)
    let given = sign.glyph(of: item, glyphs)
    // A mark of two digits leaves no cell for it: nothing required is blank there.
    let required: SafeText = given.width > 1 ? "" : index.requires(item.template) ? glyphs.required : " "
    let start = canvas.draw(
      [(" ", theme[.normal]), (given, theme[sign.role]), (required, theme[.key]), (place, theme[.warning])], in: rest)
    let wrapped = text(of: item, in: region.width)
    let parts = flags(of: item)
    var left = rest.columns(start - rest.x, rest.width)
    for (row, text) in wrapped.dropLast().enumerated() {
      canvas.draw(text, in: lines.row(row).columns(left.x - lines.x, left.width), style: theme[.normal])
    }
    // What is said beside the text stands in its last line, so that the others have all of the room.
    left = lines.row(wrapped.count - 1).columns(left.x - lines.x, left.width)
    let text = wrapped.last ?? ""
    let wordWidth = answer.word.0.isEmpty ? 0 : answer.word.0.width + 2
    if wordWidth > 0 {
      let split = left.splitRight(wordWidth)
      canvas.draw(answer.word.0, in: split.right, .centre, style: answer.word.1)
      left = split.rest
    }
    // The text comes before what the detail says too.
    let pen: SafeText = hasFeedback(item) ? " " + glyphs.written : ""
    let all = pen + (parts.isEmpty ? "" : "  " + SafeText(parts.joined(separator: ", ")))
    // Where there is no room for all, how many more: never as a number that reads as a mark.
    let flags: SafeText = text.width + all.width < left.width || parts.isEmpty ? all : pen + " #\(parts.count)"
    let shown = text.truncated(to: max(0, left.width - flags.width - 1))
    canvas.draw([(shown, theme[.normal]), (flags, theme[.muted])], in: left)
  }

  /// Whether feedback was written on an item that is marked.
  private func hasFeedback(_ item: SheetItem) -> Bool { !item.feedback.isEmpty && !item.template.kind.isWritten }

  /// What an item carries besides its answer and feedback.
  private func flags(of item: SheetItem) -> [String] {
    var flags: [String] = []
    if item.template.kind == .procedure { flags += MarkText.work(of: item) }
    flags += item.tags.map { "#\($0)" }
    if item.isRecommended { flags.append("recommended") }
    if item.isCompletedCase { flags.append("case") }
    return flags
  }
}
