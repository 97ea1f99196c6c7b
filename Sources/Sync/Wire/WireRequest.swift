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

  /// A request of the present version to one of a hub's addresses.
  public init(
    _ method: Method, _ route: Route, query: [String: String] = [:], token: String? = nil, session: String? = nil,
    id: UUIDBytes? = nil, note: String? = nil, body: [UInt8] = []
  ) {
    self.init(
      method, route.rawValue, query: query, token: token, session: session, id: id, note: note, body: body)
  }

  /// The address that is asked; nil for a path that no hub has.
  public var route: Route? { Route(rawValue: path) }
}
