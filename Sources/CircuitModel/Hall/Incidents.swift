import ExamStore
import GRDB
import Journal
import Timer

/// Something that went wrong in a station session, and the time it cost.
public struct Incident: Equatable, Sendable {
  /// The key in `StationIncident`.
  public let key: String
  /// The station session's key in `Timetable`.
  public let timetable: Int
  /// The station's code, or its name where it has none.
  public let stationCode: String
  /// What happened.
  public let kind: Kind
  /// When it happened.
  public let time: Instant?
  /// The time that the candidate lost, in seconds; nil where that is not known.
  public let secondsLost: Int?
  /// What happened, in words.
  public let text: String?
  /// The name of who reported it.
  public let reporter: String?
  /// The keys of the roster entries that it left without an examination: of a station out of order those whom it queued
  /// for the re-run, whose round may have come only after the report, but for who left the queue again. Nil: it is of
  /// who was there in the round of the outage, else at its time.
  public let entries: Set<String>?

  /// The session's round in which the station was out of order; nil for what is no outage.
  public var outageRound: Int? { text.flatMap { StationOutage.round(in: $0) } }

  /// What happened, in one word as it is stored.
  public enum Kind: String, Sendable, CaseIterable {
    /// Another simulated patient came.
    case simulatedPatient
    /// The station's kit did not work.
    case equipment
    /// The candidate was interrupted.
    case interruption
    /// Anything else.
    case other
  }
}

/// Incidents at stations.
public enum Incidents {
  /// The most seconds that can be lost: a day.
  private static let most = 86_400

  /// Reports an incident.
  /// - Parameters:
  ///   - timetable: the station session's key.
  ///   - secondsLost: 0 to 86400; nil while that is not known.
  ///   - text: what happened, in words; may be empty.
  ///   - time: when it happened; now, if that is not said.
  /// - Throws: `IncidentRefusal` if the seconds cannot be, or the time is still to come.
  /// - Returns: the incident's key.
  @discardableResult public static func report(
    _ kind: Incident.Kind, at timetable: Int, secondsLost: Int?, text: String, time: Instant? = nil,
    _ transaction: JournalTransaction
  ) throws -> String {
    try check(secondsLost)
    try refuseToCome(time, transaction)
    let key = UUIDBytes.random().description
    try transaction.create(
      Stored.StationIncident.self, key,
      [
        .timetable(timetable), .kind(kind.rawValue), .time(time ?? transaction.clock.now), .secondsLost(secondsLost),
        .text(text.isEmpty ? nil : text), .staff(transaction.author.staff),
      ])
    return key
  }

  /// Says again how much time was lost; what was said before stays in the history.
  /// - Throws: `IncidentRefusal` if the seconds cannot be, or if the incident was withdrawn.
  public static func amend(_ key: String, secondsLost: Int?, _ transaction: JournalTransaction) throws {
    try check(secondsLost)
    try refuseWithdrawn(key, transaction.db)
    try transaction.set(Stored.StationIncident.self, key, [.secondsLost(secondsLost)])
  }

  /// Says again when it happened.
  /// - Throws: `IncidentRefusal` if the incident was withdrawn, or the time is still to come.
  public static func amend(_ key: String, time: Instant, _ transaction: JournalTransaction) throws {
    try refuseWithdrawn(key, transaction.db)
    try refuseToCome(time, transaction)
    try transaction.set(Stored.StationIncident.self, key, [.time(time)])
  }

  /// Takes a mistaken report out of view; it stays in the history.
  /// - Throws: `IncidentRefusal` if there is no such incident or it was withdrawn before.
  public static func withdraw(_ key: String, _ transaction: JournalTransaction) throws {
    try refuseWithdrawn(key, transaction.db)
    try transaction.delete(Stored.StationIncident.self, key)
  }

  /// The incidents of a session, oldest first.
  public static func all(of session: Session, in db: Database) throws -> [Incident] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT i.uuid, i.timetableID, i.kind, i.time, i.secondsLost, i.text, \(StationSession.codeSQL) AS code,
            u.title, u.forename, u.surname
          FROM stationIncident i JOIN timetable t ON t.dsid = i.timetableID
            JOIN activityType a ON a.dsid = t.activityTypeID LEFT JOIN user u ON u.dsid = i.staffID
          WHERE \(Session.condition) AND i.dsDeleted = 0 ORDER BY i.time, i.uuid
          """), arguments: session.arguments
    ).map { row in
      Incident(
        key: row["uuid"], timetable: row["timetableID"], stationCode: row["code"],
        kind: (row["kind"] as String?).flatMap { Incident.Kind(rawValue: $0) } ?? .other,
        time: (row["time"] as Int64?).map { Instant(stored: $0) }, secondsLost: row["secondsLost"],
        text: row["text"],
        reporter: personName(title: row["title"], forename: row["forename"], surname: row["surname"]),
        entries: try entries(queuedWith: row["uuid"], in: db))
    }
  }

  /// The roster entries that the transaction of a report has queued for the re-run, without those that left the queue;
  /// nil where it queued none.
  private static func entries(queuedWith key: String, in db: Database) throws -> Set<String>? {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT r.attendanceLogID, r.dsDeleted = 0 AND r.status <> 'withdrawn' FROM operation o
            JOIN operation q ON q.device = o.device AND q.tx = o.tx AND q.entity = 'RerunEntry'
              AND q.deviceSeq BETWEEN o.deviceSeq - o.txIndex AND o.deviceSeq - o.txIndex + o.txSize - 1
            JOIN rerunEntry r ON r.uuid = q.entityID
          WHERE o.entity = 'StationIncident' AND o.entityID = ? AND o.kind = 'create' AND r.attendanceLogID IS NOT NULL
          """), arguments: [key])
    return rows.isEmpty ? nil : Set(rows.filter { $0[1] }.map { $0[0] })
  }

  private static func check(_ secondsLost: Int?) throws {
    guard let secondsLost, !(0...most).contains(secondsLost) else { return }
    throw IncidentRefusal.secondsLost(secondsLost, most: most)
  }

  private static func refuseToCome(_ time: Instant?, _ transaction: JournalTransaction) throws {
    guard let time, time > transaction.clock.now else { return }
    throw IncidentRefusal.future(time)
  }

  private static func refuseWithdrawn(_ key: String, _ db: Database) throws {
    let isGone = try Bool.fetchOne(db, sql: "SELECT dsDeleted FROM stationIncident WHERE uuid = ?", arguments: [key])
    guard let isGone else { throw IncidentRefusal.unknown(key) }
    if isGone { throw IncidentRefusal.withdrawn }
  }
}
