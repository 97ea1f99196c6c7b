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
      context.clock.heading.draw(on: &canvas, in: layout.clock, theme: theme, opening: screen.opening)
    } else {
      screen.opening.draw(on: &canvas, in: layout.clock, theme: theme)
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
    context.overlay?.draw(on: &canvas, overlayLayout(size), keys.listing, listed: helpTable, theme)
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

  /// Where what lies over the screen has its place: under what the screen keeps in view.
  func overlayLayout(_ size: Size) -> ProgramLayout {
    let layout = ProgramLayout(size)
    return layout.under(context.screen?.rowsInView(of: layout.body) ?? 0)
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
    HeadingLayout(heading, notes(beside: heading), width: region.width).draw(on: &canvas, in: region, context.theme)
  }

  /// What clock and hub have to say beside a heading.
  private func notes(beside heading: Heading) -> HeadingLayout.Notes {
    let (hub, now, clock) = (context.follower.hub, context.store.clock.now, context.clock)
    let hubNotes = [false, true].map { hub.note(at: now, isShort: $0) }
    return HeadingLayout.Notes(
      urgent: heading.urgent + clock.lockNote + clock.coverNote(context.sitting?.staff.id), help: clock.helpNotes,
      others: hubNotes.map { clock.comingNote + clock.releaseNote + ($0.isEmpty ? "" : SafeText("  \($0)")) },
      isHubHeard: !hubNotes[0].isEmpty,
      blocked: hub.needsPerson ? "  HUB: " + context.key(of: EveryScreen.outbox) : "",
      separator: context.theme.glyphs.separator)
  }
}
