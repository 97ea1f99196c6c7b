import CircuitModel
import ExamStore
import GRDB
import Standards
import Timer

/// Makes the feedback page of every candidate.
public enum FeedbackPages {
  /// The pages, in the order of candidates. A candidate who is left out of the exam has none.
  public static func all(in db: Database, at now: Instant) throws -> [FeedbackPage] {
    let report = try ResultsReport.read(.init(), in: db, at: now)
    let policy = report.policy.policy
    let state: FeedbackPage.State =
      switch report.state {
      case .locked:
        try ExamLock.all(in: db).contains { $0.scope.isExam && $0.reopening != nil } ? .lockedAgain : .locked
      case .amended: .amended
      case .live, .final, nil: report.differsFromLock ? .differing : .open
      }
    var written = try WrittenFeedback(report, in: db)
    try written.read(in: db)
    let exam = try ExamSettings.read(db).name
    return report.results.candidates.filter { $0.outcome != .excluded }.map { candidate in
      let stations = report.results.stations.filter { !$0.isPilot && !$0.isExcluded }.compactMap {
        result -> FeedbackPage.Station? in
        let place = WrittenFeedback.Place(candidate: candidate.number, station: result.station)
        let own = candidate.stations.first { $0.station == result.station }
        guard let own, own.reason != .absent, own.reason != .excused else { return nil }
        var station = written.stations[place] ?? FeedbackPage.Station(name: result.name ?? result.station)
        if policy.feedback.scores != .none, station.sections.isEmpty { station.score = own.score }
        if policy.feedback.cohort, station.score != nil || !station.sections.isEmpty {
          station.cohort = cohort(result.station, report.results, fewest: max(5, policy.feedback.minimumGroup))
        }
        return station.isEmpty ? nil : station
      }
      return FeedbackPage(number: candidate.number, exam: exam, state: state, stations: stations)
    }
  }

  private static func cohort(_ station: String, _ results: Results, fewest: Int) -> FeedbackPage.Cohort {
    let scores = results.candidates.compactMap { candidate in
      candidate.stations.first { $0.station == station }?.score
    }
    guard scores.count >= fewest, let quartiles = Quartiles(scores) else { return .tooFew(fewest) }
    return .quartiles(quartiles)
  }
}

/// What is written for candidates on their sheets, with their own scores by section.
private struct WrittenFeedback {
  struct Place: Hashable {
    let candidate: String
    let station: String
  }

  private(set) var stations: [Place: FeedbackPage.Station] = [:]
  private let policy: Policy
  private let hidden: Set<String>
  private let excludedSheets: Set<String>
  private let keys: QuestionKeys

  init(_ report: ResultsReport, in db: Database) throws {
    policy = report.policy.policy
    hidden = Set(report.results.stations.filter { $0.isPilot || $0.isExcluded }.map(\.station))
    excludedSheets = try ExamRuling.excludedSheets(in: db)
    keys = try QuestionKeys.all(in: db)
  }

  mutating func read(in db: Database) throws {
    try SheetWalk.forEach(.whole, in: db) { sheet in
      guard let held = sheet.held, sheet.isExpected, !sheet.template.isPilot,
        !hidden.contains(sheet.place.stationCode), !excludedSheets.contains(held.key),
        held.signedAt != nil || policy.sheets == .held
      else { return }
      let place = Place(candidate: sheet.entry.number, station: sheet.place.stationCode)
      var station = stations[place] ?? FeedbackPage.Station(name: sheet.place.stationName)
      let items = held.items.filter { !isLeftOut($0, on: sheet) }
      for item in items {
        if item.template.kind == .feedback && !item.feedback.isEmpty { station.feedback.append(item.feedback) }
        for tag in item.facts.tagList where !station.tags.contains(tag) { station.tags.append(tag) }
      }
      // One assessor's scores of two are never shown: there the station's own score stands.
      if policy.feedback.scores == .sections, StationSession.seats(of: sheet.place).count == 1 {
        let counted = SectionCopy.counted(
          held.items, at: { SectionCopy(section: $0.section.link, copy: $0.copy) }, isAnswered: { !$0.isBlank })
        station.sections += sections(counted.filter { !isLeftOut($0, on: sheet) }, on: sheet)
      }
      stations[place] = station
    }
    let comments = try ReadRow.fetchCursor(
      db,
      sql: """
        SELECT \(CandidateLabel.column), \(StationSession.codeSQL), a.name, m.text
        FROM commentMetaStationCandidate m JOIN timetableAttendanceLog e ON e.uuid = m.attendanceLogID
          JOIN timetable t ON t.dsid = e.timetableID
          JOIN activityType a ON a.dsid = t.activityTypeID JOIN user u ON u.dsid = \(SlotChanges.candidate)
        WHERE m.dsDeleted = 0 AND m.visibleToCandidate = 1 AND coalesce(m.concern, 0) = 0 AND e.practice = 0
          AND e.dsDeleted = 0 AND \(Comments.saysSomething) ORDER BY m.time, m.uuid
        """)
    while let row = try comments.next() {
      guard let number = row[0] as String?, let code = row[1] as String?, !hidden.contains(code) else { continue }
      let place = Place(candidate: number, station: code)
      stations[place, default: FeedbackPage.Station(name: row[2] ?? code)].feedback.append(row[3] ?? "")
    }
  }

  private func isLeftOut(_ item: HeldItem, on sheet: PlannedSheet) -> Bool {
    let key = keys.name(of: item.template.question)
    return policy.leavesOut(key, at: Policy.Place(sheet.place, candidate: sheet.entry.number))
  }

  private func sections(_ items: [HeldItem], on sheet: PlannedSheet) -> [(name: String, score: Double)] {
    sheet.template.sections.compactMap { section in
      let scored = items.filter {
        $0.section.link == section.link && $0.template.kind.isScored && $0.template.link != sheet.template.globalRating
          && !$0.isUnable && ($0.rating != nil || policy.blanks == .zero)
      }
      let maximum = scored.reduce(0.0) { $0 + ($1.template.scoreMaximum?.number ?? 0) }
      guard maximum > 0 else { return nil }
      return (section.name, 100 * scored.reduce(0.0) { $0 + ($1.rating?.number ?? 0) } / maximum)
    }
  }
}
