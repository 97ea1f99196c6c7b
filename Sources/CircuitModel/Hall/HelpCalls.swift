import ExamStore
import GRDB
import Journal
import Timer

/// A call for help from a station, and how far it has been answered.
public struct HelpCall: Equatable, Sendable {
  /// The key in `AssistanceRequested`.
  public let key: String
  /// The circuit's key.
  public let circuit: Int?
  /// The circuit's name.
  public let circuitName: String?
  /// The station's key in `ActivityType`.
  public let station: Int?
  /// The station's code, or its name where it has none.
  public let stationCode: String
  /// The name of who calls; nil where that is not known.
  public let caller: String?
  /// What is the matter, in a few words.
  public let text: String
  /// How far it has been answered.
  public let status: Status
  /// When it was made.
  public let requestedAt: Instant?
  /// When somebody set out.
  public let respondedAt: Instant?
  /// When it was closed.
  public let resolvedAt: Instant?
  /// The name of who answers.
  public let responder: String?
  /// The operations whose values are shown.
  public let shown: ShownHeads

  let responderID: Int?

  /// Whether the station that made it took it back: it is over, and nobody has answered it.
  public let isWithdrawn: Bool

  /// How far a call has been answered.
  public enum Status: String, Sendable, CaseIterable {
    /// Nobody has set out.
    case requested
    /// Somebody is on the way.
    case responding
    /// It is over.
    case resolved
  }
}

/// Help calls from a station.
public enum HelpCalls {
  /// Calls for help.
  /// - Parameter text: what is the matter, in a few words.
  /// - Returns: the call's key.
  @discardableResult public static func request(
    _ text: String, at session: StationSession, in transaction: JournalTransaction
  ) throws -> String {
    let key = UUIDBytes.random().description
    try transaction.create(
      Stored.AssistanceRequested.self, key,
      [
        .station(session.station), .circuit(session.circuit.id), .assistanceRequired(true),
        .status(HelpCall.Status.requested.rawValue), .text(text),
        .timeRequested(Timestamp.text(transaction.clock.now)), .staff(transaction.author.staff),
      ])
    return key
  }

  /// The calls that are not over: those that nobody has answered first, each oldest first.
  public static func open(in db: Database) throws -> [HelpCall] {
    let calls = try fetch("h.status <> 'resolved'", [], in: db)
    return calls.filter { $0.status == .requested } + calls.filter { $0.status != .requested }
  }

  /// Every call, oldest first.
  public static func all(in db: Database) throws -> [HelpCall] { try fetch("1", [], in: db) }

  /// The last call of a station, whether or not it is over; nil if there was none.
  /// - Parameter station: the key in `ActivityType`.
  public static func latest(station: Int, in db: Database) throws -> HelpCall? {
    try fetch("h.stationID = ?", [station], in: db).last
  }

  /// Records that the acting person has set out. Nothing is written if they have set out already.
  /// - Throws: `HelpCallRefusal` with who and when, if somebody else has taken the call or it is over.
  public static func respond(_ call: HelpCall, _ transaction: JournalTransaction) throws {
    let now = try standing(call, transaction)
    if now.status == .resolved { throw refusal(now) }
    if now.status == .responding {
      if now.responderID == transaction.author.staff { return }
      throw refusal(now)
    }
    try transaction.set(
      Stored.AssistanceRequested.self, call.key,
      [
        .status(HelpCall.Status.responding.rawValue), .responder(transaction.author.staff),
        .timeResponded(transaction.clock.now),
      ], shown: now.shown)
  }

  /// Records that a call is over. Who has gone there stays recorded; where nobody had, it is the acting person.
  /// - Throws: `HelpCallRefusal` with who and when, if it is over already, or if somebody else has taken it since
  ///   `call` was read.
  public static func resolve(_ call: HelpCall, _ transaction: JournalTransaction) throws {
    let now = try standing(call, transaction)
    let isTakenSince =
      now.status == .responding && now.responderID != transaction.author.staff
      && (call.status != .responding || call.responderID != now.responderID)
    if now.status == .resolved || isTakenSince { throw refusal(now) }
    var changes: [FieldChange<Stored.AssistanceRequested>] = [
      .status(HelpCall.Status.resolved.rawValue), .timeResolved(transaction.clock.now),
    ]
    if now.responderID == nil { changes.append(.responder(transaction.author.staff)) }
    try transaction.set(Stored.AssistanceRequested.self, call.key, changes, shown: now.shown)
  }

