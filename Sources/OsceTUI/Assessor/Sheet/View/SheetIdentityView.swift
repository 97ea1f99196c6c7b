import CircuitModel
import ExamStore
import Reports
import Terminal

/// How the identity step looks: number, name and adjustments, and the one key that passes it.
@MainActor
struct SheetIdentityView {
  let entry: RosterEntry
  let theme: Theme
  /// The candidate's name, where the exam shows it; else empty.
  let name: String
  /// Whether the candidate comes later by the clock, so that Enter is refused.
  var comesLater = false
  /// What the terminal can show of a name.
  var encoding = TerminalEncoding.current

  /// Said where letters of a name show as question marks.
  static let hiddenLetters = "This terminal shows ? for letters of the name: look at the number, or set LANG=C.UTF-8."

  func draw(on canvas: inout Canvas, in region: Rect) {
    let box = region.centred(Size(width: min(70, region.width), height: min(14, region.height)))
    let title: SafeText = entry.isPractice ? "Practice" : "Who is in the room?"
    let inner = canvas.box(box, title: title, glyphs: theme.glyphs, style: theme[.heading]).inset(columns: 2, rows: 1)
    let text = inner.rows(0, inner.height - 3)
    if let candidate = entry.candidate {
      canvas.draw(SafeText("Number  \(candidate.number)"), in: text, row: 0, style: theme[.heading])
      if !self.name.isEmpty { canvas.draw("Name", in: text, row: 1, style: theme[.heading]) }
      let name = SafeText.wrap(self.name, to: max(1, text.width - 8))
      for (row, line) in name.prefix(3).enumerated() {
        canvas.draw(line, in: text.columns(8, text.width), row: 1 + row, style: theme[.heading])
      }
      var rest = text.rows(2 + min(3, name.count), text.height)
      if encoding == .ascii, !self.name.allSatisfy(\.isASCII) {
        let used = canvas.drawWrapped(SheetIdentityView.hiddenLetters, in: rest, style: theme[.warning])
        rest = rest.rows(used, rest.height)
      }
      if entry.isPresent == false {
        canvas.drawWrapped(
          "Recorded ABSENT: opening the sheet changes that to present.", in: rest, style: theme[.warning])
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
    let key: SafeText = comesLater ? "E      " : "Enter  "
    let enter: SafeText =
      comesLater
      ? "not yet here: asks whether to open it all the same"
      : entry.isPractice ? "open the practice sheet" : "this is the candidate: record as present"
    canvas.draw(
      [(key, theme[.key]), (enter, theme[.normal])], in: inner, row: inner.height - 2)
    canvas.draw(
      [("q      ", theme[.key]), ("go back without opening the sheet", theme[.normal])], in: inner,
      row: inner.height - 1)
    canvas.cursor = Point(x: inner.x, y: inner.bottom - 2)
  }
}
