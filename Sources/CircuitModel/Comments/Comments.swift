import ExamStore
import GRDB
import Journal
import Timer

/// What a comment is about.
public enum CommentLevel: Hashable, Sendable {
  /// The whole circuit.
  case circuit(Int)
  /// A station.
  case station(Int)
  /// One candidate at one station: a roster entry.
  case candidate(String)

  var entity: String {
    switch self {
    case .circuit: Stored.CommentMetaCircuit.entityName
    case .station: Stored.CommentMetaStation.entityName
    case .candidate: Stored.CommentMetaStationCandidate.entityName
    }
  }

  var target: (name: String, value: Value) {
    switch self {
    case .circuit(let circuit): ("circuit", .integer(Int64(circuit)))
    case .station(let station): ("station", .integer(Int64(station)))
    case .candidate(let entry): ("attendanceLog", .text(entry))
    }
  }
}

/// A comment as it is shown.
public struct Comment: Equatable, Sendable {
  /// Its key.
  public let key: String
  /// The text.
  public let text: String
  /// Who wrote it; nil where that is not known.
  public let author: String?
  /// The author's key in `Staff`.
  public let authorID: Int?
  /// When it was written.
  public let time: Instant?
  /// Whether it was marked as a concern.
  public let isConcern: Bool
  /// Whether the candidate may read it; nil on the levels of station and circuit.
  public let isVisibleToCandidate: Bool?
}

/// Comments at the three levels.
public enum Comments {
  /// The entities that hold them.
  package static let entities: Set<String> = [
    Stored.CommentMetaCircuit.entityName, Stored.CommentMetaStation.entityName,
    Stored.CommentMetaStationCandidate.entityName,
  ]

  /// Whether a comment `m` says anything. One whose text was emptied is kept by the journal alone; a concern stays one
  /// until its author takes it back.
  package static let saysSomething = "(m.concern OR trim(m.text) <> '')"

  /// The comments at one place that a seat may see, oldest first: double marking is blind, so what the other seats of
  /// the station wrote about a candidate is left out.
  public static func all(
    _ level: CommentLevel, seenFrom seat: Seat, of session: StationSession, in db: Database
  ) throws -> [Comment] {
    let comments = try all(level, in: db)
    guard case .candidate = level else { return comments }
    return try comments.filter { comment in
      let row = RowKey(entity: level.entity, id: comment.key)
      let own = try WriterSeat.of(row, by: comment.authorID, at: session, in: db)
      return own == nil || own == seat
    }
  }

  /// The comments at one place, oldest first.
  public static func all(_ level: CommentLevel, in db: Database) throws -> [Comment] {
    let (name, value) = level.target
    let table = try table(of: level)
    let visible = if case .candidate = level { "m.visibleToCandidate" } else { "NULL" }
    let key: any DatabaseValueConvertible =
      switch value {
      case .integer(let number): number
      case .text(let text): text
      default: ""
      }
    return try ReadRow.fetchAll(
      db,
      sql: """
        SELECT m.uuid, m.text, m.authorID, m.time, m.concern, \(visible) AS visible, u.title, u.forename, u.surname
        FROM \(table) m LEFT JOIN user u ON u.dsid = m.authorID
        WHERE m.\(name)ID = ? AND m.dsDeleted = 0 AND \(saysSomething) ORDER BY m.time, m.rowid
        """, arguments: [key]
    ).map { row in
      Comment(
        key: row["uuid"], text: row["text"],
        author: personName(title: row["title"], forename: row["forename"], surname: row["surname"]),
        authorID: row["authorID"], time: (row["time"] as Int64?).map { Instant(stored: $0) },
        isConcern: row["concern"], isVisibleToCandidate: row["visible"])
    }
  }

