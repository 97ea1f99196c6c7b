import Journal

/// Why a hub does not do what it was asked: one shape for every error.
public enum HubError: Error, Hashable, Sendable {
  /// The document is not what the protocol says; where, as a JSON pointer.
  case malformed(pointer: String)
  /// An operation is not what its author sealed; nothing of the request was taken.
  case damaged(OperationID?, why: WireFault.Damage)
  /// The token is missing or unknown.
  case token
  /// The session is unknown or has ended.
  case session
  /// The device was revoked.
  case revoked
  /// The device or the person may not do this.
  case role
  /// The enrolment code is wrong, used or too old: which, is not said.
  case code
  /// There is no such address.
  case notFound
  /// The address knows no such method.
  case method
  /// The request did not come whole in time.
  case slow
  /// The body is encoded in a way that is not read.
  case encoding
  /// Operations are missing before the first: this number was due, after the operation with this hash.
  case gap(expected: Int64, hash: [UInt8])
  /// The device's chain is another here: what stands at this number, and where the chain ends here.
  case fork(deviceSeq: Int64, hash: [UInt8], last: Int64)
  /// The hub's log is another than the one that the cursor is of: up to where both agree, and where the device's chain
  /// ends here.
  case cursor(epoch: UUIDBytes, common: LogMark, last: Int64, lastHash: [UInt8])
  /// The hub is being filled from its devices and gives nothing yet.
  case filling
  /// The request is larger than the limit, in bytes, operations or marks.
  case tooLarge(limit: Int64)
  /// The protocol's version is not spoken here.
  case version(ClosedRange<Int64>)
  /// The operations are of a schema that is not read here.
  case schema(ClosedRange<Int64>)
  /// There were too many requests of a device, or too many tries of a person: again after so many seconds.
  case busy(after: Int64)
  /// The hub cannot write.
  case readOnly(after: Int64)
  /// The hub is a standby.
  case standby(after: Int64)
  /// Something before the hub, such as a balancer, has no hub to give the request to: again after so many seconds.
  case notReady(after: Int64)
  /// Something failed at the hub: the same request again.
  case unavailable

  /// What is wrong with a document, as the answer to its sender.
  public init(_ fault: WireFault) {
    self =
      switch fault.kind {
      case .malformed: .malformed(pointer: fault.pointer)
      case .tooLarge(let limit): .tooLarge(limit: Int64(limit))
      case .schema: .schema(Operation.schemas)
      case .damaged(let damage): .damaged(fault.id, why: damage)
      }
  }

  /// The HTTP status.
  public var status: Int {
    switch self {
    case .malformed, .damaged: 400
    case .token, .session: 401
    case .revoked, .role, .code: 403
    case .notFound: 404
    case .method: 405
    case .slow: 408
    case .gap, .fork, .cursor, .filling: 409
    case .tooLarge: 413
    case .encoding: 415
    case .version, .schema: 422
    case .busy: 429
    case .unavailable: 500
    case .readOnly, .standby, .notReady: 503
    }
  }

  /// The word for it on the wire.
  public var code: String {
    switch self {
    case .malformed: "malformed"
    case .damaged: "damaged"
    case .token: "token"
    case .session: "session"
    case .revoked: "revoked"
    case .role: "role"
    case .code: "code"
    case .notFound: "not_found"
    case .method: "method"
    case .slow: "slow"
    case .encoding: "encoding"
    case .gap: "gap"
    case .fork: "fork"
    case .cursor: "cursor"
    case .filling: "filling"
    case .tooLarge: "too_large"
    case .version: "proto"
    case .schema: "schema"
    case .busy: "busy"
    case .readOnly: "read_only"
    case .standby: "standby"
    case .notReady, .unavailable: "unavailable"
    }
  }

  /// One line for a person.
  public var message: String {
    switch self {
    case .malformed(let pointer): "the request is not what the protocol says\(pointer.isEmpty ? "" : " at \(pointer)")"
    case .damaged(let id, .form):
      "\(Self.name(id)) is not in the form that the protocol says; nothing of the request was taken"
    case .damaged(let id, let why):
      "\(Self.name(id)) is not what its author sealed (\(why.rawValue)); nothing of the request was taken"
    case .token: "this device is not known here; enrol it"
    case .session: "the session has ended; sign in again"
    case .revoked: "this device was revoked"
    case .role: "this device or person may not do this"
    case .code: "the enrolment code is wrong, used or too old; ask for another"
    case .notFound: "there is no such address"
    case .method: "this address is not asked in this way"
    case .slow: "the request did not come whole in time; try again"
    case .encoding: "the body's encoding is not read here; send gzip or none"
    case .gap(let expected, _): "operations are missing: number \(expected) of this device is due"
    case .fork(0, _, 0): "the first operation of this device does not begin a chain"
    case .fork(0, _, let last): "this device wrote up to number \(last) here, and nothing of it is shown"
    case .fork(let deviceSeq, _, let last) where deviceSeq < last:
      "this device wrote up to number \(last) here, and what is shown ends at number \(deviceSeq) or is another there"
    case .fork(let deviceSeq, _, _): "another operation of this device has number \(deviceSeq) here"
    case .cursor: "the log is not the one that the cursor is of"
    case .filling: "the hub is being filled from its terminals and gives nothing yet"
    case .tooLarge(SyncLimits.standard.inflated):
      "the request unpacks to more than \(SyncLimits.standard.inflated) bytes, or to more than 200 times its size"
    case .tooLarge(SyncLimits.standard.operations):
      "the request has more than \(SyncLimits.standard.operations) operations"
    case .tooLarge(SyncLimits.head):
      "the head is too large: more than \(SyncLimits.head) bytes or \(SyncLimits.headFields) fields"
    case .tooLarge(SyncLimits.marks): "the request has more than \(SyncLimits.marks) marks"
    case .tooLarge(let limit): "the request is larger than \(limit) bytes"
    case .version(let known): "this hub speaks version \(known.lowerBound) to \(known.upperBound) of the protocol"
    case .schema(let known): "this hub reads operations of schema \(known.lowerBound) to \(known.upperBound)"
    case .busy(let seconds): "too many tries; again in \(seconds) s"
    case .readOnly: "the hub cannot write; try again"
    case .standby: "this hub is a standby; try again"
    case .notReady: "the hub cannot be reached at the moment; try again"
    case .unavailable: "the hub failed; try again"
    }
  }

