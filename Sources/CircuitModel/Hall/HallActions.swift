import ExamStore
import GRDB
import Journal
import Timer

/// Something that was done to the hall's clocks, rosters or messages at a desk or by a command: one transaction of the
/// journal.
public struct HallAction: Sendable {
  /// The operations in the order in which they were made.
  public let operations: [OperationID]
  /// The number of the last of them in the order of arrival.
  public let sequence: Int64
  /// When it was done, by the exam's clock.
  public let at: Instant
  /// Who did it; nil where nobody was signed in.
  public let author: String?
  /// The sitting in which it was done.
  public let sitting: UUIDBytes?
  /// What was done.
  public let what: What
  /// What it undid; nil where it is no undoing.
  public let undone: Undone?
  /// Whether it does again what had been undone; `what` is then what was done first.
  public let isAgain: Bool

  /// What an action undid, and when that had been done.
  public struct Undone: Sendable {
    /// What had been done.
    public let what: What
    /// When.
    public let at: Instant
  }

  /// A station, and whose it is: circuits may have stations of one code.
  public struct Station: Sendable {
    /// Its code, or its name where it has none.
    public let code: String
    /// The name of its circuit; nil where that is not known.
    public let circuit: String?
  }

  /// Whom a message is for.
  public enum Receiver: Sendable {
    case all
    case circuit(String)
    case station(Station)
  }

  /// What was done, with what tells it from another.
  public enum What: Sendable {
    /// Something to clocks; an undoing of that too, whose events are annuls.
    case clock([Clock])
    /// Candidates changed places.
    case swap(circuit: String)
    /// A candidate's attendance, with how many entries it touched.
    case attendance(Attendance, candidate: String, count: Int)
    /// Somebody stands in at a station, or no longer.
    case cover(station: Station, by: String?)
    /// A station's assessors were released, or recalled.
    case release(station: Station, isReleased: Bool)
    /// A message went up.
    case message(String, to: Receiver)
    /// A message was taken down.
    case messageDown(String)
    /// Stations were queued for the re-run, or taken out.
    case rerun([String])
    /// A station was out of order; who was queued for the re-run, by number.
    case outOfOrder(station: Station, queued: [String])
    /// Something was reported that went wrong at a station.
    case incident(station: Station)
    /// A candidate was added to the session, with how many stations.
    case extra(candidate: String, count: Int)
    /// A candidate was given extra time, in seconds at each station; 0: it was taken away.
    case extraTime(candidate: String, seconds: Int64)
    /// A help call was answered or resolved.
    case help(station: Station, HelpCall.Status)
  }

  /// What was recorded of somebody.
  public enum Attendance: Sendable {
    case absent, late, notLate, cleared, present
  }

  /// An event of a clock.
  public struct Clock: Sendable {
    /// The clock's session.
    public let session: Session
    /// The circuit's name.
    public let circuit: String
    /// The event.
    public let event: ClockEvent
    /// The event that this one takes out; nil where it is no annul.
    public var target: String? { if case .annul(let target) = event.kind { target } else { nil } }
  }

  /// The events, where it was done to clocks.
  public var clocks: [Clock] { if case .clock(let clocks) = what { clocks } else { [] } }

  /// Whether it only takes out what was done to clocks before.
  var isClockUndo: Bool { !clocks.isEmpty && clocks.allSatisfy { $0.target != nil } }
}

/// What was done in the hall, read from the journal: what the desk announces, takes back and does again.
public enum HallActions {
  /// Actions since an operation, the newest first.
  /// - Parameter sequence: the operation's number in the order of arrival.
  public static func all(after sequence: Int64, in db: Database) throws -> [HallAction] {
    var found: [HallAction] = []
    try forEach(after: sequence, in: db) { made, last in
      if let action = try action(made, last, db) { found.append(action) }
      return found.count < 50
    }
    return found
  }

  /// The newest action that stands, or the undoing that is newer than all of them; nil where nothing was done.
  public static func newest(in db: Database) throws -> HallAction? {
    var found: HallAction?
    try walk(in: db) { action, _ in
      found = action
      return false
    }
    return found
  }

  /// The number of the last operation that has arrived.
  public static func last(in db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT max(seq) FROM operation") ?? 0
  }

  /// What can be undone, the newest first: neither an undoing nor what was undone.
  /// - Parameter most: how many are looked for.
  public static func undoable(most: Int, in db: Database) throws -> [HallAction] {
    var found: [HallAction] = []
    try walk(in: db) { action, isUndo in
      if !isUndo { found.append(action) }
      return found.count < most
    }
    return found
  }