  /// How much a seat may see was written of each candidate at a station session, by the roster entry.
  /// - Parameter entry: the one that is asked about; nil: all.
  public static func counts(
    of entry: String? = nil, at session: StationSession, seenFrom seat: Seat, in db: Database
  ) throws -> [String: (comments: Int, concerns: Int)] {
    try seen(of: entry, at: session, from: seat, in: db).reduce(into: [:]) { found, comment in
      found[comment.entry, default: (0, 0)].comments += comment.isConcern ? 0 : 1
      found[comment.entry, default: (0, 0)].concerns += comment.isConcern ? 1 : 0
    }
  }

  /// The comments that a seat may see on each candidate at a station session, oldest first, by the roster entry;
  /// concerns are left out.
  public static func texts(
    at session: StationSession, seenFrom seat: Seat, in db: Database
  ) throws -> [String: [String]] {
    try seen(at: session, from: seat, in: db).reduce(into: [:]) { found, comment in
      if !comment.isConcern { found[comment.entry, default: []].append(comment.text) }
    }
  }

  /// What a seat may see was written of the candidates at a station session, oldest first.
  /// - Parameter entry: the roster entry that is asked about; nil: all.
  private static func seen(
    of entry: String? = nil, at session: StationSession, from seat: Seat, in db: Database
  ) throws -> [(entry: String, text: String, isConcern: Bool)] {
    let entity = Stored.CommentMetaStationCandidate.entityName
    return try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT m.uuid, m.authorID, m.attendanceLogID, m.text, m.concern
          FROM commentMetaStationCandidate m JOIN timetableAttendanceLog e ON e.uuid = m.attendanceLogID
          WHERE e.timetableID = ? AND m.dsDeleted = 0 AND \(saysSomething)\(entry == nil ? "" : " AND e.uuid = ?")
          ORDER BY m.time, m.rowid
          """), arguments: [session.timetable] + (entry.map { [$0] } ?? [])
    ).compactMap { row in
      let own = try WriterSeat.of(RowKey(entity: entity, id: row[0]), by: row[1], at: session, in: db)
      return own == nil || own == seat ? (row[2], row[3], row[4]) : nil
    }
  }

  /// Writes a new comment.
  /// - Parameters:
  ///   - shown: the roster entry of a comment on a candidate as its author was shown it; nil: nothing is asked of who
  ///     comes with it.
  ///   - isVisibleToCandidate: whether the candidate may read it; without meaning at the other levels.
  /// - Throws: `RosterRefusal` if somebody else comes with the entry by now.
  /// - Returns: its key.
  @discardableResult public static func add(
    _ text: String, to level: CommentLevel, shown: RosterEntry? = nil, isConcern: Bool = false,
    isVisibleToCandidate: Bool = false, timetable: StationSession? = nil, in transaction: JournalTransaction
  ) throws -> String {
    if let shown { try Attendance.checkCandidate(of: shown, in: transaction.db) }
    let key = UUIDBytes.random().description
    let (now, author) = (transaction.clock.now, transaction.author.staff)
    let (station, session) = (timetable?.timetable, timetable?.session.name)
    switch level {
    case .circuit(let circuit):
      try transaction.create(
        Stored.CommentMetaCircuit.self, key,
        [.circuit(circuit), .text(text), .time(now), .author(author), .timetable(station), .session(session)]
          + (isConcern ? [.concern(true)] : []))
    case .station(let place):
      try transaction.create(
        Stored.CommentMetaStation.self, key,
        [.station(place), .text(text), .time(now), .author(author), .timetable(station), .session(session)]
          + (isConcern ? [.concern(true)] : []))
    case .candidate(let entry):
      try transaction.create(
        Stored.CommentMetaStationCandidate.self, key,
        [.attendanceLog(entry), .text(text), .time(now), .author(author)] + (isConcern ? [.concern(true)] : [])
          + (isVisibleToCandidate ? [.visibleToCandidate(true)] : []))
    }
    return key
  }

  /// Changes the text of the comment with this key; the earlier text stays in its history.
  /// - Parameter shown: as for `add`.
  /// - Throws: `CommentRefusal` if somebody else wrote it, or it is not there; `RosterRefusal` if it is on another
  ///   candidate by now.
  public static func edit(
    _ comment: String, at level: CommentLevel, shown: RosterEntry? = nil, text: String,
    in transaction: JournalTransaction
  ) throws {
    try refuseUnlessOwn(comment, level, transaction)
    try refuseIfMoved(comment, level, shown, transaction)
    switch level {
    case .circuit: try transaction.set(Stored.CommentMetaCircuit.self, comment, [.text(text)])
    case .station: try transaction.set(Stored.CommentMetaStation.self, comment, [.text(text)])
    case .candidate: try transaction.set(Stored.CommentMetaStationCandidate.self, comment, [.text(text)])
    }
  }

  /// Marks a comment as a concern, or takes that back. Anybody at the station may raise one; only its author takes it
  /// back.
  /// - Parameter shown: as for `add`.
  /// - Throws: `CommentRefusal` if somebody else wrote it and it is to be deleted, or it is not there; `RosterRefusal` if
  ///   it is on another candidate by now.
  /// - Returns: the operation.
  @discardableResult public static func set(
    concern: Bool, on comment: String, at level: CommentLevel, shown: RosterEntry? = nil,
    in transaction: JournalTransaction
  ) throws -> OperationID {
    if !concern { try refuseUnlessOwn(comment, level, transaction) }
    try refuseIfMoved(comment, level, shown, transaction)
    switch level {
    case .circuit: return try transaction.set(Stored.CommentMetaCircuit.self, comment, [.concern(concern)])
    case .station: return try transaction.set(Stored.CommentMetaStation.self, comment, [.concern(concern)])
    case .candidate: return try transaction.set(Stored.CommentMetaStationCandidate.self, comment, [.concern(concern)])
    }
  }

  /// Says whether the candidate may read a comment.
  /// - Parameter shown: as for `add`.
  /// - Throws: `CommentRefusal` if it is none on a candidate, somebody else wrote it, or it is not there; `RosterRefusal`
  ///   if it is on another candidate by now.
  /// - Returns: the operation.
  @discardableResult public static func set(
    visibleToCandidate: Bool, on comment: String, at level: CommentLevel, shown: RosterEntry? = nil,
    in transaction: JournalTransaction
  ) throws -> OperationID {
    guard case .candidate = level else { throw CommentRefusal.notOnCandidate }
    try refuseUnlessOwn(comment, level, transaction)
    try refuseIfMoved(comment, level, shown, transaction)
    return try transaction.set(
      Stored.CommentMetaStationCandidate.self, comment, [.visibleToCandidate(visibleToCandidate)])
  }

  private static func refuseUnlessOwn(
    _ comment: String, _ level: CommentLevel, _ transaction: JournalTransaction
  ) throws {
    let row = try ReadRow.fetchOne(
      transaction.db, sql: "SELECT authorID FROM \(table(of: level)) WHERE uuid = ?", arguments: [comment])
    guard let row else { throw CommentRefusal.gone }
    if row[0] as Int? != transaction.author.staff {
      throw CommentRefusal.ofAnother
    }
  }

  /// Since a comment was shown, candidates may have changed places, or its sheet went to another with the comment.
  private static func refuseIfMoved(
    _ comment: String, _ level: CommentLevel, _ shown: RosterEntry?, _ transaction: JournalTransaction
  ) throws {
    guard let shown else { return }
    try Attendance.checkCandidate(of: shown, in: transaction.db)
    let entry = try String.fetchOne(
      transaction.db, sql: "SELECT attendanceLogID FROM \(table(of: level)) WHERE uuid = ?", arguments: [comment])
    if entry != shown.key { throw RosterRefusal.slotsChanged }
  }

  private static func table(of level: CommentLevel) throws -> String { try RowTable.of(level.entity).entity.table }
}
