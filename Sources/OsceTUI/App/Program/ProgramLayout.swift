import Reports
import Terminal

/// How the program puts a screen together: clock and candidate above, the screen, message and keys below.
extension ScreenProgram {
  func view(_ size: Size) -> Canvas {
    let theme = context.theme
    var canvas = Canvas(size: size, style: theme[.normal])
    let layout = ProgramLayout(size)
    guard let screen = context.screen else { return canvas }
    if screen.showsClock {
      context.clock.heading.draw(on: &canvas, in: layout.clock, theme: theme, screen: SafeText(screen.title))
    } else {
      canvas.draw(SafeText(screen.title), in: layout.clock, style: theme[.title])
    }
    let candidate = candidateLine
    draw(candidate ?? screen.heading, on: &canvas, in: layout.heading)
    if ProgramLayout.isTooSmall(size) {
      drawSmall(screen, on: &canvas, in: Rect(size).rows(2, size.height))
      return canvas
    }
    if let lock = context.navigator.lock {
      lock.draw(on: &canvas, layout, context)
      return canvas
    }
    if candidate != nil { drawTitle(screen.heading, on: &canvas, in: layout.body.row(0)) }
    screen.draw(on: &canvas, in: under(candidate, layout.body))
    drawMessage(on: &canvas, in: layout.message)
    if let overlay = context.overlay {
      canvas.draw(overlay.footer(theme.glyphs), in: layout.footer, style: theme[.muted])
    } else {
      Footer.draw(keys.footer(screen, theme.glyphs), on: &canvas, in: layout.footer, theme: theme)
    }
    context.overlay?.draw(on: &canvas, layout, keys.listing, listed: helpTable, theme)
    if screen.isFlashing { canvas.reverse() }
    return canvas
  }

  /// The line of the candidate whose sheet lies under the screen: it is never covered.
  var candidateLine: Heading? {
    guard let screen = context.screen, screen.isSignedIn, !screen.keepsHeading else { return nil }
    return context.screens.dropLast().last { $0.keepsHeading }?.heading
  }

  /// The screen's part of the body: where a candidate's line stands in the place of its heading, that is its first row.
  func under(_ candidate: Heading?, _ body: Rect) -> Rect {
    candidate == nil ? body : body.rows(1, max(0, body.height - 1))
  }

  private func drawTitle(_ heading: Heading, on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    let (right, left) = region.splitRight(min(heading.trailing.width, region.width / 2))
    canvas.draw(heading.trailing, in: right, style: theme[.muted])
    canvas.draw(heading.text.truncated(to: max(0, left.width - 1)), in: left, style: theme[.title])
  }

  /// What `?` lists: the keys of the screen, then those of a text that is typed on it. Several lines and forms are
  /// written at a station alone.
  var helpTable: BindingTable<Void> {
    (context.isAtStation ? TextKeys.tables : [TextKeys.line]).reduce(keys.listing.listing) { $0.appending($1.listing) }
  }

  /// What is said where there is no room for the screen: the answer to the last key, or what the invigilator tells.
  private func drawSmall(_ screen: any AppScreen, on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    if let question = smallQuestion {
      canvas.drawWrapped(question.plain, in: region, style: theme[.heading])
      return
    }
    let used = canvas.drawWrapped(screen.smallNote, in: region, style: theme[.warning])
    let rest = region.rows(used, region.height)
    if !context.message.text.isEmpty {
      canvas.drawWrapped(context.message.text.plain, in: rest, style: theme[context.message.role])
    } else {
      let told = context.clock.notices.reversed().map { "MESSAGE: " + $0 }
      canvas.drawWrapped(told.joined(separator: "\n"), in: rest, style: theme[.alarm])
    }
  }

