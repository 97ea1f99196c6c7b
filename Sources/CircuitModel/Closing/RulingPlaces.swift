import ExamStore
import GRDB
import Journal

/// Where a ruling is to hold, as people name it, and what can stand there.
extension Rulings {
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
}
