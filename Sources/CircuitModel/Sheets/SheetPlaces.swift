import ExamStore
import GRDB
import Journal
import Timer

/// Where the marks of one sheet are, and which of them contradict each other.
public struct SheetPlaces: Equatable, Sendable {
  /// What stands in contradiction on one field of an item: every value, with who gave it and when.
  public struct Disputed: Equatable, Sendable {
    /// The field, as the catalogue names it.
    public let field: String
    /// The values, the one that is shown first.
    public let values: [Claim]
  }

  /// One of several values.
  public struct Claim: Equatable, Sendable {
    /// The value in words; empty for none.
    public let text: String
    /// Who gave it; nil where nobody is named.
    public let staff: String?
    /// When, by the exam's clock.
    public let at: Instant
  }

  private var hasHub = false
  private var attention: Set<String> = []
  private var unsent: Set<String> = []
  private var found: [String: [Disputed]] = [:]

  /// Nothing is known yet.
  public init() {}

  /// Where the mark of an item is.
  public func place(of item: SheetItem) -> MarkPlace {
    if attention.contains(item.key) { return .attention }
    if item.isBlank { return .empty }
    return hasHub && !unsent.contains(item.key) ? .hub : .disk
  }

  /// What stands in contradiction on an item; none where nothing does.
  public func contradictions(of item: SheetItem) -> [Disputed] { found[item.key] ?? [] }

  /// Whether the hub refused a change of the item.
  public func isRefused(_ item: SheetItem) -> Bool { attention.contains(item.key) && found[item.key] == nil }
}

extension SheetPlaces {
  /// Whether a value that stands on the items `q` of a group of rows waits for the hub, in SQL.
  static let isUnsent = "max(\(Outbox.hasWaitingHead("q")))"

  /// Looks at every item of a sheet.
  public static func read(sheet: String, in db: Database) throws -> SheetPlaces {
    var places = SheetPlaces()
    places.hasHub = try Enrolment.exists(db)
    let condition = "FROM dataSection s CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid WHERE s.dataFormID = ?"
    try places.look(condition, sheet, db)
    return places
  }

  /// What a new look at one item has found.
  public struct Look: Sendable {
    fileprivate let item: String
    fileprivate let found: SheetPlaces
  }

  /// Looks at one item again; `note` takes in what is found.
  public func look(at item: SheetItem, in db: Database) throws -> Look { try look(item.key, db) }

  /// Takes in a look at one item.
  public mutating func note(_ look: Look) {
    attention.remove(look.item)
    unsent.remove(look.item)
    attention.formUnion(look.found.attention)
    unsent.formUnion(look.found.unsent)
    found[look.item] = look.found.found[look.item]
  }

  /// Looks at what may have changed since the hub has taken more or has answered: what it did not have.
  public mutating func followHub(sheet: String, in db: Database) throws {
    if !hasHub { return self = try .read(sheet: sheet, in: db) }
    for key in unsent { note(try look(key, db)) }
  }

  private func look(_ item: String, _ db: Database) throws -> Look {
    var found = SheetPlaces()
    found.hasHub = hasHub
    try found.look("FROM dataQuestion q WHERE q.uuid = ?", item, db)
    return Look(item: item, found: found)
  }

  private mutating func look(_ condition: String, _ argument: String, _ db: Database) throws {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT q.uuid, q.entity, q.heads,
            EXISTS (SELECT 1 FROM fork k WHERE k.entity = q.entity AND k.entityID = q.uuid) AS forked,
            EXISTS (SELECT 1 FROM operation o WHERE o.entity = q.entity AND o.entityID = q.uuid
              AND \(RefusedChanges.condition(of: "o"))) AS refused
          \(condition)
          """), arguments: [argument])
    for row in rows {
      let key: String = row["uuid"]
      let isForked: Bool = row["forked"], isRefused: Bool = row["refused"]
      if isForked || isRefused { attention.insert(key) }
      if try hasHub && Outbox.isWaiting(HeadsColumn(text: row["heads"]), in: db) { unsent.insert(key) }
      if isForked { found[key] = try Disputed.read(RowKey(entity: row["entity"], id: key), in: db) }
    }
  }
}

extension SheetPlaces.Disputed {
  fileprivate static func read(_ row: RowKey, in db: Database) throws -> [Self] {
    let choices = try Contradiction.choices(of: row, in: db)
    return try Set(choices.flatMap(\.fields.keys)).sorted().map { field in
      let given = choices.filter { $0.fields[field] != nil }
      let standingFirst =
        given.filter { $0.standing.contains(field) } + given.filter { !$0.standing.contains(field) }
      return Self(
        field: field,
        values: try standingFirst.map { choice in
          SheetPlaces.Claim(
            text: text(choice.fields[field] ?? .null, of: field),
            staff: try choice.staff.flatMap { try personName(of: Int64($0), in: db) }, at: choice.time)
        })
    }
  }

  private static func text(_ value: Value, of field: String) -> String {
    let isMark = field == Stored.RatingQuestion.Field.rating.rawValue
    return switch value {
    case .integer(let number): isMark ? MarkValue(scaled: number).description : String(number)
    case .text(let text): text
    case .bool(let isSo): isSo ? "yes" : "no"
    default: ""
    }
  }
}
