import CircuitModel
import Reports
import Terminal
import Timer

/// Draws the live grid: a column of four cells a station, a row a candidate.
@MainActor
struct LeadGridView {
  let theme: Theme
  let now: Instant

  /// Rows beside those of candidates: progress, whom to go to, codes, pace, last mark, the focused cell.
  static let chrome = 6
  private static let left = 13
  private static let cell = 4
  private static let right = 5

  /// How many columns a grid with so many stations takes.
  static func width(stations: Int) -> Int { left + stations * cell + right }

  /// Draws what is said once, however many grids there are: whom to go to, and the focused cell.
  func drawAround(chases: [String], detail: String, on canvas: inout Canvas, in region: Rect) {
    HallWatch.draw(chases, on: &canvas, in: region.row(1), theme: theme)
    canvas.draw(SafeText(detail), in: region, row: region.height - 1, style: theme[.heading])
  }

  /// Draws a grid.
  /// - Parameters:
  ///   - column: the focused station; nil: the keys act on another grid.
  ///   - title: what tells it from another grid beside it.
  func draw(
    _ grid: LeadGrid, _ rows: [LeadGrid.Row], _ selection: Selection, _ column: Int?, title: SafeText? = nil,
    ifEmpty: SafeText, on canvas: inout Canvas, in region: Rect
  ) {
    drawProgress(grid, title, isFocused: column != nil, on: &canvas, in: region.row(0))
    let fits = max(1, (region.width - Self.left - Self.right) / Self.cell)
    let first = max(0, min((column ?? 0) - fits + 1, grid.columns.count - fits))
    let columns = Array(grid.columns.indices.dropFirst(first).prefix(fits))
    let head = region.row(2)
    canvas.draw(" SL NUMBER", in: head, style: theme[.heading])
    for (place, index) in columns.enumerated() {
      // A rest station has nothing to be looked for.
      let place = self.place(place, head)
      let code = String(grid.columns[index].place.stationCode.prefix(3))
      let isRest = grid.columns[index].place.isRest
      canvas.draw(
        isRest ? " " + theme.glyphs.nothing : SafeText(code), in: place, style: theme[isRest ? .muted : .heading])
    }
    canvas.draw("DUE", in: head.columns(head.width - Self.right, Self.right), style: theme[.heading])
    let body = region.rows(3, max(1, region.height - Self.chrome))
    if rows.isEmpty {
      canvas.draw(ifEmpty, in: body, row: 1, style: theme[.muted])
    }
    for (place, index) in selection.visible(body.height).enumerated() {
      draw(rows[index], columns, focused: index == selection.index ? column : nil, on: &canvas, in: body.row(place))
    }
    drawFoot(grid, columns, on: &canvas, in: region.rows(region.height - 3, 2))
  }

  /// Where a station's column stands in a line.
  private func place(_ number: Int, _ line: Rect) -> Rect {
    line.columns(Self.left + number * Self.cell, Self.cell)
  }

  private func drawProgress(
    _ grid: LeadGrid, _ title: SafeText?, isFocused: Bool, on canvas: inout Canvas, in line: Rect
  ) {
    let text = SafeText("\(grid.signed) of \(grid.expected) signed")
    var left = 1
    if let title {
      let name = line.columns(left, max(0, line.width - text.width - 3))
      left = canvas.draw(title, in: name, style: theme[isFocused ? .heading : .muted]) - line.x + 1
    }
    let steps = theme.glyphs.progress(
      grid.signed, of: grid.expected, width: max(0, line.width - text.width - 3 - left))
    canvas.draw(steps, in: line.columns(left, steps.width), style: theme[.good])
    canvas.draw(text, in: line, .right, style: theme[.normal])
  }

