import ExamStore
import GRDB

/// A station session: one station on one date at one start time, with its assessors.
public struct StationSession: Hashable, Sendable {
  /// The key in `Timetable`.
  public let timetable: Int
  /// The circuit.
  public let circuit: Circuit
  /// The session it is part of.
  public let session: Session
  /// The station's key in `ActivityType`.
  public let station: Int
  /// The station's code, or its name where it has none.
  public let stationCode: String
  /// The station's name.
  public let stationName: String
  /// `stationCode` in SQL, of a row `a` of `ActivityType`.
  package static let codeSQL = "coalesce(nullif(a.code, ''), a.name)"
  /// Code and name, as headings have them.
  public var stationTitle: String { StationSession.title(code: stationCode, name: stationName) }
  /// Whether the station has no mark sheet.
  public let isRest: Bool
  /// Whether candidates sign out.
  public let requiresSignout: Bool
  /// The assessors and what they are: the current lead first.
  public let assessors: [Assessor]
  /// Who is planned to lead here and for whom somebody stands in now; empty where nobody does.
  public let covered: [Assessor]

  /// Somebody who marks here.
  public struct Assessor: Hashable, Sendable {
    /// The key in `Staff`.
    public let staff: Int
    /// Title, forename and surname.
    public let name: String
    /// Whose sheets they fill.
    public let seat: Seat
    /// How they come to be here.
    public let role: Role
  }

  /// How an assessor comes to be at a station.
  public enum Role: String, Hashable, Sendable {
    /// As planned.
    case assessor
    /// In place of the planned assessor.
    case cover
    /// Beside the lead assessor, with sheets of their own.
    case secondAssessor = "co-marker"

    /// What it is called: documents for programs have the raw value.
    public var name: String { self == .secondAssessor ? "second assessor" : rawValue }

    /// The same in one word, for a narrow column.
    public var shortName: String { self == .secondAssessor ? "second" : rawValue }
  }

  /// What a station is called, whose name stands for a code where it has none: `RX Prescribing`.
  static func title(code: String, name: String) -> String { code == name ? name : "\(code) \(name)" }

  /// The seat at which a person marks here; nil for one who has none.
  public func seat(of staff: Int) -> Seat? { assessors.first { $0.staff == staff }?.seat }

  /// Who leads here now; nil where nobody is planned.
  public var lead: Assessor? { assessors.first { $0.seat == .lead } }

  /// Whether somebody stands in for a person here.
  public func isCovered(_ staff: Int) -> Bool { seat(of: staff) == nil && covered.contains { $0.staff == staff } }

  /// The station sessions, in the order of date, start, circuit and ring; those that are cancelled are left out.
  public static func all(in db: Database) throws -> [StationSession] { try fetch("+t.cancelled = 0", [], in: db) }

  /// The station sessions, those that are cancelled among them, each in its place of the ring.
  package static func planned(in db: Database) throws -> [StationSession] { try fetch("1", [], in: db) }

  /// Those that were cancelled: nothing is expected of them, but what they hold is still listed.
  package static func cancelled(in db: Database) throws -> [StationSession] { try fetch("t.cancelled = 1", [], in: db) }

  /// Where a mark sheet was filled; nil where it is in no station session.
  package static func holding(sheet: String, in db: Database) throws -> StationSession? {
    try fetch(
      """
      t.dsid = (
        SELECT e.timetableID FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
        WHERE f.uuid = ?)
      """, [sheet], in: db
    ).first
  }

  /// Those of one session, in the order of the ring. Nearly all are not cancelled: the plus keeps SQLite from that index.
  public static func all(of session: Session, in db: Database) throws -> [StationSession] {
    try fetch("+t.cancelled = 0 AND \(Session.condition)", session.arguments, in: db)
  }

  /// Those where a person marks.
  public static func all(staff: Int, in db: Database) throws -> [StationSession] {
    try all(naming: staff, in: db).filter { $0.seat(of: staff) != nil }
  }

  /// Those where a person marks, or is planned and covered.
  public static func all(concerning staff: Int, in db: Database) throws -> [StationSession] {
    try all(naming: staff, in: db).filter { $0.seat(of: staff) != nil || $0.isCovered(staff) }
  }

  private static func all(naming staff: Int, in db: Database) throws -> [StationSession] {
    try fetch(
      """
      +t.cancelled = 0 AND t.dsid IN (
        SELECT dsid FROM timetable WHERE staffID = ? UNION SELECT dsid FROM timetable WHERE coverStaffID = ?
        UNION SELECT dsid FROM timetable WHERE scheduledCoverStaffID = ?
        UNION SELECT timetableID FROM additionalStaff WHERE staffID = ?)
      """, [staff, staff, staff, staff], in: db)
  }

