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
