import Synchronization

/// How often something may be asked: so many in a row, and so many a second on the long run.
struct Rate: Sendable {
  let burst: Double
  let perSecond: Double

  /// A device's requests.
  static let device = Rate(burst: 60, perSecond: 20)
  /// Enrolments and sign-ins from one address.
  static let entry = Rate(burst: 5, perSecond: 5.0 / 60)
}

/// Counts requests by who sends them.
final class Rates: Sendable {
  private struct Bucket {
    var tokens: Double
    var since: Int64
  }

  private let buckets = Mutex<[String: Bucket]>([:])
  /// How many are counted: beyond that the ones that are full again are forgotten.
  private static let most = 10_000

  /// Takes one request.
  /// - Parameter now: a steady clock, in milliseconds.
  /// - Returns: after how many seconds the next one has a chance; nil where this one may go on.
  func take(_ who: String, _ rate: Rate, at now: Int64) -> Int64? {
    buckets.withLock { buckets in
      var bucket = buckets[who] ?? Bucket(tokens: rate.burst, since: now)
      bucket.tokens = min(rate.burst, bucket.tokens + Double(max(0, now - bucket.since)) / 1000 * rate.perSecond)
      bucket.since = now
      defer {
        if buckets.count >= Self.most { buckets = buckets.filter { now - $0.value.since < 120_000 } }
        buckets[who] = bucket
      }
      if bucket.tokens >= 1 {
        bucket.tokens -= 1
        return nil
      }
      return max(1, Int64(((1 - bucket.tokens) / rate.perSecond).rounded(.up)))
    }
  }
}