  /// Draws the answer to the last key; once that is gone, what the invigilator tells this station, that the exam's time
  /// may be wrong, or who will read what is being written.
  private func drawMessage(on canvas: inout Canvas, in region: Rect) {
    if context.message.text.isEmpty, let told = context.messages.hall.page {
      let end = canvas.draw(told, in: region, style: context.theme[.alarm])
      let isBound = keys.find(StationKeys.told.name.id) != nil
      let hint = isBound ? context.key(of: StationKeys.told) + " all" : ""
      if context.messages.hall.hasMore, region.x + region.width - end > hint.width {
        canvas.draw(hint, in: region, .right, style: context.theme[.muted])
      }
    } else if context.message.text.isEmpty, let doubt = context.store.clock.doubt {
      canvas.draw(SafeText(" \(doubt.line) "), in: region, style: context.theme[.warning])
    } else if context.message.text.isEmpty, let hub = context.store.clock.hub, hub.heldDifference != nil {
      canvas.draw(SafeText(" \(hub.line(at: context.store.clock.boot)) "), in: region, style: context.theme[.warning])
    } else if context.message.text.isEmpty, case .editor(let editor) = context.overlay {
      canvas.draw(editor.readers, in: region, style: context.theme[.normal])
    } else if context.overlay == nil, context.message.text.width > region.width {
      // What does not fit the line takes up to two rows above, for as long as it is said.
      PromptNoteView.draw(
        context.message.text, context.message.role, on: &canvas, above: region.y + 1,
        in: Rect(x: region.x, y: region.y - 2, width: region.width, height: 3), theme: context.theme)
    } else {
      context.message.draw(on: &canvas, in: region, theme: context.theme)
    }
  }

  private func draw(_ heading: Heading, on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    let hub = context.follower.hub
    let now = context.store.clock.now
    let clock = context.clock
    let badge: SafeText = heading.badge.isEmpty ? "" : " " + heading.badge + " "
    // What is said of a call for help shrinks first, then who comes next, then the name; then what stands at the right of
    // a candidate's line falls off, and last the surname is cut. Badge and number are never cut.
    let sides = [false, true].map { isShort -> SafeText in
      let note = hub.note(at: now, isShort: isShort)
      return clock.comingNote + clock.releaseNote + (note.isEmpty ? "" : SafeText("  \(note)"))
    }
    let blocked: SafeText = hub.needsPerson ? "  HUB: " + context.key(of: EveryScreen.outbox) : ""
    let whole = heading.trailing + sides[0]
    let written = heading.written
    let notes = clock.helpNotes.map { help in
      let note = heading.urgent + clock.coverNote(context.sitting?.staff.id) + help
      if note.isEmpty || heading.trailing.isEmpty || !written.isEmpty { return note }
      if help.isEmpty, whole.plain.hasPrefix(" ") { return note }
      // Two notes side by side would be read as one.
      return note + (whole.plain.hasPrefix(" ") ? " " + theme.glyphs.separator : "  ")
    }
    let gap = badge.isEmpty ? 0 : 1
    typealias Wording = (text: SafeText, now: SafeText, note: SafeText)
    // Who is in the room begins with a blank of its own.
    func margin(_ wording: Wording) -> Int {
      !wording.now.isEmpty && wording.note.isEmpty && written.isEmpty && sides[0].isEmpty && blocked.isEmpty ? 0 : 1
    }
    /// What a wording, and what is said of clock and hub, leave for what stands at the right.
    func room(beside wording: Wording, _ others: SafeText) -> Int {
      region.width - badge.width - gap - wording.text.width - margin(wording) - wording.now.width - wording.note.width
        - written.width - others.width - blocked.width
    }
    let texts = [heading.text] + heading.shorterTexts
    let nows = [heading.now] + (heading.shorterNow.isEmpty ? [] : [heading.shorterNow])
    let wordings = texts.flatMap { text in
      nows.flatMap { now in notes.map { note -> Wording in (text, now, note) } }
    }
    let shortest = heading.isOfCandidate ? wordings.suffix(nows.count * notes.count) : []
    func wording(beside others: SafeText) -> Wording? {
      wordings.first { room(beside: $0, others) >= heading.trailing.width }
        ?? shortest.first { room(beside: $0, others) >= 0 }
    }
    let others = sides.first { wording(beside: $0) != nil } ?? sides[1]
    let fitting = wording(beside: others)
    let chosen = fitting ?? wordings[wordings.count - 1]
    let left = room(beside: chosen, others)
    let isFitted = fitting != nil
    // Where the hub has no room beside it either, what stands at the right gives way whole.
    let isCut = !isFitted && hub.note(at: now) != ""
    let rest =
      heading.isOfCandidate
      ? heading.trailing.truncated(to: max(0, left)) + others : (isCut ? "" : heading.trailing) + others
    let number = chosen.text.plain.prefix { $0 != " " }.count
    // A cut name leaves the number, a blank and the sign that it was cut.
    let needed = badge.width + gap + min(chosen.text.width, number + 2) + margin(chosen)
    let side = written.width + chosen.note.width + rest.width + blocked.width
    let most = chosen.now.isEmpty ? region.width / 2 : region.width / 4
    let width = isFitted ? side : min(side, most)
    let nowWidth = isFitted ? chosen.now.width : min(chosen.now.width, region.width * 11 / 20)
    let (end, before) = region.splitRight(min(nowWidth, max(0, region.width - needed - width)))
    canvas.draw(chosen.now, in: end, style: theme[.key])
    let (right, start) = before.splitRight(min(width, max(0, before.width - needed)))
    // Where there is no room for all of it, that somebody must act stands, and the rest is cut before it.
    let (last, first) = right.splitRight(min(blocked.width, right.width))
    canvas.draw([(chosen.note, theme[.error]), (written, theme[.normal]), (rest, theme[.muted])], in: first)
    canvas.draw(blocked, in: last, style: theme[.warning])
    let badgeEnd = canvas.draw(badge, in: start, style: theme[heading.isAlarm ? .alarm : .heading])
    let line = start.columns(badgeEnd - start.x + gap, start.width)
    canvas.draw(chosen.text.truncated(to: max(0, line.width - margin(chosen))), in: line, style: theme[.heading])
  }
}

