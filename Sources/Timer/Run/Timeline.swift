/// How a passage came to its end.
public enum PassageEnding: Hashable, Sendable {
  /// Its running time reached its allotment.
  case ranOut
  /// It was skipped.
  case skipped
  /// An extension by a negative amount left it no time.
  case shortened
  /// Another phase was jumped to.
  case jumped
  /// The run was stopped.
  case stopped
  /// The list was expanded again and no longer holds it.
  case removed
}

/// A stretch of time; it is still open when it has no end.
public struct OpenInterval: Hashable, Sendable {
  /// When it began.
  public var from: Instant
  /// When it ended; nil while it lasts.
  public var to: Instant?

  /// Its length in milliseconds, up to `now` if it is open.
  public func lengthMs(at now: Instant) -> Int64 { max((to ?? now) - from, 0) }
}

/// A change of a passage's allotment.
public struct PassageExtension: Hashable, Sendable {
  /// When it was made.
  public let at: Instant
  /// By how many seconds; negative takes away.
  public let seconds: Int64
}

/// One entry into a phase: what was planned and what happened.
public struct Passage: Hashable, Sendable {
  /// Which entry of the run this is, from 1.
  public let number: Int
  /// The phase's number in the list, from 1.
  public let phaseIndex: Int
  /// What the phase is for.
  public let type: PhaseType
  /// The round, counted as `PhaseList.round(ofPhase:)` does.
  public let round: Int
  /// The planned length in milliseconds.
  public let plannedMs: Int64
  /// When the phase would have begun if nothing had delayed the run since its start.
  public let plannedStart: Instant
  /// When it was entered, begun or only waited for.
  public let entered: Instant
  /// When it began; nil if it was only waited for.
  public internal(set) var start: Instant?
  /// When it was left; nil while it is the current one.
  public internal(set) var end: Instant?
  /// How it was left; nil while it is the current one.
  public internal(set) var ending: PassageEnding?
  /// When its time stood still.
  public internal(set) var pauses: [OpenInterval] = []
  /// Changes of its allotment, in order.
  public internal(set) var extensions: [PassageExtension] = []
  /// When it was started again from its beginning.
  public internal(set) var restarts: [Instant] = []

  /// When the phase would have ended if nothing had delayed the run since its start.
  public var plannedEnd: Instant { plannedStart + max(plannedMs, 0) }

  /// Milliseconds lost to pauses, up to `now`.
  public func pausedMs(at now: Instant) -> Int64 {
    pauses.reduce(0) { $0.addingSaturated($1.lengthMs(at: now)) }
  }

  /// Milliseconds during which it was waited for, up to `now`.
  public func waitedMs(at now: Instant) -> Int64 { max((start ?? end ?? now) - entered, 0) }
}

/// The passages of a run in order, as of an instant.
public struct Timeline: Hashable, Sendable {
  /// The instant as of which it holds.
  public let asOf: Instant
  /// Every entry into a phase, in order.
  public internal(set) var passages: [Passage] = []

  /// Milliseconds lost to pauses in the whole run.
  public var pausedMs: Int64 { passages.reduce(0) { $0.addingSaturated($1.pausedMs(at: asOf)) } }

  /// Milliseconds lost to waiting for a person to start a phase.
  public var waitedMs: Int64 { passages.reduce(0) { $0.addingSaturated($1.waitedMs(at: asOf)) } }

  /// Milliseconds lost in all.
  public var lostMs: Int64 { pausedMs.addingSaturated(waitedMs) }
}

extension Fold {
  /// What happened up to `until`.
  public var timeline: Timeline { timeline(at: until) }

  /// What happened up to `now`, with the events at or before `now` and no others.
  public func timeline(at now: Instant) -> Timeline {
    var timeline = Timeline(asOf: now)
    _ = log.machine(asOf: now) { timeline.record($0) }
    return timeline
  }
}

extension Timeline {
  fileprivate mutating func record(_ change: RunChange) {
    if case .entered(let entry) = change.what {
      passages.append(Passage(entry, at: change.at))
    } else if !passages.isEmpty {
      passages[passages.count - 1].record(change)
    }
  }
}

extension Passage {
  fileprivate init(_ entry: PhaseEntry, at instant: Instant) {
    self.init(
      number: entry.passage, phaseIndex: entry.number, type: entry.phase.type, round: entry.round,
      plannedMs: entry.phase.plannedMs, plannedStart: entry.plannedStart, entered: instant,
      start: entry.status == .waiting ? nil : instant,
      pauses: entry.status == .paused ? [OpenInterval(from: instant)] : [])
  }

  fileprivate mutating func record(_ change: RunChange) {
    switch change.what {
    case .began: start = change.at
    case .paused: pauses.append(OpenInterval(from: change.at))
    case .resumed: closePause(at: change.at)
    case .restarted: restarts.append(change.at)
    case .extended(let seconds, _): extensions.append(PassageExtension(at: change.at, seconds: seconds))
    case .left(let ending):
      closePause(at: change.at)
      end = change.at
      self.ending = ending
    case .entered, .ran, .finished: break
    }
  }

  private mutating func closePause(at instant: Instant) {
    guard let last = pauses.indices.last, pauses[last].to == nil else { return }
    pauses[last].to = instant
  }
}
