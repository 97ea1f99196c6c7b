import CircuitModel
import ExamStore
import GRDB
import Standards
import Timer

/// The papers with which a hall goes on when the host is gone.
public struct ExamPapers: Sendable {
  /// What can be printed.
  public enum Kind: String, CaseIterable, Sendable {
    /// A blank mark sheet for each expected sheet; of those among which the assessor has still to choose, each.
    case sheets
    /// A page for each candidate: where to be, and when.
    case itineraries
    /// A page for each door: who comes in which round.
    case doors
    /// The roster, circuit by circuit, with boxes for attendance.
    case list
  }

  /// What is printed.
  public let kind: Kind
  /// Only this circuit, by number, code or name; nil: every one.
  public let circuit: String?
  /// Only this session, as date and start or the start alone; nil: every one.
  public let session: String?

  /// Makes one from its parts.
  public init(_ kind: Kind, circuit: String? = nil, session: String? = nil) {
    (self.kind, self.circuit, self.session) = (kind, circuit, session)
  }

  /// Calls `body` with each page.
  /// - Throws: `StoreError` if the circuit or the session is not in the exam.
  public func forEachPage(in db: Database, at now: Instant, _ body: (PaperPage) throws -> Void) throws {
    let places = try places(in: db, at: now)
    let exam = try ExamSettings.read(db)
    let about = [exam.name, exam.timeZone.map { "times of \($0)" }].compactMap { $0 }.joined(separator: " · ")
    let body = { (page: PaperPage) in
      var page = page
      if !about.isEmpty { page.head.insert(about, at: 0) }
      try body(page)
    }
    switch kind {
    case .sheets: try sheets(places, in: db, body)
    case .itineraries: try itineraries(places, in: db, body)
    case .doors: try doors(places, in: db, body)
    case .list: try list(places, in: db, body)
    }
  }

