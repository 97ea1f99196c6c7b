import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Who is in the room while the sheet of somebody else is open: the second line says so until that is left.
extension SheetScreen {
  /// Reads who is in the room, or comes next, and whether the key for the next candidate leads anywhere.
  func readSuccessor() {
    surroundings.following = whoIsDue()
    surroundings.hasNext = surroundings.following != nil || (entry?.isPractice == false && neighbour(1) != nil)
    renewRoundMessage()
  }

  /// The candidate of the round that is on, or of the next with anybody in it; nil where that is the sheet's own, or no
  /// round is on.
  private func whoIsDue() -> RosterEntry? {
    let clock = context.clock
    guard presence == .left || presence == .notYetHere, let state = clock.state, state.status != .notStarted,
      state.status != .finished
    else { return nil }
    let due = clock.roundDue
    let (timetable, seat, hasLeft) = (session.timetable, seat, presence == .left)
    do {
      let found = try context.store.read { try Roster.entries(timetable: timetable, seat: seat, in: $0) }
        .sortedByRound { clock.round(of: $0) }
        .first { entry in
          (entry.key != entryKey || !hasLeft) && entry.candidate != nil && !clock.isAbsent(entry)
            && clock.rerunToCome(for: entry) == nil
            && (clock.round(of: entry).map { $0 >= due } ?? (clock.presence(of: entry) == .inTheRoom))
        }
      return found?.key == entryKey ? nil : found
    } catch {
      context.noteUnread(error)
      return surroundings.following
    }
  }

  /// Who is in the room now and the key that goes there, at length and with the surname alone; empty until the sheet's
  /// own candidate has left, of whom the line says more before.
  var successorTexts: (whole: SafeText, short: SafeText) {
    guard presence == .left, let entry = surroundings.following, let candidate = entry.candidate else {
      return ("", "")
    }
    let key = keysToNext
    let place: SafeText = context.clock.whereabouts(of: entry)
    func text(_ who: SafeText) -> SafeText { " " + context.theme.glyphs.pointer + " " + place + " " + who + "  " + key }
    // The heading gives it at most eleven twentieths of the line where not all fits, its signs included.
    let room: Int = max(8, surroundings.size.width * 11 / 20 - 6 - place.width - key.width)
    return (
      text(SafeText(context.title(of: candidate))),
      text(SafeText(context.shortTitle(of: candidate)).truncated(to: room))
    )
  }

  /// What is pressed to get there, also from what lies over the sheet; empty where that is more than two keys.
  private var keysToNext: SafeText {
    let key = context.key(of: Keys.nextRound)
    if context.navigator.lock != nil { return "" }
    switch (isCovered, context.overlay != nil) {
    case (false, false): return key
    case (false, true): return "Esc, then " + key
    case (true, false): return context.key(of: EveryScreen.back) + ", then " + key
    case (true, true): return ""
    }
  }

  /// What the key for the next candidate does, in the footer.
  var nextLabel: String { surroundings.following?.candidate?.number ?? "next" }

  /// Where the key for the next candidate leads: from any other sheet to who is in the room, and from there to who comes
  /// next.
  func candidate(after step: Int) -> RosterEntry? {
    if step > 0 {
      readSuccessor()
      if let following = surroundings.following { return following }
    }
    return neighbour(step)
  }
}

extension ClockPanel {
  /// Where somebody is who comes in the round that is due, or in a later one, in a few words.
  func whereabouts(of entry: RosterEntry) -> SafeText {
    if presence(of: entry) == .inTheRoom { return "IN THE ROOM" }
    return round(of: entry) == roundDue ? state?.placeBeforeRoom ?? "NEXT" : "NEXT"
  }
}

extension ClockState {
  /// Where somebody is who comes in the round that is due and is not in the room. A phase that waits for its start has
  /// not begun: nobody reads, moves, or is in the room for it.
  var placeBeforeRoom: SafeText {
    switch phase?.type {
    case .reading: status == .waiting ? "AT THE DOOR" : "READING OUTSIDE"
    case .rotation: "AT THE DOOR"
    case .changeover: status == .waiting ? "NEXT" : "AT THE DOOR"
    default: "NEXT"
    }
  }
}
