import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// What stands between an exam and its closing: whether every planned sheet is accounted for, and what is open.
public struct ClosingReport: Sendable {
  /// One thing that is open.
  public struct Line: Sendable {
    /// What is the matter.
    public let what: String
    /// The circuit's name.
    public var circuit: String?
    /// Date and start.
    public var session: String?
    /// The round in which the candidate comes.
    public var round: Int?
    /// The station's code.
    public var station: String?
    /// The candidate's number.
    public var candidate: String?
    /// The item's key.
    public var item: String?
    /// The mark sheet's key.
    public var sheet: String?
    /// What became of the sheet that the plan expects; nil where the line is not about one.
    public var sheetClass: SheetClass?
    /// Whose sheet it is, where nobody began it.
    public var vacancy: Rulings.PlannedPlace?
    /// The row that it is about, where that is answered, or ruled on by its key.
    public var subject: String?
    /// The row of which two values stand.
    public var contradiction: RowKey?
    /// The change that is held back, where somebody can rule on it here.
    public var change: OperationID?
    /// Who can settle it, by username.
    public var call: String?
    /// Whether no required item of the sheet is blank.
    public var isFilled: Bool?
    /// At which terminal it is open.
    public var terminal: String?
    /// Since when.
    public var since: Instant?
    /// What else it depends on: a waiver is void as soon as that changes.
    var facts = ""
    /// The line's key, from what it says and depends on.
    public fileprivate(set) var id = ""
    /// The ruling that accepts it; nil while it is open.
    public fileprivate(set) var waiver: ExamRuling?

    /// A line that says what is the matter, and nothing else yet.
    public init(_ what: String) { self.what = what }

    /// The key in the list of a check.
    /// - Parameter number: counts lines that say the same.
    func key(_ code: Code, number: Int = 0) -> String {
      let parts: [String?] = [
        code.rawValue, code == .secondCopy ? nil : what, circuit, session, round.map { String($0) }, station, candidate,
        item, sheet, subject, facts, String(number),
      ]
      let text = parts.map { $0 ?? "" }.joined(separator: "\u{1F}")
      var digest = StreamDigest()
      digest.update(text.utf8)
      return String(digest.text.prefix(16))
    }
  }

  /// One check with what is open of it.
  public struct Check: Sendable {
    /// What must be in order.
    public let code: Code
    /// What is not as it must be, waived lines included.
    public let lines: [Line]
    /// What was ruled of it and is in no line any more: what an exam lead may have to withdraw.
    public let ruled: [Ruled]

    /// What is open: not waived.
    public var open: [Line] { lines.filter { $0.waiver == nil } }

    /// Whether nothing is open.
    public var isOK: Bool { lines.allSatisfy { $0.waiver != nil } }

    /// - Parameter scope: what of the exam is asked about; lines of other parts are left out once they have their keys.
    init(
      _ code: Code, _ found: [Line], _ rulings: RulingsInForce, _ ruled: CheckRulings, within scope: ExamLock.Scope
    ) {
      self.code = code
      var seen: [String: Int] = [:]
      let lines = found.map { line in
        var line = line
        let first = line.key(code)
        line.id = seen[first].map { line.key(code, number: $0) } ?? first
        seen[first, default: 0] += 1
        if code.isWaivable { line.waiver = rulings.waiver(of: line, id: line.id, code) }
        return line
      }.filter { scope.concerns($0) }
      self.lines = lines
      self.ruled = ruled.ruled(code, beside: lines, within: scope)
    }
  }

  /// A part of the exam that is locked or can be: a session of a circuit.
  public struct Part: Sendable {
    /// The circuit, and the session's date and start.
    public let scope: ExamLock.Scope
    /// Its sheets.
    public fileprivate(set) var identity = ClosingIdentity()
    /// The lock that covers it, the whole exam's among them; nil: it is open.
    public fileprivate(set) var lock: ExamLock?
    /// Whether what covers it comes to other results here than were locked.
    public fileprivate(set) var differsFromLock = false
  }

  /// What the report is about: the whole exam or a part of it.
  public let scope: ExamLock.Scope
  /// The identity of what the report is about.
  public let identity: ClosingIdentity
  /// The same of each session, in order.
  public let parts: [Part]
  /// Every check, in order.
  public let checks: [Check]
  /// Every sheet with its class.
  public let sheets: [ClassedSheet]
  /// Every ruling that stands.
  let rulings: [RulingNote]
  /// What was settled of values that contradicted each other.
  let settlements: [SettlementNote]
  /// By which choices results are made, and whose.
  let policy: PolicyInForce
  /// The locks and amendments of just this scope that hold, in order; none while it is open.
  public let locks: [ExamLock]
  /// What is locked, of this scope or another, and does not come to the results that were locked.
  let differing: Set<ExamLock.Scope>

