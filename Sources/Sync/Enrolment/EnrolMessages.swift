import Journal

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
