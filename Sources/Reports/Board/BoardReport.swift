import Characters
import CircuitModel
import ExamStore
import GRDB
import Standards
import Timer

/// The page on which an exam board decides: decisions first, then all that they rest on, in the order of a meeting.
public struct BoardReport: Sendable {
  private let account: ClosingAccount
  private let scores: ExamScores
  /// The same marks by each rule for blanks that the page compares.
  private let blanks: [(rule: Policy.Blanks, scores: ExamScores)]
  /// Candidates' names by number; none where the page goes without.
  private let names: [String: String]

  private var results: ResultsReport { account.results }
  private var closing: ClosingReport { account.closing }

  /// Reads all that the page says.
  /// - Parameters:
  ///   - closing: what is open, and the lock.
  ///   - showsNames: whether candidates go by their names too.
  public static func read(
    _ closing: ClosingReport, showsNames: Bool, in db: Database, at now: Instant
  ) throws -> BoardReport {
    let account = try ClosingAccount.read(closing, in: db, at: now)
    let policy = account.results.results.policy
    let scores = account.results.scores
    let blanks = try [Policy.Blanks.zero, .leftOut].map { rule in
      if rule == policy.blanks { return (rule, scores) }
      var other = policy
      other.blanks = rule
      return (rule, try StoredScores.read(other, in: db).exam)
    }
    return BoardReport(
      account: account, scores: scores, blanks: blanks,
      names: showsNames ? try names(in: db) : [:])
  }

