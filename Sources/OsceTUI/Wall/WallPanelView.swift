import Terminal

/// One circuit on the wall: how it looks. The rows depend on the size alone, so nothing moves when a word comes or goes.
struct WallPanelView {
  private let panel: WallPanel
  /// Whether the circuit's name is the first that must be seen, since there are others.
  private let isNamed: Bool
  private let theme: Theme

  init(_ panel: WallPanel, isNamed: Bool, theme: Theme) {
    self.panel = panel
    self.isNamed = isNamed
    self.theme = theme
  }

  /// The digits `00:00` across.
  private static let faceColumns = 17

  func draw(on canvas: inout Canvas, in region: Rect) {
    let inner = region.inset(columns: region.width > 30 ? 1 : 0, rows: 0)
    if inner.height == 1 { return drawLine(on: &canvas, in: inner) }
    guard inner.height >= 10 else { return drawSmall(on: &canvas, in: inner) }
    let face = faceHeight(inner)
    // Title, next announcement and plan take a row each.
    let words = wordHeight(inner.height - 3 - face, face: face)
    let spare = max(0, inner.height - 3 - face - 2 * words)
    // Blank rows go first where they set the digits off, last to the top.
    func gap(_ place: Int) -> Int { (spare + 4 - place) / 5 }
    var y = gap(4)
    canvas.draw(SafeText(panel.title), in: inner, row: y, .centre, style: theme[.title])
    y += 1 + gap(2)
    let phase = inner.rows(y, words)
    let middle = inner.rows(y, 2 * words + face + gap(0) + gap(1))
    y += words + gap(0)
    let digits = inner.rows(y, face)
    y += face + gap(1)
    let alert = inner.rows(y, words)
    y += words + gap(3)
    if panel.digits.isEmpty, panel.role == .normal, let word = stateWord(in: middle, face: face) {
      word.draw(on: &canvas, in: middle, style: theme[panel.role], glyphs: theme.glyphs)
    } else {
      drawFace(on: &canvas, phase: phase, digits: digits)
    }
    drawAlert(on: &canvas, in: alert)
    canvas.draw(SafeText(panel.next), in: inner, row: y, .centre, style: theme[.normal])
    canvas.draw(
      WallPanelView.fitting([panel.plan, panel.shortPlan], inner.width), in: inner, row: y + 1, .centre,
      style: theme[.muted])
  }

  /// The first of some wordings that fits whole, else the last, cut.
  private static func fitting(_ wordings: [String], _ width: Int) -> SafeText {
    let texts = wordings.map { SafeText($0) }
    return texts.first { $0.width <= width } ?? texts.last?.truncated(to: width) ?? ""
  }

  private func phase(_ width: Int) -> SafeText { WallPanelView.fitting([panel.phase] + panel.shortPhases, width) }

  private func alert(_ width: Int) -> SafeText { WallPanelView.fitting([panel.alert] + panel.shortAlerts, width) }

  /// Rows of the digits, as wide as the region allows.
  private func faceHeight(_ inner: Rect) -> Int {
    let space = Size(width: inner.width, height: inner.height - 5)
    return BigText.block(columns: WallPanelView.faceColumns, in: space).map { $0.height * BlockLetters.height }
      ?? BigText.halfHeight
  }

  /// Rows of the large words over and under the digits: the largest letters that leave some room between.
  private func wordHeight(_ rows: Int, face: Int) -> Int {
    let heights = [BlockLetters.height * 3, BlockLetters.height * 2, BlockLetters.height, BigText.halfHeight]
    return heights.first { 2 * $0 + 2 <= rows && 2 * $0 <= max(face, 2 * BigText.halfHeight) } ?? 1
  }

  /// NOT STARTED, FINISHED: one word to a line if it is larger so, but never wider than the digits of a running clock,
  /// which may stand beside it.
  private func stateWord(in region: Rect, face: Int) -> BigLines? {
    let face = Size(width: region.width, height: face)
    let width = BigText.block(columns: WallPanelView.faceColumns, in: face)?.width ?? 1
    let space = Size(width: WallPanelView.faceColumns * width, height: region.height)
    let line = BigLines([panel.phase], in: space, theme.glyphs)
    let words = BigLines(panel.phase.split(separator: " ").map(String.init), in: space, theme.glyphs)
    return words.map { $0.blockWidth } ?? 0 > line?.blockWidth ?? -1 ? words : line
  }

  private func drawFace(on canvas: inout Canvas, phase: Rect, digits: Rect) {
    guard !panel.digits.isEmpty else {
      // Without a countdown the word itself takes its place.
      return drawWord(panel.phase, on: &canvas, in: digits, style: theme[panel.role])
    }
    drawWord(panel.phase, on: &canvas, in: phase, style: theme[.heading])
    drawDigits(on: &canvas, in: digits)
  }

