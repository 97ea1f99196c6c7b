import CPostgres
import Hub

/// What a server answered to one statement.
final class PostgresResult {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  /// Why it was refused; nil: it was done.
  var fault: PostgresFault? {
    switch PQresultStatus(handle) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: nil
    default:
      PostgresFault(
        state: PostgresResult.field(osce_pg_state, of: handle) ?? "08006",
        message: PostgresResult.field(osce_pg_message, of: handle) ?? String(cString: PQresultErrorMessage(handle)))
    }
  }

  /// The word by which the server says what it did.
  var command: String { String(cString: PQcmdStatus(handle)) }

  /// How many rows were changed.
  var changed: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

  /// How many rows there are.
  var count: Int { Int(PQntuples(handle)) }

  /// A row.
  func row(_ index: Int) throws(PostgresFault) -> HubRow {
    let row = Int32(index)
    var values: [HubValue] = []
    for column in 0..<PQnfields(handle) {
      if PQgetisnull(handle, row, column) != 0 {
        values.append(.null)
        continue
      }
      let length = Int(PQgetlength(handle, row, column))
      guard let start = PQgetvalue(handle, row, column) else { throw PostgresFault(.refused, "a column is missing") }
      let bytes = UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: length)
      values.append(try PostgresValue.value(bytes, kind: PQftype(handle, column)))
    }
    return HubRow(values)
  }

  static func field(_ field: Int32, of handle: OpaquePointer?) -> String? {
    PQresultErrorField(handle, field).map { String(cString: $0) }
  }
}
