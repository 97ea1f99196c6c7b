import CircuitModel
import Journal

extension Hub {
  /// The part of an exam that names of circuits and codes of stations say.
  /// - Parameter seat: whose sheets at the stations are given; nil: none.
  /// - Throws: `HubRefusal` where the exam has no such circuit or station, or the stations no such seat.
  public func choice(
    of exam: UUIDBytes, circuits: [String], stations: [String], seat: String? = nil
  ) async throws -> CodeScope {
    let now = clock.now()
    return try await database.read { connection in
      let rows = ExamRows(try ExamLog(exam, in: connection, at: now, forChange: false))
      var scope = CodeScope()
      scope.circuits = try circuits.flatMap {
        try Hub.keys(of: Stored.ClinicGroup.entityName, where: "name", is: $0, "circuit", rows)
      }
      scope.stations = try stations.flatMap {
        try Hub.keys(of: Stored.ActivityType.entityName, where: "code", is: $0, "station", rows)
      }
      if let seat {
        let seats = try Hub.seats(at: Set(scope.stations), rows)
        guard seats.contains(seat) else {
          throw HubRefusal(
            "\(stations.joined(separator: ", ")) has no seat '\(seat)', but: \(seats.joined(separator: ", ")); "
              + "nothing was changed")
        }
        scope.seat = seat
      }
      return scope
    }
  }

  /// The seats of stations: the lead assessor's, and those of second assessors in any of their sessions.
  private static func seats(at stations: Set<Int64>, _ rows: ExamRows) throws -> [String] {
    var seats: Set<String> = []
    let people = ExamPeople(rows: rows)
    for (row, timetable) in try people.secondAssessors() {
      guard let station = try rows.integer("activityType", of: Stored.Timetable.row(Int(timetable))),
        try stations.contains(station) && !rows.isGone(row)
      else { continue }
      seats.insert(try people.seat(of: row))
    }
    return [Seat.lead.name] + seats.sorted()
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
