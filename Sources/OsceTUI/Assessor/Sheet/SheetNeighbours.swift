import CircuitModel
import ExamStore
import Reports

/// Who comes before and after the candidate of a sheet.
extension SheetScreen {
  /// Whether a re-run is on, which only the candidates of its queue come to: once it is over all count again.
  var isInRerun: Bool { context.clock.isRerun && context.clock.state?.status != .finished }

  /// Who comes before or after at this station, absentees and empty slots passed over.
  func neighbour(_ step: Int) -> RosterEntry? {
    let (clock, isInRerun) = (context.clock, isInRerun)
    let (timetable, seat) = (session.timetable, seat)
    do {
      // In the order of the roster: who has no round, such as a candidate added on the day, comes after the others.
      let entries = try context.store.read { try Roster.entries(timetable: timetable, seat: seat, in: $0) }
        .filter { !isInRerun || $0.rerunRound != nil || $0.key == entryKey }
        .sortedByRound { $0.round(isRerun: isInRerun) }
      if isInRerun, entry.flatMap({ clock.round(of: $0) }) == nil { return neighbour(step, inRerun: entries) }
      guard let own = entries.firstIndex(where: { $0.key == entryKey }) else { return nil }
      let others = step > 0 ? entries[(own + 1)...].map { $0 } : entries[..<own].reversed()
      return others.first { !clock.isAbsent($0) && $0.candidate != nil }
    } catch {
      context.showError(error)
      return nil
    }
  }

  /// A sheet that the re-run does not ask for stands before the candidates of its round.
  private func neighbour(_ step: Int, inRerun entries: [RosterEntry]) -> RosterEntry? {
    let clock = context.clock
    let current = clock.state?.round ?? 1
    let others = entries.filter { $0.key != entryKey && $0.candidate != nil && !clock.isAbsent($0) }
    return step > 0
      ? others.first { (clock.round(of: $0) ?? 0) >= current } : others.last { (clock.round(of: $0) ?? 0) < current }
  }
}