  /// Whether this scope is locked, and the marks here come to other results than were locked.
  public var differsFromLock: Bool { !locks.isEmpty && (differing.contains(scope) || differing.contains(.init())) }

  /// `open`, `locked` or `amended`; `open` also where the marks here come to other results than were locked.
  public var state: String {
    locks.isEmpty || differsFromLock ? "open" : locks.count == 1 ? "locked" : "amended"
  }

  /// Whether everything is in order.
  public var isReady: Bool { checks.allSatisfy(\.isOK) }

  /// What an amendment opened that only a ruling settles: a lock keeps it from any that comes later.
  /// - Parameter before: the report before it.
  public func opened(since before: ClosingReport) -> [(check: Code, line: Line)] {
    let known = Set(before.checks.flatMap(\.open).map(\.id))
    // What is at no hub yet is sent by itself.
    return checks.filter { $0.code.isWaivable && $0.code != .unsent }.flatMap { check in
      check.open.filter { !known.contains($0.id) }.map { (check.code, $0) }
    }
  }

  /// Reads what is open.
  /// - Parameters:
  ///   - scope: the whole exam, or a circuit or session. What lies open in no session of its own, as a damaged store,
  ///     stands in the way of every part; whether a cut can stand is asked of the whole exam alone.
  ///   - examined: what the doctor found in the store.
  ///   - readiness: what was found around it, the second copy among it.
  public static func read(
    _ examined: Diagnosis, _ readiness: Diagnosis, of scope: ExamLock.Scope = .init(), in db: Database, at now: Instant
  ) throws -> ClosingReport {
    try scope.check(in: db)
    let rulings = try ExamRuling.all(in: db)
    let inForce = RulingsInForce(rulings)
    let choices = try PolicyInForce.read(.init(), in: db)
    let policy = choices.policy
    let classes = try SheetClasses(policy, inForce, in: db)
    let locks = try ExamLock.standing(in: db)
    let sheets = classes.sheets.filter { scope.covers($0.place) }
    let scores = try StoredScores.read(policy, in: db)
    let differing = try SealRecord.differing(among: locks, at: now, from: scores, in: db)
    let results = Results(scores.exam, policy: policy, isProvisional: scores.isProvisional)
    var finder = try ClosingChecks(classes, scores.exam, results, inForce, in: db, at: now)
    let notes = try RulingNote.all(rulings, in: db)
    let settlements = try SettlementNote.all(in: db)
    let ruled = try CheckRulings(notes, settlements, in: db)
    let checks = try Code.allCases.filter { scope.isExam || $0 != .cuts }.map { code in
      Check(code, try finder.lines(code, examined, readiness), inForce, ruled, within: scope)
    }
    var identity = ClosingIdentity()
    for sheet in sheets { identity.count(sheet.sheetClass) }
    identity.practice = try ClosingIdentity.practice(scope, in: db)
    return ClosingReport(
      scope: scope, identity: identity, parts: ClosingReport.parts(sheets, locks, differing), checks: checks,
      sheets: sheets, rulings: notes,
      settlements: settlements.filter { scope.concerns(circuit: $0.scope.circuit, session: $0.scope.session) },
      policy: choices.beside(scores.exam.stations, results, from: .sheet),
      locks: locks.filter { $0.scope == scope }, differing: differing)
  }

  private static func parts(
    _ sheets: [ClassedSheet], _ locks: [ExamLock], _ differing: Set<ExamLock.Scope>
  ) -> [Part] {
    var found: [Part] = []
    var places: [ExamLock.Scope: Int] = [:]
    for sheet in sheets {
      let (circuit, session) = (sheet.place.circuit.name, sheet.place.session.name)
      let scope = ExamLock.Scope(circuit: circuit, session: session)
      let index = places[scope] ?? found.count
      if index == found.count {
        places[scope] = index
        let lock = ExamLock.keeping([(circuit, session)], among: locks)
        found.append(
          Part(scope: scope, lock: lock, differsFromLock: lock.map { differing.contains($0.scope) } ?? false))
      }
      found[index].identity.count(sheet.sheetClass)
    }
    return found
  }
}

extension ExamLock.Scope {
  /// Whether a station session belongs to it.
  func covers(_ place: StationSession) -> Bool { covers(circuit: place.circuit.name, session: place.session.name) }

  /// Whether a line stands in its way: one of its own, or one that belongs to no session.
  fileprivate func concerns(_ line: ClosingReport.Line) -> Bool {
    concerns(circuit: line.circuit, session: line.session)
  }

  /// Whether what is of a circuit and a session, or of none, belongs to it.
  func concerns(circuit other: String?, session moment: String?) -> Bool {
    (circuit ?? other ?? "") == (other ?? circuit ?? "") && (session ?? moment ?? "") == (moment ?? session ?? "")
  }
}
