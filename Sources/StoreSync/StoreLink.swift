import ExamStore
import Journal
import Sync

/// Joins a store to a hub.
public enum StoreLink {
  /// Why a store is not enrolled: one line.
  public struct Refusal: Error, CustomStringConvertible, Sendable {
    /// The line.
    public let description: String
  }

  /// Takes a place at a hub with a one-time code. Where the hub knows another history of this store's device, as after the
  /// store was put back from an old copy, the store goes on as a new device.
  /// - Parameters:
  ///   - code: the code without its pin.
  ///   - pin: the hub's key as it was seen; nil over an unencrypted way on this machine.
  ///   - isSameExam: whether the hub is new and is filled from its terminals: what was said by the former is forgotten, but
  ///     for what it refused and only it could know.
  /// - Returns: the place.
  /// - Throws: `HubError`, `TransportFailure`, `Refusal`, or what the store says.
  public static func enrol(
    _ store: ExamStore, at url: String, code: String, pin: [UInt8]?, isSameExam: Bool, over transport: any Transport
  ) async throws -> EnrolAnswer {
    let former = try store.read { try Enrolment.read($0) }
    if let former, !isSameExam, try HubCredential.read(of: store.location)?.tokens[store.device] != nil {
      throw Refusal(
        description:
          "this store has a place at \(former.url) already; if it was revoked, or fills a new hub: --same-exam")
    }
    let tip = try store.chainTip()
    let (answer, device) = try await ask(from: tip, code: code, over: transport)
    guard let role = DeviceRole(rawValue: answer.device.role) else {
      throw Refusal(description: "the hub gives this device a role that this version does not know; update osce")
    }
    if let former, former.exam != answer.exam.id {
      throw Refusal(
        description: "this store holds the exam of another enrolment (\(former.url)); enrol another store")
    }
    // The token first: an enrolled store without one would wait for ever.
    try HubCredential(url: url, pin: pin, tokens: [device: answer.token]).write(of: store.location)
    if device != tip.device { try store.continueAsNewDevice(device, logFrom: LogHash.start(of: answer.exam.id)) }
    try join(store, at: url, as: role, answer, isSameExam: isSameExam)
    return answer
  }

  /// Asks for a place, as a new device where the hub knows another history of this one.
  private static func ask(
    from tip: ChainTip, code: String, over transport: any Transport
  ) async throws -> (answer: EnrolAnswer, device: UUIDBytes) {
    func ask(from tip: ChainTip) async throws -> (EnrolAnswer, UUIDBytes) {
      let asked = EnrolRequest(
        code: code, device: tip.device, name: DeviceBinding.hostName, tip: tip, schema: Operation.schemas.upperBound)
      let response = try await transport.send(WireRequest(.post, .enrol, body: asked.encoded), wait: 0)
      return (try EnrolAnswer.decode(response.body(expecting: 201)), tip.device)
    }
    do {
      return try await ask(from: tip)
    } catch HubError.fork {
      return try await ask(from: ChainTip(device: .random(), deviceSeq: 0, hash: Operation.genesisHash))
    }
  }

  /// Notes in the store the place that the hub gave.
  private static func join(
    _ store: ExamStore, at url: String, as role: DeviceRole, _ answer: EnrolAnswer, isSameExam: Bool
  ) throws {
    let start = LogHash.start(of: answer.exam.id)
    let enrolment = Enrolment(
      url: url, exam: answer.exam.id, epoch: answer.exam.epoch, role: role, enrolledAt: store.clock.now,
      cursorHash: start.hash, scope: String(decoding: answer.device.scope.document, as: UTF8.self))
    let former = try store.read { try Enrolment.read($0) }
    try store.enrol(former.map { enrolment.goingOn(from: $0) } ?? enrolment)
    if isSameExam { try store.rewind(to: start, epoch: answer.exam.epoch, keepsRefusals: true) }
  }
}
