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

  /// The body of an answer that says that what was asked is done.
  /// - Parameter status: how such an answer says so.
  /// - Throws: what any other answer says.
  public func body(expecting status: Int) throws(HubError) -> [UInt8] {
    guard self.status == status else { throw HubError(self) }
    return body
  }
}
