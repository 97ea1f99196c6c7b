import Reports
import Standards
import Terminal

/// Scores over grades in Braille dots, two by two; the line of regression in single dots; the cut as a dotted level that
/// ends in a cross at the borderline grade.
@MainActor
struct ScatterView {
  let station: StationResult
  let theme: Theme

  private static let left = 5

  /// What is drawn into one cell: its dots.
  private struct Dots {
    var cells: [[UInt8]]
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
      cells = Array(repeating: Array(repeating: 0, count: width), count: height)
    }

    /// Bits of a Braille cell, by column and row of its dots.
    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// - Parameters:
    ///   - x: from 0 at the left to 1.
    ///   - y: from 0 at the bottom to 1.
    mutating func set(_ x: Double, _ y: Double) {
      guard (0...1).contains(x), (0...1).contains(y) else { return }
      let (across, down) = (
        min(width * 2 - 1, Int(x * Double(width * 2))), min(height * 4 - 1, Int((1 - y) * Double(height * 4)))
      )
      set(across: across, down: down)
    }

    /// The same, two dots wide and high.
    mutating func setLarge(_ x: Double, _ y: Double) {
      guard (0...1).contains(x), (0...1).contains(y) else { return }
      let (across, down) = (
        min(width * 2 - 2, Int(x * Double(width * 2))), min(height * 4 - 2, Int((1 - y) * Double(height * 4)))
      )
      for (right, below) in [(0, 0), (1, 0), (0, 1), (1, 1)] { set(across: across + right, down: down + below) }
    }

    private mutating func set(across: Int, down: Int) {
      cells[down / 4][across / 2] |= Dots.bits[across % 2][down % 4]
    }
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    let height = region.height - 2
    let width = region.width - Self.left - 1
    guard height >= 4, width >= 10, let bounds = bounds else {
      canvas.draw("no pairs of score and grade yet", in: region, row: 1, style: theme[.muted])
      return
    }
    func x(_ grade: Double) -> Double { (grade - bounds.left) / (bounds.right - bounds.left) }
    func y(_ score: Double) -> Double { (score - bounds.bottom) / (bounds.top - bounds.bottom) }
    var points = Dots(width: width, height: height)
    for (number, point) in station.points.enumerated() {
      // Equal grades would hide each other: a little to both sides, the same each time.
      let aside = (Double(number % 5) - 2) * 0.03
      let (across, up) = (x(point.grade + aside), y(point.score))
      if theme.glyphs.encoding == .ascii { points.set(across, up) } else { points.setLarge(across, up) }
    }
    var line = Dots(width: width, height: height)
    if let slope = station.regression.slope, let intercept = station.regression.intercept {
      for column in stride(from: 0, to: width * 2, by: 4) {
        let across = (Double(column) + 0.5) / Double(width * 2)
        let grade = bounds.left + across * (bounds.right - bounds.left)
        line.set(across, y(intercept + slope * grade))
      }
    }
    drawAxes(bounds, height: height, width: width, on: &canvas, in: region)
    drawCut(x(station.borderline), station.cut.map(y), height: height, width: width, on: &canvas, in: region)
    for row in 0..<height {
      for column in 0..<width {
        let dots = points.cells[row][column]
        if dots | line.cells[row][column] == 0 { continue }
        let place = Rect(x: region.x + Self.left + 1 + column, y: region.y + row, width: 1, height: 1)
        canvas.draw(sign(dots | line.cells[row][column]), in: place, style: theme[dots == 0 ? .muted : .normal])
      }
    }
    if let cut = station.cut, (0...1).contains(y(cut)), (0...1).contains(x(station.borderline)) {
      let place = region.columns(Self.left + 1 + min(width - 1, Int(x(station.borderline) * Double(width))), 1)
      canvas.draw("+", in: place, row: row(y(cut), height), style: theme[.warning])
    }
  }

  /// The row of a height from 0 to 1.
  private func row(_ y: Double, _ height: Int) -> Int { min(max(0, Int((1 - y) * Double(height))), height - 1) }

  /// The cut from the axis to the borderline grade, under points and line.
  private func drawCut(
    _ borderline: Double, _ cut: Double?, height: Int, width: Int, on canvas: inout Canvas, in region: Rect
  ) {
    guard let cut else { return }
    let row = row(cut, height)
    canvas.draw(theme.glyphs.pointer, in: region.columns(Self.left - 1, 1), row: row, style: theme[.warning])
    guard (0...1).contains(cut) else { return }
    for column in stride(from: 1, to: min(width, Int(borderline * Double(width))), by: 2) {
      canvas.draw(theme.glyphs.separator, in: region.columns(Self.left + 1 + column, 1), row: row, style: theme[.muted])
    }
  }

  private func sign(_ dots: UInt8) -> SafeText {
    if theme.glyphs.encoding == .ascii {
      switch dots.nonzeroBitCount {
      case 1: return "."
      case 2...3: return "o"
      default: return "@"
      }
    }
    return SafeText(String(Character(Unicode.Scalar(0x2800 + UInt32(dots))!)))
  }

  private func drawAxes(
    _ bounds: Bounds, height: Int, width: Int, on canvas: inout Canvas, in region: Rect
  ) {
    for row in 0..<height {
      canvas.draw(theme.glyphs.vertical, in: region.columns(Self.left, 1), row: row, style: theme[.border])
    }
    for percent in stride(from: 0.0, through: 100, by: 20) where (bounds.bottom...bounds.top).contains(percent) {
      let at = 1 - (percent - bounds.bottom) / (bounds.top - bounds.bottom)
      let row = min(height - 1, Int(at * Double(height)))
      canvas.draw(
        SafeText(Figure.right("\(Int(percent))", Self.left - 1)), in: region.columns(0, Self.left - 1), row: row,
        style: theme[.muted])
    }
    canvas.fill(
      Rect(x: region.x + Self.left, y: region.y + height, width: width + 1, height: 1), with: theme.glyphs.horizontal,
      style: theme[.border])
    for grade in Int(bounds.left.rounded(.up))...max(Int(bounds.left.rounded(.up)), Int(bounds.right)) {
      let across = (Double(grade) - bounds.left) / (bounds.right - bounds.left)
      let column = Self.left + 1 + min(width - 1, Int(across * Double(width)))
      let isBorderline = abs(Double(grade) - station.borderline) < 1e-9
      canvas.draw(
        SafeText("\(grade)\(isBorderline ? "B" : "")"), in: region.columns(column, 3), row: height + 1,
        style: theme[isBorderline ? .warning : .muted])
    }
  }

  private struct Bounds {
    let left: Double
    let right: Double
    let bottom: Double
    let top: Double
  }

  /// What is shown: half a grade beyond the outer ones, percentages from 0 to 100 or beyond where scores are.
  private var bounds: Bounds? {
    let grades = station.points.map(\.grade)
    guard let least = grades.min(), let most = grades.max(), let low = station.points.map(\.score).min(),
      let high = station.points.map(\.score).max(), most - least < 1000
    else { return nil }
    return Bounds(left: least - 0.5, right: most + 0.5, bottom: min(0, low), top: max(100, high))
  }
}