  private func draw(
    _ row: LeadGrid.Row, _ columns: [Int], focused: Int?, on canvas: inout Canvas, in line: Rect
  ) {
    let style = theme[focused == nil ? .normal : .focus]
    if focused != nil { canvas.fill(line, style: style) }
    // Who was added has none.
    let slot = row.slot == 0 ? "-" : String(row.slot)
    canvas.draw(
      SafeText(String(repeating: " ", count: max(0, 3 - slot.count)) + slot + " " + row.number),
      in: line.columns(0, Self.left - 1),
      style: style)
    for (place, index) in columns.enumerated() {
      let cell = row.cells[index]
      if focused == index { canvas.cursor = self.place(place, line).origin }
      let (sign, role) = sign(cell)
      let look = focused == nil ? theme[role] : style
      // A flag takes the place of the blank before the sign; between the brackets that of its number.
      let flag = flag(cell)
      let bare: SafeText = if flag != nil, case .blank = cell.state { theme.glyphs.cross } else { sign }
      let text = focused == index ? "[" + (flag ?? "") + bare + "]" : (flag ?? " ") + sign
      let flagged = focused == nil && flag != nil ? theme[.error] : look
      canvas.draw(text, in: self.place(place, line), style: focused == index ? theme[.chosen] : flagged)
    }
    let none = (row.isAbsent ? theme.glyphs.nothing : theme.glyphs.tick).plain
    let due = row.rerun.map { "R\($0)" } ?? (row.due == 0 ? none : String(row.due))
    canvas.draw(SafeText(due), in: line.columns(line.width - Self.right, Self.right - 1), style: style)
  }

  /// What the lead has to read in a cell, however far it is: two values of a field, or a concern.
  private func flag(_ cell: LeadGrid.Cell) -> SafeText? {
    if cell.hasConflict { return theme.glyphs.conflict }
    if cell.hasConcern { return theme.glyphs.concern }
    return nil
  }

  /// How far a cell is: a sign, and in two cells at most a number.
  private func sign(_ cell: LeadGrid.Cell) -> (SafeText, Role) {
    switch cell.state {
    case .none, .excused: (theme.glyphs.nothing, .muted)
    case .notSeen: ("?", .error)
    case .unmarked: (theme.glyphs.unmarked, .error)
    case .notYet: cell.isHere ? (theme.glyphs.pointer, .heading) : (theme.glyphs.separator, .muted)
    case .begun: (theme.glyphs.begun, cell.isHere ? .heading : .error)
    case .oneAssessor: (theme.glyphs.half, .error)
    case .blank(let count): (theme.glyphs.cross + SafeText(count > 9 ? "+" : "\(count)"), .error)
    case .signed: (theme.glyphs.tick, .good)
    case .absent: ("A", .muted)
    }
  }

  private func drawFoot(
    _ grid: LeadGrid, _ columns: [Int], on canvas: inout Canvas, in lines: Rect
  ) {
    canvas.draw("PACE min", in: lines, style: theme[.muted])
    canvas.draw("LAST MARK", in: lines, row: 1, style: theme[.muted])
    for (place, index) in columns.enumerated() {
      let column = grid.columns[index]
      canvas.draw(
        SafeText(column.pace.map { LeadGridView.pace($0) } ?? theme.glyphs.separator.plain),
        in: self.place(place, lines.row(0)), style: theme[.muted])
      let age = column.lastMark.map { max(0, (now - $0) / 1000) }
      let isSilent = !column.place.isRest && (age ?? 0) > 300
      canvas.draw(
        SafeText(age.map(LeadGridView.age) ?? theme.glyphs.separator.plain), in: self.place(place, lines.row(1)),
        style: theme[isSilent ? .warning : .muted])
    }
  }

  /// Minutes in at most three cells, so that a blank stays before the next station's: 7.8, 10, 99.
  static func pace(_ minutes: Double) -> String {
    let tenths = Int((min(minutes, 99) * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
  }

  /// Seconds in at most three cells: 45s, 12m, 3h, 9d.
  private static func age(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86_400: "\(seconds / 3600)h"
    default: "\(min(seconds / 86_400, 99))d"
    }
  }
}
