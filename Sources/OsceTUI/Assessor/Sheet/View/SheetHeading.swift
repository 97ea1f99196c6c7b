import CircuitModel
import Reports
import Terminal
import Timer

/// The heading of a sheet: where its candidate is, who that is, and who comes next.
extension SheetScreen {
  var heading: Heading {
    guard let entry else { return Heading(text: "no candidate here", nows: successors) }
    let rerun = context.clock.rerunToCome(for: entry)
    let badge: SafeText
    switch presence {
    case _ where isAtIdentityStep && isAbsent: badge = "ABSENT"
    // Whatever became of its own round: the sheet is owed by the re-run alone.
    case _ where rerun != nil: badge = SafeText("RE-RUN \(rerun ?? 0)")
    case .inTheRoom:
      badge = secondsAfterBell.map { SafeText("STOPS IN \(PhaseText.digits($0 * 1000))") } ?? "IN THE ROOM"
    case .left:
      let round = context.clock.round(of: entry) ?? entry.round
      badge = round.map { "LEFT (round \($0))" } ?? "LEFT"
    case .notYetHere:
      badge = isAtIdentityStep && isAbsent ? "ABSENT" : placeBeforeRoom ?? "NOT YET HERE"
    case .practice: badge = "PRACTICE"
    }
    var texts: [SafeText] = ["practice sheet, never counted"]
    if let candidate = entry.candidate {
      let (extra, separator) = (session.isRest ? nil : candidate.extraAtStation, context.theme.glyphs.separator.plain)
      // All of them stand in the identity check; number and name are never cut for them.
      let adjustments =
        extra == nil ? candidate.adjustments.map { _ in "ADJUSTMENTS" } : candidate.extraTime
      func text(_ name: String, _ more: String?) -> SafeText {
        SafeText("\(candidate.number)  \(name)\(more.map { " \(separator) \($0)" } ?? "")")
      }
      let (name, surname) = (context.name(of: candidate), context.surname(of: candidate))
      texts = [text(name, adjustments), text(name, extra ?? adjustments), text(surname, extra ?? adjustments)]
    }
    let isExpected = rerun == nil && (presence == .inTheRoom || placeBeforeRoom != nil)
    return Heading(
      badge: badge, isAlarm: !isExpected || badge == "ABSENT", text: texts[0], shorterTexts: Array(texts.dropFirst()),
      isOfCandidate: entry.candidate != nil, trailing: notes(), shorterTrailing: notes(isShort: true), urgent: alarms,
      written: SafeText(surroundings.written.signs(context.theme.glyphs).map { " " + $0 }.joined()),
      nows: successors)
  }

  /// What the heading says of the sheet that calls for action.
  private var alarms: SafeText {
    (ownership.isTakenOver ? " READ-ONLY" : "") + (isAbsent && !isAtIdentityStep ? " ABSENT" : "")
  }

  /// What the heading says of the sheet beside the candidate.
  /// - Parameter isShort: whether the message line alone says where else it is open.
  private func notes(isShort: Bool = false) -> SafeText {
    // By weight: what has no room falls off at the right.
    var notes: SafeText = ""
    if entry?.identityNote != nil { notes += " IDENTITY?" }
    if let paper = context.modes.paper { notes += SafeText(" " + paper.note) }
    if model.isUncheckedPaper { notes += " IDENTITY NOT CHECKED" }
    if !ownership.isTakenOver, let other = ownership.others.first {
      notes += isShort ? " also open" : SafeText(" also open at \(other.place)")
    }
    if context.modes.isNumberPad { notes += " PAD" }
    return notes
  }

  /// Where the candidate of the round that is due is before the bell, once the identity is checked; nil for others.
  private var placeBeforeRoom: SafeText? {
    guard let entry, !isAtIdentityStep, presence == .notYetHere, entry.isPresent == true,
      context.clock.round(of: entry) == context.clock.roundDue, let state = context.clock.state,
      state.phase?.type == .reading || state.phase?.type == .changeover
    else { return nil }
    return state.placeBeforeRoom
  }
}
