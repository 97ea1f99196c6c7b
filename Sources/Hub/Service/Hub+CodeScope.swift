import Journal

extension Hub {
  /// The part of an exam that names of circuits and codes of stations say.
  /// - Throws: `HubRefusal` where the exam has no such circuit or station.
  public func choice(of exam: UUIDBytes, circuits: [String], stations: [String]) async throws -> CodeScope {
    let now = clock.now()
    return try await database.read { connection in
      let rows = ExamRows(try ExamLog(exam, in: connection, at: now, forChange: false))
      var scope = CodeScope()
      scope.circuits = try circuits.flatMap { try Hub.keys(of: "ClinicGroup", where: "name", is: $0, "circuit", rows) }
      scope.stations = try stations.flatMap { try Hub.keys(of: "ActivityType", where: "code", is: $0, "station", rows) }
      return scope
    }
  }

  /// Stations of several circuits may have one code: a device stays at all of them.
  private static func keys(
    of entity: String, where field: String, is text: String, _ what: String, _ rows: ExamRows
  ) throws -> [Int64] {
    let found = try rows.keys(of: entity, having: field).filter { key in
      let row = RowKey(entity: entity, id: key)
      return try rows.text(field, of: row) == text && !rows.isGone(row)
    }.compactMap { Int64($0) }
    if found.isEmpty { throw HubRefusal("the exam has no \(what) of that name; nothing was changed") }
    return found
  }
}
