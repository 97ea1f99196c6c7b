/// Finds what is to be announced, and decides what may still be heard.
public enum Announcements {
  /// How long after its instant an announcement may still be sounded, in milliseconds.
  public static let graceMs: Int64 = 500

  /// The announcements of a run that are due after `from` and at or before `to`, in order.
  ///
  /// The run is taken as of `to`. Windows that follow each other give each announcement once. A warning is due when
  /// the time left comes down to its threshold, not when a phase begins at or below it; of several at one instant the
  /// strictest is given.
  public static func between(_ fold: Fold, from: Instant, to: Instant) -> [Announcement] {
    guard from < to else { return [] }
    var announcer = Announcer()
    var machine = fold.log.machine(asOf: to) { announcer.hear($0) }
    machine.settle(at: to) { announcer.hear($0) }
    return announcer.announcements.filter { $0.at > from && $0.at <= to }
  }

  /// Whether an announcement may still be sounded: within 500 ms of its instant.
  public static func isTimely(_ announcement: Announcement, at now: Instant) -> Bool {
    now - announcement.at <= graceMs
  }

  /// Brings the announcements of several circuits together, one ring an instant, in order of time.
  public static func rings(_ circuits: [[Announcement]]) -> [Ring] {
    var byInstant: [Instant: [Announcement]] = [:]
    for announcement in circuits.joined() {
      byInstant[announcement.at, default: []].append(announcement)
    }
    return byInstant.keys.sorted().map { Ring(at: $0, announcements: byInstant[$0] ?? []) }
  }
}

/// Turns what happens to a run into what is said about it.
private struct Announcer {
  private(set) var announcements: [Announcement] = []
  private var entry: PhaseEntry?
  private var begun = false

  mutating func hear(_ change: RunChange) {
    switch change.what {
    case .entered(let entry): enter(entry, at: change.at)
    case .began: begin(at: change.at)
    case .ran(let since, let remaining):
      warn(from: remaining, to: remaining.subtractingSaturated(change.at - since)) { since + (remaining - $0) }
    case .extended(let seconds, let remaining):
      let left = remaining.addingSaturated(seconds * 1000)
      if begun, left > 0 { warn(from: remaining, to: left) { _ in change.at } }
    case .paused: say(.pause, "The clock is paused", at: change.at)
    case .resumed:
      if begun { say(.resume, "The clock is running again", at: change.at) } else { begin(at: change.at) }
    case .left: leave(at: change.at)
    case .finished: say(.finish, "The session is over", at: change.at)
    case .restarted: break
    }
  }

  /// A phase that is entered paused is announced when its time first runs.
  private mutating func enter(_ entry: PhaseEntry, at instant: Instant) {
    self.entry = entry
    begun = false
    switch entry.status {
    case .running: begin(at: instant)
    case .waiting: say(.waiting, "Waiting to start: \(entry.phase.type.name)", at: instant)
    default: break
    }
  }

  private mutating func begin(at instant: Instant) {
    guard let entry else { return }
    begun = true
    let kind = entry.phase.type == .breakTime ? AnnouncementKind.breakTime : .start
    say(kind, PhaseText.beginning(entry.phase, round: entry.round, isLastRound: entry.isLastRound), at: instant)
  }

  private mutating func leave(at instant: Instant) {
    guard let entry, begun, entry.phase.type == .rotation else { return }
    say(.end, "End of round \(entry.round)", at: instant)
  }

  private mutating func warn(from before: Int64, to after: Int64, due: (Int64) -> Instant) {
    guard let entry else { return }
    let crossed = entry.phase.warnings.filter { before > $0.leftMs && $0.leftMs >= max(after, 0) }
    var strictest: [Instant: WarningRule] = [:]
    for rule in crossed {
      let instant = due(rule.leftMs)
      if let other = strictest[instant], (other.level, -other.leftMs) >= (rule.level, -rule.leftMs) { continue }
      strictest[instant] = rule
    }
    for (instant, rule) in strictest.sorted(by: { $0.key < $1.key }) {
      say(.warning, rule.text, level: rule.level, at: instant)
    }
  }

  private mutating func say(
    _ kind: AnnouncementKind, _ text: String, level: AlertLevel = .none, at instant: Instant
  ) {
    announcements.append(
      Announcement(
        at: instant, kind: kind, text: text, level: level, phaseIndex: entry?.number ?? 0,
        passage: entry?.passage ?? 0))
  }
}

/// What a bell is about; the wall gives each its own tone.
public enum AnnouncementKind: String, Hashable, Sendable, CaseIterable {
  /// A phase other than a break begins.
  case start
  /// The time left came down to a warning's threshold.
  case warning
  /// A rotation ends, by itself or by hand.
  case end
  /// A break begins.
  case breakTime = "break"
  /// The run waits for a person to start the next phase.
  case waiting
  /// The running time was stopped.
  case pause
  /// The running time goes on.
  case resume
  /// The run is over.
  case finish
}

/// Something to be sounded once, at its instant.
public struct Announcement: Hashable, Sendable {
  /// When it is due.
  public let at: Instant
  /// What it is about.
  public let kind: AnnouncementKind
  /// The text to speak or show.
  public let text: String
  /// The alert that it raises; none for all but warnings.
  public let level: AlertLevel
  /// The phase that it belongs to, from 1; the last one when the run finishes.
  public let phaseIndex: Int
  /// The passage that it belongs to, from 1; the last one when the run finishes.
  public let passage: Int
}

/// Announcements of one instant, of one circuit or of many: they ring once.
public struct Ring: Hashable, Sendable {
  /// When it is due.
  public let at: Instant
  /// What it announces, in the order in which the circuits were given.
  public let announcements: [Announcement]
}
