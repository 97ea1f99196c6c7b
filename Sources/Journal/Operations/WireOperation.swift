/// An operation as it travels: `{"header","bodyHash","hash","salt","body"}`, or as a stub with `absent` in place of
/// salt and body.
///
/// Header and body are the bytes that were hashed, as they are. The receiver hashes them first and reads them
/// afterwards; nobody re-encodes them.
public struct WireOperation: Hashable, Sendable {
  /// How many bytes a body may have, and a header.
  public static let limit = 256 * 1024

  /// What travels: without its content, where that does not.
  public let operation: Operation
  /// What a hub said of it, where that travels with it: in packs, and to a hub that is filled in the place of that one.
  public var said: HubResult?

  /// An operation on its way out.
  ///
  /// One whose content is not here any more, or is not what was hashed, travels as a stub that says so.
  /// - Parameter reason: why its content stays here; nil sends it.
  public init(_ operation: Operation, withholding reason: AbsentContent? = nil) {
    self.operation =
      if let reason {
        operation.withoutBody(because: reason)
      } else if operation.sealedBody == nil {
        operation.withoutBody(because: operation.absent ?? .erased)
      } else if operation.isBodyReadableElsewhere {
        operation
      } else {
        operation.withoutBody(because: .damaged)
      }
  }

  /// An operation that came in, as `read` gives it: it is passed on as it is.
  /// - Parameter said: what came with it that a hub had said of it.
  public init(received operation: Operation, said: HubResult? = nil) {
    (self.operation, self.said) = (operation, said)
  }

  /// The same of a part of a document.
  /// - Throws: `WireFault` as `read`.
  public init(_ node: CanonicalJSON.Node) throws(WireFault) {
    self.init(received: try Self.read(node), said: Self.said(in: node))
  }

  /// Why its content does not travel; nil where it does.
  public var absent: AbsentContent? { operation.absent }

  // MARK: Out

