import Terminal

/// One clock on the wall: how it looks. The rows depend on the size and on what is said alone, never on the seconds.
struct WallPanelView {
  let panel: WallPanel
  private let form: CellForm?
  let theme: Theme
  /// Whether it is one of several, so that its name comes first and room is scarce.
  var isCell: Bool { form != nil }

  /// - Parameter form: what it has in common with those beside it; nil where it is alone.
  init(_ panel: WallPanel, _ form: CellForm? = nil, theme: Theme) {
    (self.panel, self.form, self.theme) = (panel, form, theme)
  }

  /// The parts of a cell under its name.
  static func parts(of region: Rect, isPaused: Bool) -> (body: Rect, foot: Rect) {
    let inner = region.inset(columns: region.width >= 40 ? 2 : 1, rows: 0)
    let (foot, body) = inner.rows(1, inner.height - 1)
      .splitBottom(inner.height >= 9 ? 2 : inner.height >= 7 || isPaused ? 1 : 0)
    return (body, foot)
  }

  /// The digits of most countdowns, for sizes that stay while they change.
  private static let widest = "00:00"

  /// The largest digits that a clock has in a region, for choosing how regions are divided.
  static func digits(in size: Size, _ glyphs: Glyphs) -> Int {
    BigText.Scale.fitting([widest], in: Size(width: size.width - 2, height: size.height - 1), glyphs)?.height ?? 1
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    if region.isEmpty { return }
    guard region.height >= (isCell ? 5 : 10), region.width >= 20 else { return drawSmall(on: &canvas, in: region) }
    let inner = region.inset(columns: region.width >= 40 ? 2 : 1, rows: 0)
    // A cell of few rows may have no room for the word under its name.
    drawHead(on: &canvas, in: inner.row(0), saysState: form.map { !saysWord(under: region, $0) } ?? false)
    if let form { return drawCell(form, on: &canvas, in: region) }
    let body = inner.rows(1, inner.height - 1)
    switch panel.face {
    case .paused(let since, let at, let left, let resumes):
      drawPaused(since, at, left, resumes, on: &canvas, in: region.rows(1, region.height - 1))
    case .counting(let word, let digits, _, let look):
      stack(
        [.word(word, theme[look]), .digits(digits), .bar, .next], on: &canvas, in: body, order: [0, 1, 2, 3, 4, 2])
    case .moving(let digits):
      var parts: [WallStack.Part] = [.huge("MOVE", theme[.changeover]), .digits(digits)]
      parts.append(.sentence("to your next station, wait at the door"))
      parts += ring(body.width).map { .left($0) }
      stack(parts, on: &canvas, in: body, order: [1, 2, 3] + [parts.count, 0])
    case .starting(let word, let digits, let plan):
      stack(
        [.word(word, theme[.heading]), .digits(digits), .sentence(plan), .left(panel.end)], on: &canvas, in: body,
        order: [0, 1, 2, 3, 4, 2])
    case .word(let word):
      stack(
        [.huge(word, theme[.heading]), .sentence(panel.notice), .left(panel.end)], on: &canvas, in: body,
        order: [0, 1, 3, 2])
    case .trouble(let text):
      stack([.sentence(text)], on: &canvas, in: body, order: [0, 1])
    }
  }

  private func drawHead(on canvas: inout Canvas, in row: Rect, saysState: Bool) {
    let (right, left) = row.splitRight(min(panel.round.count, row.width * 2 / 3))
    canvas.draw(SafeText(panel.round), in: right, .right, style: theme[.normal])
    let state: SafeText = saysState ? SafeText(panel.loudWord) : ""
    let room = max(0, left.width - (state.isEmpty ? 1 : state.width + 3))
    let forms = [panel.titles, panel.titles.map(CircuitName.short)].map { SafeText($0.joined(separator: " · ")) }
    let all = panel.titles.count < 3 ? forms[1] : SafeText("All \(panel.titles.count) circuits")
    let shown = forms.first { $0.width <= room } ?? all
    let end = canvas.draw(shown.truncated(to: room), in: left, style: theme[.heading])
    guard !state.isEmpty else { return }
    canvas.draw(
      " " + state + " ", in: left.columns(end - left.x + 1, left.width),
      style: panel.alert.isEmpty ? isPaused ? theme[.paused] : faceStyle : digitStyle)
  }

