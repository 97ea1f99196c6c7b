import Terminal

/// Which wording of a heading is shown in a width, and how many columns each part of it has.
struct HeadingLayout {
  /// What is said beside a heading.
  struct Notes {
    /// What calls for action.
    var urgent: SafeText
    /// What is said of a call for help, the longest first.
    var help: [SafeText]
    /// What clock and hub say, the longest first.
    var others: [SafeText]
    /// Whether the hub says something.
    var isHubHeard: Bool
    /// That the hub needs a person.
    var blocked: SafeText
    /// What parts two notes that would be read as one.
    var separator: SafeText
  }

  private let heading: Heading
  private let blocked: SafeText
  private let badge: SafeText
  private let wording: Wording
  /// What stands at the right of the heading, and what clock and hub say.
  private let rest: SafeText
  /// Columns for who is in the room now.
  private let nowWidth: Int
  /// Columns for all else at the right.
  private let sideWidth: Int

  /// One of the ways in which a heading can be said.
  private struct Wording {
    let text: SafeText
    let now: Heading.Next?
    let note: SafeText
    /// Columns after the text: who is in the room begins with a blank of its own.
    let margin: Int

    var width: Int { text.width + margin + nowWidth + note.width }

    var nowWidth: Int { now?.width ?? 0 }
  }

  private var gap: Int { badge.isEmpty ? 0 : 1 }

  /// What stands at the right of a candidate's line shrinks first, then what is said of a call for help, then who comes
  /// next, then the name; then what stands at the right falls off, then where the next is, and last the surnames are
  /// cut. Badge, numbers and keys are never cut.
  init(_ heading: Heading, _ notes: Notes, width: Int) {
    self.heading = heading
    blocked = notes.blocked
    let badge: SafeText = heading.badge.isEmpty ? "" : " " + heading.badge + " "
    self.badge = badge
    let start = badge.isEmpty ? 0 : badge.width + 1
    let texts = [heading.text] + heading.shorterTexts
    let nows: [Heading.Next?] = heading.nows.isEmpty ? [nil] : Array(heading.nows.dropLast())
    let wordings = HeadingLayout.wordings(of: heading, texts, nows, notes)
    let briefest = HeadingLayout.wordings(of: heading, texts.suffix(1), [heading.nows.last], notes)
    let shortest = heading.isOfCandidate ? wordings.suffix(nows.count * notes.help.count) : []
    let trailings = [heading.trailing] + (heading.shorterTrailing.isEmpty ? [] : [heading.shorterTrailing])
    let least = trailings[trailings.count - 1]
    /// What a wording, and what clock and hub say, leave for what stands at the right.
    func room(beside wording: Wording, _ others: SafeText) -> Int {
      width - start - wording.width - heading.written.width - others.width - notes.blocked.width
    }
    func wording(beside others: SafeText) -> Wording? {
      wordings.first { room(beside: $0, others) >= least.width }
        ?? shortest.first { room(beside: $0, others) >= 0 }
    }
    let others = notes.others.first { wording(beside: $0) != nil } ?? notes.others.last ?? ""
    let fitting =
      wording(beside: others) ?? (heading.isOfCandidate ? briefest.first { room(beside: $0, others) >= 0 } : nil)
    let chosen = fitting ?? briefest[briefest.count - 1]
    self.wording = chosen
    // Where the hub has no room beside it either, what stands at the right gives way whole.
    let isCut = fitting == nil && notes.isHubHeard
    let left = max(0, room(beside: chosen, others))
    rest =
      heading.isOfCandidate
      ? (trailings.first { $0.width <= left } ?? least.truncated(to: left)) + others
      : (isCut ? "" : heading.trailing) + others
    let number = chosen.text.plain.prefix { $0 != " " }.count
    // A cut name leaves the number, a blank and the sign that it was cut.
    let needed = start + min(chosen.text.width, number + 2) + chosen.margin
    let side = heading.written.width + chosen.note.width + rest.width + blocked.width
    let most = fitting != nil ? side : min(side, chosen.now == nil ? width / 2 : width / 4)
    let now = fitting != nil ? chosen.nowWidth : min(chosen.nowWidth, width * 11 / 20)
    nowWidth = min(now, max(0, width - needed - most))
    sideWidth = min(most, max(0, width - nowWidth - needed))
  }

  /// All ways to say it, the longest first.
  private static func wordings(
    of heading: Heading, _ texts: [SafeText], _ nows: [Heading.Next?], _ notes: Notes
  ) -> [Wording] {
    let helps = notes.help.map { note(of: $0, heading, notes) }
    let isAlone = heading.written.isEmpty && notes.blocked.isEmpty && notes.others.first?.isEmpty != false
    return texts.flatMap { text in
      nows.flatMap { now in
        helps.map { note in
          Wording(text: text, now: now, note: note, margin: now != nil && note.isEmpty && isAlone ? 0 : 1)
        }
      }
    }
  }

  /// What calls for action and what is said of a call for help, parted from what stands after it.
  private static func note(of help: SafeText, _ heading: Heading, _ notes: Notes) -> SafeText {
    let note = notes.urgent + help
    if note.isEmpty || heading.trailing.isEmpty || !heading.written.isEmpty { return note }
    let begins = (heading.trailing + (notes.others.first ?? "")).plain.hasPrefix(" ")
    if help.isEmpty, begins { return note }
    // Two notes side by side would be read as one.
    return note + (begins ? " " + notes.separator : "  ")
  }

  func draw(on canvas: inout Canvas, in region: Rect, _ theme: Theme) {
    let (end, before) = region.splitRight(nowWidth)
    if let now = wording.now {
      let (keys, who) = end.splitRight(min(now.key.width, end.width))
      canvas.draw(now.who.truncated(to: who.width), in: who, style: theme[.key])
      canvas.draw(now.key, in: keys, style: theme[.key])
    }
    let (right, start) = before.splitRight(sideWidth)
    // Where there is no room for all of it, that somebody must act stands, and the rest is cut before it.
    let (last, first) = right.splitRight(min(blocked.width, right.width))
    canvas.draw([(wording.note, theme[.error]), (heading.written, theme[.normal]), (rest, theme[.muted])], in: first)
    canvas.draw(blocked, in: last, style: theme[.warning])
    let badgeEnd = canvas.draw(badge, in: start, style: theme[heading.isAlarm ? .alarm : .heading])
    let line = start.columns(badgeEnd - start.x + gap, start.width)
    canvas.draw(wording.text.truncated(to: max(0, line.width - wording.margin)), in: line, style: theme[.heading])
  }
}
