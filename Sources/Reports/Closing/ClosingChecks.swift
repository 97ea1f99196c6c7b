import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// Finds what is open of each check.
struct ClosingChecks {
  private let classes: SheetClasses
  private let scores: ExamScores
  private let results: Results
  private let rulings: RulingsInForce
  private let db: Database
  private let now: Instant
  /// What the held sheets lack, by sheet; nil: not read yet.
  private var lacks: [String: Lack]?
  private let keys: QuestionKeys
  /// The terminals at which a sheet is open.
  private let open: [OpenTerminal]

  private struct Lack {
    /// The required items without an answer.
    let required: [HeldItem]
    /// The global rating, where no grade was given: without one there is no pair for the cut, required or not.
    let grades: [HeldItem]
    /// Whether nothing is lacking but the signature.
    let isFilled: Bool
  }

  init(
    _ classes: SheetClasses, _ scores: ExamScores, _ results: Results, _ rulings: RulingsInForce, in db: Database,
    at now: Instant
  ) throws {
    (self.classes, self.scores, self.results) = (classes, scores, results)
    (self.rulings, self.db, self.now) = (rulings, db, now)
    keys = try QuestionKeys.all(in: db)
    open = try OpenTerminal.all(in: db).filter { $0.sheet != nil }
  }

  /// The open lines of a check.
  mutating func lines(
    _ code: ClosingReport.Code, _ examined: Diagnosis, _ readiness: Diagnosis
  ) throws -> [ClosingReport.Line] {
    switch code {
    case .identity: return classes.sheets.filter(\.sheetClass.isOpen).map { line($0.sheetClass.text, $0) }
    case .unsigned: return try unsigned()
    case .blankRequired: return try blanks(\.required)
    case .blankGlobal: return try blanks(\.grades)
    case .rerunQueue:
      return try RerunQueue.remaining(in: db).filter { results.policy.isDue($0.entry, at: $0.station) }.map {
        line("queued for round \($0.place) of the re-run", $0.station, $0.entry.round, $0.entry.candidate?.label)
      }
    case .attendance: return attendance()
    case .doubleMarks: return doubleMarks()
    case .otherForm:
      return try DoubleMarking.mismatches(in: db).compactMap { mismatch in
        guard let number = mismatch.candidate?.label, results.policy.isDue(at: mismatch.place, candidate: number),
          !isAdjudicated(mismatch.place, number)
        else { return nil }
        return line("two assessors used different sheets", mismatch.place, mismatch.round, number)
      }
    case .secondAttempt: return secondAttempts()
    case .missedStation:
      return try MissedStations.all(in: db).filter { results.policy.isDue(at: $0.place, candidate: $0.candidate) }
        .map { line("never comes to this station", $0.place, nil, $0.candidate) }
    case .critical: return critical()
    case .paper: return try paper()
    case .concerns: return try concerns()
    case .identityNotes: return try identityNotes()
    case .contradictions: return try contradictions()
    case .refused, .parked, .quarantined: return try unsettled(code)
    case .unsent: return try unsent()
    case .clocks: return try clocks()
    case .terminals: return terminals()
    case .secondCopy:
      return readiness.checks.filter { $0.name == "second copy" && $0.result != .ok }.map { .init($0.detail) }
    case .chains: return examined.isSound ? [] : [.init(examined.verdict)]
    case .cuts: return cuts()
    }
  }

  // MARK: Sheets

  private mutating func unsigned() throws -> [ClosingReport.Line] {
    let lacks = try missing()
    let terminals = Dictionary(open.map { ($0.sheet, $0) }, uniquingKeysWith: { first, _ in first })
    return classes.sheets.filter { $0.sheetClass == .held && $0.signedAt == nil }.map { sheet in
      var found = line("not signed", sheet)
      found.facts = sheet.facts
      found.isFilled = sheet.sheet.map { lacks[$0]?.isFilled ?? true }
      if let open = terminals[sheet.sheet] { (found.terminal, found.since) = (open.terminal, open.since) }
      return found
    }
  }

  private mutating func blanks(_ items: (Lack) -> [HeldItem]) throws -> [ClosingReport.Line] {
    let lacks = try missing()
    return classes.sheets.filter { $0.sheetClass == .held }.flatMap { sheet -> [ClosingReport.Line] in
      guard let key = sheet.sheet, let lack = lacks[key] else { return [] }
      return items(lack).map { item in
        var found = line("item \(item.number) is blank: \(item.template.text)", sheet)
        found.item = keys.name(of: item.template.question)
        return found
      }
    }
  }

