/// Rows with columns under a line of headings, one row focused.
public struct Table: Equatable, Sendable {
  /// A column.
  public struct Column: Equatable, Sendable {
    /// Its heading.
    public let title: SafeText
    /// Fewest columns of the screen that it takes.
    public let width: Int
    /// Share of the room left over; 0 for a column of fixed width.
    public let stretch: Int
    /// Where its cells stand.
    public let alignment: SafeText.Alignment
    /// Whether it takes no more than its heading and its cells need: the others have what it leaves.
    public let fits: Bool

    /// A column.
    public init(
      _ title: SafeText, width: Int, stretch: Int = 0, _ alignment: SafeText.Alignment = .left, fits: Bool = false
    ) {
      self.fits = fits
      self.title = title
      self.width = max(1, width)
      self.stretch = max(0, stretch)
      self.alignment = alignment
    }
  }

  /// A row.
  public struct Row: Equatable, Sendable {
    /// One text for each column; missing ones are empty.
    public var cells: [SafeText]
    /// How the row looks while not focused.
    public var role: Role
    /// What the row stands for, where rows come and go: the focus stays with it.
    public var id: String?

    /// A row.
    public init(_ cells: [SafeText], role: Role = .normal, id: String? = nil) {
      self.cells = cells
      self.role = role
      self.id = id
    }
  }

  /// The columns.
  public var columns: [Column]
  /// The rows. Other rows leave the focus on the one that stands for the same.
  public var rows: [Row] {
    didSet { selection.follow(rows.map(\.id), were: oldValue.map(\.id)) }
  }
  /// The focused row.
  public var selection: Selection

  /// A table with its first row focused.
  public init(_ columns: [Column], rows: [Row] = []) {
    self.columns = columns
    self.rows = rows
    selection = Selection(count: rows.count)
  }

  /// Moves the focus. False if the key means nothing to a table.
  public mutating func update(_ key: Key) -> Bool { selection.update(key) }

  /// Takes in how many rows have room under the headings in the region in which it is drawn.
  public mutating func fit(_ region: Rect) { selection.page = max(1, region.height - 1) }

  /// A column that can stretch is not made narrower than this.
  private static let narrowest = 8

  /// A column that can stretch says nothing in fewer cells than this.
  private static let fragment = 6

  /// Widths of the columns in a width, a space between two. Where they do not fit, the widest of those that can stretch
  /// give way first; then those at the end are left out, with width 0, and the others have their room.
  func widths(in total: Int) -> [Int] {
    for last in columns.indices.reversed() {
      let widths = widths(upTo: last, in: total)
      if last == 0 || widths[last] >= columns[last].width || widths[last] >= legible(last) {
        return widths + Array(repeating: 0, count: columns.count - widths.count)
      }
    }
    return []
  }

  /// How many cells a column needs to be of use.
  private func legible(_ column: Int) -> Int {
    let least = columns[column].width
    return min(columns[column].stretch > 0 ? min(least, Table.fragment) : least, need(column))
  }

  /// The widths of the first columns, as if there were no others: those at the end get what is left, or 0.
  private func widths(upTo last: Int, in total: Int) -> [Int] {
    let columns = columns[...last]
    let spaces = last
    let needs = needs()
    var least = zip(columns, needs).map { min($0.width, $1) }
    var missing = spaces + least.reduce(0, +) - total
    while missing > 0 {
      let wide = least.indices.filter { columns[$0].stretch > 0 && least[$0] > Table.narrowest }
      guard let widest = wide.max(by: { least[$0] < least[$1] }) else { break }
      least[widest] -= 1
      missing -= 1
    }
    var spare = max(0, -missing)
    var shares = columns.map(\.stretch)
    // Who needs less than a share has what is needed, and no share of the rest.
    while let index = shares.indices.first(where: {
      shares[$0] > 0 && needs[$0] - least[$0] < spare * shares[$0] / shares.reduce(0, +)
    }) {
      spare -= needs[index] - least[index]
      (least[index], shares[index]) = (needs[index], 0)
    }
    var left = total
    return zip(shares.indices, least).map { index, least in
      let all = shares[index...].reduce(0, +)
      let extra = all > 0 ? spare * shares[index] / all : 0
      spare -= extra
      let width = min(least + extra, max(0, left))
      left -= width + 1
      return width
    }
  }

  /// What each column needs at most: without a limit, unless it fits its cells.
  private func needs() -> [Int] {
    columns.indices.map { columns[$0].fits ? need($0) : Int.max / 2 }
  }

  /// What a column's heading and cells need.
  private func need(_ column: Int) -> Int {
    let widest = rows.lazy.map { column < $0.cells.count ? $0.cells[column].width : 0 }.max() ?? 0
    return max(1, columns[column].title.width, widest)
  }

  /// Draws headings and the rows in view.
  public func draw(on canvas: inout Canvas, in region: Rect, theme: Theme, focused: Bool = true) {
    let (head, body) = region.splitTop(1)
    let widths = widths(in: region.width - 3)
    draw(columns.map(\.title), widths, in: head.columns(2, head.width - 3), theme[.heading], on: &canvas)
    let visible = selection.visible(body.height)
    for (place, index) in visible.enumerated() {
      let line = body.row(place)
      let row = rows[index]
      ListFrame.draw(index: index, selection, focused: focused, role: row.role, line, on: &canvas, theme)
      let style = ListFrame.style(index: index, selection, focused: focused, role: row.role, theme)
      draw(row.cells, widths, in: line.columns(2, line.width - 3), style, on: &canvas)
    }
    ListFrame.drawMore(visible, of: rows.count, in: body, on: &canvas, theme)
  }

  private func draw(_ cells: [SafeText], _ widths: [Int], in line: Rect, _ style: Style, on canvas: inout Canvas) {
    var x = 0
    for (index, cell) in cells.prefix(columns.count).enumerated() {
      canvas.draw(cell, in: line.columns(x, widths[index]), columns[index].alignment, style: style)
      x += widths[index] + 1
    }
  }
}
