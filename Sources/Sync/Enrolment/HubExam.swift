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
