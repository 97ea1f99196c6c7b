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
    case .circuit: "CommentMetaCircuit"
    case .station: "CommentMetaStation"
    case .candidate: "CommentMetaStationCandidate"
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
  /// The comments at one place, oldest first.
  public static func all(_ level: CommentLevel, in db: Database) throws -> [Comment] {
    let (name, value) = level.target
    let table = level.entity.prefix(1).lowercased() + level.entity.dropFirst()
    let visible = if case .candidate = level { "m.visibleToCandidate" } else { "NULL" }
    let key: any DatabaseValueConvertible =
      switch value {
      case .integer(let number): number
      case .text(let text): text
      default: ""
      }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT m.uuid, m.text, m.authorID, m.time, m.concern, \(visible) AS visible, u.title, u.forename, u.surname
        FROM \(table) m LEFT JOIN user u ON u.dsid = m.authorID
        WHERE m.\(name)ID = ? AND m.dsDeleted = 0 ORDER BY m.time, m.rowid
        """, arguments: [key]
    ).map { row in
      Comment(
        key: row["uuid"], text: row["text"],
        author: personName(title: row["title"], forename: row["forename"], surname: row["surname"]),
        authorID: row["authorID"], time: (row["time"] as Int64?).map { Instant(milliseconds: $0) },
        isConcern: row["concern"], isVisibleToCandidate: row["visible"])
    }
  }

  /// Writes a new comment.
  /// - Returns: its key.
  @discardableResult public static func add(
    _ text: String, to level: CommentLevel, isConcern: Bool = false, timetable: StationSession? = nil,
    in transaction: JournalTransaction
  ) throws -> String {
    let key = UUIDBytes.random().description
    let (name, value) = level.target
    var fields: [String: Value] = [
      name: value, "text": .text(text), "time": .integer(transaction.clock.now.milliseconds),
    ]
    if isConcern { fields["concern"] = .bool(true) }
    if let staff = transaction.author.staff { fields["author"] = .integer(Int64(staff)) }
    if let timetable {
      if case .candidate = level {
      } else {
        fields["timetable"] = .integer(Int64(timetable.timetable))
        fields["session"] = .text(timetable.session.name)
      }
    }
    try transaction.create(level.entity, key, fields)
    return key
  }

  /// Changes the text of the comment with this key; the earlier text stays in its history.
  public static func edit(
    _ comment: String, at level: CommentLevel, text: String, in transaction: JournalTransaction
  ) throws {
    try transaction.set(level.entity, comment, ["text": .text(text)])
  }
}