  /// - Throws: `RosterRefusal` if there is no such station session.
  public static func find(_ timetable: Int, in db: Database) throws -> StationSession {
    guard let session = try fetch("t.dsid = ?", [timetable], in: db).first else {
      throw RosterRefusal.unknownStationSession(timetable)
    }
    return session
  }

  /// The names of staff, each looked up once: of a hundred station sessions few people are at any one.
  private struct Names {
    let db: Database
    private var known: [Int: String] = [:]

    init(_ db: Database) { self.db = db }

    mutating func of(_ staff: Int) throws -> String {
      if let name = known[staff] { return name }
      let row = try ReadRow.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT title, forename, surname FROM user WHERE dsid = ? AND entity = 'Staff' AND dsDeleted = 0
            """), arguments: [staff])
      let name = row.map { personName(title: $0[0], forename: $0[1], surname: $0[2]) ?? "staff \(staff)" } ?? ""
      known[staff] = name
      return name
    }
  }

  /// Those that were removed, or whose station or circuit was: nothing is expected of them, but what they hold is kept.
  package static func removed(in db: Database) throws -> [StationSession] {
    try fetch("1", [], whereSessions: "(t.dsDeleted OR a.dsDeleted OR c.dsDeleted)", in: db)
  }

  /// Whether a second assessor `s` is expected at a station session `t`: of a person who was deleted nothing is, but the
  /// seat at which they have a sheet stays theirs.
  private static let isThereOrMarked = """
    (NOT EXISTS (SELECT 1 FROM user d WHERE d.dsid = s.staffID AND d.dsDeleted = 1)
      OR EXISTS (
        SELECT 1 FROM timetableAttendanceLog e JOIN dataForm f ON f.attendanceLogID = e.uuid
        WHERE e.timetableID = t.dsid AND f.seat = coalesce(s.seat, s.uuid) AND f.dsDeleted = 0))
    """

  private static func fetch(
    _ condition: String, _ arguments: StatementArguments,
    whereSessions are: String = "t.dsDeleted = 0 AND a.dsDeleted = 0 AND c.dsDeleted = 0", in db: Database
  ) throws -> [StationSession] {
    var names = Names(db)
    let sessions = """
      timetable t JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup c ON c.dsid = a.clinicGroupID
      """
    let seconds = try Dictionary(
      grouping: ReadRow.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT s.timetableID, s.staffID, s.seat, s.uuid
            FROM \(sessions) CROSS JOIN additionalStaff s ON s.timetableID = t.dsid
            WHERE \(are) AND \(condition) AND s.dsDeleted = 0 AND \(isThereOrMarked) ORDER BY s.seat, s.uuid
            """), arguments: arguments)
    ) { $0[0] as Int }
    return try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT t.dsid, t.date, t.startTime, t.staffID, t.coverStaffID, t.scheduledCoverStaffID, a.dsid AS station,
            \(codeSQL) AS code, a."order", a.name, a.requiresStudentSignout, c.dsid AS circuit, c.name AS circuitName,
            NOT EXISTS (SELECT 1 FROM availableForm f WHERE f.activityTypeID = a.dsid AND f.dsDeleted = 0) AS isRest
          FROM \(sessions) WHERE \(are) AND \(condition)
          ORDER BY t.date, t.startTime, c.dsid, a."order", a.dsid
          """), arguments: arguments
    ).map { row in
      let timetable: Int = row["dsid"]
      var assessors: [Assessor] = []
      let planned = row["staffID"] as Int?
      // By weight: who took the session on the day, who was to stand in, who was to be here.
      let leads = [row["coverStaffID"] as Int?, row["scheduledCoverStaffID"] as Int?, planned].compactMap { $0 }
      func lead(_ staff: Int) throws -> Assessor {
        Assessor(staff: staff, name: try names.of(staff), seat: .lead, role: staff == planned ? .assessor : .cover)
      }
      if let first = leads.first { assessors.append(try lead(first)) }
      let covered = try Set(leads).subtracting(leads.prefix(1)).sorted().map(lead)
      for other in seconds[timetable] ?? [] {
        guard let staff = other[1] as Int? else { continue }
        let seat = Seat(name: other[2] as String? ?? other[3])
        assessors.append(Assessor(staff: staff, name: try names.of(staff), seat: seat, role: .secondAssessor))
      }
      let circuit = Circuit(id: row["circuit"], name: row["circuitName"])
      return StationSession(
        timetable: timetable, circuit: circuit,
        session: Session(circuit: circuit.id, date: row["date"] ?? "", startTime: row["startTime"] ?? ""),
        station: row["station"], stationCode: row["code"], stationName: row["name"],
        isRest: row["isRest"], requiresSignout: row["requiresStudentSignout"], assessors: assessors, covered: covered)
    }
  }
}
