import CircuitModel
import GRDB
import Standards
import Timer

/// `osce export rulings`: one row per ruling that stands, before them the choices and exclusions that the exam's file has:
/// with the marks, all that results follow from, each with the key by which it is withdrawn. After them what was settled of
/// values that contradicted each other, and each lock that was opened again, with the hash that is void.
enum RulingsExport {
  private struct Row {
    let kind: String
    let scope: ExamRuling.Scope
    var choice: String?
    var score: Double?
    var grade: Double?
    let reason: String
    var staff: String?
    var secondStaff: String?
    var time: Instant?
    /// By which it is withdrawn.
    var key: String?

    var date: String? { moment.first }
    var start: String? { moment.count > 1 ? moment[1] : nil }
    private var moment: [String] { scope.session?.split(separator: " ", maxSplits: 1).map(String.init) ?? [] }
  }

  static let columns = table.map(\.name)

  private static let table: [ExportColumn<Row>] = [
    .init("kind") { .text($0.kind) },
    .init("date") { .optional($0.date) },
    .init("start") { .optional($0.start) },
    .init("circuit") { .optional($0.scope.circuit) },
    .init("station") { .optional($0.scope.station) },
    .init("student_number") { .optional($0.scope.candidate) },
    .init("sheet") { .optional($0.scope.sheet) },
    .init("item") { .optional($0.scope.item) },
    .init("choice") { .optional($0.choice) },
    .init("score") { .real($0.score) },
    .init("grade") { .real($0.grade) },
    .init("reason") { .text($0.reason) },
    .init("staff") { .optional($0.staff) },
    .init("second_staff") { .optional($0.secondStaff) },
    .init("time") { .instant($0.time) },
    .init("key") { .optional($0.key) },
  ]

  static func forEachRow(in db: Database, _ body: ([ExportCell]) throws -> Void) throws {
    var cells: [ExportCell] = []
    let rulings = try RulingNote.all(try ExamRuling.all(in: db), in: db).map(row)
    let settlements = try SettlementNote.all(in: db).map(row)
    for row in try ofFile(in: db) + rulings + settlements + Reopening.all(in: db).map(row) {
      table.fill(&cells, with: row)
      try body(cells)
    }
  }

  /// The choices and exclusions of the exam's file.
  private static func ofFile(in db: Database) throws -> [Row] {
    guard var choices = try ExamSettings.results(db) else { return [] }
    let exclusions = (choices.exclude ?? []).map(Policy.Exclusion.init)
    choices.exclude = nil
    let text = PolicyText.json(choices)
    var rows: [Row] = []
    if text != "{}" {
      rows.append(Row(kind: ExamRuling.Kind.policy.rawValue, scope: .init(), choice: text, reason: "exam.yaml"))
    }
    for exclusion in exclusions {
      let kind: ExamRuling.Kind = exclusion.isExcuse ? .excuse : .exclusion
      let scope = ExamRuling.Scope(
        circuit: exclusion.circuit, session: exclusion.session, station: exclusion.station,
        candidate: exclusion.candidate, item: exclusion.item)
      rows.append(Row(kind: kind.rawValue, scope: scope, reason: exclusion.reason))
    }
    return rows
  }

  private static func row(_ note: RulingNote) -> Row {
    let ruling = note.ruling
    return Row(
      kind: ruling.kind.rawValue, scope: scope(of: note),
      choice: ruling.kind == .policy ? ruling.policy ?? ruling.choice : ruling.choice, score: ruling.score,
      grade: ruling.grade, reason: ruling.reason, staff: ruling.staff, secondStaff: ruling.secondStaff,
      time: ruling.time, key: ruling.key)
  }

  private static func row(_ note: SettlementNote) -> Row {
    let settlement = note.settlement
    return Row(
      kind: "settlement", scope: note.scope, choice: note.value, reason: settlement.reason, staff: note.staff,
      time: settlement.time, key: settlement.isStanding ? settlement.key : nil)
  }

  private static func row(_ reopening: Reopening) -> Row {
    let opened = reopening.opened
    return Row(
      kind: ExamRuling.Kind.reopening.rawValue,
      scope: .init(circuit: reopening.scope.circuit, session: reopening.scope.session), choice: reopening.hashes.last,
      reason: opened.reason, staff: opened.staff.first, secondStaff: opened.staff.dropFirst().first, time: opened.at)
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
}