  /// The newest undoing that was not done again since; nil where there is none.
  public static func lastUndone(in db: Database) throws -> HallAction? {
    var found: HallAction?
    var given: [HallAction.Clock] = []
    try walk(in: db) { action, isUndo in
      given += action.clocks.filter { $0.target == nil }
      if isUndo, try !action.isClockUndo || !events(takenOutBy: action, in: db).isEmpty {
        let again = try events(takenOutBy: action, in: db).filter { taken in
          given.contains {
            $0.event.kind == taken.event.kind && $0.event.at == taken.event.at && $0.session == taken.session
          }
        }
        if again.isEmpty { found = action }
      }
      return found == nil
    }
    return found
  }

  /// The events that annuls of an action have taken out.
  public static func events(takenOutBy action: HallAction, in db: Database) throws -> [HallAction.Clock] {
    try events(takenOutBy: action.clocks, in: db)
  }

  private static func events(takenOutBy clocks: [HallAction.Clock], in db: Database) throws -> [HallAction.Clock] {
    try clocks.compactMap { clock in
      guard let target = clock.target else { return nil }
      let event = try Run.all(of: clock.session, in: db).lazy.flatMap { $0.events + $0.barred }.first {
        $0.id == target
      }
      return event.map { HallAction.Clock(session: clock.session, circuit: clock.circuit, event: $0) }
    }
  }

  /// Goes through actions from the newest on, those that were undone left out.
  private static func walk(in db: Database, _ body: (HallAction, _ isUndo: Bool) throws -> Bool) throws {
    var takenBack: Set<OperationID> = []
    var annulled: Set<String> = []
    try forEach(after: 0, in: db) { made, last in
      let left = made.filter { !takenBack.contains($0.id) }
      let undone = try left.flatMap { try $0.body()?.replaces[JournalTransaction.undoing] ?? [] }
      takenBack.formUnion(undone)
      guard let action = try action(left, last, db) else { return true }
      annulled.formUnion(action.clocks.compactMap(\.target))
      if !undone.isEmpty {
        // The undoing of an undoing does the action again: it is found where it was done.
        return try OperationTable.undoDepth(of: left[0].id, in: db) % 2 == 0 || body(action, true)
      }
      if action.isClockUndo { return try body(action, true) }
      if !action.clocks.isEmpty, action.clocks.allSatisfy({ annulled.contains($0.event.id) || $0.target != nil }) {
        return true
      }
      return try body(action, false)
    }
  }

  /// Entities that only the desk and commands change, and those that stations change as well.
  private static let condition = """
    o.entity IN ('ClockEvent', 'HallMessage', 'SlotTable', 'RerunEntry')
      OR o.entity IN (
        'TimetableAttendanceLog', 'Timetable', 'Student', 'AssistanceRequested', 'StationIncident')
        AND o.sitting IN (SELECT uuid FROM sitting WHERE timetableID IS NULL)
    """

  private static func forEach(
    after sequence: Int64, in db: Database, _ body: ([Operation], Int64) throws -> Bool
  ) throws {
    try OperationTable.forEachTransaction(where: condition, after: max(0, sequence), in: db, body)
  }

  // MARK: What a transaction did

  private static func action(_ made: [Operation], _ last: Int64, _ db: Database) throws -> HallAction? {
    let origin = try made.first.flatMap { try doneAgain(by: $0, made, db) }
    guard let first = made.first, let what = try what(origin ?? made, db) else { return nil }
    let author = try first.staff.flatMap { try personName(of: $0, in: db) }
    return HallAction(
      operations: made.map(\.id), sequence: last, at: instant(first), author: author, sitting: first.sitting,
      what: what, undone: origin == nil ? try undone(made, what, db) : nil, isAgain: origin != nil)
  }

  /// What a transaction does again, as it was made first; nil where it is not the undoing of an undoing.
  private static func doneAgain(by first: Operation, _ made: [Operation], _ db: Database) throws -> [Operation]? {
    let depth = try OperationTable.undoDepth(of: first.id, in: db)
    guard depth > 0, depth % 2 == 0 else { return nil }
    var origin = made
    for _ in 0..<depth {
      let targets = try origin.flatMap { try $0.body()?.replaces[JournalTransaction.undoing] ?? [] }
      origin = try targets.compactMap { try OperationTable.find($0, in: db) }
    }
    return origin.isEmpty ? nil : origin
  }

