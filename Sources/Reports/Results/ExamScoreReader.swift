import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

extension Policy {
  /// Whether anything is due of a candidate at a station session.
  func isDue(at place: StationSession, candidate: String) -> Bool {
    isDue(
      station: place.stationCode, circuit: place.circuit.name, session: place.session.name, candidate: candidate)
  }
}

/// A sheet of the plan with what it came to: a row of the table of sheets.
public struct SheetRecord: Sendable {
  let candidate: String
  let station: String
  let form: String
  let seat: String
  let assessor: String?
  let sheet: String?
  let signedAt: Instant?
  let score: SheetScore?
  let grade: Double?
  let isEligible: Bool
  let reason: Reason?
}

/// What a store holds, as the scores from which results follow.
public struct StoredScores: Sendable {
  /// Stations, candidates and what each marker gave.
  public let exam: ExamScores
  /// Every sheet of the plan.
  public let sheets: [SheetRecord]
  /// Whether some expected sheet does not count yet.
  public let isProvisional: Bool

  /// Reads the whole exam.
  public static func read(_ policy: Policy, in db: Database) throws -> StoredScores {
    var reader = try ExamScoreReader(policy, db)
    return try reader.read()
  }
}

/// Reads plan and sheets into scores.
private struct ExamScoreReader {
  private let db: Database
  private let policy: Policy
  private var sheets: ScoredSheets
  private let usernames: Usernames
  private let rulings: RulingsInForce
  private var held: [String: [HeldScores]] = [:]
  private var records: [SheetRecord] = []
  private var isProvisional = false
  private var sittings = 0

  /// A station as all its circuits have it.
  private struct Station {
    var plan: StationPlan
    var isPilot: Bool?
    var versions: [Int: Set<ObjectIdentifier>] = [:]
    /// The sheets that were used where each marker fills one of several.
    var chosenForms: Set<Int> = []
    var scales: Set<[Int64]> = []
  }

  private struct Candidacy {
    var circuit: String
    var session: String
    var places: [String: [Sitting]] = [:]
    var order: [String] = []
  }

  /// What a candidate has at one roster entry.
  private struct Sitting {
    /// How many were read before it.
    let number: Int
    var place: PlaceScore
    let signed: Instant?
    /// The sheets that count, of each seat.
    let used: [[HeldScores]]
    let scene: HeldScores.Where
    /// Whether each marker fills one of several sheets.
    let isOne: Bool

    var isEligible: Bool { used.contains { !$0.isEmpty } }
  }

  init(_ policy: Policy, _ db: Database) throws {
    (self.policy, self.db) = (policy, db)
    sheets = try ScoredSheets(db)
    usernames = try Usernames(db)
    rulings = try RulingsInForce.read(in: db)
    held = Dictionary(grouping: sheets.sheets, by: \.entry)
  }

  mutating func read() throws -> StoredScores {
    let places = try StationSession.all(in: db).filter { !$0.isRest }
    let cancelled = try StationSession.cancelled(in: db).filter { !$0.isRest }
    let held = Set(places.map(\.stationCode))
    var stations: [String: Station] = [:]
    var order: [String] = []
    // The first circuit's ring comes first, what is withdrawn in its place, then what others have beside it.
    let first = (places.isEmpty ? cancelled : places).map(\.circuit.id).min()
    let ring = try StationSession.planned(in: db).filter { $0.circuit.id == first && !$0.isRest }
    for place in ring + places + cancelled where stations[place.stationCode] == nil {
      var station = Station(plan: StationPlan(code: place.stationCode, name: place.stationName))
      try describe(place, &station)
      station.plan.isWithdrawn = !held.contains(place.stationCode)
      stations[place.stationCode] = station
      order.append(place.stationCode)
    }
    var people: [String: Candidacy] = [:]
    for (places, isCancelled) in [(places, false), (cancelled, true)] {
      for place in places {
        try read(place, isCancelled: isCancelled, &stations[place.stationCode]!, &people)
      }
    }
    var taken: [Sitting] = []
    let candidates = people.map { number, person in
      let sittings = person.order.map { ExamScoreReader.one(of: person.places[$0]!) }
      taken += sittings
      return CandidateScores(
        number: number, circuit: person.circuit, session: person.session, places: sittings.map(\.place))
    }
    // In the order in which they were read: sums of doubles depend on it.
    for sitting in taken.sorted(by: { $0.number < $1.number }) where sitting.place.reason == nil {
      compare(sitting, &stations[sitting.place.station]!)
    }
    let plans = order.map { code in ExamScoreReader.plan(stations[code]!) }
    return StoredScores(
      exam: ExamScores(stations: plans, candidates: candidates), sheets: records, isProvisional: isProvisional)
  }

