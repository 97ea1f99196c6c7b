import Timer

/// Whether a station is at work in the round that is shown.
public enum StationSignal: Equatable, Sendable {
  /// Nothing is to be said.
  case none
  case outOfOrder
  /// Nothing is due of the candidate there.
  case excused
  /// The lead has ruled out what is not signed.
  case ruledOut
  /// Nobody has signed in; before the clock is started nobody has to.
  case unattended(isUnderWay: Bool)
  /// Nobody has recorded that the candidate with this number came.
  case notSeen(String)
  /// Nobody has marked for so long.
  case silent(forMs: Int64)
  /// The last mark was given so long ago.
  case marked(agoMs: Int64)
  /// How many of those who mark there have signed.
  case signed(Int, of: Int)

  /// From this silence on, in milliseconds, a station is chased.
  private static let silenceMs: Int64 = 90_000
  /// From this time of a rotation on a candidate must have been seen.
  private static let seenMs: Int64 = 60_000

  /// Of each station of a view, in its order.
  /// - Parameters:
  ///   - view: who is planned there in the round that is shown.
  ///   - isExcused: whether nothing is due of an entry's candidate at a station session.
  ///   - fold: the circuit's clock.
  public static func all(
    in view: HallView, _ signals: StationSignals, excusing isExcused: (RosterEntry, StationSession) -> Bool,
    _ fold: Fold?, at now: Instant
  ) -> [StationSignal] {
    let state = fold?.state(at: now)
    let passage = state?.phase?.type == .rotation ? fold?.timeline(at: now).passages.last : nil
    return view.board.stations.map { of($0, view, signals, isExcused, state, passage, now) }
  }

  private static func of(
    _ station: StationSession, _ view: HallView, _ signals: StationSignals,
    _ isExcused: (RosterEntry, StationSession) -> Bool, _ state: ClockState?, _ passage: Passage?, _ now: Instant
  ) -> StationSignal {
    if station.isRest || state?.status == .finished { return .none }
    let entry = view.entries(station: station.timetable, view.now).first
    switch view.now {
    case .session: if let entry, view.isOutOfOrder(entry) { return .outOfOrder }
    // A re-run needs the stations of its queue alone.
    case .rerun: if entry == nil { return .none }
    }
    if let entry, isExcused(entry, station) { return .excused }
    if let entry, view.isRuledOut(entry) { return .ruledOut }
    // Before the clock is started nobody has to go anywhere.
    let unattended = unattended(isUnderWay: state.map { $0.status != .notStarted } ?? false)
    guard let entry, let candidate = entry.candidate, entry.isPresent != false,
      let state, state.phase?.type == .rotation, let elapsed = state.elapsedMs, let passage
    else {
      return signals.signedIn.contains(station.timetable) ? .none : unattended
    }
    let begin = passage.restarts.last ?? passage.start ?? passage.entered
    let last = signals.lastMarks[entry.key].flatMap { $0 >= begin ? $0 : nil }
    if last == nil, !signals.signedIn.contains(station.timetable) { return unattended }
    if last == nil, entry.isPresent == nil, elapsed >= seenMs { return .notSeen(candidate.number) }
    let isDone = !entry.sheets.isEmpty && entry.sheets.allSatisfy { $0.isSigned || $0.answered == $0.items }
    // Nobody marks while the clock stands: after a pause silence is counted from the resume.
    let silence = now - max(last ?? begin, passage.pauses.last?.to ?? begin)
    if state.status == .running, !isDone, silence >= silenceMs { return .silent(forMs: silence) }
    if entry.sheets.contains(where: { !$0.isSigned }) || entry.sheets.isEmpty {
      return last.map { .marked(agoMs: now - $0) } ?? .none
    }
    let seats = StationSession.seats(of: station).count
    return .signed(seats - view.unsignedSecondAssessors(of: entry).count, of: seats)
  }

  /// Whether it says no more than that nobody has signed in.
  public var isUnattended: Bool { if case .unattended = self { true } else { false } }
}
