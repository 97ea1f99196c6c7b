import Journal

/// A hub's exam as an answer names it.
public struct HubExam: Hashable, Sendable {
  /// The exam.
  public let id: UUIDBytes
  /// Which run of its log.
  public let epoch: UUIDBytes
  /// What people call it.
  public let name: String
  /// The last number of the log, and the hash there.
  public let head: LogMark
  /// Whether the hub is being filled from its devices, and gives nothing yet.
  public let isFilling: Bool

  /// An exam.
  public init(id: UUIDBytes, epoch: UUIDBytes, name: String, head: LogMark, isFilling: Bool) {
    self.id = id
    self.epoch = epoch
    self.name = name
    self.head = head
    self.isFilling = isFilling
  }

  var document: [UInt8] {
    var out = WireWriter()
    out.add("id", id)
    out.add("epoch", epoch)
    out.add("name", name)
    out.add("head", head.seq)
    out.add("headHash", hash: head.hash)
    out.add("filling", isFilling)
    return out.document
  }

  init(_ object: WireObject) throws(WireFault) {
    self.init(
      id: try object.uuid("id"), epoch: try object.uuid("epoch"), name: try object.text("name"),
      head: LogMark(seq: try object.natural("head"), hash: try object.hash("headHash")),
      isFilling: try object.flag("filling", otherwise: false))
  }
}

/// A device as its hub knows it.
public struct HubDevice: Hashable, Sendable {
  /// The device.
  public let id: UUIDBytes
  /// What it is at the hub, such as `station`.
  public let role: String
  /// Where its chain ends at the hub.
  public let last: ChainTip
  /// What of the exam it is given.
  public let scope: SyncScope

  /// A device.
  public init(id: UUIDBytes, role: String, last: ChainTip, scope: SyncScope) {
    self.id = id
    self.role = role
    self.last = last
    self.scope = scope
  }

  var document: [UInt8] {
    var out = WireWriter()
    out.add("id", id)
    out.add("role", role)
    out.add("last", last.deviceSeq)
    out.add("lastHash", hash: last.hash)
    out.add("scope", document: scope.document)
    return out.document
  }

  init(_ object: WireObject) throws(WireFault) {
    let id = try object.uuid("id")
    self.init(
      id: id, role: try object.text("role"),
      last: ChainTip(device: id, deviceSeq: try object.natural("last"), hash: try object.hash("lastHash")),
      scope: try SyncScope(object.object("scope")))
  }
}

/// What a hub says of itself, and of the device that asks with a token.
public struct HelloAnswer: Sendable {
  /// The hub's version.
  public var version: String
  /// The versions of the protocol that it speaks.
  public var protocols: ClosedRange<Int64>
  /// The schemas of operations that it reads.
  public var schemas: ClosedRange<Int64>
  /// Its clock, milliseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// How much it takes at once.
  public var limits: SyncLimits
  /// The exam of the token; nil without one.
  public var exam: HubExam?
  /// The device of the token; nil without one.
  public var device: HubDevice?

  /// An answer.
  public init(version: String, time: Int64, limits: SyncLimits = .standard, exam: HubExam?, device: HubDevice?) {
    self.version = version
    (protocols, schemas) = (SyncProtocol.versions, Operation.schemas)
    self.time = time
    self.limits = limits
    self.exam = exam
    self.device = device
  }

  /// The document.
  public var encoded: [UInt8] {
    func range(_ range: ClosedRange<Int64>) -> [UInt8] {
      var out = WireWriter()
      out.add("min", range.lowerBound)
      out.add("max", range.upperBound)
      return out.document
    }
    var out = WireWriter()
    out.add("product", HelloAnswer.product)
    out.add("version", version)
    out.add("proto", document: range(protocols))
    out.add("schema", document: range(schemas))
    out.add("time", time)
    out.add("limits", document: limits.document)
    if let exam { out.add("exam", document: exam.document) } else { out.add("exam", .null) }
    if let device { out.add("device", document: device.document) } else { out.add("device", .null) }
    return out.document
  }

  static let product = "osce-hub"

  /// Reads a document.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> HelloAnswer {
    let object = try WireObject(document: bytes)
    guard try object.text("product") == product else { throw WireFault(.malformed, at: "/product") }
    var answer = HelloAnswer(
      version: try object.text("version"), time: try object.integer("time"),
      limits: try SyncLimits(object.object("limits")), exam: try object.object(ifAny: "exam").map(HubExam.init),
      device: try object.object(ifAny: "device").map(HubDevice.init))
    func range(_ name: String) throws(WireFault) -> ClosedRange<Int64> {
      let range = try object.object(name)
      let (low, high) = (try range.integer("min"), try range.integer("max"))
      guard low <= high else { throw WireFault(.malformed, at: range.place("max")) }
      return low...high
    }
    (answer.protocols, answer.schemas) = (try range("proto"), try range("schema"))
    return answer
  }
}

/// Asks for a place at a hub with a one-time code.
public struct EnrolRequest: Hashable, Sendable {
  /// The code, as `EnrolmentCode` has it.
  public var code: String
  /// The device.
  public var device: UUIDBytes
  /// What people call the machine.
  public var name: String
  /// Where the device's chain ends.
  public var tip: ChainTip
  /// The schema of the operations that it writes.
  public var schema: Int64

  /// A request.
  public init(code: String, device: UUIDBytes, name: String, tip: ChainTip, schema: Int64) {
    self.code = code
    self.device = device
    self.name = name
    self.tip = tip
    self.schema = schema
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("code", code)
    out.add("device", device)
    out.add("name", name)
    out.add("tip", document: tip.document)
    out.add("schema", schema)
    return out.document
  }

  /// Reads a document.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> EnrolRequest {
    let object = try WireObject(document: bytes)
    let device = try object.uuid("device")
    return EnrolRequest(
      code: try object.text("code"), device: device, name: try object.text("name"),
      tip: try ChainTip(of: device, object.object("tip")),
      schema: try object.integer("schema"))
  }
}

/// A place at a hub.
public struct EnrolAnswer: Hashable, Sendable {
  /// The exam.
  public var exam: HubExam
  /// The device.
  public var device: HubDevice
  /// What the device shows with every request from now on.
  public var token: String
  /// The hub's own device, whose chain holds imports and rulings.
  public var hubDevice: UUIDBytes

  /// An answer.
  public init(exam: HubExam, device: HubDevice, token: String, hubDevice: UUIDBytes) {
    self.exam = exam
    self.device = device
    self.token = token
    self.hubDevice = hubDevice
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("exam", document: exam.document)
    out.add("device", document: device.document)
    out.add("token", token)
    out.add("hubDevice", hubDevice)
    return out.document
  }

  /// Reads a document.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> EnrolAnswer {
    let object = try WireObject(document: bytes)
    return EnrolAnswer(
      exam: try HubExam(object.object("exam")), device: try HubDevice(object.object("device")),
      token: try object.text("token"), hubDevice: try object.uuid("hubDevice"))
  }
}

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