  // MARK: A clock by itself

  /// Draws parts under each other.
  func stack(
    _ parts: [WallStack.Part], heights: [Int]? = nil, on canvas: inout Canvas, in region: Rect, order: [Int]
  ) {
    let places = WallStack(parts: parts, glyphs: theme.glyphs).places(in: region, heights: heights, order: order)
    for (part, place) in zip(parts, places) { draw(part, on: &canvas, in: place) }
  }

  func scale(_ text: String, _ width: Int, _ height: Int) -> BigText.Scale? {
    BigText.Scale.fitting([text], in: Size(width: width, height: height), theme.glyphs)
  }

  /// Digits as wide as these will be at any second.
  static func shape(_ digits: String) -> String { String(digits.map { $0.isNumber ? "0" : $0 }) }

  private func draw(_ part: WallStack.Part, on canvas: inout Canvas, in region: Rect) {
    switch part {
    case .word(let word, let style): drawWord(word, on: &canvas, in: region, style: style)
    case .huge(let word, let style): drawBig(word, on: &canvas, in: region, style: style)
    case .digits(let digits): drawBig(digits, on: &canvas, in: region, style: digitStyle)
    case .bar: drawBar(on: &canvas, in: region, width: region.width - 16)
    case .next: drawNext(on: &canvas, in: region)
    case .sentence(let text): canvas.draw(SafeText(text), in: region, .centre, style: theme[.normal])
    case .left(let text): canvas.draw(SafeText(text), in: region, style: theme[.normal])
    case .band(let scale): drawBand(scale, on: &canvas, in: region)
    case .large(let text, let scale):
      BigText(text, scale)?.draw(on: &canvas, in: region, style: theme[.heading], glyphs: theme.glyphs)
    case .ends(let first, let last):
      let inner = region.inset(columns: 2, rows: 0)
      canvas.draw(SafeText(last), in: inner, .right, style: theme[.normal])
      canvas.draw(SafeText(first), in: inner, style: theme[.normal])
    }
  }

  /// AMBER and RED are said in a word and in the digits' field; else the digits have the colour of the phase.
  private var digitStyle: Style {
    guard case .counting(_, _, let alert, let look) = panel.face else {
      if case .moving = panel.face { return theme[.changeover] }
      return theme[.heading]
    }
    return switch alert {
    case .amber: theme[.amber]
    case .red: theme[.red]
    case .none: theme[look]
    }
  }

  /// The phase, and beside it AMBER or RED.
  private func drawWord(_ word: String, on canvas: inout Canvas, in region: Rect, style: Style) {
    guard !panel.alert.isEmpty else { return drawBig(word, on: &canvas, in: region, style: style) }
    let height = region.height
    if let scale = self.scale(word, region.width, height), let both = scale.columns(word),
      let more = scale.columns(panel.alert),
      both + scale.space + more <= region.width, let first = BigText(word, scale),
      let second = BigText(panel.alert, scale)
    {
      let place = region.centred(Size(width: both + scale.space + more, height: scale.height))
      first.draw(on: &canvas, at: place.origin, style: style, glyphs: theme.glyphs)
      second.draw(
        on: &canvas, at: Point(x: place.x + both + scale.space, y: place.y), style: digitStyle, glyphs: theme.glyphs)
    } else if region.height > 1, let alone = BigText(panel.alert, in: region.size, theme.glyphs) {
      alone.draw(on: &canvas, in: region, style: digitStyle, glyphs: theme.glyphs)
    } else {
      let (plain, said) = (SafeText(word + " "), SafeText(" \(panel.alert) "))
      let place = region.centred(Size(width: plain.width + said.width, height: 1))
      canvas.draw([(plain, style), (said, digitStyle)], in: place)
    }
  }

  private func drawBig(_ text: String, on canvas: inout Canvas, in region: Rect, style: Style) {
    if region.height > 1, let scale = self.scale(WallPanelView.shape(text), region.width, region.height),
      let big = BigText(text, scale)
    {
      return big.draw(on: &canvas, in: region, style: style, glyphs: theme.glyphs)
    }
    canvas.draw(spaced(text, region.width), in: region, row: region.height / 2, .centre, style: style)
  }

