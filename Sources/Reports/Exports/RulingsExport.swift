import CircuitModel
import GRDB
import Standards

/// `osce export rulings`: one row per ruling that stands, before them the choices and exclusions that the exam's file has:
/// with the marks, all that results follow from, each with the key by which it is withdrawn. After them what was settled of
/// values that contradicted each other, and each lock that was opened again, with the hash that is void.
enum RulingsExport {
  static let columns = [
    "kind", "date", "start", "circuit", "station", "student_number", "sheet", "item", "choice", "score", "grade",
    "reason", "staff", "second_staff", "time", "key",
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    let file = try ExamSettings.results(db)
    if var choices = file {
      choices.exclude = nil
      let words = PolicyText.json(choices)
      if words != "{}" {
        try body(
          cells(.policy, .init()) + [.text(words), .empty, .empty, .text("exam.yaml"), .empty, .empty, .empty, .empty])
      }
    }
    for exclusion in (file?.exclude ?? []).map(Policy.Exclusion.init) {
      let scope = ExamRuling.Scope(
        circuit: exclusion.circuit, session: exclusion.session, station: exclusion.station,
        candidate: exclusion.candidate, item: exclusion.item)
      try body(
        cells(exclusion.isExcuse ? .excuse : .exclusion, scope) + [
          .empty, .empty, .empty, .text(exclusion.reason), .empty, .empty, .empty, .empty,
        ])
    }
    for note in try RulingNote.all(try ExamRuling.all(in: db), in: db) {
      let ruling = note.ruling
      let choice = ruling.kind == .policy ? ruling.policy ?? ruling.choice : ruling.choice
      try body(
        cells(ruling.kind, scope(of: note)) + [
          .optional(choice), .real(ruling.score), .real(ruling.grade), .text(ruling.reason), .optional(ruling.staff),
          .optional(ruling.secondStaff), .instant(ruling.time), .text(ruling.key),
        ])
    }
    for note in try SettlementNote.all(in: db) {
      let settlement = note.settlement
      try body(
        [.text("settlement")] + cells(note.scope) + [
          .text(note.value), .empty, .empty, .text(settlement.reason), .optional(note.staff), .empty,
          .instant(settlement.time), .optional(settlement.isStanding ? settlement.key : nil),
        ])
    }
    for reopening in try Reopening.all(in: db) {
      try body(
        cells(.reopening, .init(circuit: reopening.scope.circuit, session: reopening.scope.session)) + [
          .text(reopening.hash), .empty, .empty, .text(reopening.opened.reason),
          .optional(reopening.opened.staff.first),
          .optional(reopening.opened.staff.dropFirst().first), .instant(reopening.opened.at), .empty,
        ])
    }
  }

  /// What a ruling is about. An answer and an amendment name a row alone, of which the reader is told the place; of what
  /// is left out or excused the scope stays as it was ruled, for it says how far that goes.
  private static func scope(of note: RulingNote) -> ExamRuling.Scope {
    var scope = note.ruling.scope
    guard [.answer, .amendment].contains(note.ruling.kind) else { return scope }
    (scope.circuit, scope.session) = (note.place.circuit, note.place.session)
    (scope.station, scope.candidate) = (note.place.station, note.place.candidate)
    return scope
  }

  /// What is ruled about what: the first eight columns.
  private static func cells(_ kind: ExamRuling.Kind, _ scope: ExamRuling.Scope) -> [ExportCell] {
    [.text(kind.rawValue)] + cells(scope)
  }

  private static func cells(_ scope: ExamRuling.Scope) -> [ExportCell] {
    let moment = scope.session?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
    return [
      .optional(moment.first), .optional(moment.count > 1 ? moment[1] : nil),
      .optional(scope.circuit), .optional(scope.station), .optional(scope.candidate), .optional(scope.sheet),
      .optional(scope.item),
    ]
  }
}
