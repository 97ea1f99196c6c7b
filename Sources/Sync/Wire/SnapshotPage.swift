import Journal

/// A page of what stands in a hub's log up to a number that the first page fixes: entries, a line each, and a last line
/// that says how it goes on.
public struct SnapshotPage: Sendable {
  /// Entries of the log.
  public var entries: [LogEntry]
  /// What to ask for next; nil: this is the last page.
  public var next: String?
  /// Where the exchange goes on once all pages are here.
  public var cursor: LogCursor
  /// The log's hash there: 32 bytes.
  public var hash: [UInt8]
  /// What of the exam the device is given.
  public var scope: SyncScope
  /// The hub's clock, milliseconds since 1970-01-01T00:00:00Z; nil where an older hub does not say.
  public var time: Int64?

  /// A page.
  public init(
    entries: [LogEntry], next: String?, cursor: LogCursor, hash: [UInt8], scope: SyncScope, time: Int64? = nil
  ) {
    self.entries = entries
    self.next = next
    self.cursor = cursor
    self.hash = hash
    self.scope = scope
    self.time = time
  }

  /// The lines.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      entry.write(to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    var out = WireWriter()
    out.add("next", next)
    out.add("cursor", cursor.description)
    out.add("hash", hash: hash)
    out.add("scope", document: scope.document)
    out.add("keys", .array([]))
    if let time { out.add("time", time) }
    return bytes + out.document + [UInt8(ascii: "\n")]
  }

  /// Reads the lines. An entry that is none does not fail the page: it is `LogEntry.Content.unreadable`.
  /// - Throws: where the last line is missing: the page was cut, and is asked for again.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> SnapshotPage {
    let limits = CanonicalJSON.Limits(bytes: SyncAnswer.greatest, depth: 16)
    var nodes: [CanonicalJSON.Node] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) { nodes.append(try WireJSON.decode(line, limits: limits)) }
    guard let last = nodes.popLast(), bytes.last == UInt8(ascii: "\n") else { throw WireFault(.malformed) }
    let object = try WireObject(last)
    guard let cursor = LogCursor(try object.text("cursor")) else { throw WireFault(.malformed, at: "/cursor") }
    return SnapshotPage(
      entries: nodes.map { LogEntry(received: $0) }, next: try object.text(ifAny: "next"), cursor: cursor,
      hash: try object.hash("hash"), scope: try SyncScope(object.object("scope")),
      time: try object.integer(ifAny: "time"))
  }
}
