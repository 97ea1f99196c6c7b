import CircuitModel
import ExamStore
import GRDB
import Journal

/// Which of several values was found right, as it is read a year later.
struct SettlementNote {
  let settlement: Settlement
  /// Where the row belongs; of an item, also which it is.
  let scope: ExamRuling.Scope
  /// What it is about: `item 4: Washes hands`.
  let subject: String
  /// The value that was found right, in words: `2 with help`.
  let value: String
  /// Whether it is a mark.
  let isOfMark: Bool
  /// Who ruled, by username; nil: the program.
  let staff: String?

  /// What was decided: `settled: item 4: Washes hands, 2 with help`.
  var decision: String { "settled: \(subject), \(value)" }

  /// In one line: what was decided about what, why, by whom and when.
  var text: String {
    let about = [scope.session, scope.circuit, scope.station, scope.candidate].compactMap { $0 }
    let by = [staff, settlement.time.localMoment].compactMap { $0 }.joined(separator: ", ")
    return (about + [decision]).joined(separator: " · ") + ": \(settlement.reason) (\(by))"
  }

  /// Every one that nobody has withdrawn, in order.
  static func all(in db: Database) throws -> [SettlementNote] {
    let settlements = try Settlement.all(in: db)
    if settlements.isEmpty { return [] }
    var places = try ChangePlaces(db)
    let usernames = try Usernames(db)
    let keys = try QuestionKeys.all(in: db)
    return try settlements.map { settlement in
      let place = try places.place(of: settlement.row)
      let (subject, value, item) = try ContradictionReport.change(of: settlement.row, settlement.fields, in: db)
      return SettlementNote(
        settlement: settlement,
        scope: .init(
          circuit: place.circuit, session: place.session, station: place.station, candidate: place.candidate,
          item: item.map { keys.name(of: $0.template.question) }, sheet: item?.sheet),
        subject: subject, value: value, isOfMark: item?.template.kind.takesLevel ?? false,
        staff: settlement.staff.flatMap { usernames[$0] })
    }
  }
}