  private mutating func missing() throws -> [String: Lack] {
    if let lacks { return lacks }
    var found: [String: Lack] = [:]
    try SheetWalk.forEach(.blanks, in: db) { sheet in
      guard sheet.isExpected, let held = sheet.held else { return }
      let blank = held.items.filter(\.isBlank)
      let required = blank.filter(\.part.isRequired)
      let grades = blank.filter { $0.template.link == sheet.template.globalRating }
      let isFilled = required.isEmpty && held.blankFacts.isEmpty
      if isFilled && grades.isEmpty { return }
      found[held.key] = Lack(required: required, grades: grades, isFilled: isFilled)
    }
    lacks = found
    return found
  }

  /// The sheets that were typed from paper and that nobody else has compared with it since.
  private func paper() throws -> [ClosingReport.Line] {
    let typed = try PaperSheet.all(in: db)
    if typed.isEmpty { return [] }
    return classes.sheets.compactMap { sheet in
      guard let paper = sheet.sheet.flatMap({ typed[$0] }), !rulings.answers.contains(where: paper.isChecked) else {
        return nil
      }
      var found = line("typed by \(paper.typists.sorted().joined(separator: ", ")) from paper", sheet)
      found.subject = paper.key
      // Who typed a sheet does not compare it as well.
      if let call = found.call, paper.typists.contains(call) { found.call = nil }
      return found
    }
  }

  private func attendance() -> [ClosingReport.Line] {
    var seen: Set<String> = []
    let marked = Set(classes.sheets.filter { $0.sheetClass == .held }.map(\.entry.key))
    return classes.sheets.filter { sheet in
      sheet.entry.isPresent == nil && sheet.sheetClass == .noSheet && !marked.contains(sheet.entry.key)
        && seen.insert(sheet.entry.key).inserted
    }.map { line("neither here nor absent", $0) }
  }

  /// Where candidates were and were due, at stations that count, in the order of candidates.
  private var duePlaces: [(candidate: String, place: PlaceScore)] {
    let counted = Set(results.stations.filter(\.isCounted).map(\.station))
    return scores.candidates.sorted { CandidateOrder.isBefore($0.number, $1.number) }.flatMap { candidate in
      candidate.places.filter { place in
        counted.contains(place.station) && place.reason == nil
          && results.policy.isDue(at: .init(place, of: candidate.number))
      }.map { (candidate: candidate.number, place: $0) }
    }
  }

  private func critical() -> [ClosingReport.Line] {
    duePlaces.flatMap { candidate, place in place.critical.compactMap { $0.openLine(at: place, of: candidate) } }
  }

  /// By the scores that the results have: what is left out there keeps no two assessors apart.
  private func doubleMarks() -> [ClosingReport.Line] {
    let margins = Dictionary(scores.stations.map { ($0.code, $0.margin) }, uniquingKeysWith: { first, _ in first })
    return duePlaces.filter { $0.place.ruling == nil }.flatMap { candidate, place in
      place.scoresApart(by: margins[place.station] ?? Agreement.usualMargin).map { first, second in
        let apart = ShortestNumber.text((abs(first - second) * 10).rounded() / 10)
        var found = ClosingReport.Line("two assessors are \(apart) points apart", at: place, of: candidate)
        found.round = round(of: candidate, at: place)
        found.facts = "\(first) \(second)"
        return found
      }
    }
  }

  /// The round in which a candidate was marked at a place: of two visits the one that was signed later.
  private func round(of candidate: String, at place: PlaceScore) -> Int? {
    classes.sheets.filter { sheet in
      sheet.sheetClass == .held && sheet.entry.number == candidate && sheet.place.stationCode == place.station
        && sheet.place.circuit.name == place.circuit && sheet.place.session.name == place.session
    }.max { ($0.signedAt?.milliseconds ?? 0) < ($1.signedAt?.milliseconds ?? 0) }?.entry.round
  }

  /// Candidates who have sheets that count of two visits to a station: the one that was signed later stands.
  private func secondAttempts() -> [ClosingReport.Line] {
    scores.candidates.sorted { CandidateOrder.isBefore($0.number, $1.number) }.flatMap { candidate in
      candidate.places.filter { $0.notes.contains(.secondAttempt) }.map { place in
        ClosingReport.Line(
          "has two sheets that count; the one signed later stands", at: place, of: candidate.number)
      }
    }
  }

  /// The stations that count of which something grave is noted.
  private func cuts() -> [ClosingReport.Line] {
    results.stations.filter(\.isCounted).compactMap { station in
      let grave = station.notes.filter(Note.grave.contains)
      if grave.isEmpty { return nil }
      var line = ClosingReport.Line(grave.map(\.text).joined(separator: ", "))
      line.station = station.station
      line.facts = station.cut.map { ShortestNumber.text($0) } ?? ""
      return line
    }
  }

  private func isAdjudicated(_ place: StationSession, _ number: String) -> Bool {
    rulings.adjudication(at: .init(place, candidate: number)) != nil
  }

