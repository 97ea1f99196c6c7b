import CircuitModel
import ExamStore
import Reports
import Terminal

/// The sheet's last marks: in a row over the message line, or beside the sheet.
struct RecentMarksStrip {
  static let count = 8
  /// Rows between headings and message line that leave room for it: a terminal of 24 rows.
  static let height = 20
  /// The newest last.
  var marks: [RecentMarks.Mark] = []
  /// The mark that has the focus, while the strip has it.
  var focus: Int?
  /// Items that have changed since their marks were read; nil: the sheet as a whole has.
  var stale: Set<String>?

  /// The sign for what an item was set to.
  static func sign(_ change: AnswerChange) -> SafeText {
    switch change.parts.first {
    case .unable: "u"
    case .cleared, .text(nil, .answer): "x"
    default: SafeText(change.text.split(separator: " ").first.map { String($0) } ?? "")
    }
  }
}

extension SheetScreen {
  /// What is left for the sheet itself.
  func regionOfSheet(_ region: Rect) -> Rect { isStripShown ? region.splitBottom(1).rest : region }

  private var isStripShown: Bool { context.modes.showsStrip && surroundings.hasRoom && sheet != nil }

  func toggleStrip() {
    if !surroundings.hasRoom { return context.showMessage("the strip needs 24 rows", .warning) }
    context.modes.showsStrip.toggle()
    surroundings.strip.focus = nil
    context.showMessage(
      context.modes.showsStrip
        ? "the last marks are shown: \(context.key(of: Keys.strip)) goes into them, \(context.key(of: Keys.stripShown)) hides them"
        : "hidden: \(context.key(of: Keys.stripShown)) shows")
  }

  func enterStrip() {
    if !surroundings.hasRoom { return context.showMessage("the strip needs 24 rows", .warning) }
    context.modes.showsStrip = true
    readStrip()
    if surroundings.strip.marks.isEmpty { return context.showMessage("nothing was marked on this sheet yet", .muted) }
    surroundings.strip.focus = surroundings.strip.marks.count - 1
    sayFocused()
  }

  private func readStrip() {
    guard surroundings.strip.stale?.isEmpty != true, let sheet else { return }
    let (stale, known) = (surroundings.strip.stale, surroundings.strip.marks)
    surroundings.strip.stale = []
    let items = stale.map { keys in sheet.items.filter { keys.contains($0.key) } } ?? sheet.items
    do {
      surroundings.strip.marks = try context.store.read {
        try RecentMarks.last(RecentMarksStrip.count, of: items, beside: stale == nil ? [] : known, in: $0)
      }.reversed()
    } catch { context.showError(error) }
  }

  /// Keeps the strip's own keys from the sheet while it has the focus: nothing is marked from within it.
  func stripTakes(_ key: Key) -> Bool {
    guard let focus = surroundings.strip.focus else { return false }
    switch key {
    case .left: surroundings.strip.focus = max(0, focus - 1)
    case .right: surroundings.strip.focus = min(surroundings.strip.marks.count - 1, focus + 1)
    case .enter:
      surroundings.strip.focus = nil
      guard surroundings.strip.marks.indices.contains(focus) else { return true }
      let key = surroundings.strip.marks[focus].item
      if let item = sheet?.items.first(where: { $0.key == key }) { go(to: item) }
      return true
    default:
      let bound = context.boundKey(key)
      if bound.map(Keys.overStrip.contains) == true { return false }
      if key == .escape || bound.map(Keys.ofLeavingStrip.contains) == true {
        surroundings.strip.focus = nil
        context.message.clear()
      } else {
        context.showMessage("in the last marks: arrows, Enter goes to the item, Esc leaves", .warning)
      }
      return true
    }
    sayFocused()
    return true
  }

  private func sayFocused() {
    guard let focus = surroundings.strip.focus, surroundings.strip.marks.indices.contains(focus) else { return }
    let mark = surroundings.strip.marks[focus]
    let phase = context.clock.text(at: mark.time).map { " (\($0))" } ?? ""
    context.showMessage(
      SafeText(
        "item \(number(of: mark)): \(mark.text) at \(LocalTime.reading(of: mark.time).time)\(phase), \(mark.name ?? "")"
      ))
  }

  private func number(of mark: RecentMarks.Mark) -> String {
    sheet?.items.firstIndex { $0.key == mark.item }.map { "\($0 + 1)" } ?? "?"
  }

  /// Draws the strip.
  func drawStrip(on canvas: inout Canvas, in region: Rect) {
    guard isStripShown else { return }
    let line = region.splitBottom(1).bottom
    let theme = context.theme
    if surroundings.strip.marks.isEmpty {
      canvas.draw("no marks yet", in: line, style: theme[.muted])
      return
    }
    let cells = surroundings.strip.marks.enumerated().map { place, mark in
      let short = SafeText("\(number(of: mark))=") + RecentMarksStrip.sign(mark.change).truncated(to: 4)
      // Eight times do not fit beside each other.
      return place == surroundings.strip.focus
        ? short + SafeText(" \(LocalTime.reading(of: mark.time).time.suffix(5))") : short
    }
    // The newest stand at the right; what has the focus is always in view.
    var last = cells.count - 1
    func first(to last: Int) -> Int {
      var (first, width) = (last, cells[last].width)
      while first > 0, width + cells[first - 1].width + 2 <= line.width {
        first -= 1
        width += cells[first].width + 2
      }
      return first
    }
    if let focus = surroundings.strip.focus { while first(to: last) > focus { last -= 1 } }
    var x = line.x
    for place in first(to: last)...last {
      let isFocused = place == surroundings.strip.focus
      if isFocused { canvas.cursor = Point(x: x, y: line.y) }
      let rest = line.columns(x - line.x, line.width)
      x = canvas.draw(cells[place], in: rest, style: theme[isFocused ? .focus : .muted]) + 2
    }
  }

  /// The last marks with their times for a pane beside the sheet, the newest first; nil where the strip shows them.
  func lastMarks(width: Int) -> [SafeText]? {
    if isStripShown { return nil }
    return surroundings.strip.marks.reversed().map { mark in
      let time = SafeText(LocalTime.reading(of: mark.time).time)
      let text = SafeText("  \(number(of: mark))  \(mark.text)")
      let room = max(0, width - time.width - 2)
      return text.truncated(to: room).padded(to: room) + "  " + time
    }
  }

  /// Reads what the strip or the pane shows, before it is drawn.
  func refreshStrip(_ region: Rect) {
    if isStripShown || region.width >= SheetLayout.besideWidth { readStrip() }
  }
}
