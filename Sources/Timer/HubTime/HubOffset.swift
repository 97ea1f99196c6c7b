/// How far exam time stands from a machine's steady clock, where a hub says what exam time is.
///
/// It is a function of the steady clock alone, so that every process of a machine that reads the same figures shows the
/// same second. What is in use approaches what is wanted slowly.
public struct HubOffset: Hashable, Sendable {
  /// What was in use when the steady clock read `appliedAt`, in milliseconds.
  public var applied: Int64
  /// When that was, by the steady clock.
  public var appliedAt: Int64
  /// What is approached, in milliseconds.
  public var target: Int64
  /// What the hub says, in milliseconds; another figure than the target while it is not followed.
  public var hub: Int64
  /// Half the round trip of the exchange that counts, in milliseconds.
  public var halfTrip: Int64
  /// When that exchange ended, by the steady clock.
  public var sampledAt: Int64
  /// When the hub last answered, by the steady clock.
  public var answeredAt: Int64

  /// - Parameters: see the properties.
  public init(
    applied: Int64, appliedAt: Int64, target: Int64, hub: Int64, halfTrip: Int64, sampledAt: Int64, answeredAt: Int64
  ) {
    self.applied = applied
    self.appliedAt = appliedAt
    self.target = target
    self.hub = hub
    self.halfTrip = halfTrip
    self.sampledAt = sampledAt
    self.answeredAt = answeredAt
  }

  /// What is in use from now on, as an exchange says it.
  /// - Parameters:
  ///   - best: the exchange that counts.
  ///   - current: what is in use now.
  ///   - local: what the steady clock reads now.
  ///   - course: what becomes of the difference.
  public init(best: TimeSample, current: Int64, at local: Int64, _ course: Course) {
    let hub = best.offsetMs
    self.init(
      applied: course == .step ? hub : current, appliedAt: local, target: course == .hold ? current : hub, hub: hub,
      halfTrip: max(best.roundTripMs, 0) / 2 + 1, sampledAt: best.receivedAt, answeredAt: local)
  }

  /// This offset with the hub's time in use from now on, when the steady clock reads `local`.
  public func taken(at local: Int64) -> HubOffset {
    var taken = self
    (taken.applied, taken.appliedAt, taken.target) = (hub, local, hub)
    return taken
  }

  /// What becomes of a difference between what is in use and what the hub says.
  public enum Course: Hashable, Sendable {
    /// It is approached slowly.
    case slew
    /// It is taken at once.
    case step
    /// It is left until a person has said what is right.
    case hold
  }

  /// Whether a difference is small enough to be approached.
  public static func isSlewed(_ difference: Int64) -> Bool { difference.magnitude <= UInt64(OffsetEstimator.stepAbove) }

  /// What to add to the steady clock when it reads `local`, in milliseconds.
  public func offset(at local: Int64) -> Int64 {
    OffsetEstimator.approach(target, from: applied, after: local.subtractingSaturated(appliedAt))
  }

  /// How far what is in use can be from the hub's time when the steady clock reads `local`, in milliseconds.
  public func bound(at local: Int64) -> Int64 {
    let age = max(local.subtractingSaturated(sampledAt), 0)
    let drift = OffsetEstimator.driftPerMillion
    let drifted = age / 1_000_000 * drift + age % 1_000_000 * drift / 1_000_000 + 1
    let open = hub.subtractingSaturated(offset(at: local))
    return max(halfTrip, 0).addingSaturated(drifted).addingSaturated(open == .min ? .max : abs(open))
  }

  /// How long ago the hub last answered when the steady clock reads `local`, in milliseconds.
  public func silence(at local: Int64) -> Int64 { max(local.subtractingSaturated(answeredAt), 0) }

  /// By how much the hub's time stands ahead of what is in use, where that is not followed; nil where it is.
  public var heldDifference: Int64? { target == hub ? nil : hub.subtractingSaturated(target) }
}