  // MARK: The hall

  private func concerns() throws -> [ClosingReport.Line] {
    try Concern.all(in: db).filter { !rulings.answered.contains($0.key) }.map { concern in
      var line = ClosingReport.Line("a concern is not answered")
      (line.circuit, line.session, line.round) = (concern.circuit, concern.session, concern.round)
      (line.station, line.candidate, line.call) = (concern.station, concern.candidate, concern.author)
      (line.subject, line.since) = (concern.key, concern.time)
      return line
    }
  }

  private func identityNotes() throws -> [ClosingReport.Line] {
    try IdentityNote.all(in: db).filter { !rulings.answered.contains($0.entry) }.map { note in
      var line = ClosingReport.Line("identity: \(note.text)")
      (line.circuit, line.session, line.round) = (note.circuit, "\(note.date) \(note.start)", note.round)
      (line.station, line.candidate, line.subject) = (note.station, note.number, note.entry)
      return line
    }
  }

  private func clocks() throws -> [ClosingReport.Line] {
    var seen: Set<Session> = []
    return try StationSession.all(in: db).compactMap { place in
      guard seen.insert(place.session).inserted else { return nil }
      let report = try ClockReport.read(place.session, at: now, in: db)
      if report.state.status == .finished { return nil }
      var line = ClosingReport.Line("the session is not finished")
      (line.circuit, line.session) = (place.circuit.name, place.session.name)
      return line
    }
  }

  private func terminals() -> [ClosingReport.Line] {
    open.compactMap { open in
      let sheet = classes.sheets.first { $0.sheet == open.sheet }
      // Whether a program on another machine still runs nobody knows; a sheet that is signed is done with.
      if !open.isHere, sheet?.signedAt != nil { return nil }
      var line = sheet.map { self.line("a sheet is open", $0) } ?? ClosingReport.Line("a sheet is open")
      (line.call, line.terminal) = (open.username, open.terminal)
      return line
    }
  }

  // MARK: Changes

  /// What closing itself records, and who sat where: it is never all at the hub while somebody closes.
  private static let ofClosing: Set<String> = [
    Stored.PasscodeAttempt.entityName, Stored.Sitting.entityName, Stored.SyncInformation.entityName,
    Stored.ExamRuling.entityName, Stored.ExamLock.entityName,
  ]

  /// The changes that are at no hub, by candidate, station and what was changed.
  private func unsent() throws -> [ClosingReport.Line] {
    guard try Enrolment.exists(db) else { return [] }
    return try OutboxReport.waiting(db).compactMap { item in
      if Self.ofClosing.contains(item.entity) { return nil }
      var line = ClosingReport.Line(
        "\(OutboxText.name(of: item.entity)): \(item.count == 1 ? "a change is" : "\(item.count) changes are") at no hub"
      )
      (line.station, line.candidate, line.since) = (item.station?.code, item.candidate?.number, item.since)
      // What was accepted is those changes, not others that come in their place.
      line.facts = String(item.since.milliseconds)
      return line
    }
  }

  /// The rows of which two values stand.
  private func contradictions() throws -> [ClosingReport.Line] {
    let rows = try Contradiction.rows(in: db)
    if rows.isEmpty { return [] }
    var places = try ChangePlaces(db)
    return try rows.map { row, since in
      let report = try ContradictionReport.read(row, in: db)
      var line = line(
        report?.line ?? "\(OutboxText.name(of: row.entity)): two values, not all of which are here", row,
        since: since, try places.place(of: row))
      line.contradiction = report.map { _ in row }
      return line
    }
  }

