import Journal

/// What a device says of itself with each request: the header `Osce-Waiting`.
public struct DeviceNote: Hashable, Sendable {
  /// How many operations wait for the hub.
  public var waiting: Int64
  /// How far its clock is from the hub's, and the bound of that, in milliseconds; nil where it does not know.
  public var clock: Clock?

  /// A clock as it is estimated.
  public struct Clock: Hashable, Sendable {
    /// Milliseconds to add to the device's clock to get the hub's.
    public var offset: Int64
    /// How wrong that may be, in milliseconds.
    public var bound: Int64

    /// An estimate.
    public init(offset: Int64, bound: Int64) {
      self.offset = offset
      self.bound = bound
    }
  }

  /// A note.
  public init(waiting: Int64, clock: Clock? = nil) {
    self.waiting = waiting
    self.clock = clock
  }

  /// The header's value, such as `12;offset=-3;bound=9`.
  public var text: String {
    clock.map { "\(waiting);offset=\($0.offset);bound=\($0.bound)" } ?? String(waiting)
  }

  /// Reads the header's value; nil for a text that is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let waiting = parts.first.flatMap({ Int64($0) }), waiting >= 0 else { return nil }
    var values: [Substring: Int64] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, let value = Int64(pair[1]) else { return nil }
      values[pair[0]] = value
    }
    self.waiting = waiting
    if let offset = values["offset"], let bound = values["bound"] { clock = Clock(offset: offset, bound: bound) }
  }
}

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
