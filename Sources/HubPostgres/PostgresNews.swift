import Dispatch
import Foundation
import Journal
import Synchronization

/// The doorbell between the hubs of one database. It carries no data, and may get lost.
///
/// It rings after the commit, in a transaction of its own: within one it would hold back every other commit until the
/// standby has it.
final class PostgresNews: Sendable {
  private let address: String
  private let lane: PostgresLane
  private let time: PrimaryTime
  private let pending = Mutex<[UUIDBytes: Int64]>([:])

  private static let channel = "osce"
  /// What is announced within this time goes out together.
  private static let gathering = Duration.milliseconds(20)
  /// How often the clocks are compared, in seconds.
  private static let comparing = 5

  init(_ address: String, _ lane: PostgresLane, _ time: PrimaryTime) {
    self.address = address
    self.lane = lane
    self.time = time
  }

  /// Announces where an exam's log ends now.
  func announce(_ exam: UUIDBytes, head: Int64) {
    let isFirst = pending.withLock { pending in
      defer { pending[exam] = max(head, pending[exam] ?? 0) }
      return pending.isEmpty
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: Self.gathering)
      let news = pending.withLock { pending in
        defer { pending = [:] }
        return pending
      }
      try? await lane.run(.changing) { connection in
        for (exam, head) in news {
          _ = try connection.fetch("SELECT pg_notify(?, ?)", [.text(Self.channel), .text("\(exam):\(head)")])
        }
      }
    }
  }

  /// Hands over what is announced, and keeps the time, until the task is cancelled.
  func listen(_ hear: @escaping @Sendable (UUIDBytes, Int64) -> Void) async {
    let isCancelled = Mutex(false)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "osce-hub.news").async {
          while !isCancelled.withLock({ $0 }) {
            try? self.hearOnce(hear) { isCancelled.withLock { $0 } }
            if !isCancelled.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.5) }
          }
          continuation.resume()
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  /// Listens over one connection, as long as there is one.
  private func hearOnce(_ hear: (UUIDBytes, Int64) -> Void, until isCancelled: () -> Bool) throws {
    let link = try PostgresLink(address)
    _ = try link.executeOnce("LISTEN \(Self.channel)", [])
    var compared: ContinuousClock.Instant?
    while !isCancelled() {
      if compared.map({ $0.duration(to: .now) > .seconds(Self.comparing) }) ?? true {
        try time.compare(over: link)
        compared = .now
      }
      for text in try link.announcements(waiting: 500) {
        let parts = text.split(separator: ":")
        if parts.count == 2, let exam = UUIDBytes(String(parts[0])), let head = Int64(parts[1]) { hear(exam, head) }
      }
    }
  }
}