  private static func names(in db: Database) throws -> [String: String] {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT \(CandidateLabel.column), u.title, u.forename, u.surname FROM user u
        WHERE u.entity = 'Student' AND u.dsDeleted = 0
        """)
    return Dictionary(
      rows.compactMap { row in
        (row[0] as String?).map { ($0, personName(title: row[1], forename: row[2], surname: row[3]) ?? "") }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The page.
  public var page: HTMLPage {
    let exam = account.exam ?? "Exam"
    var page = HTMLPage(title: "\(exam): report to the board")
    page.foot([
      "\(exam) · report to the board · \(account.at.localMoment)",
      account.finalHash.map { "final hash \($0)" } ?? "not final",
    ])
    page.heading(1, exam)
    page.paragraph("Report to the board · \(account.moment)", style: "note")
    page.paragraph(
      closing.locks.isEmpty
        ? "NOT FINAL: not locked" : closing.differsFromLock ? LockText.notFinal : closing.state.uppercased(),
      style: "state")
    page.list(account.times)
    decisions(&page)
    policy(&page)
    figures(&page)
    passList(&page)
    closeCalls(&page)
    whatIf(&page)
    BoardStations(results.results.stations, hasNames: !names.isEmpty).add(to: &page)
    agreement(&page)
    leftOut(&page)
    critical(&page)
    hall(&page)
    rulings(&page)
    closingPage(&page)
    return page
  }

  // MARK: Parts

  private func decisions(_ page: inout HTMLPage) {
    page.heading(2, "Decisions")
    let all = results.results.candidates
    page.table(
      ["Outcome", "n"],
      CandidateResult.Outcome.allCases.map { [$0.text, String(results.results.count($0))] } + [
        ["candidates", String(all.count)]
      ])
    let undecided = all.filter { $0.outcome == .incomplete || $0.outcome == .excluded }
    page.list(
      undecided.map { candidate in
        let why = candidate.reasons.filter { $0 != .candidateExcluded }.map(\.text)
        return "\(name(candidate)): " + ([candidate.outcome.text] + why).joined(separator: ", ")
      })
    if results.isProvisional {
      page.paragraph("Some expected sheets do not count yet: every figure is provisional.", style: "note")
    }
  }

  private func policy(_ page: inout HTMLPage) {
    page.heading(2, "By which choices")
    page.table(
      ["Choice", "Value", "From", "By"],
      results.policy.choices.map { choice in
        let origin = choice.decided.origin
        return [
          PolicyPhrases.phrase(choice.key), PolicyPhrases.value(choice.value, isChoice: true),
          choice.decided.source.rawValue,
          [origin.by, origin.at?.localMoment].compactMap { $0 }.joined(separator: ", "),
        ]
      }
        + results.policy.sheetChoices.map { choice in
          [choice.station, choice.valueText, PolicyInForce.Source.sheet.rawValue, ""]
        }, texts: 4)
    page.heading(3, "Left out and excused")
    let leftOut = account.exclusions.map(\.text) + account.rulings.filter(\.isOfSheet).map(\.text)
    if leftOut.isEmpty { page.paragraph("Nothing.", style: "note") }
    page.list(leftOut)
  }

  private func figures(_ page: inout HTMLPage) {
    page.heading(2, "The exam")
    let sets = results.results.stationSets
    for set in sets {
      page.heading(3, "\(Plural.count(set.n, "candidate")) at \(set.stations.joined(separator: " "))")
      page.table(["Figure", "Value"], rows(set.figures))
    }
    if sets.isEmpty { page.table(["Figure", "Value"], rows(results.results.figures)) }
    let notes = results.noteTexts
    if !notes.isEmpty { page.paragraph("To be known: " + notes.joined(separator: ", "), style: "note") }
  }

  private func rows(_ figures: ExamFigures) -> [[String]] {
    [
      ["complete candidates", figures.nComplete.map { String($0) } ?? "–"],
      ["stations", figures.k.map { String($0) } ?? "–"],
      ["mean of means, %", Figure.tenths(figures.meanOfMeans)],
      ["standard deviation of means, %", Figure.tenths(figures.sdOfMeans)], ["cut, %", Figure.tenths(figures.cutMean)],
      ["cut with the error on top, %", Figure.tenths(figures.cutPlusSem)],
      ["stations to pass", figures.minimumStations.map { String($0) } ?? "none"],
      ["Cronbach's alpha over stations", Figure.hundredths(figures.alpha)],
      ["standard error of measurement of the mean, %", Figure.tenths(figures.semMean)],
      ["standard error of the cut, %", Figure.tenths(figures.rmse)],
    ]
  }

  private func passList(_ page: inout HTMLPage) {
    page.heading(2, "Pass list")
    page.table(
      ["Candidate", "Outcome", "Why", "Mean", "Cut", "Passed", "Rank"],
      results.results.candidates.map { candidate in
        [
          name(candidate), candidate.outcome.text,
          candidate.why.joined(separator: ", "),
          Figure.tenths(candidate.mean), Figure.tenths(candidate.cutPlusSem),
          candidate.passedText, candidate.rank.map { String($0) } ?? "–",
        ]
      }, texts: 3)
  }

  private func closeCalls(_ page: inout HTMLPage) {
    page.heading(2, "Close calls")
    let close = results.results.candidates.filter(\.isCloseCall)
    page.paragraph(
      close.isEmpty ? "None." : "Within one standard error of the cut, or one station from the minimum.", style: "note")
    page.list(
      close.map {
        "\(name($0)): mean \(Figure.tenths($0.mean)), cut \(Figure.tenths($0.cutPlusSem)), \($0.stationsPassed) of "
          + "\($0.stationsDue) stations: \($0.outcome.text)"
      })
  }

  private func whatIf(_ page: inout HTMLPage) {
    page.heading(2, "What if")
    let base = results.results
    func row(_ what: String, _ other: Results) -> [String] {
      let changed = zip(base.candidates, other.candidates).filter { $0.outcome != $1.outcome }
      let who = changed.map { "\($0.number) \($0.outcome.text) → \($1.outcome.text)" }.joined(separator: ", ")
      return [
        what, who.isEmpty ? "nobody changes" : who, other.text { Figure.tenths($0.cutPlusSem) },
        String(other.count(.pass)), String(other.count(.fail)),
      ]
    }
    func with(_ scores: ExamScores, _ change: (inout Policy) -> Void) -> Results {
      var policy = base.policy
      change(&policy)
      return Results(scores, policy: policy, isProvisional: results.isProvisional)
    }
    var rows = [row("as decided", base)]
    for k in [0.0, 1, 2] { rows.append(row("k \(Int(k))", with(scores) { $0.k = k })) }
    for (rule, scores) in blanks {
      rows.append(row("blanks: \(PolicyPhrases.phrase(rule.rawValue))", with(scores) { $0.blanks = rule }))
    }
    for rule in [Policy.DoubleMarks.mean, .first] {
      rows.append(row("double marks: \(rule.rawValue)", with(scores) { $0.doubleMarks = rule }))
    }
    for station in base.stations where station.isCounted && !station.notes.isEmpty {
      let code = station.station
      rows.append(
        row("without \(code)", with(scores) { $0.exclude.append(.init(station: code, reason: "what if")) }))
    }
    page.table(["If", "Who changes", "Cut", "Pass", "Fail"], rows, texts: 2)
  }

  private func agreement(_ page: inout HTMLPage) {
    page.heading(2, "Agreement of two assessors")
    let rows = results.results.stations.flatMap { station -> [[String]] in
      guard let agreement = station.comparisons.agreement else { return [] }
      return [("items", agreement.items), ("grade", agreement.grade), ("score", agreement.score)].map { what, found in
        [
          station.station, what, String(found.n), Figure.hundredths(found.exact), Figure.hundredths(found.withinOne),
          Figure.hundredths(found.kappa), Figure.hundredths(found.weightedKappa), Figure.tenths(found.meanDifference),
          Figure.tenths(found.sdDifference), found.beyondMargin.map { String($0) } ?? "–",
          Figure.hundredths(found.icc), Figure.hundredths(found.icc2), BoardReport.text(of: found.leftOut),
          found.notes.map(\.text).joined(separator: ", "),
        ]
      }
    }
    if rows.isEmpty { return page.paragraph("Nobody is marked twice.", style: "note") }
    page.table(
      [
        "Station", "Of", "n", "exact", "within 1", "kappa", "weighted", "difference", "sd", "beyond margin", "ICC(1,1)",
        "ICC(2,1)", "left out", "to be known",
      ], rows, texts: 2)
  }

  /// Pairs that could not be compared, by why.
  private static func text(of leftOut: Agreement.LeftOut) -> String {
    let counts = [
      (leftOut.blank, "blank"), (leftOut.unable, "unable to assess"), (leftOut.otherForm, "other mark sheet"),
    ]
    let found = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return found.isEmpty ? "–" : found.joined(separator: ", ")
  }

  /// Lines as a list, or that there are none.
  private func list(_ lines: [String], on page: inout HTMLPage) {
    if lines.isEmpty { page.paragraph("None.", style: "note") }
    page.list(lines)
  }

  private func leftOut(_ page: inout HTMLPage) {
    page.heading(2, "Candidates left out of a station's figures")
    let lines = results.results.stations.flatMap { station in
      station.leftOut.map { "\(station.station) \($0.candidate): \($0.reason.text)" }
    }
    list(lines, on: &page)
  }

  private func critical(_ page: inout HTMLPage) {
    page.heading(2, "Critical failures")
    let failures = results.results.candidates.flatMap { candidate in
      candidate.criticalFailures.map {
        "\(name(candidate)) at \($0.station): \($0.text) (\($0.value.map(ShortestNumber.text) ?? "–"))"
      }
    }
    list(failures, on: &page)
  }

  private func hall(_ page: inout HTMLPage) {
    page.heading(2, "Incidents and lost time")
    if account.lostTime.isEmpty { page.paragraph("None recorded.", style: "note") }
    page.list(account.lostTime.map(\.text))
  }

  private func rulings(_ page: inout HTMLPage) {
    page.heading(2, "Rulings, waivers, amendments, reopenings")
    // What became of a concern is between the lead and who raised it.
    let rulings = account.rulings.filter { $0.ruling.kind != .answer }.map(\.text)
    // Of other values than marks it may hold a name, or what staff wrote.
    let settled = closing.settlements.filter(\.isOfMark).map(\.text)
    let lines = rulings + settled + account.reopenings.map(\.text)
    list(lines, on: &page)
  }

  private func closingPage(_ page: inout HTMLPage) {
    page.heading(2, "Closing")
    page.paragraph(closing.identityText)
    page.table(
      ["Check", "Open", "Waived", "Ruled"],
      closing.checks.map { check in
        let counts = [check.open.count, check.lines.count - check.open.count, check.ruled.count]
        return [check.code.text] + counts.map { String($0) }
      })
    for lock in closing.locks {
      let what = lock.amendment == 0 ? "locked" : "amendment \(lock.amendment)"
      let time = lock.lockedAt?.localMoment ?? ""
      page.paragraph("\(what) \(time) by \(lock.staff.joined(separator: " and "))")
      page.paragraph("final hash \(lock.printedHash)", style: "hash")
    }
    if closing.locks.isEmpty { page.paragraph("NOT LOCKED: there is no final hash.", style: "state") }
    if closing.differsFromLock { page.paragraph("\(LockText.notFinal). The hash is not of these.", style: "state") }
    page.markup("<div class=\"sign\"><div>signed</div><div>signed</div></div>\n")
  }

  // MARK: Names

  private func name(_ candidate: CandidateResult) -> String {
    names[candidate.number].map { "\(candidate.number) \($0)" } ?? candidate.number
  }
}