  private func drawDigits(on canvas: inout Canvas, in region: Rect) {
    let style = theme[panel.role == .heading ? .normal : panel.role]
    if let big = BigText(panel.digits, in: region.size, theme.glyphs) {
      big.draw(on: &canvas, in: region, style: style, glyphs: theme.glyphs)
    } else {
      canvas.draw(SafeText(panel.digits), in: region, row: region.height / 2, .centre, style: theme[panel.role])
    }
  }

  /// The word of an alert stands in a bar of its own, so that it is seen without colour.
  private func drawAlert(on canvas: inout Canvas, in region: Rect) {
    if panel.alert.isEmpty { return }
    let bar = barStyle
    canvas.fill(region, style: bar)
    guard let big = BigText(panel.alert, in: region.inset(columns: 1, rows: 0).size, theme.glyphs), region.height > 1
    else {
      canvas.draw(alert(region.width), in: region, row: region.height / 2, .centre, style: bar)
      return
    }
    big.draw(on: &canvas, in: region, style: bar, glyphs: theme.glyphs, isOnBar: true)
  }

  private var barStyle: Style {
    switch panel.role {
    case .amber, .red: theme[panel.role]
    case .heading: theme[.normal].with(.reverse)
    default: theme[panel.role].with(.reverse)
    }
  }

  private func drawWord(_ word: String, on canvas: inout Canvas, in region: Rect, style: Style) {
    if region.height > 1, let big = BigText(word, in: region.size, theme.glyphs) {
      return big.draw(on: &canvas, in: region, style: style, glyphs: theme.glyphs)
    }
    let isCut = word == panel.phase && SafeText.wrap(word, to: max(1, region.width)).count > region.height
    let word = isCut ? phase(region.width).plain : word
    let lines = SafeText.wrap(word, to: max(1, region.width)).prefix(region.height)
    for (row, line) in lines.enumerated() {
      canvas.draw(line, in: region, row: (region.height - lines.count) / 2 + row, .centre, style: style)
    }
  }

  /// A single row: time and alert, then as much of the rest as there is room for.
  private func drawLine(on canvas: inout Canvas, in row: Rect) {
    let times = ([panel.alert] + panel.shortAlerts).map { alert in
      [panel.digits, alert].filter { !$0.isEmpty }.joined(separator: " ")
    }
    let name =
      isNamed ? SafeText(panel.title).truncated(to: max(5, row.width - SafeText(times[0]).width - 3)) + " " : ""
    let named = canvas.draw(name, in: row, style: theme[.heading])
    let left = row.columns(named - row.x, row.width)
    let wordings = times.filter { !$0.isEmpty }.flatMap { [" \($0) ", $0] } + [panel.digits]
    let end = canvas.draw(
      WallPanelView.fitting(wordings, left.width), in: left, style: panel.alert.isEmpty ? theme[.heading] : barStyle)
    let rest = row.columns(end - row.x, row.width)
    let phases = [panel.phase] + panel.shortPhases
    let whole = isNamed ? phases : ["\(panel.phase)  \(panel.title)"] + phases
    if let words = whole.first(where: { SafeText($0).width < rest.width }) {
      canvas.draw(SafeText(" " + words), in: rest, style: theme[.muted])
    }
  }

  /// Under ten rows: the digits as large as they get, and of the words as many lines as are left.
  private func drawSmall(on canvas: inout Canvas, in inner: Rect) {
    let text = panel.digits.isEmpty ? "" : panel.digits
    let isBig = inner.height >= 5 && BigText(text.isEmpty ? "00:00" : text, in: inner.size, theme.glyphs) != nil
    let face = text.isEmpty ? 0 : isBig ? (inner.height >= 8 ? BlockLetters.height : BigText.halfHeight) : 1
    let title = (text: SafeText(panel.title), style: theme[.heading])
    let phase = (text: phase(inner.width), style: theme[.heading])
    let alerts = panel.alert.isEmpty ? [] : [(text: alert(inner.width), style: barStyle)]
    var heads = [phase]
    if heads.count + alerts.count + face < inner.height {
      heads.insert(title, at: 0)
    } else if isNamed {
      heads = [title]
    }
    var tails = alerts
    // What is left out is no loss; what is cut would be.
    let plan = WallPanelView.fitting([panel.plan, panel.shortPlan, ""], inner.width)
    for extra in [plan, WallPanelView.fitting([panel.next, ""], inner.width)]
    where !extra.isEmpty && heads.count + tails.count + face < inner.height {
      tails.append((extra, theme[.muted]))
    }
    let room = max(0, inner.height - face)
    if isNamed {
      tails = Array(tails.prefix(max(0, room - heads.count)))
      heads = Array(heads.prefix(room))
    } else {
      heads = Array(heads.suffix(max(0, room - tails.count)))
      tails = Array(tails.suffix(room))
    }
    var y = max(0, (inner.height - face - heads.count - tails.count) / 2)
    func draw(_ lines: [(text: SafeText, style: Style)]) {
      for line in lines {
        canvas.draw(line.text, in: inner, row: y, .centre, style: line.style)
        y += 1
      }
    }
    draw(heads)
    drawDigits(on: &canvas, in: inner.rows(y, face))
    y += face
    draw(tails)
  }
}
