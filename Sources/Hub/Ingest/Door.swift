import ExamStore
import Journal
import Sync
import Timer

/// What speaks against an operation because of who sends it, and when: asked once, as it comes.
struct Door {
  private let sender: DeviceRecord
  private let now: Int64

  /// - Parameter now: the hub's clock, milliseconds since 1970-01-01T00:00:00Z.
  init(_ sender: DeviceRecord, at now: Int64) {
    self.sender = sender
    self.now = now
  }

  /// Why an operation does not count; nil where nothing speaks against it.
  func refusal(of operation: Operation) throws -> HubResult? {
    if sender.isRevoked { return .quarantined(.revoked) }
    if !EntryCheck.isInTime(operation, now: Instant(milliseconds: now)) { return .quarantined(.clockAhead) }
    guard let role = sender.role else { return nil }
    if operation.absent == nil, SendRule(role: role).sends(operation) == false { return .rejected(.direction) }
    return nil
  }
}
