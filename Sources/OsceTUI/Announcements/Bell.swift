import ArgumentParser
import Timer

/// How a terminal makes announcements known.
enum Bell: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Not at all.
  case none
  /// The screen is reversed once.
  case visual
  /// The terminal's bell, and the screen is reversed once.
  case audible
}

/// The tunes of the bell. Each is told from the others by its count and its rhythm.
enum BellPattern: Int, Comparable, CaseIterable {
  /// Two.
  case warning
  /// One.
  case start
  /// Three.
  case end
  /// Two, a pause, one.
  case breakTime

  init(_ kind: AnnouncementKind) {
    self =
      switch kind {
      case .warning: .warning
      case .start, .resume: .start
      case .end, .pause, .finish: .end
      case .breakTime, .waiting: .breakTime
      }
  }

  /// When the bell sounds, in milliseconds from the first.
  var beats: [Int64] {
    switch self {
    case .warning: [0, 300]
    case .start: [0]
    case .end: [0, 300, 600]
    case .breakTime: [0, 300, 1200]
    }
  }

  /// Of what falls on one instant the greatest is heard: a break that begins, over an end, over a start, over a
  /// warning. A break follows an end and says it too; who must stop comes before who may begin.
  static func < (left: BellPattern, right: BellPattern) -> Bool { left.rawValue < right.rawValue }
}
