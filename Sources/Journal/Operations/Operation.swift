// The journal: what an operation is, how its bytes are hashed and chained, and which value stands after many of them.
//
// Everything here is a function of its arguments. This module opens no file, reads no clock, and never decides by the
// order in which operations arrive.

/// The identifier of an operation, a UUIDv7.
public typealias OperationID = UUIDBytes

/// What an operation does to its row. Kinds that this version does not know count as sets.
public struct OperationKind: RawRepresentable, Hashable, Sendable {
  /// The kind's name as it is stored and hashed.
  public let rawValue: String

  /// Any kind by its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Sets fields of a row.
  public static let set = OperationKind(rawValue: "set")
  /// Makes a row; counts as a set of each of its fields.
  public static let create = OperationKind(rawValue: "create")
  /// Removes a row and every row below it, as far as its author had seen them.
  public static let delete = OperationKind(rawValue: "delete")
  /// Signs a mark sheet.
  public static let sign = OperationKind(rawValue: "sign")
  /// Reopens a signed mark sheet.
  public static let reopen = OperationKind(rawValue: "reopen")
  /// Records an event of a running clock.
  public static let clock = OperationKind(rawValue: "clock")
  /// A person's decision between values that contradict each other: names all heads.
  public static let ruling = OperationKind(rawValue: "ruling")
  /// Says that the content of operations was destroyed on purpose: it names them under `OperationBody.erased`.
  public static let erase = OperationKind(rawValue: "erase")
}

/// One entry of the journal: who did what to which row, when, and after what.
///
/// Everything but `hubSeq` and `result` is under `hash`. The body lies apart with its salt in `sealedBody`, stored as
/// it was hashed; destroying it leaves the chain whole.
public struct Operation: Hashable, Sendable {
  /// Identifies the operation everywhere.
  public let id: OperationID
  /// The device that made it.
  public internal(set) var device: UUIDBytes
  /// Its number in the device's chain, from 1 without gaps.
  public internal(set) var deviceSeq: Int64
  /// The transaction that it belongs to: its operations apply together or not at all.
  public let tx: UUIDBytes
  /// Its place in the transaction, from 0.
  public let txIndex: Int
  /// How many operations the transaction has, from 1.
  public let txSize: Int
  /// What it does.
  public let kind: OperationKind
  /// The row that it does it to.
  public let row: RowKey
  /// Sixteen bytes of salt and the body's canonical bytes; nil when destroyed.
  public internal(set) var sealedBody: [UInt8]?
  /// SHA-256 of salt and body: 32 bytes.
  public let bodyHash: [UInt8]
  /// Its place in the order of all operations.
  public let hlc: HybridTime
  /// The wall clock, milliseconds since 1970-01-01T00:00:00Z.
  public let wallTime: Int64
  /// The bound of the wall clock's error in milliseconds.
  public let clockError: Int64
  /// The exam's clock, where there is one.
  public let examTime: ExamTime?
  /// The key of the member of staff who acted, if anybody signed in did.
  public let staff: Int64?
  /// The sitting in which it was made.
  public let sitting: UUIDBytes?
  /// Why, where a reason was asked, of an operation of schema 1: hashed with the header. Later ones have it in their
  /// body; `reason` knows both.
  public let headerReason: String?
  /// Which of `schemas` it was sealed as.
  public let schema: Int
  /// The hash of the device's operation before; 32 zero bytes for the first.
  public internal(set) var prevHash: [UInt8]
  /// SHA-256 of the header's canonical bytes and `bodyHash`: 32 bytes.
  public internal(set) var hash: [UInt8]
  /// The number that the hub gave it; nil while it is in the outbox. Not hashed.
  public var hubSeq: Int64?
  /// What the hub said of it. Not hashed.
  public var result: String?
  /// Why its body is not here, where that was said; nil while it is. Not hashed.
  public var absent: AbsentContent?

  /// The forms of an operation that can be verified and read.
  public static let schemas: ClosedRange<Int64> = 1...2

  /// What stands before the first operation of a chain: 32 zero bytes.
  public static let genesisHash = [UInt8](repeating: 0, count: 32)

  /// The greatest number in a chain that is taken from elsewhere: no device makes so many.
  public static let greatestNumber: Int64 = 1 << 53

  /// The greatest place in a transaction, and size of one, that is taken from elsewhere.
  public static let greatestPart = Int64(Int32.max)

  /// The number of bytes of salt in front of a body.
  public static let saltLength = 16

  /// An operation as it was stored or received; nothing is checked. `verify` does that.
  public init(
    id: OperationID, device: UUIDBytes, deviceSeq: Int64, tx: UUIDBytes, txIndex: Int, txSize: Int,
    kind: OperationKind, row: RowKey, sealedBody: [UInt8]?, bodyHash: [UInt8], hlc: HybridTime, wallTime: Int64,
    clockError: Int64, examTime: ExamTime?, staff: Int64?, sitting: UUIDBytes?, headerReason: String?, schema: Int,
    prevHash: [UInt8], hash: [UInt8], hubSeq: Int64? = nil, result: String? = nil, absent: AbsentContent? = nil
  ) {
    self.id = id
    self.device = device
    self.deviceSeq = deviceSeq
    self.tx = tx
    self.txIndex = txIndex
    self.txSize = txSize
    self.kind = kind
    self.row = row
    self.sealedBody = sealedBody
    self.bodyHash = bodyHash
    self.hlc = hlc
    self.wallTime = wallTime
    self.clockError = clockError
    self.examTime = examTime
    self.staff = staff
    self.sitting = sitting
    self.headerReason = headerReason
    self.schema = schema
    self.prevHash = prevHash
    self.hash = hash
    self.hubSeq = hubSeq
    self.result = result
    self.absent = absent
  }

  /// What the operation says; nil when its body is destroyed.
  ///
  /// - Throws: `OperationBodyProblem` when the bytes are not a body of its schema.
  public func body() throws(OperationBodyProblem) -> OperationBody? {
    guard let sealedBody else { return nil }
    guard Self.schemas ~= Int64(schema) else { throw .form }
    let body = try OperationBody.decode(sealed: sealedBody)
    if schema == 1 && body.reason != nil { throw .form }
    return body
  }

  /// Why, where a reason was asked; nil also where it is in a body that is not here, or that cannot be read.
  ///
  /// It reads the body: who has read it asks `OpenedOperation`.
  public var reason: String? { OpenedOperation(self).reason }

  /// The same operation without its body: what is left when personal data is erased, or when its content does not travel.
  public func withoutBody(because absent: AbsentContent = .erased) -> Operation {
    var copy = self
    copy.sealedBody = nil
    copy.absent = absent
    return copy
  }
}
