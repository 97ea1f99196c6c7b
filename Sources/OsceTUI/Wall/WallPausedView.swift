import Terminal

/// A clock that is paused, as the wall shows it alone, as one of several and in little room.
extension WallPanelView {
  /// The band is the widest thing on any wall: a person who looks up knows that nothing moves.
  func drawPaused(
    _ since: String, _ at: String, _ left: WallPanel.Standing, _ resumes: String?, on canvas: inout Canvas,
    in region: Rect
  ) {
    let letters = self.scale("PAUSED", region.width - 4, max(3, region.height / 2 - 2))
    let resume = resumes.map(WallPanelView.sentence)
    let room = Size(width: region.width - 4, height: max(3, (letters?.height ?? 3) / 2))
    let large = resume.flatMap { text in scale(ofResume: text, in: room).map { (text, $0) } }
    var parts: [WallStack.Part] = [.band(letters), .sentence("Wait for instructions.")]
    var heights = [
      min(region.height - 4, (letters?.height ?? 1) + (letters.map { $0.height >= 5 } == true ? 4 : 2)), 1,
    ]
    if let large {
      parts.append(.large(large.0, large.1))
      heights.append(large.1.height)
    } else if let resume {
      parts.append(.sentence(resume))
      heights.append(1)
    }
    parts += [.sentence("\(left.text) is left when it resumes"), .ends("Paused for \(since)", "stopped at \(at)")]
    heights += [1, 1]
    let order = [1, 2, 3, 4].filter { $0 < parts.count } + [0, parts.count]
    stack(parts, heights: heights, on: &canvas, in: region, order: order)
  }

  /// A pause as one of several: the band, under it in three rows when it ends where these leave the band five, and what
  /// else is said. Large digits never stand without their words: they would be read as time that runs.
  func drawPausedCell(
    _ since: String, _ left: WallPanel.Standing, _ resumes: String?, on canvas: inout Canvas, in body: Rect,
    _ foot: Rect
  ) {
    let resume = body.height < 9 ? nil : resumes.map(WallPanelView.sentence)
    let letters = resume.flatMap { scale(ofResume: $0, in: Size(width: body.width, height: 3)) }
    let (large, band) = body.splitBottom(letters.map { $0.height + 1 } ?? 0)
    drawBand(scale("PAUSED", band.width - 4, max(3, band.height - 2)), on: &canvas, in: band)
    if let resume, let letters {
      BigText(resume, letters)?.draw(
        on: &canvas, in: large.rows(1, large.height - 1), style: theme[.heading], glyphs: theme.glyphs)
    }
    if !foot.isEmpty { drawPausedFoot(since, left, letters == nil ? resumes : nil, on: &canvas, in: foot) }
  }

  /// The largest letters for when a pause ends, at any second of its countdown.
  private func scale(ofResume text: String, in room: Size) -> BigText.Scale? {
    BigText.Scale.fitting(["RESUMES IN 00:00", text], in: room, theme.glyphs)
  }

  /// A pause in a few rows: the band with PAUSED, when it ends, and the time that stands.
  func drawSmallPause(_ left: WallPanel.Standing, _ resumes: String?, on canvas: inout Canvas, in region: Rect) {
    let name = isCell ? panel.titles.joined(separator: " · ") : ""
    let resume = WallPanelView.resume(resumes)
    let stands = ["\(left.text) left", "\(left.digits) left"].first { fits($0, region) } ?? ""
    let lines = [resume, stands].filter { !$0.isEmpty && fits($0, region) }.prefix(max(0, region.height - 1))
    let band =
      resume.isEmpty || region.height > 1 || !fits("PAUSED, \(resume)", region) ? "PAUSED" : "PAUSED, \(resume)"
    let top = (region.height - 1 - lines.count) / 2
    canvas.fill(region.row(top), with: " ", style: theme[.paused])
    canvas.draw(fitting(name, band, region.width), in: region, row: top, .centre, style: theme[.paused])
    for (row, line) in lines.enumerated() {
      canvas.draw(SafeText(line), in: region, row: top + 1 + row, .centre, style: theme[.normal])
    }
  }

  /// What a pause says in one or two lines: when it ends first, then the time that stands.
  func drawPausedFoot(
    _ since: String, _ left: WallPanel.Standing, _ resumes: String?, on canvas: inout Canvas, in region: Rect
  ) {
    let stay = "WAIT FOR INSTRUCTIONS"
    let (resume, short, whole) = (WallPanelView.resume(resumes), "\(left.digits) left", "\(left.text) left")
    let first = resume.isEmpty ? stay : resume
    // The longest that fits of each line; the time that stands is said shorter before it goes.
    let lines =
      region.height > 1
      ? [["\(resume) · \(stay)", first], ["\(whole) · paused for \(since)", whole, short]]
      : [["\(first) · \(whole)", "\(first) · \(short)", resume.isEmpty ? short : resume]]
    for (row, choices) in lines.enumerated() {
      let text = choices.first { fits($0, region) && !$0.hasPrefix(" ") } ?? choices.last ?? ""
      canvas.draw(
        SafeText(text).truncated(to: region.width), in: region, row: region.height - lines.count + row,
        style: theme[row == 0 ? .heading : .normal])
    }
  }

  func drawBand(_ scale: BigText.Scale?, on canvas: inout Canvas, in region: Rect) {
    if let scale, let text = BigText("PAUSED", scale) {
      return text.cut(outOf: region, on: &canvas, style: band, glyphs: theme.glyphs)
    }
    canvas.fill(region, with: theme.glyphs.barFull, style: band)
    canvas.draw("  P A U S E D  ", in: region, row: region.height / 2, .centre, style: theme[.heading])
  }

  private var band: Style {
    let style = theme[.paused]
    return style.attributes.contains(.reverse) || style.background == .terminal
      ? theme[.heading] : Style(style.background, on: style.foreground)
  }

  private static func sentence(_ digits: String) -> String { "RESUMES IN " + short(digits) }

  /// `0:38` for `00:38`.
  private static func short(_ digits: String) -> String {
    digits.hasPrefix("0") && digits.count == 5 ? String(digits.dropFirst()) : digits
  }

  /// `resumes in 0:38`; empty where no resume is set.
  private static func resume(_ digits: String?) -> String { digits.map { "resumes in " + short($0) } ?? "" }
}
