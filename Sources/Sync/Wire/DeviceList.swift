import Journal

/// A device as the hub lists it.
public struct ListedDevice: Hashable, Sendable {
  /// The device.
  public var id: UUIDBytes
  /// What people call the machine.
  public var name: String
  /// What it is at the hub, such as `station`.
  public var role: String
  /// Where its chain ends at the hub.
  public var last: Int64
  /// Up to this number of the log everything lies on its disk.
  public var held: Int64
  /// How many operations wait there, as it last said.
  public var waiting: Int64
  /// When it last asked, milliseconds since 1970-01-01T00:00:00Z; nil if it never did.
  public var seen: Int64?
  /// Its clock, as it last said.
  public var clock: DeviceNote.Clock?
  /// Whether it was revoked.
  public var isRevoked: Bool

  /// A device.
  public init(
    id: UUIDBytes, name: String, role: String, last: Int64, held: Int64, waiting: Int64, seen: Int64?,
    clock: DeviceNote.Clock?, isRevoked: Bool
  ) {
    self.id = id
    self.name = name
    self.role = role
    self.last = last
    self.held = held
    self.waiting = waiting
    self.seen = seen
    self.clock = clock
    self.isRevoked = isRevoked
  }

  fileprivate func write(to bytes: inout [UInt8]) {
    var out = WireWriter()
    out.add("id", id)
    out.add("name", name)
    out.add("role", role)
    out.add("last", last)
    out.add("held", held)
    out.add("waiting", waiting)
    out.add("seen", seen)
    out.add("clockOffset", clock?.offset)
    out.add("clockBound", clock?.bound)
    out.add("version", SyncProtocol.version)
    out.add("revoked", isRevoked)
    bytes.append(contentsOf: out.document)
  }

  fileprivate init(_ object: WireObject) throws(WireFault) {
    let (offset, bound) = (try object.integer(ifAny: "clockOffset"), try object.integer(ifAny: "clockBound"))
    self.init(
      id: try object.uuid("id"), name: try object.text("name"), role: try object.text("role"),
      last: try object.natural("last"), held: try object.natural("held"), waiting: try object.natural("waiting"),
      seen: try object.integer(ifAny: "seen"),
      clock: offset.flatMap { offset in bound.map { DeviceNote.Clock(offset: offset, bound: $0) } },
      isRevoked: try object.flag("revoked", otherwise: false))
  }
}

/// All devices of an exam.
public struct DeviceList: Hashable, Sendable {
  /// In the order in which they were enrolled.
  public var devices: [ListedDevice]

  /// A list.
  public init(devices: [ListedDevice]) {
    self.devices = devices
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("devices", each: devices) { $0.write(to: &$1) }
    return out.document
  }

  /// Reads a document.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> DeviceList {
    var devices: [ListedDevice] = []
    for object in try WireObject(document: bytes).objects("devices") { devices.append(try ListedDevice(object)) }
    return DeviceList(devices: devices)
  }
}
