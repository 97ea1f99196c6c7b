extension Operation {
  /// Seals a body into a new operation: hashes body and header.
  ///
  /// - Parameters:
  ///   - deviceSeq: one more than that of the device's operation before, 1 for the first.
  ///   - hlc: later than every operation that the body names, else all who receive it refuse it.
  ///   - reason: why; it goes into the header in schema 1, else into the body.
  ///   - prevHash: the `hash` of the device's operation before, `genesisHash` for the first.
  ///   - salt: drawn for this operation alone; it must not be guessable outside of tests.
  public static func seal(
    id: OperationID, device: UUIDBytes, deviceSeq: Int64, tx: UUIDBytes, txIndex: Int = 0, txSize: Int = 1,
    kind: OperationKind, row: RowKey, body: OperationBody, hlc: HybridTime, wallTime: Int64, clockError: Int64 = 0,
    examTime: ExamTime? = nil, staff: Int64? = nil, sitting: UUIDBytes? = nil, reason: String? = nil, schema: Int,
    prevHash: [UInt8], salt: OperationSalt = .drawn()
  ) -> Operation {
    let reason = reason ?? body.reason
    let sealedBody = salt.bytes + body.because(schema == 1 ? nil : reason).encode()
    var operation = Operation(
      id: id, device: device, deviceSeq: deviceSeq, tx: tx, txIndex: txIndex, txSize: txSize, kind: kind, row: row,
      sealedBody: sealedBody, bodyHash: sha256(sealedBody), hlc: hlc, wallTime: wallTime, clockError: clockError,
      examTime: examTime, staff: staff, sitting: sitting, headerReason: schema == 1 ? reason : nil,
      schema: schema, prevHash: prevHash, hash: [])
    operation.sealHeader()
    return operation
  }

  /// Gives the operation the hash that its header and the hash of its body have.
  private mutating func sealHeader() { hash = sha256(headerBytes, bodyHash) }

  /// The header's canonical bytes: an object with the same seventeen keys always, and in schema 1 with `reason` besides,
  /// null where there is nothing, UUIDs as text, `prevHash` in lowercase hexadecimal. The body is bound in by its hash,
  /// which follows these bytes.
  public var headerBytes: [UInt8] {
    var header = HeaderWriter()
    header.member("clockError", clockError)
    header.member("device", device)
    header.member("deviceSeq", deviceSeq)
    header.member("entity", row.entity)
    header.member("entityID", row.id)
    header.member("examTime", examTime?.milliseconds)
    header.member("hlc", hlc.raw)
    header.member("id", id)
    header.member("kind", kind.rawValue)
    header.member("prevHash", hex: prevHash)
    if schema == 1 { header.member("reason", headerReason) }
    header.member("schema", Int64(schema))
    header.member("sitting", sitting)
    header.member("staff", staff)
    header.member("tx", tx)
    header.member("txIndex", Int64(txIndex))
    header.member("txSize", Int64(txSize))
    header.member("wallTime", wallTime)
    return header.end()
  }

  /// The first thing wrong with this operation alone, without its place in a chain; nil when it is whole.
  ///
  /// A destroyed body is not damage. A header of an unknown schema cannot be verified, and a reason beside one that does
  /// not hash it is none of the author's.
  public var damage: ChainProblem.Kind? {
    guard Self.schemas ~= Int64(schema), schema == 1 || headerReason == nil else { return .hash }
    if let sealedBody, !isSHA256(bodyHash, of: sealedBody) { return .bodyHash }
    return isSHA256(hash, of: headerBytes, bodyHash) ? nil : .hash
  }

  /// Whether another operation is this change as another chain has it.
  public func isSameChange(as other: Operation) -> Bool {
    id == other.id && bodyHash == other.bodyHash && row == other.row && hlc == other.hlc && kind == other.kind
  }

  /// The same change in another chain: identifier, times, content and its hash stay.
  public func resealed(as device: UUIDBytes, deviceSeq: Int64, after prevHash: [UInt8]) -> Operation {
    var copy = self
    copy.device = device
    copy.deviceSeq = deviceSeq
    copy.prevHash = prevHash
    copy.hubSeq = nil
    copy.result = nil
    copy.sealHeader()
    return copy
  }

  /// The end of its device's chain, if this is the last operation.
  public var tip: ChainTip { ChainTip(device: device, deviceSeq: deviceSeq, hash: hash) }

  /// The first thing wrong with this operation as the next of a chain; nil when all is well.
  /// - Parameter damage: what is wrong with it alone, looked for before.
  func verify(following tip: ChainTip, damage: ChainProblem.Kind?) -> ChainProblem? {
    let kind: ChainProblem.Kind? =
      if let damage {
        damage
      } else if device != tip.device {
        .otherDevice(tip.device)
      } else if deviceSeq <= tip.deviceSeq {
        .fork
      } else if deviceSeq - 1 != tip.deviceSeq {
        .gap(expected: tip.deviceSeq + 1)
      } else if prevHash != tip.hash {
        .fork
      } else {
        nil
      }
    return kind.map { ChainProblem(operation: id, device: device, deviceSeq: deviceSeq, kind: $0) }
  }
}

/// What is hashed before a body, so that nobody finds a short body by its hash.
public struct OperationSalt: Sendable {
  let bytes: [UInt8]

  /// Salt from a generator.
  public static func drawn(using generator: inout some RandomNumberGenerator) -> OperationSalt {
    OperationSalt(bytes: UUIDBytes(high: generator.next(), low: generator.next()).bytes)
  }

  /// Salt from the system's random numbers.
  public static func drawn() -> OperationSalt {
    var generator = SystemRandomNumberGenerator()
    return drawn(using: &generator)
  }
}

/// Writes a header's canonical bytes without a node or a text for each member: a check of the journal needs them of
/// every operation. Members come in the order of their names.
private struct HeaderWriter {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(768) }

  mutating func member(_ name: StaticString, _ value: Int64?) {
    begin(name)
    guard let value else { return appendNull() }
    CanonicalJSON.write(value, to: &bytes)
  }

  mutating func member(_ name: StaticString, _ value: String?) {
    begin(name)
    guard let value else { return appendNull() }
    CanonicalJSON.write(value, to: &bytes)
  }

  mutating func member(_ name: StaticString, _ value: UUIDBytes?) {
    begin(name)
    guard let value else { return appendNull() }
    bytes.append(UInt8(ascii: "\""))
    value.write(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func member(_ name: StaticString, hex value: [UInt8]) {
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * value.count) { digits in
      for (index, byte) in value.enumerated() {
        digits[2 * index] = Hexadecimal.digit(byte >> 4)
        digits[2 * index + 1] = Hexadecimal.digit(byte & 0xF)
      }
      bytes.append(contentsOf: UnsafeBufferPointer(digits))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func end() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private mutating func appendNull() { append("null") }

  private mutating func begin(_ name: StaticString) {
    append(bytes.isEmpty ? "{\"" : ",\"")
    append(name)
    append("\":")
  }

  private mutating func append(_ word: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }
}