  /// What a station's sheets say of it.
  private mutating func describe(_ place: StationSession, _ station: inout Station) throws {
    station.plan.margin = try DoubleMarking.margin(at: place, in: db)
    let templates = try StationForms.read(station: place.station, in: db).ids.compactMap {
      try sheets.template(form: $0, in: db)
    }
    let counted = ExamScoreReader.counted(templates)
    station.isPilot = !templates.isEmpty && templates.allSatisfy(\.template.isPilot)
    station.plan.isPilot = station.isPilot ?? false
    station.plan.weight = counted.lazy.compactMap(\.properties.weight).first
    station.plan.borderline = counted.lazy.compactMap(\.properties.borderlineGrade).first
  }

  /// The templates that count: the pilots among them only where all are.
  private static func counted(_ templates: [ScoredTemplate]) -> [ScoredTemplate] {
    let others = templates.filter { !$0.template.isPilot }
    return others.isEmpty ? templates : others
  }

  private mutating func read(
    _ place: StationSession, isCancelled: Bool, _ station: inout Station, _ people: inout [String: Candidacy]
  ) throws {
    let forms = try StationForms.read(station: place.station, in: db)
    let templates = try forms.ids.compactMap { id in try sheets.template(form: id, in: db).map { (id, $0) } }
    let counting = Set(ExamScoreReader.counted(templates.map(\.1)).map(\.template.form))
    let wanted = templates.filter { counting.contains($0.1.template.form) }
    let session = place.session.name
    let seats = StationSession.seats(of: place)
    for entry in try RosterPlan.entries(timetable: place.timetable, in: db) {
      let scene = HeldScores.Where(
        station: place.stationCode, circuit: place.circuit.name, session: session, candidate: entry.number)
      let atEntry = held[entry.key] ?? []
      var scores: [SeatScore] = []
      var findings: [(seat: String, found: [String: CriticalFinding])] = []
      var used: [[HeldScores]] = []
      var signed: Instant?
      var isAwaited = false
      for seat in seats {
        let atSeat = atEntry.filter { $0.seat == seat }
        let planned = place.assessors.first { $0.seat == seat }.flatMap { usernames[$0.staff] }
        let chosen: [(Int, ScoredTemplate, HeldScores?)] =
          forms.isOne
          ? [ExamScoreReader.used(wanted, atSeat)].compactMap { $0 }
          : wanted.map { form in (form.0, form.1, atSeat.first { $0.form == form.0 }) }
        var results: [(form: String, result: Result<(SheetScore, SeatScore.Grade), SeatScore.MissingSheet>)] = []
        var eligible: [HeldScores] = []
        for (form, template, sheet) in chosen {
          let code = template.template.code ?? template.template.name
          let reason = whyNot(sheet)
          let score = sheet.map { $0.score(policy, at: scene) }
          let grade = sheet?.grade ?? .none(.gradeBlank)
          if let sheet, reason == nil, let score {
            results.append((code, .success((score, grade))))
            eligible.append(sheet)
            if sheet.signedAt == nil { isAwaited = true }
            if forms.isOne { station.chosenForms.insert(form) }
            station.versions[form, default: []].insert(ObjectIdentifier(sheet.template))
            signed = max(signed ?? .init(milliseconds: .min), sheet.signedAt ?? .init(milliseconds: .min))
          } else {
            results.append((code, .failure(.init(reason ?? .noSheet))))
            if sheet.map({ !rulings.excludedSheets.contains($0.key) }) ?? true { isAwaited = true }
          }
          records.append(
            SheetRecord(
              candidate: entry.number, station: place.stationCode, form: code, seat: seat.name,
              assessor: sheet?.judge.flatMap { usernames[$0] } ?? planned, sheet: sheet?.key,
              signedAt: sheet?.signedAt, score: score, grade: grade.value, isEligible: reason == nil,
              reason: reason ?? score?.reason))
        }
        let judge = eligible.lazy.compactMap(\.judge).first.flatMap { usernames[$0] }
        scores.append(
          SeatScore(
            seat: seat.name, assessor: judge ?? planned, isSigned: eligible.allSatisfy { $0.signedAt != nil },
            sheets: results))
        if !eligible.isEmpty {
          findings.append(
            (
              seat.name,
              eligible.reduce(into: [:]) {
                $0.merge($1.criticalFindings(policy, at: scene)) { one, _ in one }
              }
            ))
        }
        used.append(eligible)
      }
      let reason: Reason? = isCancelled ? .excused : entry.isPresent == false ? .absent : nil
      var score = PlaceScore(
        station: place.stationCode, circuit: place.circuit.name, session: session, seats: scores, reason: reason)
      score.ruling = rulings.adjudication(
        station: place.stationCode, circuit: place.circuit.name, session: session, candidate: entry.number)
      score.critical = critical(findings, ruled: score.ruling).map {
        rulings.judged($0, station: place.stationCode, candidate: entry.number)
      }
      if reason == nil && isAwaited && policy.isDue(at: place, candidate: entry.number) { isProvisional = true }
      var person = people[entry.number] ?? Candidacy(circuit: place.circuit.name, session: session)
      if person.places[place.stationCode] == nil { person.order.append(place.stationCode) }
      person.places[place.stationCode, default: []].append(
        Sitting(number: sittings, place: score, signed: signed, used: used, scene: scene, isOne: forms.isOne))
      people[entry.number] = person
      sittings += 1
    }
  }

