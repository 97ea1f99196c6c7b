import CircuitModel
import Reports
import Timer

/// When the candidates of a station come, by the clock that is shown.
extension ClockPanel {
  /// The round in which the candidate of an entry comes by this clock; nil where none is planned.
  func round(of entry: RosterEntry) -> Int? { turn(of: entry).round }

  /// Where the candidate of an entry is by this clock.
  func presence(of entry: RosterEntry) -> Presence { turn(of: entry).presence }

  /// Milliseconds that the candidate of an entry still has after the bell; nil where that is over, or never was.
  func leftAfterBell(of entry: RosterEntry) -> Int64? { turn(of: entry).leftAfterBell }

  /// Whether the candidate of an entry comes in a later round than the one that is due.
  func isNotDueYet(_ entry: RosterEntry) -> Bool { turn(of: entry).isNotDueYet }

  /// Whether the candidate of an entry is not to be marked.
  func isAbsent(_ entry: RosterEntry) -> Bool { turn(of: entry).isAbsent }

  /// The round of the re-run to come that alone owes an entry's sheet.
  func rerunToCome(for entry: RosterEntry) -> Int? { turn(of: entry).rerunToCome }

  /// Whether an entry's candidate has gone and the sheet is not done.
  func isLeftOpen(_ entry: RosterEntry, _ work: RosterWork?) -> Bool {
    work?.isDue != false && turn(of: entry).isLeftOpen(blanks: work?.blankCount ?? 0)
  }

  /// The round whose candidate is in the room, or comes next.
  var roundDue: Int { state?.roundDue ?? 1 }
}
