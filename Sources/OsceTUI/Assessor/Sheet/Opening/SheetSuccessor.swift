import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Who is in the room while the sheet of somebody who has left is open: the second line says so until it is left.
extension SheetScreen {
  /// Reads who follows on the open sheet's candidate; nobody before the bell.
  func readSuccessor() {
    flow.following = presence == .left ? whoFollows() : nil
  }

  /// The candidate of the round that is on, or of the next with anybody in it.
  private func whoFollows() -> RosterEntry? {
    let clock = context.clock
    guard let state = clock.state, state.status != .notStarted, state.status != .finished else { return nil }
    let due = clock.roundDue
    let (timetable, seat) = (session.timetable, seat)
    do {
      return try context.store.read { try Roster.entries(timetable: timetable, seat: seat, in: $0) }
        .sortedByRound { clock.round(of: $0) }
        .first { entry in
          entry.key != entryKey && entry.candidate != nil && !clock.isAway(entry)
            && (clock.round(of: entry).map { $0 >= due } ?? (clock.presence(of: entry) == .inTheRoom))
        }
    } catch {
      context.noteUnread(error)
      return flow.following
    }
  }

  /// Who is in the room now and the key that goes there; empty while the sheet's own candidate is.
  var successorText: SafeText {
    guard presence == .left, let entry = flow.following, let candidate = entry.candidate else { return "" }
    let key = context.key(of: Keys.nextRound)
    let who = SafeText(context.title(of: candidate))
    let place: SafeText = context.clock.whereabouts(of: entry)
    // The heading gives it at most eleven twentieths of the line, its signs included.
    let room: Int = max(8, flow.width * 11 / 20 - 6 - place.width - key.width)
    return " " + context.theme.glyphs.pointer + " " + place + " " + who.truncated(to: room) + "  " + key
  }

  /// What the key for the next candidate does, in the footer.
  var nextLabel: String {
    guard presence == .left, let number = flow.following?.candidate?.number else { return "next" }
    return number
  }

  /// Where the key for the next candidate leads: from the sheet of somebody who has left to who is in the room.
  func candidate(after step: Int) -> RosterEntry? {
    if step > 0, presence == .left {
      readSuccessor()
      if let following = flow.following { return following }
    }
    return neighbour(step)
  }
}

extension ClockPanel {
  /// The round whose candidate is in the room, or comes next: from the bell that ends a rotation on, the one after it.
  var roundDue: Int {
    guard let state, let round = state.round else { return 1 }
    switch state.phase?.type {
    case .rotation, .reading, .feedback: return round
    default: return round + 1
    }
  }

  /// Where somebody is who comes in the round that is due, in a few words.
  func whereabouts(of entry: RosterEntry) -> SafeText {
    if presence(of: entry) == .inTheRoom { return "IN THE ROOM" }
    guard round(of: entry) == roundDue else { return "NEXT" }
    switch state?.phase?.type {
    case .reading: return "READING OUTSIDE"
    case .rotation: return "IN THE ROOM"
    default: return "AT THE DOOR"
    }
  }
}
