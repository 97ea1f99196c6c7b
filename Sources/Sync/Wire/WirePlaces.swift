import Journal

// A place in a chain and one in a log travel alike.

extension ChainTip {
  /// The place alone: of which device is said elsewhere.
  var document: [UInt8] { placeDocument(deviceSeq, hash) }

  init(of device: UUIDBytes, _ object: WireObject) throws(WireFault) {
    self.init(device: device, deviceSeq: try object.natural("seq"), hash: try object.hash("hash"))
  }
}

extension LogMark {
  var document: [UInt8] { placeDocument(seq, hash) }

  init(_ object: WireObject) throws(WireFault) {
    self.init(seq: try object.natural("seq"), hash: try object.hash("hash"))
  }
}

private func placeDocument(_ seq: Int64, _ hash: [UInt8]) -> [UInt8] {
  var out = WireWriter()
  out.add("seq", seq)
  out.add("hash", hash: hash)
  return out.document
}
