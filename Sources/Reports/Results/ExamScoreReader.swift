import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

extension Policy.Place {
  /// A candidate at a station session.
  init(_ place: StationSession, candidate: String) {
    self.init(
      station: place.stationCode, circuit: place.circuit.name, session: place.session.name, candidate: candidate)
  }
}

extension Policy {
  /// Whether anything is due of a candidate at a station session.
  func isDue(at place: StationSession, candidate: String) -> Bool {
    isDue(at: Place(place, candidate: candidate))
  }

  /// Whether anything is due of a roster entry's candidate; where there is no candidate by now, it is.
  func isDue(_ entry: RosterEntry, at place: StationSession) -> Bool {
    entry.candidate.map { isDue(at: place, candidate: $0.label) } ?? true
  }
}

/// Reads plan and sheets into scores.
struct ExamScoreReader {
  private let db: Database
  private let policy: Policy
  private var sheets: ScoredSheets
  private let usernames: Usernames
  private let rulings: RulingsInForce
  private var held: [String: [HeldScores]] = [:]
  private var people: [String: Candidacy] = [:]
  private var records: [SheetRecord] = []
  private var isProvisional = false
  private var sittings = 0

  /// A station as all its circuits have it.
  private struct Station {
    var plan: StationPlan
    var isPilot: Bool?
    var versions: [Int: Set<ObjectIdentifier>] = [:]
    /// The sheets that were used where each assessor fills one of several.
    var chosenForms: Set<Int> = []
    var scales: Set<[Int64]> = []

    /// Notes the sheets that count for a candidate.
    mutating func note(_ sitting: Sitting) {
      for sheet in sitting.used.joined() {
        if sitting.isOne { chosenForms.insert(sheet.form) }
        versions[sheet.form, default: []].insert(ObjectIdentifier(sheet.template))
      }
    }
  }

  /// What a station session asks of each of its entries.
  private struct Asked {
    let place: StationSession
    let seats: [Seat]
    /// The forms that count.
    let forms: StationForms
    let titles: [Int: String]
  }

  private struct Candidacy {
    var circuit: String
    var session: String
    var places: [String: [Sitting]] = [:]
    var order: [String] = []

    /// In the order in which stations were read first.
    var sittings: [Sitting] { order.flatMap { places[$0] ?? [] } }

    mutating func add(_ sitting: Sitting) {
      let station = sitting.place.station
      if places[station] == nil { order.append(station) }
      places[station, default: []].append(sitting)
    }
  }

  /// What a sheet of the plan comes to.
  private struct SheetReading {
    let form: String
    let sheet: HeldScores?
    let score: SheetScore?
    let grade: SeatScore.Grade
    /// Why it does not count; nil where it does.
    let reason: Reason?

    /// The sheet where it counts.
    var eligible: HeldScores? { reason == nil ? sheet : nil }
    var result: Result<(SheetScore, SeatScore.Grade), SeatScore.MissingSheet> {
      guard reason == nil, let score else { return .failure(.init(reason ?? .noSheet)) }
      return .success((score, grade))
    }
  }

  /// What a seat has at one roster entry.
  private struct SeatReading {
    let score: SeatScore
    /// The sheets that count.
    let used: [HeldScores]
    /// Nil where no sheet counts.
    let findings: [String: CriticalFinding]?
    let isAwaited: Bool
  }

  /// What a candidate has at one roster entry.
  private struct Sitting {
    /// How many were read before it.
    let number: Int
    var place: PlaceScore
    /// The sheets that count, of each seat.
    let used: [[HeldScores]]
    let scene: Policy.Place
    /// Whether each assessor fills one of several sheets.
    let isOne: Bool

    var isEligible: Bool { used.contains { !$0.isEmpty } }
    /// Circuit and session.
    var session: [String] { [scene.circuit, scene.session] }
    /// When the last of its sheets was signed.
    var signed: Instant { used.joined().compactMap(\.signedAt).max() ?? Instant(milliseconds: .min) }
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
    let kept = Set(places.map(\.stationCode))
    var stations: [String: Station] = [:]
    var order: [String] = []
    // The first circuit's ring comes first, what is withdrawn in its place, then what others have beside it.
    let first = (places.isEmpty ? cancelled : places).map(\.circuit.id).min()
    let ring = try StationSession.planned(in: db).filter { $0.circuit.id == first && !$0.isRest }
    for place in ring + places + cancelled where stations[place.stationCode] == nil {
      var station = Station(plan: StationPlan(code: place.stationCode, name: place.stationName))
      try describe(place, &station)
      station.plan.isWithdrawn = !kept.contains(place.stationCode)
      stations[place.stationCode] = station
      order.append(place.stationCode)
    }
    for (places, isCancelled) in [(places, false), (cancelled, true)] {
      for place in places {
        try read(place, isCancelled: isCancelled, &stations[place.stationCode]!)
      }
    }
    addExcused()
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

