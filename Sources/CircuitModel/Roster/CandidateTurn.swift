import Timer

/// When the candidate of a roster entry comes to a station by a run's clock, and what the station owes of that.
public struct CandidateTurn: Sendable {
  private let entry: RosterEntry
  private let fold: Fold?
  private let isRerun: Bool
  private let now: Instant

  /// - Parameters:
  ///   - fold: the run's clock; nil where none runs.
  ///   - isRerun: whether that is the clock of a re-run: its rounds are those of the queue.
  public init(of entry: RosterEntry, by fold: Fold?, isRerun: Bool, at now: Instant) {
    (self.entry, self.fold, self.isRerun, self.now) = (entry, fold, isRerun, now)
  }

  private var state: ClockState? { fold?.state(at: now) }

  /// The round in which the candidate comes; nil where none is planned.
  public var round: Int? { entry.round(isRerun: isRerun) }

  /// Where the candidate is.
  public var presence: Presence {
    if leftAfterBell != nil { return .inTheRoom }
    return Presence(entry, state: state, isRerun: isRerun, passages: fold?.timeline(at: now).passages ?? [])
  }

  /// Milliseconds that a candidate with more time than others still has after the bell of the rotation; nil before the
  /// bell, once it is over, and for everybody else. No pause of the hall's clock stops it: the station counts it.
  public var leftAfterBell: Int64? {
    guard let round else { return nil }
    return fold?.leftAfterBell(round: round, extraSeconds: entry.candidate?.extraStationSeconds ?? 0, at: now)
  }

  /// Whether the candidate comes in a later round than the one that is due, or before the start than the first. Without
  /// a round nobody knows.
  public var isNotDueYet: Bool {
    guard let round, presence == .notYetHere else { return false }
    guard let state, state.status != .notStarted else { return round > 1 }
    return state.status != .finished && state.round != nil && round > state.roundDue
  }

  /// Whether the candidate is not to be marked: recorded absent, and not queued for the re-run that is on.
  public var isAbsent: Bool { entry.isPresent == false && !(isRerun && entry.rerunRound != nil) }

  /// The round of the re-run to come that alone owes the sheet, whatever became of its own round; nil where it is not
  /// queued, once it is signed, and while a re-run is on, whose rounds are those that are shown.
  public var rerunToCome: Int? { isRerun || entry.isSigned ? nil : entry.rerunRound }

  /// Whether the candidate has gone and the sheet is not signed, or it was signed with something required blank.
  /// - Parameter blanks: how much of what is required is blank.
  public func isLeftOpen(blanks: Int) -> Bool {
    if isAbsent || rerunToCome != nil { return false }
    return entry.isSigned ? blanks > 0 : presence == .left
  }
}

extension ClockState {
  /// The round whose candidate is in the room, or comes next: from the bell that ends a rotation on, the one after it.
  /// The changeover before a round belongs to it, as does its reading.
  public var roundDue: Int {
    guard let round else { return 1 }
    switch phase?.type {
    case .rotation, .reading, .feedback: return round
    default: return round + 1
    }
  }
}
