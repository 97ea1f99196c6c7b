import Timer

/// Where a candidate is, as far as the clock can tell: what the second line of a sheet says.
public enum Presence: Equatable, Sendable {
  /// The candidate's rotation (or the feedback after it) is on.
  case inTheRoom
  /// The rotation is over.
  case left
  /// The rotation has not begun.
  case notYetHere
  /// Nobody: the sheet is for practice.
  case practice

  /// - Parameters:
  ///   - round: the round in which the candidate comes; nil where none is planned.
  ///   - state: what the clock shows; nil where no clock runs.
  public init(round: Int?, isPractice: Bool, state: ClockState?) {
    if isPractice {
      self = .practice
      return
    }
    guard let round, let state else {
      self = .notYetHere
      return
    }
    switch state.status {
    case .notStarted: self = .notYetHere
    case .finished: self = round <= (state.rounds ?? 0) ? .left : .notYetHere
    case .running, .paused, .waiting:
      let current = state.round ?? 0
      if round != current {
        self = round < current ? .left : .notYetHere
        return
      }
      switch state.phase?.type {
      case .rotation: self = state.status == .waiting ? .notYetHere : .inTheRoom
      // The reading phase belongs to the rotation that follows it; the feedback to the one before.
      case .reading: self = .notYetHere
      case .feedback: self = state.status == .waiting ? .left : .inTheRoom
      default: self = .left
      }
    }
  }

  /// Where the candidate of a roster entry is.
  /// - Parameters:
  ///   - state: what the clock shows; nil where no clock runs.
  ///   - isRerun: whether that is the clock of a re-run: a candidate who is not queued for it has left.
  ///   - passages: what the clock has passed through, asked where no round is planned for the entry.
  public init(
    _ entry: RosterEntry, state: ClockState?, isRerun: Bool, passages: @autoclosure () -> [Passage] = []
  ) {
    let round = entry.round(isRerun: isRerun)
    if round == nil, entry.round == nil, !entry.isPractice, let checked = entry.identityCheckedAt {
      let passages = passages()
      // Who was checked before a re-run was begun was here before it.
      if !isRerun || passages.first.map({ $0.entered <= checked }) == true {
        self = .since(checked, entry, state, passages)
        return
      }
    }
    self = .left
    if isRerun && !entry.isPractice && round == nil { return }
    self.init(round: round, isPractice: entry.isPractice, state: state)
  }

  /// Where somebody is who comes in no round and was checked at the station: in the room until the rotation is over
  /// that was on then, or was the next; with none after it, until all is signed.
  private static func since(
    _ checked: Instant, _ entry: RosterEntry, _ state: ClockState?, _ passages: [Passage]
  ) -> Presence {
    let rotation = passages.first { $0.type == .rotation && $0.end.map { $0 > checked } != false }
    guard let rotation else {
      return entry.isSigned ? .left : .inTheRoom
    }
    return Presence(round: rotation.round, isPractice: false, state: state) == .left ? .left : .inTheRoom
  }

  /// Whether the rotation has begun, so that marking needs no override.
  public var hasBegun: Bool { self != .notYetHere }
}
