/// One exchange with a hub, as four time stamps.
public struct TimeSample: Hashable, Sendable {
  /// When the question left here, in milliseconds of this machine's steady clock.
  public let sentAt: Int64
  /// When the hub received it, in exam time.
  public let receivedByHub: Instant
  /// When the hub answered, in exam time.
  public let answeredByHub: Instant
  /// When the answer arrived here, in milliseconds of this machine's steady clock.
  public let receivedAt: Int64

  /// An exchange.
  public init(sentAt: Int64, receivedByHub: Instant, answeredByHub: Instant, receivedAt: Int64) {
    self.sentAt = sentAt
    self.receivedByHub = receivedByHub
    self.answeredByHub = answeredByHub
    self.receivedAt = receivedAt
  }

  /// Milliseconds on the way, there and back, without the hub's own time (RFC 5905, section 8).
  public var roundTripMs: Int64 {
    receivedAt.subtractingSaturated(sentAt).subtractingSaturated(answeredByHub - receivedByHub)
  }

  /// Exam time less this machine's steady clock, in milliseconds: the mean of both ways (RFC 5905, section 8).
  public var offsetMs: Int64 {
    let there = receivedByHub.milliseconds.subtractingSaturated(sentAt)
    let back = answeredByHub.milliseconds.subtractingSaturated(receivedAt)
    return there.addingSaturated(back.subtractingSaturated(there) >> 1)
  }

  /// Whether neither clock ran backwards between its two stamps, and the hub took no longer than the exchange did.
  public var isSound: Bool { receivedAt >= sentAt && answeredByHub >= receivedByHub && roundTripMs >= 0 }
}

/// Estimates how far exam time stands from this machine's steady clock, from exchanges with a hub.
///
/// Of the last eight exchanges the one with the lowest round trip counts. A new estimate is approached slowly, so
/// that no second is seen to jump or to be shown twice as long; only a difference above a second is taken at once.
public struct OffsetEstimator: Hashable, Sendable {
  /// How many exchanges are kept.
  public static let samplesKept = 8
  /// How fast the offset approaches a new estimate, in milliseconds a second.
  public static let slewPerSecond: Int64 = 10
  /// A difference above this many milliseconds is taken at once.
  public static let stepAbove: Int64 = 1000
  /// How far two steady clocks are taken to drift apart, in parts per million.
  public static let driftPerMillion: Int64 = 50

  private var samples: [TimeSample] = []
  private var appliedMs: Int64 = 0
  private var appliedAt: Int64 = 0

  /// An estimator that has seen nothing.
  public init() {}

  /// Takes an exchange in. Returns false, and keeps nothing, if its time stamps cannot be right.
  @discardableResult
  public mutating func add(_ sample: TimeSample) -> Bool {
    guard sample.isSound else { return false }
    let current = offsetMs(at: sample.receivedAt)
    samples.append(sample)
    if samples.count > Self.samplesKept { samples.removeFirst() }
    guard let target = best?.offsetMs else { return false }
    if let current, distance(target, current) <= Self.stepAbove {
      appliedMs = current
    } else {
      appliedMs = target
    }
    appliedAt = sample.receivedAt
    return true
  }

  /// The exchange that counts: the lowest round trip of those kept, the latest of several.
  public var best: TimeSample? {
    samples.reversed().min { $0.roundTripMs < $1.roundTripMs }
  }

  /// What to add to the steady clock, in milliseconds, when it reads `local`; nil before the first exchange.
  public func offsetMs(at local: Int64) -> Int64? {
    guard let target = best?.offsetMs else { return nil }
    return Self.approach(target, from: appliedMs, after: local.subtractingSaturated(appliedAt))
  }

  /// What is in use `elapsed` milliseconds after `applied` was, on its way to `target`.
  static func approach(_ target: Int64, from applied: Int64, after elapsed: Int64) -> Int64 {
    let elapsed = max(elapsed, 0)
    let allowed = elapsed / 1000 * slewPerSecond + elapsed % 1000 * slewPerSecond / 1000
    let difference = target.subtractingSaturated(applied)
    return applied.addingSaturated(min(max(difference, -allowed), allowed))
  }

  /// Exam time when the steady clock reads `local`; nil before the first exchange.
  public func examTime(at local: Int64) -> Instant? {
    offsetMs(at: local).map { Instant(milliseconds: local) + $0 }
  }

  private func distance(_ one: Int64, _ other: Int64) -> Int64 {
    let difference = one.subtractingSaturated(other)
    return difference == .min ? .max : abs(difference)
  }
}