  /// The document, in one line.
  /// - Parameter more: members that stand after the operation's own.
  public func encoded(adding more: [CanonicalJSON.Member] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1536 + (operation.sealedBody?.count ?? 0))
    write(adding: more, to: &bytes)
    return bytes
  }

  /// Appends the document.
  public func write(adding more: [CanonicalJSON.Member] = [], to bytes: inout [UInt8]) {
    let parts = Parts(
      header: operation.headerBytes, bodyHash: operation.bodyHash, hash: operation.hash,
      sealedBody: operation.sealedBody, absent: operation.absent)
    let answer = said.map { [CanonicalJSON.Member("result", .text($0.description))] } ?? []
    parts.write(adding: answer + more, to: &bytes)
  }

  /// What a document is made of, for who keeps the header as the bytes that it is.
  public struct Parts: Sendable {
    /// The header's canonical bytes.
    public var header: [UInt8]
    /// 32 bytes.
    public var bodyHash: [UInt8]
    /// 32 bytes.
    public var hash: [UInt8]
    /// Salt and body; nil where they are not here.
    public var sealedBody: [UInt8]?
    /// Why the body is not here; nil where it is.
    public var absent: AbsentContent?

    /// The parts of an operation.
    public init(
      header: [UInt8], bodyHash: [UInt8], hash: [UInt8], sealedBody: [UInt8]?, absent: AbsentContent?
    ) {
      self.header = header
      self.bodyHash = bodyHash
      self.hash = hash
      self.sealedBody = sealedBody
      self.absent = absent
    }

    /// The operation; what is wrong with its hashes is not looked for.
    /// - Throws: where the header is none.
    public func operation() throws(WireFault) -> Operation {
      try WireHeader(header).operation(sealedBody: sealedBody, absent: absent, bodyHash: bodyHash, hash: hash)
    }

    /// Appends the document.
    public func write(adding more: [CanonicalJSON.Member] = [], to bytes: inout [UInt8]) {
      bytes.append(contentsOf: #"{"header":"#.utf8)
      CanonicalJSON.write(utf8: header[...], to: &bytes)
      bytes.append(contentsOf: #","bodyHash":"#.utf8)
      CanonicalJSON.write(Hexadecimal.text(bodyHash), to: &bytes)
      bytes.append(contentsOf: #","hash":"#.utf8)
      CanonicalJSON.write(Hexadecimal.text(hash), to: &bytes)
      if let sealedBody {
        bytes.append(contentsOf: #","salt":"#.utf8)
        CanonicalJSON.write(Base64URL.encode(sealedBody.prefix(Operation.saltLength)), to: &bytes)
        bytes.append(contentsOf: #","body":"#.utf8)
        CanonicalJSON.write(utf8: sealedBody.dropFirst(Operation.saltLength), to: &bytes)
      } else {
        bytes.append(contentsOf: #","absent":"#.utf8)
        CanonicalJSON.write((absent ?? .erased).rawValue, to: &bytes)
      }
      for member in more {
        bytes.append(UInt8(ascii: ","))
        CanonicalJSON.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        CanonicalJSON.write(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  // MARK: In

  /// The operation of a document, known to be what its author sealed. Members that it does not know are passed over.
  ///
  /// Whether the body can be read is not asked: one that is sealed and cannot is refused by `Admission`, and stops
  /// nobody.
  /// - Throws: the first fault: that of the document, then size, form, `bodyHash`, `hash`.
  public static func decode(_ json: some Collection<UInt8>) throws(WireFault) -> Operation {
    try read(try WireJSON.decode(json))
  }

  /// What a hub said of the operation of a document, where that travels with it; nil for what no hub says.
  public static func said(in node: CanonicalJSON.Node) -> HubResult? {
    node["result"]?.text.flatMap { HubResult($0) }
  }

  /// The operation of a part of a document that was read before; the fault's pointer begins at the part.
  public static func read(_ node: CanonicalJSON.Node) throws(WireFault) -> Operation {
    let header = try Array(text("header", of: node).utf8)
    let (bodyHash, hash) = (try text("bodyHash", of: node), try text("hash", of: node))
    let content = try WireContent(node)
    guard header.count <= limit else { throw WireFault(.tooLarge(limit: limit), at: "/header") }
    if case .here(_, let body) = content, body.utf8.count > limit {
      throw WireFault(.tooLarge(limit: limit), at: "/body")
    }
    let form = try WireHeader(header)
    func damaged(_ damage: WireFault.Damage, at pointer: String) -> WireFault {
      WireFault(.damaged(damage), at: pointer, of: form.id)
    }
    guard let bodyHash = Hexadecimal.hash(bodyHash) else { throw damaged(.form, at: "/bodyHash") }
    guard let hash = Hexadecimal.hash(hash) else { throw damaged(.form, at: "/hash") }
    let operation: Operation
    switch content {
    case .here(let salt, let body):
      guard let salt = Base64URL.decode(salt), salt.count == Operation.saltLength else {
        throw damaged(.form, at: "/salt")
      }
      operation = form.operation(sealedBody: salt + body.utf8, bodyHash: bodyHash, hash: hash)
    case .absent(let word):
      guard let absent = AbsentContent(rawValue: word) else { throw damaged(.form, at: "/absent") }
      operation = form.operation(absent: absent, bodyHash: bodyHash, hash: hash)
    }
    guard operation.headerBytes == header, form.isCountable else { throw damaged(.form, at: "/header") }
    switch operation.damage {
    case nil: return operation
    case .bodyHash: throw damaged(.bodyHash, at: "/bodyHash")
    default: throw damaged(.hash, at: "/hash")
    }
  }

  fileprivate static func text(_ name: String, of node: CanonicalJSON.Node) throws(WireFault) -> String {
    guard case .object = node else { throw WireFault(.malformed) }
    guard let text = node[name]?.text else { throw WireFault(.malformed, at: "/" + name) }
    return text
  }
}

extension Operation {
  /// Whether others can hold the body against its hash: on a disk it may have come to be neither it nor a text.
  fileprivate var isBodyReadableElsewhere: Bool {
    guard let sealedBody, sealedBody.count >= Operation.saltLength, isSHA256(bodyHash, of: sealedBody) else {
      return false
    }
    return sealedBody.withUnsafeBufferPointer {
      String(exactly: UnsafeBufferPointer(rebasing: $0[Operation.saltLength...])) != nil
    }
  }
}

/// Salt and body, or why they are not there.
private enum WireContent {
  case here(salt: String, body: String)
  case absent(String)

  init(_ node: CanonicalJSON.Node) throws(WireFault) {
    if node["absent"] == nil {
      self = .here(salt: try WireOperation.text("salt", of: node), body: try WireOperation.text("body", of: node))
    } else {
      for name in ["salt", "body"] where node[name] != nil { throw WireFault(.malformed, at: "/" + name) }
      self = .absent(try WireOperation.text("absent", of: node))
    }
  }
}

/// What a header's bytes say. Whether they are its only form is known when they are written back from it.
private struct WireHeader {
  let id: OperationID
  private let fields: Fields

  private struct Fields {
    let device: UUIDBytes
    let deviceSeq: Int64
    let tx: UUIDBytes
    let txIndex: Int64
    let txSize: Int64
    let kind: String
    let row: RowKey
    let hlc: Int64
    let wallTime: Int64
    let clockError: Int64
    let examTime: Int64?
    let staff: Int64?
    let sitting: UUIDBytes?
    let reason: String?
    let schema: Int64
    let prevHash: [UInt8]
  }

  init(_ bytes: [UInt8]) throws(WireFault) {
    guard let members = try? CanonicalJSON.decode(bytes), case .object = members else {
      throw WireFault(.damaged(.form), at: "/header")
    }
    let id = members["id"]?.text.flatMap { UUIDBytes($0) }
    let form = WireFault(.damaged(.form), at: "/header", of: id)
    guard let id else { throw form }
    self.id = id
    func text(_ name: String) throws(WireFault) -> String {
      // No table keeps a text with a zero character in it as it was.
      guard let text = members[name]?.text, !text.utf8.contains(0) else { throw form }
      return text
    }
    func integer(_ name: String) throws(WireFault) -> Int64 {
      guard let integer = members[name]?.integer else { throw form }
      return integer
    }
    func uuid(_ name: String) throws(WireFault) -> UUIDBytes {
      guard let id = UUIDBytes(try text(name)) else { throw form }
      return id
    }
    func ifAny<T>(_ name: String, _ read: (String) throws(WireFault) -> T) throws(WireFault) -> T? {
      members[name] == .null ? nil : try read(name)
    }
    let schema = try integer("schema")
    guard Operation.schemas ~= schema else { throw WireFault(.schema(schema), at: "/header", of: id) }
    guard let prevHash = Hexadecimal.hash(try text("prevHash")) else { throw form }
    fields = Fields(
      device: try uuid("device"), deviceSeq: try integer("deviceSeq"), tx: try uuid("tx"),
      txIndex: try integer("txIndex"), txSize: try integer("txSize"), kind: try text("kind"),
      row: RowKey(entity: try text("entity"), id: try text("entityID")), hlc: try integer("hlc"),
      wallTime: try integer("wallTime"), clockError: try integer("clockError"),
      examTime: try ifAny("examTime", integer), staff: try ifAny("staff", integer),
      sitting: try ifAny("sitting", uuid), reason: members["reason"] == nil ? nil : try ifAny("reason", text),
      schema: schema, prevHash: prevHash)
  }

  /// Whether its numbers are such that a chain or a transaction can count to them: nobody who works one out from another
  /// overflows, and the transaction has its place.
  var isCountable: Bool {
    1...Operation.greatestNumber ~= fields.deviceSeq && 1...Operation.greatestPart ~= fields.txSize
      && 0..<fields.txSize ~= fields.txIndex
  }

  fileprivate func operation(
    sealedBody: [UInt8]? = nil, absent: AbsentContent? = nil, bodyHash: [UInt8], hash: [UInt8]
  ) -> Operation {
    Operation(
      id: id, device: fields.device, deviceSeq: fields.deviceSeq, tx: fields.tx, txIndex: Int(fields.txIndex),
      txSize: Int(fields.txSize), kind: OperationKind(rawValue: fields.kind), row: fields.row, sealedBody: sealedBody,
      bodyHash: bodyHash, hlc: HybridTime(raw: fields.hlc), wallTime: fields.wallTime, clockError: fields.clockError,
      examTime: fields.examTime.map { ExamTime(milliseconds: $0) }, staff: fields.staff, sitting: fields.sitting,
      headerReason: fields.reason, schema: Int(fields.schema), prevHash: fields.prevHash, hash: hash, absent: absent)
  }
}
