import ExamStore
import GRDB
import Journal
import Timer

/// Everything that an item was ever set to, from the journal. It is of one item of one seat, so an assessor's history
/// never shows another assessor's values.
public enum ItemHistory {
  /// One change.
  public struct Change: Equatable, Sendable {
    /// The operation.
    public let operation: OperationID
    /// What it was set to.
    public let change: AnswerChange
    /// Who typed, by name; nil where that is not known.
    public let name: String?
    /// Who judged, where that is another person.
    public let judge: String?
    /// Whether it was typed from paper.
    public let isFromPaper: Bool
    /// The wall clock's time.
    public let wallTime: Instant
    /// The exam's time; nil where none was kept.
    public let examTime: Instant?
    /// From where, as far as terminal, host and device are known: `at pts/5 from 192.0.2.7 on vm`.
    public let place: String
    /// Why, where a reason was given.
    public let reason: String?
    /// Whether some of it still stands.
    public let isStanding: Bool
    /// Where the change is: on this disk, at the hub, or in need of a person.
    public let held: MarkPlace
  }

  /// The changes of an item, oldest first. Its making is none.
  public static func read(_ item: SheetItem, in db: Database) throws -> [Change] {
    let row = RowKey(entity: item.entity, id: item.key)
    guard let heads = try RowTable.of(row.entity).heads(of: row.id, in: db) else { return [] }
    let standing = Set(heads.operations.values.joined())
    var names = Names(db: db)
    return try OperationTable.history(of: row, in: db).compactMap { operation -> Change? in
      guard operation.kind != .create, let body = try operation.body(),
        let change = AnswerChange(body.fields, on: item.template)
      else { return nil }
      let judgedBy = body.fields[Stored.DataQuestion.Field.judgedBy]
      let judge: Int? = if case .integer(let key)? = judgedBy { Int(key) } else { nil }
      let staff = operation.staff.map { Int($0) }
      return Change(
        operation: operation.id, change: change, name: try names.person(staff),
        judge: judge == staff ? nil : try names.person(judge),
        isFromPaper: body.fields[Stored.DataQuestion.Field.source] == .text(Marking.Source.paper.rawValue),
        wallTime: Instant(stored: operation.wallTime),
        examTime: operation.examTime.map { Instant(stored: $0.milliseconds) },
        place: try names.place(sitting: operation.sitting, device: operation.device), reason: operation.reason,
        isStanding: standing.contains(operation.id), held: held(operation))
    }
  }

  private static func held(_ operation: Operation) -> MarkPlace {
    if RefusedChanges.isRefusal(operation.result) { return .attention }
    return operation.hubSeq == nil ? .disk : .hub
  }

  /// Names of people and places, each looked up once.
  private struct Names {
    let db: Database
    private var people: [Int: String?] = [:]
    private var places: [String: String] = [:]

    init(db: Database) { self.db = db }

    mutating func person(_ key: Int?) throws -> String? {
      guard let key else { return nil }
      if let known = people[key] { return known }
      let name = try personName(of: Int64(key), in: db)
      people[key] = .some(name)
      return name
    }

    mutating func place(sitting: UUIDBytes?, device: UUIDBytes) throws -> String {
      let key = "\(sitting?.description ?? "") \(device)"
      if let known = places[key] { return known }
      let at = try sitting.flatMap {
        try ReadRow.fetchOne(
          db.cachedStatement(sql: "SELECT tty, host FROM sitting WHERE uuid = ?"), arguments: [$0.description])
      }
      let name = try String.fetchOne(
        db.cachedStatement(sql: "SELECT name FROM device WHERE uuid = ?"), arguments: [device.description])
      let terminal = (at?["tty"] as String?).map { "at \(TerminalInfo.shortName(of: $0))" }
      let host = (at?["host"] as String?).map { "from \($0)" }
      let place = [terminal, host, name.map { "on \($0)" }].compactMap { $0 }.joined(separator: " ")
      places[key] = place
      return place
    }
  }
}
