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
      .station, scope.station, "activityType a WHERE \(StationSession.codeSQL) = ? AND dsDeleted = 0")
    try find(
      .candidate, scope.candidate,
      "user u WHERE \(CandidateLabel.column) = ? AND u.entity = 'Student' AND u.dsDeleted = 0")
    try find(.sheet, scope.sheet, "dataForm WHERE uuid = ?")
    guard let item = scope.item else { return }
    let named = try QuestionKeys.all(in: db).questions(with: item)
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
          WHERE \(StationSession.codeSQL) = ? AND a.dsDeleted = 0 AND f.dsDeleted = 0
          """, arguments: [station]))
  }

  /// The station sessions of a station to which a candidate comes.
  static func places(of candidate: String, at station: String, in db: Database) throws -> [StationSession] {
    let comes = try Set(
      Int.fetchAll(
        db,
        sql: """
          SELECT e.timetableID FROM timetableAttendanceLog e JOIN user u ON u.dsid = \(SlotChanges.candidate)
          WHERE \(CandidateLabel.column) = ? AND e.dsDeleted = 0 AND e.practice = 0
          """, arguments: [candidate]))
    return try StationSession.all(in: db).filter { $0.stationCode == station && comes.contains($0.timetable) }
  }

  /// The seat that a person names, as it is stored: by its name, as in `lead` or `seat 2`, or by who marks there.
  /// - Throws: `RulingRefusal` where nobody marks at such a seat.
  public static func seat(_ text: String, of candidate: String, at station: String, in db: Database) throws -> Seat {
    let places = try places(of: candidate, at: station, in: db)
    let staff = try Int.fetchAll(
      db, sql: "SELECT dsid FROM user WHERE username = ? AND entity = 'Staff'", arguments: [text])
    for place in places {
      for seat in StationSession.seats(of: place) where [seat.name, place.name(of: seat)].contains(text) { return seat }
      if let found = place.assessors.first(where: { staff.contains($0.staff) }) { return found.seat }
    }
    throw noSeat(text, places)
  }

  private static func noSeat(_ seat: String, _ places: [StationSession]) -> RulingRefusal {
    let names = places.flatMap { place in
      StationSession.seats(of: place).map { seat in
        let who = place.assessors.first { $0.seat == seat }?.name
        return place.name(of: seat) + (who.map { " (\($0))" } ?? "")
      }
    }
    return .noSeat(seat, among: Set(names).sorted())
  }

  /// What stands has to be there: two assessors, an assessor at that seat, figures that their sheets can have.
  /// - Throws: `RulingRefusal` where it is not.
  public static func check(_ choice: ExamRuling.Choice, at scope: ExamRuling.Scope, in db: Database) throws {
    guard let station = scope.station, let candidate = scope.candidate else { throw RulingRefusal.ofNothing }
    let places = try places(of: candidate, at: station, in: db)
    let seats = Set(places.flatMap { StationSession.seats(of: $0) }.map(\.name))
    if seats.count < 2 { throw RulingRefusal.oneAssessor(station: station, candidate: candidate) }
    switch choice {
    case .seat(let seat): if !seats.contains(seat) { throw noSeat(seat, places) }
    case .mean: break
    case .typed(let score, let grade):
      if !(-1000...100).contains(score) { throw RulingRefusal.noSuchScore }
      let scale = try grades(at: places, in: db)
      guard let grade else {
        if let scale { throw RulingRefusal.needsGrade(scale: scale) }
        return
      }
      if !(scale?.contains(grade) ?? false) { throw RulingRefusal.noSuchGrade(scale: scale) }
    }
  }

  /// From the lowest to the highest grade of the global ratings on the sheets of station sessions; nil: they have none.
  public static func grades(at places: [StationSession], in db: Database) throws -> ClosedRange<Double>? {
    let forms = try Set(places.map(\.station)).flatMap { try StationForms.read(station: $0, in: db).ids }
    let values = try Set(forms).flatMap { form -> [Double] in
      guard let template = try TemplateReader.read(form: form, in: db),
        let rating = template.items.first(where: { $0.link == template.globalRating })
      else { return [] }
      return rating.levels.map { Double($0.value.scaled) / Double(Scaled.unit) }
    }
    return values.min().flatMap { least in values.max().map { least...$0 } }
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