  private mutating func read(_ place: StationSession, isCancelled: Bool, _ station: inout Station) throws {
    let asked = try asked(at: place)
    for entry in try RosterPlan.entries(timetable: place.timetable, in: db) {
      let sitting = read(entry, asked, isCancelled: isCancelled)
      station.note(sitting)
      people[entry.number, default: Candidacy(circuit: place.circuit.name, session: place.session.name)].add(sitting)
    }
  }

  /// Who is excused by number at a station to which they never come, as after a change of slots, has it in their plan like
  /// others of their session whom the lead excuses there. No sheet is expected of them.
  private mutating func addExcused() {
    let excuses = policy.exclude.filter { $0.isExcuse && $0.candidate != nil }
    if excuses.isEmpty { return }
    var rings: [[String]: Set<String>] = [:]
    for sitting in people.values.flatMap(\.sittings) {
      rings[sitting.session, default: []].insert(sitting.scene.station)
    }
    for excuse in excuses {
      guard let station = excuse.station, let number = excuse.candidate, let person = people[number],
        person.places[station] == nil,
        let scene = person.sittings.first(where: { sitting in
          rings[sitting.session]?.contains(station) == true
            && policy.excuses(at: sitting.scene.at(station))
        })?.scene
      else { continue }
      let there = scene.at(station)
      let place = PlaceScore(
        station: station, circuit: scene.circuit, session: scene.session, seats: [], reason: .excused)
      people[number]?.add(Sitting(number: sittings, place: place, used: [], scene: there, isOne: false))
      sittings += 1
    }
  }

  private mutating func asked(at place: StationSession) throws -> Asked {
    let forms = try StationForms.read(station: place.station, in: db)
    let templates = try forms.ids.compactMap { id in try sheets.template(form: id, in: db).map { (id, $0) } }
    let counting = Set(ExamScoreReader.counted(templates.map(\.1)).map(\.template.form))
    let wanted = templates.filter { counting.contains($0.1.template.form) }
    return Asked(
      place: place, seats: StationSession.seats(of: place),
      forms: StationForms(ids: wanted.map(\.0), isOne: forms.isOne),
      titles: Dictionary(wanted.map { ($0.0, $0.1.title) }) { first, _ in first })
  }

  /// What a candidate has at a roster entry.
  private mutating func read(_ entry: RosterPlan.Entry, _ asked: Asked, isCancelled: Bool) -> Sitting {
    let place = asked.place
    let scene = Policy.Place(place, candidate: entry.number)
    var seats: [SeatReading] = []
    for seat in asked.seats { seats.append(read(seat, of: entry, asked, at: scene)) }
    let reason: Reason? = isCancelled ? .excused : entry.isPresent == false ? .absent : nil
    var score = PlaceScore(
      station: scene.station, circuit: scene.circuit, session: scene.session, seats: seats.map(\.score), reason: reason)
    score.isAdded = entry.isAdded
    score.ruling = rulings.adjudication(at: scene)
    let findings = seats.compactMap { seat in seat.findings.map { (seat: seat.score.seat, found: $0) } }
    let byAnyRule = Policy.DoubleMarks.allCases.flatMap { critical(findings, ruled: score.ruling, by: $0) }
    let waived = rulings.waivedItems(byAnyRule, at: score, of: scene.candidate)
    score.critical = critical(findings, ruled: score.ruling, by: policy.doubleMarks)
    for index in score.critical.indices {
      score.critical[index].isWaived = waived.contains(score.critical[index].item)
    }
    let isAwaited = reason == nil && seats.contains(where: \.isAwaited)
    if isAwaited && policy.isDue(at: place, candidate: entry.number) { isProvisional = true }
    let number = sittings
    sittings += 1
    return Sitting(number: number, place: score, used: seats.map(\.used), scene: scene, isOne: asked.forms.isOne)
  }

