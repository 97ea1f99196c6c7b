/// What must hold whatever happens, as the checks of a history name it.
public enum Invariant: String, CaseIterable, Sendable {
  /// When all is quiet, heads, rows and forks are equal everywhere.
  case equal = "I1"
  /// What was acknowledged is at the hub, or on some device, after any crash or restore.
  case acknowledged = "I2"
  /// No operation counts twice.
  case once = "I3"
  /// Nobody reads a number of the log without all before it.
  case gapless = "I4"
  /// A cursor never stands past what is here.
  case cursor = "I5"
  /// What waits is tried again within 100 seconds, without anybody writing.
  case alive = "I6"
  /// A transaction is visible whole or not at all.
  case whole = "I7"
  /// Two histories under one device are never both kept.
  case fork = "I8"
  /// What a restored hub lacks comes back.
  case restored = "I9"
  /// Everything that was ever taken can be listed at the hub.
  case listed = "I10"
  /// Who is given a part of the exam holds the content of that part, all of it and nothing else.
  case parts = "I11"
  /// What waited is decided when its last cause comes.
  case woken = "I12"
  /// The hub's heads and refusals follow from its operations and verdicts.
  case recomputed = "I13"
  /// After an erasure nobody holds the texts, and all chains and the log verify.
  case erased = "I14"
  /// What waits is one number everywhere.
  case counted = "I15"
  /// Who is parted from the hub changes no clock that is another's, and clocks are equal everywhere.
  case partitioned = "I16"
  /// What is hostile changes nothing and stops nobody.
  case hostile = "I17"
  /// An edit of what was pulled is never too early.
  case causal = "I18"
  /// A hub that is filled from the terminals but one holds all that they hold.
  case filled = "I19"
}

/// What a history showed that must not be.
public struct Finding: Error, CustomStringConvertible, Sendable {
  /// Which invariant is broken.
  public let invariant: Invariant
  /// What was seen.
  public let text: String

  init(_ invariant: Invariant, _ text: String) {
    self.invariant = invariant
    self.text = text
  }

  /// One line.
  public var description: String { "\(invariant.rawValue) \(text)" }
}

/// A mistake that the simulation makes in the product's place, to prove that a check sees it.
public enum Sabotage: String, CaseIterable, Sendable {
  case orderByArrival, answerBeforeCommit, dropDedupe, numberOutsideCommit, cursorBeforePage, noWatchdog
  case membersAsTheyCome, compareNumberNotHash, compareCursorNotHash, deleteOnReject, wakeFirstWaiter
  case headsByArrival, countNulls, throwOutOfPage, timeOfOwnChain, noRelay, anyHost, keepBodies
  case skipGained, keepLost

  /// The check that must find it.
  public var expected: Invariant {
    switch self {
    case .orderByArrival: .equal
    case .answerBeforeCommit: .acknowledged
    case .dropDedupe: .once
    case .numberOutsideCommit: .gapless
    case .cursorBeforePage: .cursor
    case .noWatchdog: .alive
    case .membersAsTheyCome: .whole
    case .compareNumberNotHash: .fork
    case .compareCursorNotHash: .restored
    case .deleteOnReject: .listed
    case .wakeFirstWaiter: .woken
    case .headsByArrival: .recomputed
    case .countNulls: .counted
    case .throwOutOfPage: .hostile
    case .timeOfOwnChain: .causal
    case .noRelay: .filled
    case .anyHost: .partitioned
    case .keepBodies: .erased
    case .skipGained, .keepLost: .parts
    }
  }
}
