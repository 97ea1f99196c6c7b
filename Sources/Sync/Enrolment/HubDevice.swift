import Journal

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