  /// What a seat has of a candidate; each of its sheets is a row of the table.
  private mutating func read(
    _ seat: Seat, of entry: RosterPlan.Entry, _ asked: Asked, at scene: Policy.Place
  ) -> SeatReading {
    let atSeat = (held[entry.key] ?? []).filter { $0.seat == seat }
    let planned = asked.place.assessors.first { $0.seat == seat }.flatMap { usernames[$0.staff] }
    var readings: [SheetReading] = []
    for (form, sheet) in asked.forms.wanted(from: atSeat, form: { $0.form }, claim: { $0.claim }) {
      let reading = SheetReading(
        form: asked.titles[form] ?? String(form), sheet: sheet, score: sheet?.score(policy, at: scene),
        grade: sheet?.grade ?? .none(.gradeBlank), reason: whyNot(sheet))
      readings.append(reading)
      records.append(record(of: reading, seat, at: scene, planned: planned))
    }
    let used = readings.compactMap(\.eligible)
    let judge = used.lazy.compactMap(\.judge).first.flatMap { usernames[$0] }
    let findings = used.reduce(into: [:]) { found, sheet in
      found.merge(sheet.criticalFindings(policy, at: scene)) { one, _ in one }
    }
    return SeatReading(
      score: SeatScore(
        seat: seat.name, assessor: judge ?? planned, isSigned: used.allSatisfy { $0.signedAt != nil },
        sheets: readings.map { (form: $0.form, result: $0.result) }),
      used: used, findings: used.isEmpty ? nil : findings, isAwaited: readings.contains { isAwaited($0) })
  }

  private func record(
    of reading: SheetReading, _ seat: Seat, at scene: Policy.Place, planned: String?
  ) -> SheetRecord {
    SheetRecord(
      candidate: scene.candidate, station: scene.station, form: reading.form, seat: seat.name,
      assessor: reading.sheet?.judge.flatMap { usernames[$0] } ?? planned, sheet: reading.sheet?.key,
      signedAt: reading.sheet?.signedAt, score: reading.score, grade: reading.grade.value,
      isEligible: reading.reason == nil, reason: reading.reason ?? reading.score?.reason)
  }

  /// Whether a sheet may still change what the results say.
  private func isAwaited(_ reading: SheetReading) -> Bool {
    if let sheet = reading.eligible { return sheet.signedAt == nil }
    return reading.sheet.map { !rulings.excludedSheets.contains($0.key) } ?? true
  }

  /// What the assessors' findings come to: those of the seat that the lead has named alone.
  private func critical(
    _ findings: [(seat: String, found: [String: CriticalFinding])], ruled: PlaceScore.Ruled?,
    by rule: Policy.DoubleMarks
  ) -> [CriticalFinding] {
    if case .seat(let seat) = ruled, let named = findings.first(where: { $0.seat == seat }) {
      return CriticalFinding.joined([named.found], by: .first)
    }
    return CriticalFinding.joined(findings.map(\.found), by: rule)
  }

  /// Why a sheet does not count; nil where it does.
  private func whyNot(_ sheet: HeldScores?) -> Reason? {
    guard let sheet, !rulings.excludedSheets.contains(sheet.key) else { return .noSheet }
    if sheet.signedAt != nil { return nil }
    if policy.sheets == .held && sheet.items.contains(where: \.isAnswered) { return nil }
    return sheet.items.contains(where: \.isAnswered) ? .unsigned : .noSheet
  }

  /// What the lead's seat and each other gave for the same items.
  private func compare(_ sitting: Sitting, _ station: inout Station) {
    let scene = sitting.scene
    guard policy.isDue(at: scene), let lead = sitting.used.first, !lead.isEmpty else { return }
    func isSigned(_ sheet: HeldScores) -> Bool { sheet.signedAt != nil }
    for other in sitting.used.dropFirst() where lead.contains(where: isSigned) && other.contains(where: isSigned) {
      var material = station.plan.items ?? .init()
      for sheet in lead where sheet.signedAt != nil {
        guard
          let twin = other.first(where: { $0.form == sheet.form && $0.signedAt != nil })
            ?? (sitting.isOne ? other.first(where: { $0.signedAt != nil }) : nil)
        else { continue }
        station.scales.formUnion(material.add(sheet, twin) { policy.leavesOut($0, at: scene) })
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
      var last = eligible.max { $0.signed < $1.signed }!
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
