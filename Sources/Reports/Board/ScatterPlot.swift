import Standards

/// A station's scores over grades as SVG: points, the line of regression, the borderline grade and the cut with its
/// standard error.
enum ScatterPlot {
  private static let (width, height) = (460.0, 274.0)
  private static let (left, bottom, top, right) = (36.0, 40.0, 22.0, 12.0)

  /// The markup; nil where there is no pair.
  static func svg(_ station: StationResult, name: String) -> String? {
    let grades = station.points.map(\.grade)
    guard let least = grades.min(), let most = grades.max() else { return nil }
    let (first, last) = (least - 0.5, most + 0.5)
    let low = min(0, station.points.map(\.score).min() ?? 0), high = max(100, station.points.map(\.score).max() ?? 100)
    func x(_ grade: Double) -> Double { left + (grade - first) / (last - first) * (width - left - right) }
    func y(_ score: Double) -> Double { top + (high - score) / (high - low) * (height - top - bottom) }
    var parts = [
      text(0, top - 10, "score, %", anchor: "start"),
      text(left + (width - left - right) / 2, height - 6, "global grade", anchor: "middle"),
    ]
    for percent in stride(from: (low / 20).rounded(.up) * 20, through: high, by: 20) {
      parts.append(line(left, y(percent), width - right, y(percent), "#ddd"))
      parts.append(text(left - 6, y(percent) + 4, "\(Int(percent))", anchor: "end"))
    }
    for grade in stride(from: least.rounded(.up), through: most, by: 1) where most - least < 40 {
      parts.append(text(x(grade), height - bottom + 18, "\(Int(grade))", anchor: "middle"))
    }
    if let cut = station.cut {
      if let error = station.cutFigures.seCut {
        let (upper, lower) = (y(cut + error), y(cut - error))
        parts.append(
          "<rect x=\"\(n(left))\" y=\"\(n(upper))\" width=\"\(n(width - left - right))\" height=\"\(n(max(0, lower - upper)))\" "
            + "fill=\"#000\" fill-opacity=\".08\"/>")
      }
      parts.append(line(left, y(cut), width - right, y(cut), "#b00", dash: "5 3"))
      parts.append(text(width - right, y(cut) - 4, "cut \(Figure.tenths(cut))", anchor: "end"))
    }
    if (first...last).contains(station.borderline) {
      parts.append(line(x(station.borderline), top, x(station.borderline), height - bottom, "#777", dash: "2 3"))
    }
    if let slope = station.regression.slope, let intercept = station.regression.intercept {
      parts.append(line(x(first), y(intercept + slope * first), x(last), y(intercept + slope * last), "#06c"))
    }
    for (number, point) in station.points.enumerated() {
      // Equal grades would hide each other: a little to both sides, the same each time.
      let aside = (Double(number % 5) - 2) * 0.03
      parts.append(
        "<circle cx=\"\(n(x(point.grade + aside)))\" cy=\"\(n(y(point.score)))\" r=\"2.6\" fill-opacity=\".6\"/>")
    }
    parts.append(line(left, height - bottom, width - right, height - bottom, "#333"))
    let label = HTMLPage.escaped("Scores of \(name) over global grades")
    return
      "<figure><svg viewBox=\"0 0 \(n(width)) \(n(height))\" width=\"\(n(width))\" role=\"img\" aria-label=\"\(label)\">"
      + "<clipPath id=\"c\"><rect width=\"\(n(width))\" height=\"\(n(height))\"/></clipPath><g clip-path=\"url(#c)\">"
      + parts.joined() + "</g></svg></figure>\n"
  }

  private static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String, dash: String? = nil
  ) -> String {
    "<line x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\" stroke=\"\(colour)\""
      + (dash.map { " stroke-dasharray=\"\($0)\"" } ?? "") + "/>"
  }

  private static func text(_ x: Double, _ y: Double, _ text: String, anchor: String) -> String {
    "<text x=\"\(n(x))\" y=\"\(n(y))\" text-anchor=\"\(anchor)\">\(HTMLPage.escaped(text))</text>"
  }

  /// A coordinate with one decimal, within what a viewer takes.
  private static func n(_ number: Double) -> String { Figure.tenths(min(max(number, -10_000), 10_000)) }
}
