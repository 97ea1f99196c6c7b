import ExamStore
import GRDB
import Journal
import Timer

// What a transaction of the journal did in the hall.

extension HallActions {
  /// - Parameter last: the number of its last operation in the order of arrival.
  /// - Returns: nil where it did nothing to the hall.
  static func action(_ made: [Operation], _ last: Int64, _ db: Database) throws -> HallAction? {
    let origin = try made.first.flatMap { try doneAgain(by: $0, made, db) }
    guard let first = made.first, let what = try what(origin ?? made, db) else { return nil }
    let author = try first.staff.flatMap { try personName(of: $0, in: db) }
    return HallAction(
      operations: made.map(\.id), sequence: last, at: first.madeAt, author: author, sitting: first.sitting,
      what: what, undone: origin == nil ? try undone(made, what, db) : nil, isAgain: origin != nil)
  }

  /// What a transaction does again, as it was made first; nil where it is not the undoing of an undoing.
  private static func doneAgain(by first: Operation, _ made: [Operation], _ db: Database) throws -> [Operation]? {
    let depth = try OperationTable.undoDepth(of: first.id, in: db)
    guard depth > 0, depth % 2 == 0 else { return nil }
    var origin = made
    for _ in 0..<depth {
      let targets = try origin.flatMap { try $0.body()?.undone ?? [] }
      origin = try targets.compactMap { try OperationTable.find($0, in: db) }
    }
    return origin.isEmpty ? nil : origin
  }

  /// What a transaction undid: events of clocks that its annuls take out, else what it says itself that it replaces.
  private static func undone(
    _ made: [Operation], _ what: HallAction.What, _ db: Database
  ) throws -> HallAction.Undone? {
    if case .clock(let clocks) = what {
      guard clocks.allSatisfy({ $0.target != nil }) else { return nil }
      let taken = try events(takenOutBy: clocks, in: db)
      return taken.first.map { HallAction.Undone(what: .clock(taken), at: $0.event.at) }
    }
    let targets = try made.flatMap { try $0.body()?.undone ?? [] }
    if targets.isEmpty { return nil }
    let before = try targets.compactMap { try OperationTable.find($0, in: db) }
    guard let origin = before.first, let what = try self.what(before, db) else { return nil }
    return HallAction.Undone(what: what, at: origin.madeAt)
  }

