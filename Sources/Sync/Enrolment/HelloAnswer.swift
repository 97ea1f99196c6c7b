import Journal

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
