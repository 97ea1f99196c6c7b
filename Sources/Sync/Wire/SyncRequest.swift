import Journal

/// One round trip of the exchange: what a device brings, and where it stands.
public struct SyncRequest: Sendable {
  /// The device that asks; its token says the same.
  public var device: UUIDBytes
  /// How far the hub's log is at the device.
  public var cursor: LogCursor
  /// The log's hash there: 32 bytes.
  public var hash: [UInt8]
  /// Places in the log that the device remembers, the latest first: by them a hub finds how far both logs agree.
  public var marks: [LogMark]
  /// Where the device's chain ends.
  public var tip: ChainTip
  /// The device's operations in the order of its chain; of any device where they are relayed.
  public var operations: [WireOperation]
  /// Whether the operations are other devices', which this one passes on.
  public var isRelay: Bool
  /// Whether the device's own operations are to be answered for as entries, because it has lost what was said of them.
  public var wantsReceipts: Bool
  /// How many entries the answer may have; 0: none.
  public var limit: Int64
  /// Up to this number of the log everything lies on the device's disk.
  public var held: Int64

  /// A request.
  public init(
    device: UUIDBytes, cursor: LogCursor, hash: [UInt8], marks: [LogMark], tip: ChainTip,
    operations: [WireOperation] = [], isRelay: Bool = false, wantsReceipts: Bool = false,
    limit: Int64 = SyncLimits.standard.page, held: Int64
  ) {
    self.device = device
    self.cursor = cursor
    self.hash = hash
    self.marks = marks
    self.tip = tip
    self.operations = operations
    self.isRelay = isRelay
    self.wantsReceipts = wantsReceipts
    self.limit = limit
    self.held = held
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("device", device)
    out.add("cursor", cursor.description)
    out.add("hash", hash: hash)
    out.add("marks", .array(marks.map { .array([.integer($0.seq), .text(Hexadecimal.text($0.hash))]) }))
    out.add("tip", document: tip.document)
    out.add("ops", each: operations) { $0.write(to: &$1) }
    out.add("keys", .array([]))
    out.add("relay", isRelay)
    out.add("receipts", wantsReceipts)
    out.add("limit", limit)
    out.add("held", held)
    return out.document
  }

  /// Reads a document; its operations are known to be what their authors sealed.
  /// - Throws: the first fault; of an operation that of `WireOperation.decode`, with its place.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> SyncRequest {
    let limits = SyncLimits.standard
    let object = try WireObject(
      document: bytes, limits: CanonicalJSON.Limits(bytes: Int(limits.inflated), depth: 16))
    let device = try object.uuid("device")
    guard let cursor = LogCursor(try object.text("cursor")) else {
      throw WireFault(.malformed, at: object.place("cursor"))
    }
    let end = try object.object("tip")
    // Texts are not sealed under keys: what is in it is of no use.
    _ = try object.array("keys")
    let nodes = try object.array("ops")
    guard nodes.count <= limits.operations else {
      throw WireFault(.tooLarge(limit: Int(limits.operations)), at: object.place("ops"))
    }
    var operations: [WireOperation] = []
    operations.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      do {
        operations.append(try WireOperation(node))
      } catch { throw error.below(object.place("ops") + "/\(index)") }
    }
    return SyncRequest(
      device: device, cursor: cursor, hash: try object.hash("hash"), marks: try marks(object),
      tip: try ChainTip(of: device, end), operations: operations, isRelay: try object.flag("relay"),
      wantsReceipts: try object.flag("receipts"), limit: try object.natural("limit"),
      held: try object.natural("held"))
  }

  private static func marks(_ object: WireObject) throws(WireFault) -> [LogMark] {
    let nodes = try object.array("marks")
    let limit = SyncLimits.marks
    guard nodes.count <= limit else { throw WireFault(.tooLarge(limit: Int(limit)), at: object.place("marks")) }
    var marks: [LogMark] = []
    for (index, node) in nodes.enumerated() {
      guard case .array(let pair) = node, pair.count == 2, let seq = pair[0].integer, seq >= 0,
        let hash = pair[1].text.flatMap({ Hexadecimal.hash($0) })
      else { throw WireFault(.malformed, at: object.place("marks") + "/\(index)") }
      marks.append(LogMark(seq: seq, hash: hash))
    }
    return marks
  }
}

/// How much fits into one request or answer.
public struct SyncLimits: Hashable, Sendable {
  /// Operations of a push.
  public var operations: Int64
  /// Bytes of a request as it travels.
  public var wire: Int64
  /// Bytes of a request, inflated.
  public var inflated: Int64
  /// Bytes of one operation's body.
  public var body: Int64
  /// Entries of a page.
  public var page: Int64
  /// Seconds for which `/v1/wait` waits at most.
  public var wait: Int64
  /// Bytes of a page. Not said: a page that is full of long texts is shorter.
  public static let pageBytes = 4 * 1024 * 1024
  /// Bytes of a body that travels as it is: a longer one is packed.
  public static let mostUnpacked = 1024

  /// Places in the log that a request shows. Not said either: no client keeps so many.
  public static let marks: Int64 = 64

  /// Bytes of a request's head, and its fields. Not said either: who is told so has sent one.
  public static let (head, headFields): (Int64, Int) = (8 * 1024, 64)

  /// Those of the protocol.
  public static let standard = SyncLimits(
    operations: 500, wire: 1 << 20, inflated: 8 << 20, body: Int64(WireOperation.limit), page: 1000, wait: 50)

  init(operations: Int64, wire: Int64, inflated: Int64, body: Int64, page: Int64, wait: Int64) {
    self.operations = operations
    self.wire = wire
    self.inflated = inflated
    self.body = body
    self.page = page
    self.wait = wait
  }

  var document: [UInt8] {
    var out = WireWriter()
    out.add("ops", operations)
    out.add("wire", wire)
    out.add("inflated", inflated)
    out.add("body", body)
    out.add("page", page)
    out.add("wait", wait)
    return out.document
  }

  init(_ object: WireObject) throws(WireFault) {
    self.init(
      operations: try object.natural("ops"), wire: try object.natural("wire"), inflated: try object.natural("inflated"),
      body: try object.natural("body"), page: try object.natural("page"), wait: try object.natural("wait"))
  }
}
