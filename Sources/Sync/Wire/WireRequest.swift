import Journal

/// A request to a hub as both sides know it: what HTTP carries, without HTTP.
public struct WireRequest: Sendable {
  /// What the request asks for.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
    /// As `get`, but for the body of the answer.
    case head = "HEAD"
    /// One that no address knows.
    case other = "OTHER"
  }

  /// What is asked for.
  public var method: Method
  /// The path, such as `/v1/sync`.
  public var path: String
  /// The query's names and values, decoded.
  public var query: [String: String]
  /// The device's token, from `Authorization: Bearer …`; nil where none was sent.
  public var token: String?
  /// The session of a person on this device, from `Osce-Session`.
  public var session: String?
  /// The protocol's version, from `Osce-Proto`; nil where it is missing. What is no number is a version that nobody speaks.
  public var version: Int64?
  /// The request's own name, from `Osce-Request`: logged on both sides.
  public var id: UUIDBytes?
  /// What the device says of itself, from `Osce-Waiting`, as `DeviceNote` reads it.
  public var note: String?
  /// Where it comes from, as the server sees it: rates are counted by it. Not sent.
  public var address: String
  /// The body, inflated.
  public var body: [UInt8]

  /// A request of the present version.
  public init(
    _ method: Method, _ path: String, query: [String: String] = [:], token: String? = nil, session: String? = nil,
    version: Int64? = SyncProtocol.version, id: UUIDBytes? = nil, note: String? = nil, address: String = "",
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.token = token
    self.session = session
    self.version = version
    self.id = id
    self.note = note
    self.address = address
    self.body = body
  }
}

/// A hub's answer to a request.
public struct WireResponse: Sendable {
  /// What the body is.
  public enum Content: String, Sendable {
    case json = "application/json"
    case lines = "application/x-ndjson"
    case text = "text/plain; charset=utf-8"
  }

  /// The HTTP status.
  public var status: Int
  /// What the body is said to be; nil where there is none, or it is something that no hub sends.
  public var content: Content?
  /// How long to wait before the next request, in seconds, from `Retry-After`.
  public var retryAfter: Int64?
  /// The methods that the address knows, where it was asked by another.
  public var allow: String?
  /// The body, inflated.
  public var body: [UInt8]

  /// An answer.
  public init(status: Int, content: Content? = nil, retryAfter: Int64? = nil, body: [UInt8] = []) {
    self.status = status
    self.content = content
    self.retryAfter = retryAfter
    self.body = body
  }
}

/// Answers requests: a hub, whatever carries them.
public protocol Answering: Sendable {
  /// The answer to a request; what goes wrong is an answer too.
  func answer(_ request: WireRequest) async -> WireResponse
  /// The answer to a request that could not be read whole.
  func refuse(_ path: String, _ error: HubError) -> WireResponse
}

extension Answering {
  /// The error's own.
  public func refuse(_ path: String, _ error: HubError) -> WireResponse { error.response }
}

/// Carries requests to a hub.
public protocol Transport: Sendable {
  /// Sends a request and waits for the whole answer.
  /// - Parameter wait: how long the hub may hold the request back before its first byte, in seconds; 0 but for
  ///   `/v1/wait`.
  /// - Throws: `TransportFailure` when there is none; the hub may have acted anyway.
  func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse
}

/// Why a request has no answer.
public enum TransportFailure: Error, Hashable, Sendable {
  /// The hub cannot be reached: no network, no name, nobody listens.
  case unreachable(String)
  /// The answer did not come in time.
  case timeout
  /// The connection broke, or what came is not a whole answer.
  case broken(String)
  /// The server does not hold the key that was pinned at enrolment.
  case otherKey
  /// The answer is larger than any that a hub gives.
  case tooLarge
  /// The request was given up on purpose.
  case cancelled
}

/// What both sides of the exchange agree on.
public enum SyncProtocol {
  /// The version that this program speaks.
  public static let version: Int64 = 1
  /// The versions that a hub of this program answers.
  public static let versions: ClosedRange<Int64> = 1...1
}