  private func places(in db: Database, at now: Instant) throws -> [StationSession] {
    let all = try StationSession.all(in: db)
    let only = try circuit.map { try Circuit.find($0, at: now, in: db).id }
    let here = all.filter { only == nil || $0.circuit.id == only }
    let chosen = here.filter { place in
      session.map { [place.session.startTime, place.session.date, place.session.name].contains($0) } ?? true
    }
    if chosen.isEmpty {
      let sessions = ExamPapers.distinct(here.map(\.session.name))
      throw StoreError(
        sessions.isEmpty
          ? "no session is planned\(circuit == nil ? "" : " there"): there is nothing to print"
          : "there is no session \"\(session ?? "")\" here; sessions are \(sessions.joined(separator: ", "))")
    }
    return chosen
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  // MARK: Mark sheets

  private func sheets(
    _ places: [StationSession], in db: Database, _ body: (PaperPage) throws -> Void
  ) throws {
    var plans = Plans()
    var templates: [Int: SheetTemplate] = [:]
    try SheetWalk.forEach(.signature, at: places, in: db) { sheet in
      guard sheet.isExpected else { return }
      let entry = sheet.entry
      let time = try plans.time(entry.round, of: sheet.place.session, in: db)
      let adjustments = try plans.adjustments(of: entry.key, at: sheet.place.timetable, in: db)
      let choices = try FormChoices.open(entry: entry.key, seat: sheet.seat, in: db)
      // Which of them the assessor chooses shows at the station: each is at hand.
      var printed = choices.isEmpty ? [sheet.template] : []
      for choice in choices {
        templates[choice.form] = try templates[choice.form] ?? TemplateReader.read(form: choice.form, in: db)
        if let template = templates[choice.form] { printed.append(template) }
      }
      for template in printed {
        try body(
          MarkSheetPaper(
            sheet: sheet, template: template, choices: choices.map(\.name), time: time, adjustments: adjustments
          ).page)
      }
    }
  }

  // MARK: Itineraries

  private func itineraries(
    _ places: [StationSession], in db: Database, _ body: (PaperPage) throws -> Void
  ) throws {
    struct Stop {
      let place: String
      let round: Int?
    }
    var plans = Plans()
    let withdrawn = Dictionary(grouping: try WithdrawnStation.all(in: db), by: \.session)
    for (session, stations) in ExamPapers.sessions(places) {
      var candidates: [(candidate: Candidate, stops: [Stop])] = []
      var index: [Int: Int] = [:]
      let stops =
        stations.map { ($0.timetable, $0.stationTitle + ($0.isRest ? " – rest" : "")) }
        + (withdrawn[session] ?? []).map { ($0.timetable, $0.text) }
      for (timetable, place) in stops {
        for entry in try Roster.entries(timetable: timetable, seat: .lead, in: db) {
          guard let candidate = entry.candidate else { continue }
          let at = index[candidate.id] ?? candidates.count
          if at == candidates.count {
            index[candidate.id] = at
            candidates.append((candidate, []))
          }
          candidates[at].stops.append(Stop(place: place, round: entry.round))
        }
      }
      let rounds = try session.roundsNeeded(db)
      for (candidate, stops) in candidates.sorted(by: { $0.candidate.isBefore($1.candidate) }) {
        var rows: [[String]] = []
        for round in 1...max(1, rounds) {
          let here = stops.filter { $0.round == round }
          let time = try plans.time(round, of: session, in: db) ?? ""
          for stop in here {
            rows.append([String(round), time, stop.place])
          }
          if here.isEmpty { rows.append([String(round), time, "rest: no station"]) }
        }
        for stop in stops where stop.round == nil {
          rows.append(["–", "", "\(stop.place): ask the desk"])
        }
        let head = [candidate.name, "\(stations[0].circuit.name)  ·  session \(session.name)"]
        var blocks: [PaperBlock] = []
        if let adjustments = candidate.adjustments { blocks.append(.warning("Adjustments: \(adjustments)")) }
        blocks += [
          .table(["Round", "Planned", "Station"], rows),
          .line("Times are planned ones; the bell decides."),
        ]
        try body(PaperPage("Candidate \(candidate.number)", head: head, blocks))
      }
    }
  }

  // MARK: Doors

  private func doors(
    _ places: [StationSession], in db: Database, _ body: (PaperPage) throws -> Void
  ) throws {
    var plans = Plans()
    for place in places {
      let entries = try Roster.entries(timetable: place.timetable, seat: .lead, in: db)
      if entries.isEmpty { continue }
      let rows = try entries.map { entry in
        [
          entry.round.map { String($0) } ?? "–", try plans.time(entry.round, of: place.session, in: db) ?? "",
          entry.candidate?.number ?? "", entry.candidate?.name ?? "", entry.candidate?.adjustments ?? "",
        ]
      }
      let staff = place.assessors.map { "\($0.name) (\($0.role.name))" }.joined(separator: ", ")
      try body(
        PaperPage(
          place.stationTitle, head: ["\(place.circuit.name)  ·  session \(place.session.name)"],
          [
            .line(place.isRest ? "Rest station" : staff.isEmpty ? "No assessor is planned" : "Assessors: \(staff)"),
            .table(["Round", "Planned", "Number", "Candidate", "Adjustments"], rows),
          ]))
    }
    // Who comes to a door that nobody opens reads why.
    let sessions = Set(places.map(\.session))
    for station in try WithdrawnStation.all(in: db) where sessions.contains(station.session) {
      try body(
        PaperPage(
          station.title, head: ["\(station.circuit)  ·  session \(station.session.name)"],
          [.warning(station.text), .line("Candidates rest in this round.")]))
    }
  }

  // MARK: The roster

  private func list(
    _ places: [StationSession], in db: Database, _ body: (PaperPage) throws -> Void
  ) throws {
    for (session, stations) in ExamPapers.sessions(places) {
      var found: [Int: (candidate: Candidate, round: Int, station: String)] = [:]
      for place in stations {
        for entry in try Roster.entries(timetable: place.timetable, seat: .lead, in: db) {
          guard let candidate = entry.candidate else { continue }
          let round = entry.round ?? .max
          if found[candidate.id].map({ $0.round > round }) ?? true {
            found[candidate.id] = (candidate, round, place.stationTitle)
          }
        }
      }
      let rows = found.values.sorted { $0.candidate.isBefore($1.candidate) }.map {
        ["[ ]", $0.candidate.number, $0.candidate.name, $0.station, $0.candidate.adjustments ?? ""]
      }
      try body(
        PaperPage(
          "\(stations[0].circuit.name), session \(session.name)",
          [
            .line("\(rows.count) candidates. Tick who is here; the first station is where each begins."),
            .table(["Here", "Number", "Candidate", "First station", "Adjustments"], rows),
            .blank("Invigilator, name and signature"), .blank("Time"),
          ]))
    }
  }

  /// Station sessions by the session that they are part of, in their order.
  private static func sessions(_ places: [StationSession]) -> [(session: Session, places: [StationSession])] {
    var found: [(session: Session, places: [StationSession])] = []
    var index: [Session: Int] = [:]
    for place in places {
      let at = index[place.session] ?? found.count
      if at == found.count {
        index[place.session] = at
        found.append((place.session, []))
      }
      found[at].places.append(place)
    }
    return found
  }

  /// The planned rounds of sessions and the adjustments of a station's candidates, each read once.
  private struct Plans {
    private var known: [Session: PlannedRounds] = [:]
    /// Of the station session that was asked about last, by roster entry.
    private var adjustments: (timetable: Int, of: [String: String])?

    mutating func adjustments(of entry: String, at timetable: Int, in db: Database) throws -> String? {
      if adjustments?.timetable != timetable {
        let entries = try Roster.entries(timetable: timetable, seat: .lead, in: db)
        let texts = entries.compactMap { entry in entry.candidate?.adjustments.map { (entry.key, $0) } }
        adjustments = (timetable, Dictionary(texts) { first, _ in first })
      }
      return adjustments?.of[entry]
    }

    mutating func time(_ round: Int?, of session: Session, in db: Database) throws -> String? {
      guard let round else { return nil }
      let plan = try known[session] ?? PlannedRounds(session, in: db)
      known[session] = plan
      return plan[round].map {
        "\(LocalTime.reading(of: $0.lowerBound).minute) to \(LocalTime.reading(of: $0.upperBound).minute)"
      }
    }
  }
}

extension Candidate {
  fileprivate func isBefore(_ other: Candidate) -> Bool { CandidateOrder.isBefore(number, other.number) }
}
