import Journal

/// Asks for a new chain in the same place, after a fork.
public struct NewDeviceRequest: Hashable, Sendable {
  /// The device whose token is shown.
  public var former: UUIDBytes
  /// The device that goes on.
  public var device: UUIDBytes
  /// What people call the machine.
  public var name: String

  /// A request.
  public init(former: UUIDBytes, device: UUIDBytes, name: String) {
    self.former = former
    self.device = device
    self.name = name
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("from", former)
    out.add("device", device)
    out.add("name", name)
    return out.document
  }

  /// Reads a document.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> NewDeviceRequest {
    let object = try WireObject(document: bytes)
    return NewDeviceRequest(
      former: try object.uuid("from"), device: try object.uuid("device"), name: try object.text("name"))
  }
}
