import Journal
import Sync

/// An operation of a log with what is asked of it to give it to a device.
struct LoggedOperation {
  let id: OperationID
  let author: UUIDBytes
  let tx: String
  let part: LogEntry.Part
  /// What it is called where it is asked who gets it.
  let atoms: String
  let parts: WireOperation.Parts

  /// Its columns in a query that calls the operations `o`.
  static let columns =
    "o.id, o.device, o.tx, o.txIndex, o.txSize, o.atoms, o.header, o.bodyHash, o.hash, o.sealed, o.absent"

  /// - Parameter place: where in the row the columns begin.
  init(_ row: HubRow, from place: Int) throws {
    id = try row.id(place)
    author = try row.id(place + 1)
    tx = try row.text(place + 2)
    part = LogEntry.Part(index: try row.integer(place + 3), count: try row.integer(place + 4))
    atoms = try row.text(place + 5)
    parts = try WireOperation.Parts(row, from: place + 6)
  }
}

extension WireOperation.Parts {
  /// - Parameter place: where in the row header, hash of the body, hash, body and why that is absent begin.
  init(_ row: HubRow, from place: Int) throws {
    self.init(
      header: try row.bytes(place), bodyHash: try row.bytes(place + 1), hash: try row.bytes(place + 2),
      sealedBody: try row.bytes(ifAny: place + 3),
      absent: try row.text(ifAny: place + 4).flatMap { AbsentContent(rawValue: $0) })
  }

  /// The same without its content, where it has any.
  var withoutBody: WireOperation.Parts {
    if sealedBody == nil { return self }
    var parts = self
    (parts.sealedBody, parts.absent) = (nil, .scope)
    return parts
  }
}