  /// What the markers' findings come to: those of the seat that the lead has named alone.
  private func critical(
    _ findings: [(seat: String, found: [String: CriticalFinding])], ruled: PlaceScore.Ruled?
  ) -> [CriticalFinding] {
    if case .seat(let seat) = ruled, let named = findings.first(where: { $0.seat == seat }) {
      return CriticalFinding.joined([named.found], by: .first)
    }
    return CriticalFinding.joined(findings.map(\.found), by: policy.doubleMarks)
  }

  /// Why a sheet does not count; nil where it does.
  private func whyNot(_ sheet: HeldScores?) -> Reason? {
    guard let sheet, !rulings.excludedSheets.contains(sheet.key) else { return .noSheet }
    if sheet.signedAt != nil { return nil }
    if policy.sheets == .held && sheet.items.contains(where: \.isAnswered) { return nil }
    return sheet.items.contains(where: \.isAnswered) ? .unsigned : .noSheet
  }

  /// The sheet that is in use where one of several is filled, and its form; the first form where there is none.
  private static func used(
    _ forms: [(Int, ScoredTemplate)], _ sheets: [HeldScores]
  ) -> (Int, ScoredTemplate, HeldScores?)? {
    let used = SheetInUse.chosen(of: sheets.filter { sheet in forms.contains { $0.0 == sheet.form } }, \.claim)
    let form = used.flatMap { used in forms.first { $0.0 == used.form } } ?? forms.first
    return form.map { ($0.0, $0.1, used) }
  }

  /// What the lead's seat and each other gave for the same items.
  private func compare(_ sitting: Sitting, _ station: inout Station) {
    let scene = sitting.scene
    guard
      policy.isDue(
        station: scene.station, circuit: scene.circuit, session: scene.session, candidate: scene.candidate),
      let lead = sitting.used.first, !lead.isEmpty
    else { return }
    func isSigned(_ sheet: HeldScores) -> Bool { sheet.signedAt != nil }
    for other in sitting.used.dropFirst() where lead.contains(where: isSigned) && other.contains(where: isSigned) {
      var material = station.plan.items ?? .init()
      for sheet in lead where sheet.signedAt != nil {
        guard
          let twin = other.first(where: { $0.form == sheet.form && $0.signedAt != nil })
            ?? (sitting.isOne ? other.first(where: { $0.signedAt != nil }) : nil)
        else { continue }
        station.scales.formUnion(material.add(sheet, twin) { scene.isLeftOut($0, by: policy) })
      }
      material.hasMixedScales = station.scales.count > 1
      station.plan.items = material
    }
  }

  /// Of two entries at one station the one with a sheet that counts, and of two such the one signed later; of two without
  /// one that at which a sheet is still due, before an absence, before a station that was cancelled.
  private static func one(of sittings: [Sitting]) -> Sitting {
    let standing = sittings.filter { $0.place.reason == nil }
    let eligible = standing.filter(\.isEligible)
    guard eligible.count < 2 else {
      var last = eligible.max { ($0.signed ?? .init(milliseconds: 0)) < ($1.signed ?? .init(milliseconds: 0)) }!
      last.place.notes.append(.secondAttempt)
      return last
    }
    return eligible.first ?? standing.first ?? sittings.first { $0.place.reason != .excused } ?? sittings[0]
  }

  private static func plan(_ station: Station) -> StationPlan {
    var plan = station.plan
    if station.versions.values.contains(where: { $0.count > 1 }) { plan.notes.append(.severalVersions) }
    if station.chosenForms.count > 1 { plan.notes.append(.severalForms) }
    return plan
  }
}