  /// The changes that do not count, or not yet, by what keeps them from it, with who made them.
  private func unsettled(_ code: ClosingReport.Code) throws -> [ClosingReport.Line] {
    // As of the last instant there is: what waits for others is open however short the time.
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT entity, entityID, why, since, staff, id FROM (\(Outbox.attention)) ORDER BY since, device, deviceSeq
        """,
      arguments: [Instant.latest.milliseconds]
    ).filter { row in
      let why: String = row[2] ?? ""
      return code
        == (RefusedChanges.isDeferred(why) ? .parked : why.hasPrefix("quarantined") ? .quarantined : .refused)
    }
    if rows.isEmpty { return [] }
    var places = try ChangePlaces(db)
    let usernames = try Usernames(db)
    let isEnrolled = try Enrolment.exists(db)
    return try rows.map { row in
      let key = RowKey(entity: row[0] ?? "?", id: row[1] ?? "?")
      let why: String = row[2] ?? ""
      let (state, id): (String, String) = (OutboxText.state(why: why, isEnrolled: true), row[5] ?? "")
      let isRuled = try OperationID(id).map { try KeptChange.isRuled($0, in: db) } ?? false
      var line = line(
        (isRuled ? "ruled, not at the hub yet: " : "") + "\(try text(of: id, on: key)): \(state)", key,
        since: (row[3] as Int64?).map { Instant(stored: $0) }, try places.place(of: key))
      if code != .parked, isEnrolled || HubResult(why) == .quarantined(.locked) { line.change = OperationID(id) }
      line.call = (row[4] as Int?).flatMap { usernames[$0] }
      return line
    }
  }

  /// What a change would do, for who has to say whether it counts: `item 4: Washes hands: 1 Done`, `mark sheet signed`.
  private func text(of id: String, on row: RowKey) throws -> String {
    let name = OutboxText.name(of: row.entity)
    guard let operation = try OperationID(id).flatMap({ try KeptChange.operation($0, on: row, in: db) }) else {
      return name
    }
    switch operation.kind {
    case .sign: return name + " signed"
    case .reopen: return name + " reopened"
    case .delete: return name + " deleted"
    default:
      let fields = OpenedOperation(operation).body?.fields ?? [:]
      let (subject, text, item) = try ContradictionReport.change(of: row, fields, in: db)
      return item == nil ? name : "\(subject): \(text)"
    }
  }

  private func line(
    _ what: String, _ row: RowKey, since: Instant?, _ place: ChangePlaces.Place
  ) -> ClosingReport.Line {
    var line = ClosingReport.Line(what)
    (line.circuit, line.session, line.round) = (place.circuit, place.session, place.round)
    (line.station, line.candidate, line.subject) = (place.station, place.candidate, row.id)
    line.since = since
    return line
  }

  // MARK: Lines

  private func line(_ what: String, _ sheet: ClassedSheet) -> ClosingReport.Line {
    var found = line(what, sheet.place, sheet.entry.round, sheet.entry.number)
    (found.call, found.sheet, found.sheetClass) = (sheet.assessor, sheet.sheet, sheet.sheetClass)
    if sheet.sheet == nil {
      found.vacancy = .init(entry: sheet.entry.key, seat: sheet.seat, form: sheet.template)
    }
    return found
  }

  private func line(
    _ what: String, _ place: StationSession, _ round: Int?, _ candidate: String?
  ) -> ClosingReport.Line {
    var line = ClosingReport.Line(what)
    (line.circuit, line.session) = (place.circuit.name, place.session.name)
    (line.round, line.station, line.candidate) = (round, place.stationCode, candidate)
    return line
  }
}

extension ClosingReport.Line {
  fileprivate init(_ what: String, at place: PlaceScore, of candidate: String) {
    self.init(what)
    (circuit, session, station, self.candidate) = (place.circuit, place.session, place.station, candidate)
  }
}

extension PlaceScore {
  /// The assessors' signed scores that are further apart than a margin: the first against each other one, or, where it is
  /// close to all of them, the two that are furthest apart.
  fileprivate func scoresApart(by margin: Double) -> [(first: Double, second: Double)] {
    func apart(_ one: SeatScore, _ other: SeatScore) -> (first: Double, second: Double)? {
      guard one.forms == other.forms, let first = one.score, let second = other.score,
        Agreement.isBeyond(abs(first - second), margin: margin)
      else { return nil }
      return (first, second)
    }
    let scored = seats.filter { $0.isSigned && $0.score != nil }
    guard let first = scored.first else { return [] }
    let found = scored.dropFirst().compactMap { apart(first, $0) }
    if !found.isEmpty { return found }
    let sorted = scored.sorted { ($0.score ?? 0) < ($1.score ?? 0) }
    return [apart(sorted[0], sorted[sorted.count - 1])].compactMap { $0 }
  }
}

extension CriticalFinding {
  /// The line that is open of it at closing; nil where it is failed, which is no question.
  func openLine(at place: PlaceScore, of candidate: String) -> ClosingReport.Line? {
    guard let text = state.openText else { return nil }
    var line = ClosingReport.Line("\(text): \(self.text)", at: place, of: candidate)
    line.item = item
    line.facts = bySeat.map { $0?.rawValue ?? "passed" }.joined(separator: " ")
    return line
  }
}

extension CriticalFinding.State {
  /// What is open of a critical item; nil where it is failed, which is no question.
  fileprivate var openText: String? {
    switch self {
    case .failed: nil
    case .blank: "a critical item is blank"
    case .disputed: "two assessors disagree on a critical item"
    case .unable: "a critical item could not be assessed"
    }
  }
}

extension SheetClass {
  /// What is the matter, where it is open.
  fileprivate var text: String {
    switch self {
    case .noSheet: "no sheet, and nobody has said why"
    case .absentWithMarks: "recorded absent, but marked"
    case .unplanned: "marked, but not in the plan"
    case .excluded, .queued, .held, .absent: rawValue
    }
  }
}
