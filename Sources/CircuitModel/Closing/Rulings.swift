import ExamStore
import GRDB
import Journal
import Timer

import struct Foundation.CharacterSet

/// Makes and withdraws rulings. A ruling wants the word of an exam lead; who else ruled is named.
public enum Rulings {
  /// The fewest characters of a waiver's reason: "ok" explains nothing a year later.
  public static let shortestWaiver = 10

  /// What is to be ruled.
  public enum Decision: Equatable, Sendable {
    /// What the scope names does not count.
    case exclusion
    /// Whom the scope names is excused there.
    case excuse
    /// Which score stands.
    case adjudication(ExamRuling.Choice)
    /// An open line, by the name of its check and its key, is accepted.
    case waiver(check: String, line: String)
    /// The choices as JSON, and their names.
    case policy(json: String, names: String)
    /// The row with this key was read: a concern, an identity note, or a sheet that was compared with its paper.
    case answer(row: String)

    fileprivate var kind: ExamRuling.Kind {
      switch self {
      case .exclusion: .exclusion
      case .excuse: .excuse
      case .adjudication: .adjudication
      case .waiver: .waiver
      case .policy: .policy
      case .answer: .answer
      }
    }
  }

  /// Makes a ruling. Of two about the same thing the later one stands.
  /// - Parameter second: who rules with the lead.
  /// - Throws: `RulingRefusal` where the reason says too little or a typed figure cannot be.
  /// - Returns: the ruling's key.
  @discardableResult public static func make(
    _ decision: Decision, on scope: ExamRuling.Scope = .init(), reason: String, by lead: ExamLead,
    with second: StaffMember? = nil, _ transaction: JournalTransaction
  ) throws -> String {
    let reason = try checked(reason, shortest: decision.kind == .waiver ? shortestWaiver : 1)
    try check(scope, in: transaction.db)
    if decision == .exclusion, scope == .init() { throw RulingRefusal.ofNothing }
    if decision == .excuse, scope.station == nil || scope.item != nil { throw RulingRefusal.ofNothing }
    var changes: [FieldChange<Stored.ExamRuling>] = [
      .kind(decision.kind.rawValue), .time(transaction.clock.now), .reason(reason), .staff(lead.member.id),
    ]
    if let second { changes.append(.secondStaff(second.id)) }
    if let circuit = scope.circuit { changes.append(.circuit(circuit)) }
    if let session = scope.session { changes.append(.session(session)) }
    if let station = scope.station { changes.append(.station(station)) }
    if let candidate = scope.candidate { changes.append(.candidate(candidate)) }
    if let item = scope.item { changes.append(.item(item)) }
    if let sheet = scope.sheet { changes.append(.sheet(sheet)) }
    switch decision {
    case .exclusion, .excuse: break
    case .adjudication(.seat(let seat)): changes.append(.choice(seat))
    case .adjudication(.mean): changes.append(.choice("mean"))
    case .adjudication(.typed(let score, let grade)):
      guard (-1000...1000).contains(score), grade.map({ (-1000...1000).contains($0) }) ?? true else {
        throw RulingRefusal.noSuchFigure
      }
      changes += [.choice("typed"), .score(MarkValue(rounding: score))]
      if let grade { changes.append(.grade(MarkValue(rounding: grade))) }
    case .waiver(let check, let line): changes += [.choice(check), .subject(line)]
    case .policy(let json, let names): changes += [.choice(names), .policy(json)]
    case .answer(let row):
      if let paper = try PaperSheet.find(row, in: transaction.db), paper.typists.contains(lead.member.username) {
        throw RulingRefusal.ownTyping
      }
      changes.append(.subject(row))
    }
    let key = UUIDBytes.random().description
    try transaction.create(Stored.ExamRuling.self, key, changes)
    return key
  }