  /// Plain letters with a blank between them, where there is room.
  private func spaced(_ text: String, _ width: Int) -> SafeText {
    let wide = text.map(String.init).joined(separator: " ")
    return SafeText(text.contains(":") || wide.count > width ? text : wide)
  }

  private func drawBar(on canvas: inout Canvas, in region: Rect, width: Int) {
    guard let progress = panel.progress, width >= 8 else { return }
    let filled = min(width, progress * width / 1000)
    let place = region.centred(Size(width: width, height: 1))
    canvas.fill(place.columns(0, filled), with: theme.glyphs.stepDone, style: theme[.normal])
    canvas.fill(place.columns(filled, width - filled), with: theme.glyphs.stepLeft, style: theme[.normal])
  }

  private func drawNext(on canvas: inout Canvas, in region: Rect) {
    if panel.next.isEmpty { return }
    let (right, left) = region.splitRight(panel.nextTime.count)
    canvas.draw(SafeText(panel.nextTime), in: right, .right, style: theme[.normal])
    canvas.draw(
      SafeText("next  \(panel.next)").truncated(to: max(0, left.width - 1)), in: left, style: theme[.normal])
  }

  /// The stations in the order in which they follow each other, back to the first; two rows where one is too short.
  private func ring(_ width: Int) -> [String] {
    guard panel.ring.count > 1 else { return [] }
    let arrow = " \(theme.glyphs.next) "
    var rows = [panel.ring[0]]
    for code in panel.ring.dropFirst() + [panel.ring[0]] {
      let longer = rows[rows.count - 1] + arrow + code
      if SafeText(longer).width <= width {
        rows[rows.count - 1] = longer
      } else {
        rows.append(String(arrow.dropFirst()) + code)
      }
    }
    return rows.count > 2 ? [] : rows
  }

  // MARK: One of several

  private func drawCell(_ form: CellForm, on canvas: inout Canvas, in region: Rect) {
    let (body, foot) = WallPanelView.parts(of: region, isPaused: isPaused)
    if case .paused(let since, _, let left, let resumes) = panel.face {
      return drawPausedCell(since, left, resumes, on: &canvas, in: body, foot)
    }
    drawLoud(form, on: &canvas, in: body)
    drawFoot(on: &canvas, in: foot)
  }

  /// What a cell says the loudest: a word, or digits with the word of their phase.
  private func drawLoud(_ form: CellForm, on canvas: inout Canvas, in body: Rect) {
    let (digits, word) = (panel.digits, panel.loudWord)
    let style = digitStyle
    if digits.isEmpty { return drawBig(word, on: &canvas, in: body, style: style) }
    guard let scale = form.digits, let text = BigText(digits, scale) else {
      canvas.draw(SafeText("\(word) \(digits)"), in: body, row: body.height / 2, .centre, style: style)
      return
    }
    let wide = scale.columns(WallPanelView.shape(digits)) ?? text.size.width
    if form.isBeside, let size = form.word, let text = BigText(word, size) {
      let (right, left) = body.splitRight(wide)
      let y = body.y + (body.height - scale.height) / 2 + (scale.height - size.height) / 2
      draw(digits, scale, on: &canvas, in: right)
      return text.draw(on: &canvas, at: Point(x: left.x, y: y), style: style, glyphs: theme.glyphs)
    }
    let room = body.height - scale.height
    let size = room >= 4 ? form.word : nil
    let height = size?.height ?? min(1, room)
    let gap = max(0, (room - height) / 3)
    if let size, (size.columns(word) ?? .max) <= body.width, let text = BigText(word, size) {
      text.draw(on: &canvas, in: body.rows(gap, height), style: style, glyphs: theme.glyphs)
    } else if height > 0 {
      canvas.draw(spaced(word, body.width), in: body.rows(gap, height), row: height / 2, .centre, style: style)
    }
    draw(digits, scale, on: &canvas, in: body.rows(gap + height + gap, scale.height))
  }

