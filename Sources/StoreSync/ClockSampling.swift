import Sync
import Timer

/// When the hub is asked for its time, and what of its answers counts: it reads no clock and waits for nothing itself.
public struct ClockSampling: Sendable {
  private var estimator = OffsetEstimator()
  private var asked: Int64?
  private var firstAnswer: Int64?
  private var answers = 0
  private var failures = 0
  private var isSilent = false

  /// How long an answer may take, in milliseconds; a slower one says nothing.
  public static let patience: Int64 = 2_000
  /// How often the hub is asked at first, while a clock is open, and otherwise, in milliseconds.
  static let (atFirst, whileOpen, otherwise): (Int64, Int64, Int64) = (250, 5_000, 60_000)
  /// How often a hub that does not answer is asked while a clock is open, and otherwise, in milliseconds: whatever waits
  /// goes on with its first answer.
  static let (whileAway, whileAwayOtherwise): (Int64, Int64) = (1_000, 5_000)
  /// How long after the first answer an estimate counts though not all of the first are in, in milliseconds.
  private static let firstWait: Int64 = 4_000

  /// Nothing was asked yet.
  public init() {}

  /// How long it is until the hub is to be asked, in milliseconds; 0 or less: now.
  /// - Parameter isUrgent: whether a clock is open or begins soon.
  public func pause(at local: Int64, isUrgent: Bool) -> Int64 {
    guard let asked else { return 0 }
    let interval: Int64 =
      if isSilent {
        isUrgent ? Self.whileAway : Self.whileAwayOtherwise
      } else if failures > 0 {
        isUrgent ? Self.whileOpen : min(Self.otherwise, Self.whileOpen << Int64(min(failures, 4)))
      } else if answers < OffsetEstimator.samplesKept {
        Self.atFirst
      } else {
        isUrgent ? Self.whileOpen : Self.otherwise
      }
    return asked + interval - local
  }

  /// Whether an answer came soon enough to say anything.
  static func counts(_ sample: TimeSample) -> Bool { sample.receivedAt - sample.sentAt <= patience }

  /// The hub was asked.
  /// - Parameters:
  ///   - local: when the question left, by the steady clock.
  ///   - sample: the answer; nil: there was none.
  /// - Returns: the exchange that counts now; nil where there is none, or the first are not all in.
  public mutating func note(askedAt local: Int64, _ sample: TimeSample?) -> TimeSample? {
    (asked, isSilent) = (local, sample == nil)
    guard let sample, Self.counts(sample), estimator.add(sample) else {
      failures += 1
      return nil
    }
    (failures, answers) = (0, answers + 1)
    let first = firstAnswer ?? sample.receivedAt
    firstAnswer = first
    let isEnough = answers >= OffsetEstimator.samplesKept || sample.receivedAt - first >= Self.firstWait
    return isEnough ? estimator.best : nil
  }
}