  private static func name(_ operation: OperationID?) -> String {
    operation.map { "operation \($0)" } ?? "an operation"
  }

  /// How long to wait before the next request, in seconds.
  public var retryAfter: Int64? {
    switch self {
    case .busy(let seconds), .readOnly(let seconds), .standby(let seconds), .notReady(let seconds): seconds
    default: nil
    }
  }

  // MARK: On the wire

  /// The answer that says it.
  public var response: WireResponse {
    var error = WireWriter()
    error.add("code", code)
    error.add("message", message)
    switch self {
    case .malformed(let pointer): error.add("pointer", pointer)
    case .damaged(let id, let why):
      error.add("id", id)
      error.add("why", why.rawValue)
    case .gap(let expected, let hash):
      error.add("expected", expected)
      error.add("hash", hash: hash)
    case .fork(let deviceSeq, let hash, let last):
      error.add("deviceSeq", deviceSeq)
      error.add("hash", hash: hash)
      error.add("last", last)
    case .cursor(let epoch, let common, let last, let lastHash):
      error.add("epoch", epoch)
      error.add("common", document: common.document)
      error.add("last", last)
      error.add("lastHash", hash: lastHash)
    case .tooLarge(let limit): error.add("limit", limit)
    case .version(let known), .schema(let known):
      error.add("min", known.lowerBound)
      error.add("max", known.upperBound)
    default: break
    }
    var whole = WireWriter()
    whole.add("error", document: error.document)
    return WireResponse(status: status, content: .json, retryAfter: retryAfter, body: whole.document)
  }

  /// What an answer that is no success says. One that no hub gives, such as a proxy's page, is `unavailable`, or
  /// `notReady` where it asks for time.
  public init(_ response: WireResponse) {
    self = (try? HubError.read(response)) ?? .unavailable
    guard self == .unavailable, [429, 503].contains(response.status), response.retryAfter != nil else { return }
    self = .notReady(after: Self.wait(response))
  }

  private static func wait(_ response: WireResponse) -> Int64 { min(max(response.retryAfter ?? 1, 0), 60) }

  private static func read(_ response: WireResponse) throws(WireFault) -> HubError {
    guard response.content == .json else { return .unavailable }
    let error = try WireObject(document: response.body).object("error")
    let wait = wait(response)
    switch try error.text("code") {
    case "malformed": return .malformed(pointer: try error.text(ifAny: "pointer") ?? "")
    case "damaged":
      return .damaged(
        try error.uuid(ifAny: "id"), why: WireFault.Damage(rawValue: try error.text("why")) ?? .form)
    case "token": return .token
    case "session": return .session
    case "revoked": return .revoked
    case "role": return .role
    case "code": return .code
    case "not_found": return .notFound
    case "method": return .method
    case "slow": return .slow
    case "encoding": return .encoding
    case "gap": return .gap(expected: try error.natural("expected"), hash: try error.hash("hash"))
    case "fork":
      return .fork(
        deviceSeq: try error.natural("deviceSeq"), hash: try error.hash("hash"), last: try error.natural("last"))
    case "cursor":
      return .cursor(
        epoch: try error.uuid("epoch"), common: try LogMark(error.object("common")),
        last: try error.natural("last"), lastHash: try error.hash("lastHash"))
    case "filling": return .filling
    case "too_large": return .tooLarge(limit: try error.natural("limit"))
    case "proto": return .version(try range(error))
    case "schema": return .schema(try range(error))
    case "busy": return .busy(after: wait)
    case "read_only": return .readOnly(after: wait)
    case "standby": return .standby(after: wait)
    default: return .unavailable
    }
  }

  private static func range(_ error: WireObject) throws(WireFault) -> ClosedRange<Int64> {
    let (low, high) = (try error.integer("min"), try error.integer("max"))
    guard low <= high else { throw WireFault(.malformed, at: error.place("max")) }
    return low...high
  }
}