  /// Whether a cell says the word of its state beside its digits or above them.
  private func saysWord(under region: Rect, _ form: CellForm) -> Bool {
    guard !isPaused, !panel.digits.isEmpty, let digits = form.digits, !form.isBeside else { return true }
    return WallPanelView.parts(of: region, isPaused: false).body.height > digits.height
  }

  private func draw(_ digits: String, _ scale: BigText.Scale, on canvas: inout Canvas, in region: Rect) {
    BigText(digits, scale)?.draw(on: &canvas, in: region, style: digitStyle, glyphs: theme.glyphs)
  }

  private var isPaused: Bool { if case .paused = panel.face { true } else { false } }

  private var faceStyle: Style {
    if case .counting(_, _, _, let look) = panel.face { theme[look] } else { theme[.heading] }
  }

  private func drawFoot(on canvas: inout Canvas, in region: Rect) {
    if region.isEmpty { return }
    let text: String
    switch panel.face {
    case .paused: return
    case .moving: text = "to your next station"
    case .word, .starting: text = panel.notice
    case .counting, .trouble: text = panel.next.isEmpty ? panel.notice : "\(panel.next) \(panel.nextTime)"
    }
    if region.height > 1 { drawBar(on: &canvas, in: region.row(0).inset(columns: 0, rows: 0), width: region.width - 4) }
    canvas.draw(SafeText(text).truncated(to: region.width), in: region, row: region.height - 1, style: theme[.normal])
  }

  // MARK: Little room

  /// A few rows: the words that must be known first, and digits as large as fit.
  private func drawSmall(on canvas: inout Canvas, in region: Rect) {
    let state = [panel.word, panel.alert].filter { !$0.isEmpty }.joined(separator: " ")
    let name = isCell ? panel.titles.joined(separator: " · ") : ""
    if case .paused(_, _, let left, let resumes) = panel.face {
      return drawSmallPause(left, resumes, on: &canvas, in: region)
    }
    let style = panel.alert.isEmpty ? faceStyle : digitStyle
    let digits = panel.digits
    if region.height >= 5, !digits.isEmpty,
      let scale = self.scale(WallPanelView.shape(digits), region.width, region.height - (region.height > 6 ? 2 : 1)),
      let big = BigText(digits, scale)
    {
      var y = (region.height - scale.height - 1) / 2
      canvas.draw(fitting(name, state, region.width), in: region, row: y, .centre, style: style)
      y += 1
      big.draw(on: &canvas, in: region.rows(y, scale.height), style: digitStyle, glyphs: theme.glyphs)
      let below = region.rows(y + scale.height, region.height)
      if !below.isEmpty {
        canvas.draw(SafeText(panel.round), in: below, .centre, style: theme[.normal])
      }
      return
    }
    let first = fitting(name, [state, digits].filter { !$0.isEmpty }.joined(separator: " "), region.width)
    let more = [SafeText(panel.round), SafeText(panel.end)].filter { !$0.isEmpty && $0.width <= region.width }
    let lines = Array(more.prefix(max(0, region.height - 1)))
    let top = (region.height - 1 - lines.count) / 2
    canvas.draw(first, in: region, row: top, .centre, style: style)
    for (row, line) in lines.enumerated() {
      canvas.draw(line, in: region, row: top + 1 + row, .centre, style: theme[.normal])
    }
  }

  func fits(_ text: String, _ region: Rect) -> Bool { SafeText(text).width <= region.width }

  /// A state with the name before it as far as there is room; what is cut is the name, then the word.
  func fitting(_ name: String, _ state: String, _ width: Int) -> SafeText {
    let said = SafeText(state)
    if said.width > width {
      // What is said shorter is no loss; what is cut would be.
      let parts = state.split(separator: " ").map(String.init)
      let shorter = parts.filter { $0.contains(":") } + (isPaused ? ["PAUSE", "HOLD"] : []) + parts
      return shorter.map { SafeText($0) }.first { $0.width <= width } ?? ""
    }
    let room = width - said.width - 1
    return name.isEmpty || room < 3 ? said : SafeText(name).truncated(to: room) + " " + said
  }
}