  /// Withdraws a call from the station that made it, even where someone has set out: it is over, and not for who
  /// answered it.
  /// - Throws: `HelpCallRefusal` with who and when, if it is over already.
  public static func withdraw(_ call: HelpCall, _ transaction: JournalTransaction) throws {
    let now = try standing(call, transaction)
    if now.status == .resolved { throw refusal(now) }
    try transaction.set(
      Stored.AssistanceRequested.self, call.key,
      [.status(HelpCall.Status.resolved.rawValue), .timeResolved(transaction.clock.now)], shown: now.shown)
  }

  /// When a call was made, from RFC 3339 or from the reference's own form, which is in UTC and does not say so.
  package static func time(_ text: String) -> Instant? { Timestamp.parse(text) ?? Timestamp.parse(text + "Z") }

  /// The status of a call of which a file says only whether it is still required, as the reference does; nil: as it is.
  static func status(isRequired: Value?, before: Value?) -> Value? {
    switch (isRequired, before) {
    case (.bool(false), _): .text(HelpCall.Status.resolved.rawValue)
    // A station has one row for all its calls.
    case (.bool(true), .bool(false)): .text(HelpCall.Status.requested.rawValue)
    default: nil
    }
  }

  /// The call as it is now, which may not be what was shown.
  private static func standing(_ call: HelpCall, _ transaction: JournalTransaction) throws -> HelpCall {
    guard let now = try fetch("h.uuid = ?", [call.key], in: transaction.db).first else {
      throw HelpCallRefusal.gone
    }
    return now
  }

  private static func refusal(_ call: HelpCall) -> HelpCallRefusal {
    call.status == .resolved
      ? .resolved(station: call.stationCode, by: call.responder, at: call.resolvedAt)
      : .taken(station: call.stationCode, by: call.responder, at: call.respondedAt)
  }

  private static func fetch(
    _ condition: String, _ arguments: StatementArguments, in db: Database
  ) throws -> [HelpCall] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (
              SELECT 1 FROM operation o JOIN sitting s ON s.uuid = o.sitting
              WHERE o.entity = 'AssistanceRequested' AND o.entityID = h.uuid AND s.timetableID IS NOT NULL
                AND o.seq = (SELECT max(p.seq) FROM operation p
                  WHERE p.entity = 'AssistanceRequested' AND p.entityID = h.uuid)) AS byStation,
            h.uuid, h.text, h.status, h.timeRequested, h.timeResponded, h.timeResolved, h.responderID, h.heads,
            c.dsid AS circuit, c.name AS circuitName, h.stationID AS stationKey,
            \(StationSession.codeSQL) AS code,
            u.title, u.forename, u.surname, r.title AS rTitle, r.forename AS rForename, r.surname AS rSurname
          FROM assistanceRequested h LEFT JOIN activityType a ON a.dsid = h.stationID
            LEFT JOIN clinicGroup c ON c.dsid = coalesce(h.circuitID, a.clinicGroupID)
            LEFT JOIN user u ON u.dsid = h.staffID LEFT JOIN user r ON r.dsid = h.responderID
          WHERE h.dsDeleted = 0 AND \(condition) ORDER BY h.uuid
          """), arguments: arguments
    ).map { call($0) }.sorted { ($0.requestedAt ?? .earliest, $0.key) < ($1.requestedAt ?? .earliest, $1.key) }
  }

  /// A status that this version does not know counts as not yet answered: a person then looks.
  private static func call(_ row: ReadRow) -> HelpCall {
    HelpCall(
      key: row["uuid"], circuit: row["circuit"], circuitName: row["circuitName"], station: row["stationKey"],
      stationCode: row["code"] ?? "",
      caller: personName(title: row["title"], forename: row["forename"], surname: row["surname"]),
      text: row["text"] ?? "", status: HelpCall.Status(rawValue: row["status"]) ?? .requested,
      requestedAt: (row["timeRequested"] as String?).flatMap { HelpCalls.time($0) },
      respondedAt: (row["timeResponded"] as Int64?).map { Instant(stored: $0) },
      resolvedAt: (row["timeResolved"] as Int64?).map { Instant(stored: $0) },
      responder: personName(title: row["rTitle"], forename: row["rForename"], surname: row["rSurname"]),
      shown: ShownHeads(HeadsColumn(text: row["heads"])), responderID: row["responderID"],
      isWithdrawn: row["status"] == HelpCall.Status.resolved.rawValue && row["byStation"] == true)
  }
}
