import Journal

extension HubDatabase {
  /// Writes everything, as it stands at one moment, into a file that holds nothing yet.
  public func save(to file: SQLiteDatabase) async throws {
    try await read { source in try file.change { try HubCopy.copy(from: source, to: $0) } }
  }

  /// Takes everything of a file, all at once.
  /// - Throws: `HubRefusal` where one of its exams is here already.
  public func load(from file: SQLiteDatabase) async throws {
    try await write(weight: 0) { target in try file.look { try HubCopy.copy(from: $0, to: target) } }
  }
}

/// Carries what a hub keeps from one database to another, as it is: epochs, logs, tokens, codes.
private enum HubCopy {
  static func copy(from source: any HubConnection, to target: any HubConnection) throws {
    for row in try source.rows("SELECT exam FROM exam ORDER BY made, exam") {
      let exam = HubValue(try row.id(0))
      if try target.row("SELECT 1 FROM exam WHERE exam = ?", [exam]) != nil {
        throw HubRefusal("one of the exams is there already; nothing was changed; take an empty database")
      }
      for table in HubSchema.tables { try copy(table, of: exam, from: source, to: target) }
    }
  }

  /// How many rows are written together: a server takes as long for one by itself as for many.
  private static let batch = 500

  private static func copy(
    _ table: HubSchema.Table, of exam: HubValue, from source: any HubConnection, to target: any HubConnection
  ) throws {
    let insert = BulkStatement(insert: table, mayBeThere: false)
    let columns = table.held.map(\.name).joined(separator: ", ")
    var rows: [[HubValue]] = []
    try source.forEach("SELECT \(columns) FROM \(table.name) WHERE exam = ? ORDER BY \(table.key)", [exam]) { row in
      rows.append(row.values)
      if rows.count == batch {
        try target.run(insert, of: exam, rows)
        rows = []
      }
      return true
    }
    try target.run(insert, of: exam, rows)
  }
}
