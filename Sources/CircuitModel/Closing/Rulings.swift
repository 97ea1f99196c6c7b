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
    case .adjudication(.mean): changes.append(.choice("mean"))
    case .adjudication(.typed(let score, let grade)):
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
    guard let item = scope.item else { return }
    let keys = try QuestionKeys.all(in: db)
    let named = Set(keys.filter { $0.value == item }.keys)
    if named.isEmpty { throw RulingRefusal.notInExam(.item, item) }
    if let station = scope.station, try named.isDisjoint(with: questions(of: station, in: db)) {
      throw RulingRefusal.notAtStation(item: item, station: station)
    }
  }

  /// The questions on a station's sheets, in whichever circuit.
  private static func questions(of station: String, in db: Database) throws -> Set<Int> {
    try Set(
      Int.fetchAll(
        db,
        sql: """
          SELECT q.questionID FROM activityType a JOIN availableForm f ON f.activityTypeID = a.dsid
          JOIN sectionToForm s ON s.formID = f.typeFormID JOIN questionToSection q ON q.sectionID = s.sectionID
          WHERE coalesce(nullif(a.code, ''), a."order") = ? AND a.dsDeleted = 0 AND f.dsDeleted = 0
          """, arguments: [station]))
  }

  /// What stands has to be there: two markers, a marker at that seat, figures that their sheets can have.
  private static func check(_ choice: ExamRuling.Choice, at scope: ExamRuling.Scope, in db: Database) throws {
    guard let station = scope.station, let candidate = scope.candidate else { throw RulingRefusal.ofNothing }
    let comes = try Set(
      Int.fetchAll(
        db,
        sql: """
          SELECT e.timetableID FROM timetableAttendanceLog e JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE u.studentNumber = ? AND e.dsDeleted = 0 AND e.practice = 0
          """, arguments: [candidate]))
    let places = try StationSession.all(in: db).filter { $0.stationCode == station && comes.contains($0.timetable) }
    let seats = Set(places.flatMap { StationSession.seats(of: $0) }.map(\.name))
    if seats.count < 2 { throw RulingRefusal.oneMarker(station: station, candidate: candidate) }
    switch choice {
    case .seat(let seat): if !seats.contains(seat) { throw RulingRefusal.noSeat(seat, among: seats.sorted()) }
    case .mean: break
    case .typed(let score, let grade):
      guard (-1000...100).contains(score), grade.map({ (-1000...1000).contains($0) }) ?? true else {
        throw RulingRefusal.noSuchFigure
      }
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
  /// An item, a circuit or a session is left out at a station, and none is named.
  case needsStation
  /// The item is on no sheet of the station.
  case notAtStation(item: String, station: String)
  /// Nobody marks this candidate beside the lead there: nothing is to be adjudicated.
  case oneMarker(station: String, candidate: String)
  /// Nobody marks at this seat there.
  case noSeat(String, among: [String])
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
