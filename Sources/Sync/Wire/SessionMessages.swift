import Journal

/// Signs a person in on a device at the hub.
public struct SessionRequest: Sendable {
  /// The person's username.
  public var username: String
  /// The person's passcode, as typed.
  public var passcode: String
  /// The station session at which the person sits; nil for none.
  public var timetable: Int64?

  /// A request.
  public init(username: String, passcode: String, timetable: Int64?) {
    self.username = username
    self.passcode = passcode
    self.timetable = timetable
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("username", username)
    out.add("passcode", passcode)
    out.add("timetable", timetable)
    return out.document
  }

  /// Reads a document.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> SessionRequest {
    let object = try WireObject(document: bytes)
    // Null says that the person sits nowhere; left out it says nothing.
    _ = try object.node("timetable")
    return SessionRequest(
      username: try object.text("username"), passcode: try object.text("passcode"),
      timetable: try object.integer(ifAny: "timetable"))
  }
}

/// A person's session at the hub, bound to the device.
public struct SessionAnswer: Hashable, Sendable {
  /// How long a session lasts at most, in milliseconds.
  public static let life: Int64 = 12 * 3_600_000

  /// What the device shows beside its token.
  public var session: String
  /// The person's key.
  public var staff: Int64
  /// What the person may do, as `PersonRole` has it.
  public var role: String
  /// When it ends, milliseconds since 1970-01-01T00:00:00Z.
  public var expires: Int64
  /// What of the exam the device is given from now on.
  public var scope: SyncScope

  /// An answer.
  public init(session: String, staff: Int64, role: String, expires: Int64, scope: SyncScope) {
    self.session = session
    self.staff = staff
    self.role = role
    self.expires = expires
    self.scope = scope
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("session", session)
    out.add("staff", staff)
    out.add("role", role)
    out.add("expires", expires)
    out.add("scope", document: scope.document)
    return out.document
  }

  /// Reads a document.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> SessionAnswer {
    let object = try WireObject(document: bytes)
    return SessionAnswer(
      session: try object.text("session"), staff: try object.integer("staff"), role: try object.text("role"),
      expires: try object.integer("expires"), scope: try SyncScope(object.object("scope")))
  }
}
