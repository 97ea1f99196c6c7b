import Hub
import Synchronization
import Timer

/// The primary's clock, as this process knows it: hubs on different machines agree on the time. After another server took
/// over it is approached slowly, unless that one is more than a second away.
final class PrimaryTime: Sendable {
  private let estimator = Mutex(OffsetEstimator())

  /// Compares it with the machine's steady clock.
  func compare(over link: PostgresLink) throws {
    let sent = HubTimeSource.machine.steady()
    let row = try link.execute("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint", []).row(0)
    guard case .integer(let milliseconds)? = row.values.first else { return }
    let time = Instant(milliseconds: milliseconds)
    let sample = TimeSample(
      sentAt: sent, receivedByHub: time, answeredByHub: time, receivedAt: HubTimeSource.machine.steady())
    estimator.withLock { _ = $0.add(sample) }
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var now: Int64 {
    estimator.withLock { $0.examTime(at: HubTimeSource.machine.steady()) }?.milliseconds ?? HubTimeSource.machine.now()
  }
}