  private static func what(_ made: [Operation], _ db: Database) throws -> HallAction.What? {
    func keys(_ entity: String) -> [String] {
      made.filter { $0.row.entity == entity }.map(\.row.id).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    let clocks = try made.filter { $0.row.entity == Stored.ClockEvent.entityName && $0.kind == .clock }
      .compactMap { try clock($0.row.id, db) }
    if !clocks.isEmpty { return .clock(clocks) }
    if let key = keys(Stored.SlotTable.entityName).first { return .swap(circuit: try circuit(ofSlots: key, db)) }
    if let change = made.first(where: { $0.row.entity == Stored.HallMessage.entityName }) {
      return try message(change, db)
    }
    if let change = made.last(where: { $0.row.entity == Stored.Timetable.entityName }) {
      return try timetable(change, db)
    }
    let entries = keys(Stored.TimetableAttendanceLog.entityName)
    if let entry = try made.first(where: { try adds($0) || takesOff($0) }) {
      return .extra(candidate: try candidate(ofEntry: entry.row.id, db), count: entries.count)
    }
    if let change = try extraTime(made, db) ?? help(made, db) { return change }
    if !entries.isEmpty {
      return try attendance(made.filter { $0.row.entity == Stored.TimetableAttendanceLog.entityName }, entries, db)
    }
    let queued = keys(Stored.RerunEntry.entityName)
    if let incident = try made.first(where: { try reports($0) }) {
      let station = try station(ofIncident: incident.row.id, db)
      let numbers = try queued.compactMap { try place(ofRerun: $0, db)?.number }
      return queued.isEmpty ? .incident(station: station) : .outOfOrder(station: station, queued: numbers)
    }
    if queued.isEmpty { return nil }
    let withdrawn = Value.text(RerunItem.Status.withdrawn.rawValue)
    let isQueued = try !made.contains { try $0.body()?.fields[Stored.RerunEntry.Field.status] == withdrawn }
    return .rerun(try queued.compactMap { try station(ofRerun: $0, db) }, isQueued: isQueued)
  }

  private static func clock(_ key: String, _ db: Database) throws -> HallAction.Clock? {
    let row = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT r.circuitID, r.date, r.startTime, c.name FROM clockEvent e JOIN circuitRun r ON r.uuid = e.runID
          LEFT JOIN clinicGroup c ON c.dsid = r.circuitID WHERE e.uuid = ?
          """), arguments: [key])
    guard let row else { return nil }
    let session = Session(circuit: row[0], date: row[1], startTime: row[2])
    let event = try Run.all(of: session, in: db).lazy.flatMap { $0.events + $0.barred }.first { $0.id == key }
    return event.map { HallAction.Clock(session: session, circuit: row[3] as String? ?? "", event: $0) }
  }

  private static func circuit(ofSlots key: String, _ db: Database) throws -> String {
    try String.fetchOne(
      db, sql: "SELECT c.name FROM slotTable s JOIN clinicGroup c ON c.dsid = s.circuitID WHERE s.uuid = ?",
      arguments: [key]) ?? ""
  }

  private static func message(_ change: Operation, _ db: Database) throws -> HallAction.What? {
    let row = try ReadRow.fetchOne(
      db,
      sql: """
        SELECT m.text, \(StationSession.codeSQL), c.name
        FROM hallMessage m LEFT JOIN activityType a ON a.dsid = m.stationID
        LEFT JOIN clinicGroup c ON c.dsid = coalesce(m.circuitID, a.clinicGroupID) WHERE m.uuid = ?
        """, arguments: [change.row.id])
    guard let row else { return nil }
    guard change.kind == .create else { return .messageDown(row[0]) }
    let circuit: String? = row[2]
    if let code: String = row[1] {
      return .message(row[0], to: .station(HallAction.Station(code: code, circuit: circuit)))
    }
    return .message(row[0], to: circuit.map { .circuit($0) } ?? .all)
  }

  private static func timetable(_ change: Operation, _ db: Database) throws -> HallAction.What? {
    let fields = try change.body()?.fields ?? [:]
    let station = try station(
      "timetable t JOIN activityType a ON a.dsid = t.activityTypeID", where: "t.dsid = ?", [Int(change.row.id)], db)
    if let released = fields[Stored.Timetable.Field.releasedAt] {
      return .release(station: station, isReleased: released != .null)
    }
    guard let cover = fields[Stored.Timetable.Field.coverStaff] else { return nil }
    guard case .integer(let staff) = cover else { return .cover(station: station, by: nil) }
    return .cover(station: station, by: try personName(of: staff, in: db))
  }

  private static func attendance(
    _ changes: [Operation], _ entries: [String], _ db: Database
  ) throws -> HallAction.What? {
    let fields = try changes.compactMap { try $0.body()?.fields }
    let late = fields.compactMap { $0[Stored.TimetableAttendanceLog.Field.lateAt] }.last
    let present = fields.compactMap { $0[Stored.TimetableAttendanceLog.Field.present] }
    let kind: HallAction.Attendance
    switch late {
    case .null?: kind = .notLate
    case .some: kind = .late
    case nil:
      if present.contains(.bool(false)) {
        kind = .absent
      } else if present.contains(.bool(true)) {
        kind = .present
      } else if present.isEmpty {
        return nil
      } else {
        kind = .cleared
      }
    }
    return .attendance(kind, candidate: try candidate(ofEntry: entries[0], db), count: entries.count)
  }

  private static func candidate(ofEntry key: String, _ db: Database) throws -> String {
    name(
      try ReadRow.fetchOne(
        db,
        sql: """
          SELECT u.studentNumber, u.surname FROM timetableAttendanceLog e
          JOIN user u ON u.dsid = \(SlotChanges.candidate) WHERE e.uuid = ?
          """, arguments: [key]))
  }

  /// `30101 Abara`.
  private static func name(_ row: ReadRow?) -> String {
    [row?[0] as String?, row?[1] as String?].compactMap { $0 }.joined(separator: " ")
  }

  /// Whether an operation puts a candidate on a roster who was added on the day.
  static func adds(_ operation: Operation) throws -> Bool {
    guard operation.row.entity == Stored.TimetableAttendanceLog.entityName else { return false }
    return try operation.body()?.fields[Stored.TimetableAttendanceLog.Field.addedInApp] == .bool(true)
  }

  /// Whether an operation takes an extra candidate off a roster again, by an undo.
  private static func takesOff(_ operation: Operation) throws -> Bool {
    guard operation.row.entity == Stored.TimetableAttendanceLog.entityName, operation.kind == .delete else {
      return false
    }
    return try operation.body()?.undone.isEmpty == false
  }

  private static func extraTime(_ made: [Operation], _ db: Database) throws -> HallAction.What? {
    for change in made where change.row.entity == Stored.Student.entityName && change.kind != .create {
      let fields = try change.body()?.fields ?? [:]
      guard
        let station = fields[Stored.Student.Field.extraStationSeconds]
          ?? fields[Stored.Student.Field.extraReadingSeconds]
      else { continue }
      var seconds: Int64 = 0
      if case .integer(let number) = station { seconds = Int64(number) }
      let row = try ReadRow.fetchOne(
        db, sql: "SELECT studentNumber, surname FROM user WHERE dsid = ?", arguments: [Int(change.row.id)])
      return .extraTime(candidate: name(row), seconds: seconds)
    }
    return nil
  }

  private static func help(_ made: [Operation], _ db: Database) throws -> HallAction.What? {
    guard
      let change = made.last(where: { $0.row.entity == Stored.AssistanceRequested.entityName && $0.kind != .create }),
      case .text(let text)? = try change.body()?.fields[Stored.AssistanceRequested.Field.status],
      let status = HelpCall.Status(rawValue: text)
    else { return nil }
    let station = try station(
      "assistanceRequested h JOIN activityType a ON a.dsid = h.stationID", where: "h.uuid = ?", [change.row.id], db)
    return .help(station: station, status)
  }

  /// Whether an operation reports an incident, or takes that back by an undo.
  private static func reports(_ operation: Operation) throws -> Bool {
    guard operation.row.entity == Stored.StationIncident.entityName else { return false }
    return try operation.kind == .create
      || operation.body()?.undone.isEmpty == false
  }

  private static func station(ofIncident key: String, _ db: Database) throws -> HallAction.Station {
    try station(
      """
      stationIncident i JOIN timetable t ON t.dsid = i.timetableID
      JOIN activityType a ON a.dsid = t.activityTypeID
      """, where: "i.uuid = ?", [key], db)
  }

  /// The station that a row leads to.
  /// - Parameter tables: tables of which `a` is that of stations.
  private static func station(
    _ tables: String, where condition: String, _ key: StatementArguments, _ db: Database
  ) throws -> HallAction.Station {
    let row = try ReadRow.fetchOne(
      db,
      sql: """
        SELECT \(StationSession.codeSQL), c.name FROM \(tables)
        LEFT JOIN clinicGroup c ON c.dsid = a.clinicGroupID WHERE \(condition)
        """, arguments: key)
    return HallAction.Station(code: row?[0] ?? "", circuit: row?[1])
  }

  private static func station(ofRerun key: String, _ db: Database) throws -> String? {
    try place(ofRerun: key, db).map { "\($0.number) at \($0.station)" }
  }

  private static func place(ofRerun key: String, _ db: Database) throws -> (number: String, station: String)? {
    let row = try ReadRow.fetchOne(
      db,
      sql: """
        SELECT u.studentNumber, \(StationSession.codeSQL) FROM rerunEntry r
        JOIN timetableAttendanceLog e ON e.uuid = r.attendanceLogID JOIN timetable t ON t.dsid = e.timetableID
        JOIN activityType a ON a.dsid = t.activityTypeID LEFT JOIN user u ON u.dsid = \(SlotChanges.candidate)
        WHERE r.uuid = ?
        """, arguments: [key])
    return row.map { ($0[0] ?? "", $0[1] ?? "") }
  }
}
