import Journal

/// One entry of a hub's log as a device is given it.
public struct LogEntry: Sendable {
  /// Its number in the log.
  public let seq: Int64
  /// When the hub took it, by its clock, milliseconds since 1970-01-01T00:00:00Z.
  public let time: Int64
  /// What it is.
  public let content: Content
  /// Whether it comes after later ones, because the device was given more of the exam.
  public let isBack: Bool

  /// A place in a transaction, and how many of its operations this device gets: they apply once all of these are here.
  public struct Part: Hashable, Sendable {
    /// From 0.
    public let index: Int64
    /// From 1.
    public let count: Int64

    /// A place in a transaction.
    public init(index: Int64, count: Int64) {
      self.index = index
      self.count = count
    }
  }

  /// What an entry is.
  public enum Content: Sendable {
    /// An operation of another device, and what the hub said of it.
    case operation(WireOperation, HubResult, Part)
    /// What became of an operation that had not counted, or counts no more; with the operation where the device was not
    /// given it before.
    case verdict(OperationID, Fate, by: OperationID?, WireOperation?)
    /// What is destroyed: the key of a person's data, and the operations whose whole content goes.
    case erase(subject: UUIDBytes, bodies: [OperationID])
    /// What was said of one of the device's own operations.
    case receipt(OperationID, HubResult)
    /// What is no entry: it is kept as it came. Of which operation, where it says so.
    case unreadable(why: String, OperationID?, [UInt8])
  }

  /// What became of an operation: its author took it back, or a result like any other.
  public enum Fate: Hashable, Sendable {
    case withdrawn
    case result(HubResult)

    /// The text that the log keeps and hashes.
    public var text: String {
      switch self {
      case .withdrawn: "withdrawn"
      case .result(let result): result.description
      }
    }

    /// What an answer says of it: what its author took back counts for nothing.
    public var answer: HubResult { if case .result(let result) = self { result } else { .rejected(nil) } }

    /// Whether the operation counts.
    public var counts: Bool { answer.counts }

    /// Whether the operation is not decided yet.
    public var isDeferred: Bool { answer.isDeferred }

    /// Reads what the log keeps; nil for a text that it never holds.
    public init?(_ text: String) {
      if text == "withdrawn" {
        self = .withdrawn
      } else if let result = HubResult(text) {
        self = .result(result)
      } else {
        return nil
      }
    }
  }

  /// An entry.
  public init(seq: Int64, time: Int64, _ content: Content, isBack: Bool = false) {
    self.seq = seq
    self.time = time
    self.content = content
    self.isBack = isBack
  }

  // MARK: Out

  /// Appends the document.
  public func write(to bytes: inout [UInt8]) {
    var out = WireWriter()
    out.add("seq", seq)
    out.add("time", time)
    switch content {
    case .operation(let operation, let result, let part):
      var document: [UInt8] = []
      operation.write(to: &document)
      out.add(document, result, part)
    case .verdict(let id, let fate, let by, let operation):
      out.add("type", "verdict")
      out.add("id", id)
      switch fate {
      case .withdrawn:
        out.add("result", fate.text)
        out.add("code", nil as String?)
      case .result(let result):
        out.add("result", result.word)
        out.add("code", result.code)
      }
      out.add("by", by)
      if let operation {
        var document: [UInt8] = []
        operation.write(to: &document)
        out.add("op", document: document)
      }
    case .erase(let subject, let bodies):
      out.add("type", "erase")
      out.add("subject", subject)
      out.add("bodies", texts: bodies.map(\.description))
    case .receipt(let id, let result):
      out.add("type", "receipt")
      out.add("id", id)
      out.add("result", result.word)
      out.add("code", result.code)
    case .unreadable: break
    }
    if isBack { out.add("back", true) }
    bytes.append(contentsOf: out.document)
  }

  /// Appends the document of an entry whose operation is kept as the bytes that it is.
  public static func write(
    seq: Int64, time: Int64, _ operation: WireOperation.Parts, _ result: HubResult, _ part: Part,
    isBack: Bool = false, to bytes: inout [UInt8]
  ) {
    var out = WireWriter()
    out.add("seq", seq)
    out.add("time", time)
    var document: [UInt8] = []
    operation.write(to: &document)
    out.add(document, result, part)
    if isBack { out.add("back", true) }
    bytes.append(contentsOf: out.document)
  }

  // MARK: In

  /// Reads an entry of a page; what is none is `unreadable`.
  init(received node: CanonicalJSON.Node) {
    do {
      self = try LogEntry.read(node)
    } catch {
      let why = error.why ?? (error.isSchema ? "schema" : "malformed")
      let seq = node["seq"]?.integer ?? 0
      let id = error.id ?? node["id"]?.text.flatMap { OperationID($0) }
      self.init(
        seq: seq, time: node["time"]?.integer ?? 0, .unreadable(why: why, id, CanonicalJSON.encode(node)))
    }
  }

  private static func read(_ node: CanonicalJSON.Node) throws(WireFault) -> LogEntry {
    let object = try WireObject(node)
    return LogEntry(
      seq: try object.natural("seq"), time: try object.integer("time"), try content(object),
      isBack: try object.flag("back", otherwise: false))
  }

  private static func content(_ object: WireObject) throws(WireFault) -> Content {
    switch try object.text("type") {
    case "op":
      let operation = try WireOperation.read(object.node("op"))
      guard case .result(let result) = try fate(object) else { throw WireFault(.malformed, at: "/result") }
      let part = try object.array("part")
      guard part.count == 2, let index = part[0].integer, let count = part[1].integer, index >= 0, index < count else {
        throw WireFault(.malformed, at: "/part")
      }
      return .operation(WireOperation(received: operation), result, Part(index: index, count: count))
    case "verdict":
      let operation = object.node(ifAny: "op")
      return .verdict(
        try object.uuid("id"), try fate(object), by: try object.uuid(ifAny: "by"),
        operation == nil ? nil : WireOperation(received: try WireOperation.read(object.node("op"))))
    case "erase":
      var bodies: [OperationID] = []
      for text in try object.texts("bodies") {
        guard let id = OperationID(text) else { throw WireFault(.malformed, at: "/bodies") }
        bodies.append(id)
      }
      return .erase(subject: try object.uuid("subject"), bodies: bodies)
    case "receipt":
      guard case .result(let result) = try fate(object) else { throw WireFault(.malformed, at: "/result") }
      return .receipt(try object.uuid("id"), result)
    default: throw WireFault(.malformed, at: "/type")
    }
  }

  private static func fate(_ object: WireObject) throws(WireFault) -> Fate {
    let (word, code) = (try object.text("result"), try object.text(ifAny: "code"))
    if word == Fate.withdrawn.text, code == nil { return .withdrawn }
    guard let result = HubResult(word: word, code: code) else { throw WireFault(.malformed, at: "/result") }
    return .result(result)
  }
}

extension WireWriter {
  fileprivate mutating func add(_ operation: [UInt8], _ result: HubResult, _ part: LogEntry.Part) {
    add("type", "op")
    add("op", document: operation)
    add("result", result.word)
    add("code", result.code)
    add("part", .array([.integer(part.index), .integer(part.count)]))
  }
}