  private static func instant(_ operation: Operation) -> Instant {
    Instant(milliseconds: operation.examTime?.milliseconds ?? operation.wallTime)
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
    let targets = try made.flatMap { try $0.body()?.replaces[JournalTransaction.undoing] ?? [] }
    if targets.isEmpty { return nil }
    let before = try targets.compactMap { try OperationTable.find($0, in: db) }
    guard let origin = before.first, let what = try self.what(before, db) else { return nil }
    return HallAction.Undone(what: what, at: instant(origin))
  }

  private static func what(_ made: [Operation], _ db: Database) throws -> HallAction.What? {
    func keys(_ entity: String) -> [String] {
      made.filter { $0.row.entity == entity }.map(\.row.id).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    let clocks = try made.filter { $0.row.entity == "ClockEvent" && $0.kind == .clock }
      .compactMap { try clock($0.row.id, db) }
    if !clocks.isEmpty { return .clock(clocks) }
    if let key = keys("SlotTable").first { return .swap(circuit: try circuit(ofSlots: key, db)) }
    if let change = made.first(where: { $0.row.entity == "HallMessage" }) { return try message(change, db) }
    if let change = made.last(where: { $0.row.entity == "Timetable" }) { return try timetable(change, db) }
    let entries = keys("TimetableAttendanceLog")
    if let entry = try made.first(where: { try adds($0) || takesOff($0) }) {
      return .extra(candidate: try candidate(ofEntry: entry.row.id, db), count: entries.count)
    }
    if let change = try extraTime(made, db) ?? help(made, db) { return change }
    if !entries.isEmpty {
      return try attendance(made.filter { $0.row.entity == "TimetableAttendanceLog" }, entries, db)
    }
    let queued = keys("RerunEntry")
    if let incident = try made.first(where: { try reports($0) }) {
      let station = try station(ofIncident: incident.row.id, db)
      let numbers = try queued.compactMap { try place(ofRerun: $0, db)?.number }
      return queued.isEmpty ? .incident(station: station) : .outOfOrder(station: station, queued: numbers)
    }
    return queued.isEmpty ? nil : .rerun(try queued.compactMap { try station(ofRerun: $0, db) })
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
    if let released = fields["releasedAt"] { return .release(station: station, isReleased: released != .null) }
    guard let cover = fields["coverStaff"] else { return nil }
    guard case .integer(let staff) = cover else { return .cover(station: station, by: nil) }
    return .cover(station: station, by: try personName(of: staff, in: db))
  }

  private static func attendance(
    _ changes: [Operation], _ entries: [String], _ db: Database
  ) throws -> HallAction.What? {
    let fields = try changes.compactMap { try $0.body()?.fields }
    let late = fields.compactMap { $0["lateAt"] }.last
    let present = fields.compactMap { $0["present"] }
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
    guard operation.row.entity == "TimetableAttendanceLog" else { return false }
    return try operation.body()?.fields["addedInApp"] == .bool(true)
  }

  /// Whether an operation takes an extra candidate off a roster again, by an undo.
  private static func takesOff(_ operation: Operation) throws -> Bool {
    guard operation.row.entity == "TimetableAttendanceLog", operation.kind == .delete else { return false }
    return try operation.body()?.replaces[JournalTransaction.undoing]?.isEmpty == false
  }

  private static func extraTime(_ made: [Operation], _ db: Database) throws -> HallAction.What? {
    for change in made where change.row.entity == "Student" && change.kind != .create {
      let fields = try change.body()?.fields ?? [:]
      guard let station = fields["extraStationSeconds"] ?? fields["extraReadingSeconds"] else { continue }
      var seconds: Int64 = 0
      if case .integer(let number) = station { seconds = Int64(number) }
      let row = try ReadRow.fetchOne(
        db, sql: "SELECT studentNumber, surname FROM user WHERE dsid = ?", arguments: [Int(change.row.id)])
      return .extraTime(candidate: name(row), seconds: seconds)
    }
    return nil
  }

  private static func help(_ made: [Operation], _ db: Database) throws -> HallAction.What? {
    guard let change = made.last(where: { $0.row.entity == "AssistanceRequested" && $0.kind != .create }),
      case .text(let text)? = try change.body()?.fields["status"], let status = HelpCall.Status(rawValue: text)
    else { return nil }
    let station = try station(
      "assistanceRequested h JOIN activityType a ON a.dsid = h.stationID", where: "h.uuid = ?", [change.row.id], db)
    return .help(station: station, status)
  }

  /// Whether an operation reports an incident, or takes that back by an undo.
  private static func reports(_ operation: Operation) throws -> Bool {
    guard operation.row.entity == "StationIncident" else { return false }
    return try operation.kind == .create
      || operation.body()?.replaces[JournalTransaction.undoing]?.isEmpty == false
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
