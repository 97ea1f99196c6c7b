import CircuitModel
import ExamStore
import GRDB
import Journal

/// A ruling as it is read a year later: a sheet by its candidate and station, an amendment with what the item held before.
public struct RulingNote: Sendable {
  let ruling: ExamRuling
  /// The ruling's key, by which it is withdrawn.
  public var key: String { ruling.key }
  /// Where it belongs, as far as it says or what it is about does.
  let place: ChangePlaces.Place
  /// What was chosen, in words.
  let choice: String?
  /// In one line: what was decided about what, why, by whom and when.
  public let text: String

  /// Every ruling that stands, in order.
  public static func all(_ rulings: [ExamRuling], in db: Database) throws -> [RulingNote] {
    if rulings.isEmpty { return [] }
    var places = try ChangePlaces(db)
    let keys = try QuestionKeys.all(in: db)
    let waived = try WaivedItems(rulings, keys, in: db)
    return try rulings.map { ruling in
      let row = try ruling.scope.sheet.map { Stored.DataForm.row($0) } ?? subject(ruling, in: db)
      return RulingNote(
        ruling, at: try row.map { try places.place(of: $0) } ?? .init(), seat: try seat(ruling, in: db),
        choice: try choice(ruling, in: db), change: try change(ruling, keys, in: db), waived: waived[ruling])
    }
  }

  private init(
    _ ruling: ExamRuling, at place: ChangePlaces.Place, seat: String?, choice: String?, change: String?, waived: String?
  ) {
    let scope = ruling.scope
    let about = [
      scope.session ?? place.session, scope.circuit ?? place.circuit, scope.station ?? place.station,
      scope.candidate ?? place.candidate, seat.map { "sheet of \($0)" }, change ?? waived ?? scope.item,
    ]
    // What is accepted is said in words, as the list of what is open says it.
    let accepted = ruling.kind == .waiver ? ruling.choice.flatMap(ClosingReport.Code.init(rawValue:))?.openText : nil
    let kind = [ruling.kind.rawValue, change == nil ? accepted ?? choice : nil].compactMap { $0 }.joined(separator: " ")
    let by = [ruling.people, ruling.time?.localMoment ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    self.ruling = ruling
    self.choice = choice
    self.place = ChangePlaces.Place(
      circuit: scope.circuit ?? place.circuit, session: scope.session ?? place.session, round: place.round,
      station: scope.station ?? place.station, candidate: scope.candidate ?? place.candidate)
    text =
      ([kind] + about.compactMap { $0 }).joined(separator: " · ") + ": \(ruling.reason)"
      + (by.isEmpty ? "" : " (\(by))")
  }

  /// Whether it says that a single sheet does not count.
  var isOfSheet: Bool { ruling.kind == .exclusion && ruling.scope.sheet != nil }

  /// The row that was answered, or whose change came after a lock and was admitted or dismissed: the ruling has its key,
  /// the journal the rest.
  private static func subject(_ ruling: ExamRuling, in db: Database) throws -> RowKey? {
    guard ruling.kind == .amendment || ruling.kind == .answer, let subject = ruling.subject else { return nil }
    let entity = try String.fetchOne(
      db, sql: "SELECT entity FROM operation WHERE entityID = ? ORDER BY seq LIMIT 1", arguments: [subject])
    return entity.map { RowKey(entity: $0, id: subject) }
  }

  private static func seat(_ ruling: ExamRuling, in db: Database) throws -> String? {
    guard let sheet = ruling.scope.sheet else { return nil }
    let row = try ReadRow.fetchOne(db, sql: "SELECT seat FROM dataForm WHERE uuid = ?", arguments: [sheet])
    let place = try StationSession.holding(sheet: sheet, in: db)
    return row.flatMap { row in
      let seat = Seat(name: row[0])
      return seat == .lead ? "first assessor" : place?.name(of: seat)
    }
  }

  /// What was chosen: the figures that were typed; of two assessors' scores the name of whose stands, for the key of a
  /// seat tells nobody anything.
  private static func choice(_ ruling: ExamRuling, in db: Database) throws -> String? {
    if case .typed(let score, let grade) = ruling.adjudication {
      return "score \(ShortestNumber.text(score)) %" + (grade.map { ", grade \(ShortestNumber.text($0))" } ?? "")
    }
    guard case .seat(let key) = ruling.adjudication else { return ruling.choice }
    let (seat, scope) = (Seat(name: key), ruling.scope)
    let place = try StationSession.all(in: db).first { place in
      scope.isAt(place) && StationSession.seats(of: place).contains(seat)
    }
    return place.map { "sheet of \($0.name(of: seat))" } ?? ruling.choice
  }

  /// What an amendment changed: `allergies "Asks about allergies": 1 → 0`. The ruling was made with the change, in one
  /// transaction of the journal.
  private static func change(_ ruling: ExamRuling, _ keys: QuestionKeys, in db: Database) throws -> String? {
    guard ruling.kind == .amendment, let key = ruling.scope.sheet, let item = ruling.scope.item,
      let made = try OperationTable.history(of: Stored.ExamRuling.row(ruling.key), in: db).first,
      let sheet = try Sheet.read(key, in: db)
    else { return nil }
    for held in sheet.items where keys.name(of: held.template.question) == item {
      var before: [String: Value] = [:]
      for operation in try OperationTable.history(of: Stored.RatingQuestion.row(held.key), in: db) {
        let fields = OpenedOperation(operation).body?.fields ?? [:]
        let after = before.merging(fields) { $1 }
        if operation.tx == made.tx {
          let (from, to) = (MarkChanges.mark(before, on: held.template), MarkChanges.mark(after, on: held.template))
          return "\(item) \"\(held.template.text)\": \(from) → \(to)"
        }
        before = after
      }
    }
    return nil
  }
}

extension ExamRuling {
  /// Who ruled: one person, or two.
  var people: String { [staff, secondStaff].compactMap { $0 }.joined(separator: " and ") }
}
