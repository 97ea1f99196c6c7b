import Journal

/// A hub's answer to one round trip: what became of what the device brought, and a page of the log.
public struct SyncAnswer: Sendable {
  /// What became of one operation.
  public struct Result: Hashable, Sendable {
    /// The operation.
    public let id: OperationID
    /// Its number in its device's chain.
    public let deviceSeq: Int64
    /// Its number in the hub's log; of one that was there already, the first one; nil for a hole.
    public let hubSeq: Int64?
    /// What the hub says of it; of one that was there already, what it said then.
    public let outcome: Outcome
    /// Whether it was there already.
    public let isDuplicate: Bool

    /// What became of it.
    public enum Outcome: Hashable, Sendable {
      /// It is stored, and this is said of it.
      case stored(HubResult)
      /// It was relayed and a predecessor of its chain is missing: the hub keeps it aside.
      case hole
    }

    /// A result.
    public init(id: OperationID, deviceSeq: Int64, hubSeq: Int64?, outcome: Outcome, isDuplicate: Bool = false) {
      self.id = id
      self.deviceSeq = deviceSeq
      self.hubSeq = hubSeq
      self.outcome = outcome
      self.isDuplicate = isDuplicate
    }
  }

  /// What became of the operations, in their order.
  public var results: [Result]
  /// A page of the log.
  public var entries: [LogEntry]
  /// How far the log is at the device after the page.
  public var cursor: LogCursor
  /// The log's hash there: 32 bytes.
  public var hash: [UInt8]
  /// Where the log ended as the answer was written: no number in `results` is after it. Nil where an older hub does not
  /// say.
  public var head: LogMark?
  /// Whether there is more at once.
  public var more: Bool
  /// What of the exam the device is given.
  public var scope: SyncScope
  /// Where the device's chain ends at the hub.
  public var last: Int64
  /// The hash there: 32 bytes.
  public var lastHash: [UInt8]
  /// The hub's clock, milliseconds since 1970-01-01T00:00:00Z.
  public var time: Int64

  /// An answer.
  public init(
    results: [Result], entries: [LogEntry], cursor: LogCursor, hash: [UInt8], head: LogMark? = nil, more: Bool,
    scope: SyncScope, last: Int64, lastHash: [UInt8], time: Int64
  ) {
    self.results = results
    self.entries = entries
    self.cursor = cursor
    self.hash = hash
    self.head = head
    self.more = more
    self.scope = scope
    self.last = last
    self.lastHash = lastHash
    self.time = time
  }

  /// The document.
  public var encoded: [UInt8] {
    encoded(
      entries: entries.map { entry in
        var bytes: [UInt8] = []
        entry.write(to: &bytes)
        return bytes
      })
  }

  /// The document with entries that are written already, in place of its own.
  public func encoded(entries: [[UInt8]]) -> [UInt8] {
    var out = WireWriter()
    out.add("results", each: results) { $0.write(to: &$1) }
    out.add("entries", each: entries) { $1.append(contentsOf: $0) }
    out.add("cursor", cursor.description)
    out.add("hash", hash: hash)
    if let head { out.add("head", document: head.document) }
    out.add("more", more)
    out.add("scope", document: scope.document)
    out.add("keys", .array([]))
    out.add("last", last)
    out.add("lastHash", hash: lastHash)
    out.add("time", time)
    return out.document
  }

  /// The largest answer that is read, in bytes: a page and its envelope, with every byte escaped at worst.
  public static let greatest = 64 << 20

  /// Reads a document. An entry that is none does not fail it: it is `LogEntry.Content.unreadable`.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> SyncAnswer {
    let object = try WireObject(document: bytes, limits: CanonicalJSON.Limits(bytes: greatest, depth: 16))
    guard let cursor = LogCursor(try object.text("cursor")) else {
      throw WireFault(.malformed, at: object.place("cursor"))
    }
    var results: [Result] = []
    for result in try object.objects("results") { results.append(try Result(result)) }
    return SyncAnswer(
      results: results, entries: try object.array("entries").map { LogEntry(received: $0) }, cursor: cursor,
      hash: try object.hash("hash"), head: try object.object(ifAny: "head").map(LogMark.init),
      more: try object.flag("more", otherwise: false),
      scope: try SyncScope(object.object("scope")), last: try object.natural("last"),
      lastHash: try object.hash("lastHash"), time: try object.integer("time"))
  }
}

extension SyncAnswer.Result {
  fileprivate func write(to bytes: inout [UInt8]) {
    var out = WireWriter()
    out.add("id", id)
    out.add("seq", deviceSeq)
    if let hubSeq { out.add("hubSeq", hubSeq) }
    switch outcome {
    case .hole: out.add("result", "hole")
    case .stored(let result) where isDuplicate:
      out.add("result", "duplicate")
      out.add("was", result.word)
      if let code = result.code { out.add("code", code) }
    case .stored(let result):
      out.add("result", result.word)
      if let code = result.code { out.add("code", code) }
    }
    bytes.append(contentsOf: out.document)
  }

  fileprivate init(_ object: WireObject) throws(WireFault) {
    let (id, deviceSeq) = (try object.uuid("id"), try object.natural("seq"))
    let word = try object.text("result")
    if word == "hole" {
      self.init(id: id, deviceSeq: deviceSeq, hubSeq: nil, outcome: .hole)
      return
    }
    let isDuplicate = word == "duplicate"
    let said = isDuplicate ? try object.text("was") : word
    guard let result = HubResult(word: said, code: try object.text(ifAny: "code")) else {
      throw WireFault(.malformed, at: object.place("result"))
    }
    self.init(
      id: id, deviceSeq: deviceSeq, hubSeq: try object.natural("hubSeq"), outcome: .stored(result),
      isDuplicate: isDuplicate)
  }
}

/// What of an exam a device is given.
public struct SyncScope: Hashable, Sendable {
  /// Rises with every change.
  public let version: Int64
  /// The parts: `exam`, `circuit:N`, `station:T`, `person`, `all`.
  public let atoms: [String]

  /// A scope.
  public init(version: Int64, atoms: [String]) {
    self.version = version
    self.atoms = atoms
  }

  /// The document.
  public var document: [UInt8] {
    var out = WireWriter()
    out.add("version", version)
    out.add("atoms", texts: atoms)
    return out.document
  }

  init(_ object: WireObject) throws(WireFault) {
    self.init(version: try object.natural("version"), atoms: try object.texts("atoms"))
  }
}
