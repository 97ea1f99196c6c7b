import Journal

/// The hub's two stamps of a clock sample.
public struct TimeAnswer: Hashable, Sendable {
  /// When the request came, milliseconds since 1970-01-01T00:00:00Z.
  public var received: Int64
  /// When the answer left.
  public var sent: Int64

  /// An answer.
  public init(received: Int64, sent: Int64) {
    self.received = received
    self.sent = sent
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("received", received)
    out.add("sent", sent)
    return out.document
  }

  /// Reads a document.
  public static func decode(_ bytes: [UInt8]) throws(WireFault) -> TimeAnswer {
    let object = try WireObject(document: bytes)
    return TimeAnswer(received: try object.integer("received"), sent: try object.integer("sent"))
  }
}

/// That a hub's log is past a device's cursor.
public struct WaitAnswer: Hashable, Sendable {
  /// The last number of the log.
  public var head: Int64

  /// An answer.
  public init(head: Int64) {
    self.head = head
  }

  /// The document.
  public var encoded: [UInt8] {
    var out = WireWriter()
    out.add("head", head)
    return out.document
  }
}
