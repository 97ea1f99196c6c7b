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
    guard presence == .left || presence == .notYetHere, clock.state?.status.isOpen == true
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

  /// Who is in the room now and the key that goes there: at length, with the surname alone, and without the place; empty
  /// until the sheet's own candidate has left, of whom the line says more before.
  var successors: [Heading.Next] {
    guard presence == .left || entry == nil, let entry = surroundings.following, let candidate = entry.candidate else {
      return []
    }
    let place = context.clock.whereabouts(of: entry)
    let (name, surname) = (SafeText(context.title(of: candidate)), SafeText(context.shortTitle(of: candidate)))
    let keys = keysToNext
    func next(_ who: SafeText, _ key: SafeText) -> Heading.Next {
      Heading.Next(who: " " + context.theme.glyphs.pointer + " " + who, key: key.isEmpty ? "" : "  " + key)
    }
    return [
      next(place + " " + name, keys.whole), next(place + " " + surname, keys.whole), next(surname, keys.short),
    ]
  }

  /// What is pressed to get there, also from what lies over the sheet; empty where that is more than two keys.
  private var keysToNext: (whole: SafeText, short: SafeText) {
    let key = context.key(of: Keys.nextRound)
    let first: SafeText
    switch (isCovered, context.overlay != nil) {
    case _ where context.navigator.lock != nil: return ("", "")
    case (false, false): return (key, key)
    case (false, true): first = "Esc"
    case (true, false): first = context.key(of: EveryScreen.back)
    case (true, true): return ("", "")
    }
    return (first + ", then " + key, first + " " + key)
  }

  /// Where to go from a sheet whose place the roster has no more.
  var wayOn: String {
    surroundings.following?.candidate.map { "\(context.key(of: Keys.nextRound).plain) opens \(context.title(of: $0))" }
      ?? "\(context.key(of: EveryScreen.back).plain) goes back to the roster"
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
