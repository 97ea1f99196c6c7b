import CircuitModel
import ExamStore
import Sync
import Timer

/// Keeps the exam's time of a store at the hub's: asks for that over a connection of its own, and stores what follows
/// for all processes of the machine.
public struct ClockFollower: Sendable {
  private let store: ExamStore
  private let transport: any Transport

  /// How often it is looked whether a clock was opened, in milliseconds.
  private static let lookEvery: Int64 = 5_000

  /// - Parameter transport: used by nothing else, so that no answer waits behind another.
  public init(_ store: ExamStore, over transport: any Transport) {
    self.store = store
    self.transport = transport
  }

  /// Runs until the task is cancelled.
  /// - Parameters:
  ///   - tell: is told how far the exam's time here is from the hub's, and how wrong that may be.
  ///   - hear: is told of each answer.
  public func run(_ tell: (DeviceNote.Clock) async -> Void, hear: () async -> Void) async {
    var sampling = ClockSampling()
    while !Task.isCancelled {
      let isUrgent = (try? store.read { try HubTime.isUrgent(at: store.clock.now, in: $0) }) ?? true
      let pause = sampling.pause(at: store.clock.boot, isUrgent: isUrgent)
      if pause > 0 {
        try? await Task.sleep(for: .milliseconds(min(pause, Self.lookEvery)))
        continue
      }
      let asked = store.clock.boot
      let sample = try? await sample()
      if sample != nil { await hear() }
      let best = sampling.note(askedAt: asked, sample)
      if let best, let note = try? take(best) { await tell(note) }
    }
  }

  private static let samplesOnce = 4

  /// Takes in the best of a few exchanges, for a command that ends; without an answer nothing changes.
  public func runOnce() async {
    var estimator = OffsetEstimator()
    for _ in 0..<Self.samplesOnce {
      guard let sample = try? await sample() else { break }
      if ClockSampling.counts(sample) { estimator.add(sample) }
    }
    if let best = estimator.best { _ = try? take(best) }
  }

  /// Takes in the exchange that counts.
  /// - Returns: how the exam's time here stands to the hub's then.
  func take(_ best: TimeSample) throws -> DeviceNote.Clock? {
    _ = try store.write(.program) { try HubTime.take(best, in: $0) }
    _ = try store.dataVersion()
    let clock = store.clock
    guard let hub = clock.hub else { return nil }
    let boot = clock.boot
    return DeviceNote.Clock(offset: hub.hub.subtractingSaturated(hub.offset(at: boot)), bound: hub.bound(at: boot))
  }

  /// One exchange of time stamps; nil where the answer is none.
  private func sample() async throws -> TimeSample? {
    let sent = store.clock.boot
    let response = try await transport.send(WireRequest(.get, .time), wait: 0)
    let received = store.clock.boot
    guard response.status == 200 else { return nil }
    let answer = try TimeAnswer.decode(response.body)
    return TimeSample(
      sentAt: sent, receivedByHub: Instant(milliseconds: answer.received),
      answeredByHub: Instant(milliseconds: answer.sent), receivedAt: received)
  }
}
