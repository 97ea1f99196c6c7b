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
  let keys: Keys
  var standing = Standing.expected
  /// Whether Enter opens the sheet to type it from paper.
  var opensFromPaper = false
  /// Who is in the room instead, or comes next.
  var next: String?
  /// What the terminal can show of a name.
  var encoding = TerminalEncoding.current

  /// What the keys are called that the step names.
  struct Keys {
    let confirm, early, attendance, instructions, next, back: SafeText

    @MainActor init(_ context: AppContext) {
      confirm = context.key(of: SheetScreen.Keys.open)
      early = context.key(of: SheetScreen.Keys.early)
      attendance = context.key(of: SheetScreen.Keys.attendance)
      instructions = context.key(of: EntryKeys<SheetScreen>.instructions)
      next = context.key(of: SheetScreen.Keys.nextRound)
      back = context.key(of: EveryScreen.back)
    }
  }

  /// Whether the candidate can be the one in the room; where not, the step is not passed.
  enum Standing {
    case expected
    /// The candidate comes later by the clock.
    case notDueYet
    /// The candidate has left and the circuit goes on.
    case gone
    /// The candidate is recorded absent.
    case absent
    /// The session is locked.
    case locked
  }

  /// Said where letters of a name show as question marks.
  static let hiddenLetters = "This terminal shows ? for letters of the name: look at the number, or set LANG=C.UTF-8."

  func draw(on canvas: inout Canvas, in region: Rect) {
    if standing == .gone { return drawGone(on: &canvas, in: region) }
    let box = region.centred(Size(width: min(70, region.width), height: min(14, region.height)))
    let title: SafeText = entry.isPractice ? "Practice" : opensFromPaper ? "From paper" : "Check the candidate"
    let inner = canvas.box(box, title: title, glyphs: theme.glyphs, style: theme[.heading]).inset(columns: 2, rows: 1)
    let text = inner.rows(0, inner.height - 3)
    let used = drawCandidate(on: &canvas, in: text)
    var lines = [way].compactMap(\.self)
    lines += besides.prefix(max(0, text.height - used))
    lines.append((keys.back, "go back without opening the sheet"))
    for (row, (key, text)) in lines.enumerated() {
      canvas.draw(
        [(key.padded(to: 7), theme[.key]), (text, theme[.normal])], in: inner,
        row: inner.height - lines.count + row)
    }
    canvas.cursor = Point(x: inner.x, y: inner.bottom - lines.count)
  }

  /// Number, name and adjustments of the candidate.
  /// - Returns: how many rows they have taken.
  private func drawCandidate(on canvas: inout Canvas, in text: Rect) -> Int {
    guard let candidate = entry.candidate else {
      return canvas.drawWrapped(
        "Practice sheet: try every key. It never counts towards results.", in: text, style: theme[.normal])
    }
    let number =
      candidate.number.count <= 12 ? candidate.number.map(String.init).joined(separator: " ") : candidate.number
    canvas.draw(SafeText("Number  \(number)"), in: text, row: 0, style: theme[.heading])
    if !self.name.isEmpty { canvas.draw("Name", in: text, row: 1, style: theme[.heading]) }
    let name = canvas.drawWrapped(
      self.name, in: text.rows(1, 3).columns(8, text.width), style: theme[.heading])
    var used = 2 + min(3, name)
    if encoding == .ascii, !self.name.allSatisfy(\.isASCII) {
      used += canvas.drawWrapped(
        SheetIdentityView.hiddenLetters, in: text.rows(used, text.height), style: theme[.warning])
    }
    let rest = text.rows(used, text.height)
    if standing == .absent {
      return used + canvas.drawWrapped("Recorded ABSENT: nobody is marked here.", in: rest, style: theme[.error])
    }
    if standing == .locked {
      return used + canvas.drawWrapped("LOCKED: nobody is marked here any more.", in: rest, style: theme[.error])
    }
    return used
      + canvas.drawWrapped(
        "Adjustments: \(candidate.adjustments ?? "none")", in: rest,
        style: theme[candidate.adjustments == nil ? .muted : .warning])
  }

  /// What else may be done, what is needed most first: said where rows are free.
  private var besides: [(key: SafeText, text: SafeText)] {
    let instructions: (key: SafeText, text: SafeText) = (keys.instructions, "read the station's instructions")
    if entry.isPractice || standing == .absent || standing == .locked { return [instructions] }
    return [(keys.attendance, "someone else, late or absent"), instructions]
  }

  /// The key that opens the sheet, or comes before that, and what it does; nil: none does.
  private var way: (key: SafeText, text: SafeText)? {
    switch standing {
    case .locked: nil
    case .absent: (keys.attendance, "change attendance: the candidate is here after all")
    case .notDueYet: (keys.early, "not due yet: open early (asks first)")
    case .expected, .gone:
      (
        keys.confirm,
        entry.isPractice
          ? "open the practice sheet"
          : opensFromPaper ? "open the sheet and record present" : "confirm identity and record present"
      )
    }
  }

  /// What stands in the place of the step for somebody who has left: no question whether that is who is in the room.
  private func drawGone(on canvas: inout Canvas, in region: Rect) {
    let number = entry.candidate?.number ?? ""
    let said = ["\(number) \(name) has left.", "Nobody checked the identity at this station: the sheet is not open."]
      .map { $0.replacing("  ", with: " ") }
    let used = canvas.drawWrapped(
      said.joined(separator: "\n"), in: region.rows(1, region.height).columns(1, region.width), style: theme[.normal])
    let ways = [
      next.map { (keys.next, SafeText($0)) }, (keys.early, "open this sheet anyway (asks first)"),
      (keys.back, "back to the roster"),
    ].compactMap(\.self)
    for (row, (key, text)) in ways.enumerated() {
      canvas.draw(
        [(key + "  ", theme[.key]), (text, theme[.normal])], in: region.columns(1, region.width), row: used + 2 + row)
    }
    canvas.cursor = Point(x: region.x, y: region.y + used + 2)
  }
}
