import GRDB
import Journal

/// A column of an operation that holds what this program never writes there.
struct BrokenCell: Error, CustomStringConvertible {
  let column: String
  let cell: StoredCell

  var description: String { "its \(column) is \(cell.shown)" }
}

extension OperationTable {
  private static let names = sealedColumns.split(separator: ", ").map(String.init)

  /// The operation in a row that begins with `sealedColumns`, as its author wrote it or not at all.
  static func exactly(_ row: RawRow) throws(BrokenCell) -> Operation {
    func broken(_ index: Int) -> BrokenCell { BrokenCell(column: names[index], cell: row.cell(index)) }
    func held<T>(_ value: T?, _ index: Int) throws(BrokenCell) -> T {
      guard let value else { throw broken(index) }
      return value
    }
    func ifAny<T>(_ value: T?, _ index: Int) throws(BrokenCell) -> T? {
      if value == nil && !row.isNull(index) { throw broken(index) }
      return value
    }
    return Operation(
      id: try held(row.id(0), 0), device: try held(row.id(1), 1), deviceSeq: try held(row.integer(2), 2),
      tx: try held(row.id(3), 3), txIndex: Int(try held(row.integer(4), 4)), txSize: Int(try held(row.integer(5), 5)),
      kind: OperationKind(rawValue: try held(row.text(6), 6)),
      row: RowKey(entity: try held(row.text(7), 7), id: try held(row.text(8), 8)),
      sealedBody: try ifAny(row.bytes(9), 9), bodyHash: try held(row.bytes(10), 10),
      hlc: HybridTime(raw: try held(row.integer(11), 11)), wallTime: try held(row.integer(12), 12),
      clockError: try held(row.integer(13), 13),
      examTime: try ifAny(row.integer(14), 14).map { ExamTime(milliseconds: $0) },
      staff: try ifAny(row.integer(15), 15), sitting: try ifAny(row.id(16), 16),
      headerReason: try ifAny(row.text(17), 17),
      schema: Int(try held(row.integer(18), 18)), prevHash: try held(row.bytes(19), 19),
      hash: try held(row.bytes(20), 20), hubSeq: try ifAny(row.integer(21), 21), result: try ifAny(row.text(22), 22))
  }

  /// The columns of an operation `o` on which the values of its row depend.
  static let contentColumns = "o.id, o.kind, o.body, o.hlc, o.schema"

  /// An operation of which `contentColumns` were read, from a place on; nil where there is none, or none that can be
  /// read. Its header is blank but for them: it can be applied to its row, and not be verified.
  static func content(_ row: RawRow, from place: Int, of key: RowKey) -> Operation? {
    guard let id = row.id(place), let kind = row.text(place + 1), let hlc = row.integer(place + 3),
      let schema = row.integer(place + 4)
    else { return nil }
    return Operation(
      id: id, device: id, deviceSeq: 0, tx: id, txIndex: 0, txSize: 1, kind: OperationKind(rawValue: kind),
      row: key, sealedBody: row.bytes(place + 2), bodyHash: [], hlc: HybridTime(raw: hlc), wallTime: 0,
      clockError: 0, examTime: nil, staff: nil, sitting: nil, headerReason: nil, schema: Int(schema), prevHash: [],
      hash: [])
  }
}
