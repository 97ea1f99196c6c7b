/// A column of an export: its name with what a row has in it.
struct ExportColumn<Row>: Sendable {
  let name: String
  let cell: @Sendable (Row) -> ExportCell

  init(_ name: String, _ cell: @escaping @Sendable (Row) -> ExportCell) { (self.name, self.cell) = (name, cell) }
}

extension Array {
  /// Replaces a row's cells, whose storage stays: an array for each row costs more than what is in it.
  func fill<Row>(_ cells: inout [ExportCell], with row: Row) where Element == ExportColumn<Row> {
    cells.removeAll(keepingCapacity: true)
    for column in self { cells.append(column.cell(row)) }
  }
}
