import ExamStore
import Sync

/// Asks the hub what each device of the exam has, where this store's role may know, and keeps it for all its terminals.
public struct DeviceFollower: Sendable {
  private let store: ExamStore
  private let transport: any Transport

  /// How often the hub is asked, in milliseconds.
  private static let interval: Int64 = 30_000

  /// - Parameter transport: may be one that others use, too.
  public init(_ store: ExamStore, over transport: any Transport) {
    self.store = store
    self.transport = transport
  }

  /// Runs until the task is cancelled.
  public func run() async {
    while !Task.isCancelled {
      // What cannot be had now is asked for again; what was said last stays, with its times.
      try? await ask()
      try? await Task.sleep(for: .milliseconds(Self.interval))
    }
  }

  /// Asks once, where the role may know.
  /// - Throws: what the hub or the way to it says; `StoreError` if the disk or the store refuses.
  public func ask() async throws {
    guard let enrolment = try store.exchangeStanding()?.enrolment, enrolment.role.seesOthers,
      let token = try EnrolledStore(store).standing()?.token
    else { return }
    let response = try await transport.send(WireRequest(.get, .devices, token: token), wait: 0)
    let list = try DeviceList.decode(response.body(expecting: 200))
    try store.note(devices: String(decoding: list.encoded, as: UTF8.self))
  }
}