  /// Accepts an open line. A sheet that nobody signed is signed by the lead as it stands, on behalf of its assessor; a
  /// waiver never writes a mark.
  /// - Parameters:
  ///   - check: the check's name.
  ///   - line: the line's key.
  ///   - sheet: the sheet that is to be signed; nil where the line is about something else.
  ///   - assessor: on whose behalf, by username.
  @discardableResult public static func waive(
    check: String, line: String, on scope: ExamRuling.Scope, signing sheet: String?, for assessor: String?,
    reason: String, by lead: ExamLead, _ transaction: JournalTransaction
  ) throws -> String {
    let key = try make(.waiver(check: check, line: line), on: scope, reason: reason, by: lead, transaction)
    if let sheet, let held = try Sheet.read(sheet, in: transaction.db), !held.isComplete {
      let behalf = assessor.map { " on behalf of \($0)" } ?? ""
      transaction.author.reason = "accepted as it stands\(behalf): \(reason)"
      try Signing.sign(held, in: transaction)
    }
    return key
  }

  /// Takes a ruling back; the journal keeps it.
  /// - Throws: `RulingRefusal` without a reason, or where there is no such ruling.
  public static func withdraw(
    _ key: String, reason: String, by lead: ExamLead, _ transaction: JournalTransaction
  ) throws {
    guard try ExamRuling.all(in: transaction.db).contains(where: { $0.key == key }) else {
      throw RulingRefusal.unknown(key)
    }
    transaction.author.reason = try checked(reason, shortest: 1)
    try transaction.delete(Stored.ExamRuling.self, key)
  }

  /// - Throws: `RulingRefusal` for a name that the exam does not have.
  static func check(_ scope: ExamRuling.Scope, in db: Database) throws {
    func find(_ what: RulingRefusal.Named, _ name: String?, _ sql: String) throws {
      guard let name else { return }
      let parts = what == .session ? name.split(separator: " ", maxSplits: 1).map(String.init) : [name]
      let count = what == .session ? 2 : 1
      guard parts.count == count,
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(sql))", arguments: StatementArguments(parts)) == true
      else { throw RulingRefusal.notInExam(what, name) }
    }
    try find(.circuit, scope.circuit, "clinicGroup WHERE name = ? AND dsDeleted = 0")
    try find(.session, scope.session, "timetable WHERE date = ? AND startTime = ? AND dsDeleted = 0")
    try find(
      .station, scope.station, "activityType WHERE coalesce(nullif(code, ''), \"order\") = ? AND dsDeleted = 0")
    try find(.candidate, scope.candidate, "user WHERE studentNumber = ? AND entity = 'Student' AND dsDeleted = 0")
    try find(.sheet, scope.sheet, "dataForm WHERE uuid = ?")
    if let item = scope.item, try !QuestionKeys.all(in: db).values.contains(item) {
      throw RulingRefusal.notInExam(.item, item)
    }
  }

  /// A reason without white space round it.
  static func checked(_ reason: String, shortest: Int) throws -> String {
    let text = reason.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.count >= shortest else { throw RulingRefusal.reasonTooShort(fewest: shortest) }
    return text
  }
}

/// Why a ruling or a lock is not made.
public enum RulingRefusal: RuleRefusal {
  /// What a ruling can name.
  public enum Named: String, Sendable { case circuit, session, station, candidate, item, sheet }

  /// The reason has fewer characters than that.
  case reasonTooShort(fewest: Int)
  /// The item has no level of this value.
  case noLevel(MarkValue, of: String)
  /// A typed score or grade is no number that a sheet can have.
  case noSuchFigure
  /// There is no such ruling.
  case unknown(String)
  /// The exam does not have what is named.
  case notInExam(Named, String)
  /// It names nothing that could be left out, or nobody who could be excused.
  case ofNothing
  /// A lock, an amendment and a reopening want two different people, each with a passcode.
  case needsTwo
  /// This person has no passcode, so nothing proves who they are.
  case withoutPasscode(String)
  /// This person is neither exam lead nor of the exam office.
  case mayNot(String)
  /// It is locked already.
  case locked(by: [String], at: Instant?)
  /// It is not locked.
  case notLocked
  /// Who typed from paper does not compare it with the paper as well.
  case ownTyping
  /// The exam changed while it was looked at.
  case changedMeanwhile
  /// So many checks are open.
  case open(Int)
  /// The hub gives this device less than the whole exam.
  case partOfExam
}

extension MarkValue {
  /// The mark next to a number within what a mark can be.
  fileprivate init(rounding number: Double) {
    self.init(scaled: Int64((number * Double(Scaled.unit)).rounded()))
  }
}