/// Where the parts of every screen stand.
struct ProgramLayout {
  let clock: Rect
  let heading: Rect
  let body: Rect
  let message: Rect
  let footer: Rect

  init(_ size: Size) {
    let all = Rect(size)
    clock = all.row(0)
    heading = all.row(1)
    footer = all.row(size.height - 1)
    message = all.row(size.height - 2)
    body = all.rows(2, max(0, size.height - 4))
  }

  /// The least that can be marked on: with fewer columns the levels leave no room for the item's text, with fewer rows
  /// the focused item in full leaves fewer than five rows of the list.
  static let least = Size(width: 60, height: 18)

  static func isTooSmall(_ size: Size) -> Bool { size.width < least.width || size.height < least.height }
}

/// How what lies over a screen looks.
extension Overlay {
  /// Draws it. The clock and the candidate's line are never covered.
  /// - Parameters:
  ///   - table: the keys that act without it, for the palette.
  ///   - listed: the keys that the help lists.
  func draw(
    on canvas: inout Canvas, _ layout: ProgramLayout, _ table: @autoclosure () -> BindingTable<BindingID>,
    listed: @autoclosure () -> BindingTable<Void>, _ theme: Theme
  ) {
    switch self {
    case .help(let help): help.draw(listed(), on: &canvas, in: layout.body, theme: theme)
    case .palette(let palette): palette.draw(table(), on: &canvas, in: layout.body, theme: theme)
    case .question(let question): question.draw(on: &canvas, in: layout.body, theme: theme)
    case .prompt(let prompt): prompt.draw(on: &canvas, in: layout.message, below: layout.body, theme: theme)
    case .confirmation(let confirmation):
      confirmation.draw(on: &canvas, above: layout.footer, in: layout.body, theme: theme)
    case .editor(let editor):
      canvas.fill(layout.body, style: theme[.normal])
      editor.draw(on: &canvas, in: layout.body, theme: theme)
    case .form(let session): session.form.draw(on: &canvas, in: layout.body, theme: theme)
    case .checklist(let session):
      session.list.draw(title: session.title, session.rows(), on: &canvas, in: layout.body, theme: theme)
    case .reader(let reader): reader.draw(on: &canvas, in: layout.body, theme: theme)
    }
  }
}
