import ExamStore
import GRDB
import Journal
import Timer

import struct Foundation.CharacterSet

/// Makes and withdraws rulings. A ruling wants the word of an exam lead; who else ruled is named.
public enum Rulings {
  /// The fewest characters of a reason on which much hangs (a waiver, a lock, what is held back): "ok" explains nothing a
  /// year later.
  public static let shortestReason = 10

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
    let reason = try checked(reason, shortest: decision.kind == .waiver ? shortestReason : 1)
    try check(scope, in: transaction.db)
    switch decision {
    case .exclusion:
      if scope.station == nil && (scope.item != nil || scope.circuit != nil || scope.session != nil) {
        throw RulingRefusal.needsStation
      }
      if scope.station == nil && scope.candidate == nil && scope.sheet == nil { throw RulingRefusal.ofNothing }
    case .excuse: if scope.station == nil || scope.item != nil { throw RulingRefusal.ofNothing }
    case .adjudication(let choice): try check(choice, at: scope, in: transaction.db)
    case .waiver, .policy, .answer: break
    }
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
    case .adjudication(.mean): changes.append(.choice(ExamRuling.ChoiceWord.mean.rawValue))
    case .adjudication(.typed(let score, let grade)):
      changes += [.choice(ExamRuling.ChoiceWord.typed.rawValue), .score(MarkValue(rounding: score))]
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

  /// Records what two people changed on what is locked.
  /// - Parameters:
  ///   - subject: what was changed.
  ///   - choice: what it was changed to.
  static func recordAmendment(
    of subject: [FieldChange<Stored.ExamRuling>], to choice: String, reason: String, by people: TwoPeople,
    _ transaction: JournalTransaction
  ) throws {
    try transaction.create(
      Stored.ExamRuling.self, UUIDBytes.random().description,
      subject + [
        .kind(ExamRuling.Kind.amendment.rawValue), .time(transaction.clock.now), .choice(choice), .reason(reason),
        .staff(people.first.member.id), .secondStaff(people.second.id),
      ])
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
    var scope = scope
    if let sheet { scope.sheet = sheet }
    let key = try make(.waiver(check: check, line: line), on: scope, reason: reason, by: lead, transaction)
    if let sheet, let held = try Sheet.read(sheet, in: transaction.db), !held.isSigned {
      let behalf = assessor.map { " on behalf of \($0)" } ?? ""
      transaction.author.reason = "accepted as it stands\(behalf): \(reason)"
      try Signing.sign(held, in: transaction)
    }
    return key
  }

  /// Withdraws a ruling; the journal keeps it. A sheet that it signed on behalf of its assessor, and that nobody has
  /// opened since, is open again: the signature was the ruling's.
  /// What it settled contradicts itself again.
  /// - Throws: `RulingRefusal` without a reason, where there is no such ruling, where it is one of two people, or where a
  ///   settled value was set again since.
  public static func withdraw(
    _ key: String, reason: String, by lead: ExamLead, _ transaction: JournalTransaction
  ) throws {
    guard let ruling = try ExamRuling.all(in: transaction.db).first(where: { $0.key == key }) else {
      guard let settled = try Settlement.all(in: transaction.db).first(where: { $0.key == key }) else {
        throw RulingRefusal.unknown(key)
      }
      return try settled.withdraw(reason: reason, by: lead, transaction)
    }
    if ruling.kind == .amendment { throw RulingRefusal.ofTwo }
    let signed = try signature(of: ruling, in: transaction.db)
    transaction.author.reason = try checked(reason, shortest: 1)
    try transaction.delete(Stored.ExamRuling.self, key)
    if let signed { try Signing.reopen(signed, in: transaction) }
  }

  /// The sheet that a waiver signed, as long as its signature is the standing one.
  private static func signature(of ruling: ExamRuling, in db: Database) throws -> Sheet? {
    guard ruling.kind == .waiver, let key = ruling.scope.sheet,
      let made = try OperationTable.history(of: Stored.ExamRuling.row(ruling.key), in: db).first,
      let signed = try OperationTable.history(of: Stored.DataForm.row(key), in: db).last(where: {
        $0.kind == .sign || $0.kind == .reopen
      }), signed.tx == made.tx
    else { return nil }
    return try Sheet.read(key, in: db)
  }

  /// A reason without white space round it.
  static func checked(_ reason: String, shortest: Int) throws -> String {
    let text = reason.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.count >= shortest else { throw RulingRefusal.reasonTooShort(fewest: shortest) }
    return text
  }
}

extension MarkValue {
  /// The mark next to a number within what a mark can be.
  fileprivate init(rounding number: Double) {
    self.init(scaled: Int64((number * Double(Scaled.unit)).rounded()))
  }
}
