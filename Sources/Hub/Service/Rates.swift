import Synchronization

/// How often something may be asked: so many in a row, and so many a second on the long run.
struct Rate: Sendable {
  let burst: Double
  let perSecond: Double

  /// A device's requests.
  static let device = Rate(burst: 60, perSecond: 20)
  /// Requests from one address with tokens that have not been shown to be right: behind a balancer, those of all devices
  /// that come again after this process was started.
  static let stranger = Rate(burst: 600, perSecond: 100)
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
  /// How many requests of a token are under way.
  private let running = Mutex<[String: Int]>([:])
  /// How many of one may be at once: more would keep others waiting.
  private static let mostRunning = 4
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

  /// Takes one request of a device. Who shows a wrong secret uses up what the address has, never what the device has: so
  /// nobody can keep a device out by knowing its name.
  /// - Parameters:
  ///   - token: the exam, the device and the digest of the secret.
  ///   - address: where the request comes from.
  /// - Returns: after how many seconds the next one has a chance; nil where this one may go on.
  func take(token: String, from address: String, at now: Int64) -> Int64? {
    return isProven(token) ? take(token, .device, at: now) : take("stranger " + address, .stranger, at: now)
  }

  /// Whether a token was shown to be right, not long ago.
  func isProven(_ token: String) -> Bool { buckets.withLock { $0[token] != nil } }

  /// Notes that a token is right.
  func prove(token: String, at now: Int64) {
    buckets.withLock { buckets in
      if buckets[token] == nil { buckets[token] = Bucket(tokens: Rate.device.burst, since: now) }
    }
  }

  /// Begins a request of a token; false where as many as there may be are under way.
  func begin(_ token: String) -> Bool {
    running.withLock { running in
      guard running[token, default: 0] < Self.mostRunning else { return false }
      running[token, default: 0] += 1
      return true
    }
  }

  /// Ends a request of a token.
  func end(_ token: String) {
    running.withLock { running in
      let left = (running[token] ?? 1) - 1
      running[token] = left > 0 ? left : nil
    }
  }
}
