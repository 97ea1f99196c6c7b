import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// What stands between an exam and its closing: whether every planned sheet is accounted for, and what is open.
public struct ClosingReport: Sendable {
  /// What must be in order. The raw values are stable.
  public enum Code: String, CaseIterable, Sendable {
    case identity, unsigned, blankRequired, blankGlobal, rerunQueue, attendance, doubleMarks, otherForm, critical, paper
    case concerns, identityNotes, contradictions, refused, parked, quarantined, unsent, clocks, terminals, secondCopy,
      chains, cuts

    /// Whether the lead may accept what is open of it.
    public var isWaivable: Bool {
      switch self {
      case .unsigned, .blankRequired, .blankGlobal, .doubleMarks, .otherForm, .critical, .unsent, .secondCopy, .cuts:
        true
      case .identity, .rerunQueue, .attendance, .paper, .concerns, .identityNotes, .contradictions, .refused, .parked,
        .quarantined, .clocks, .terminals, .chains:
        false
      }
    }

    /// What it asks for, in words.
    public var words: String {
      switch self {
      case .identity: "expected = held + absent + excluded + queued"
      case .unsigned: "sheets signed"
      case .blankRequired: "required items answered"
      case .blankGlobal: "global ratings given"
      case .rerunQueue: "re-run queue empty"
      case .attendance: "attendance recorded"
      case .doubleMarks: "double marks within the margin"
      case .otherForm: "double marks on the same sheet"
      case .critical: "critical items clear"
      case .paper: "what was typed from paper compared by a second person"
      case .concerns: "concerns read"
      case .identityNotes: "identity notes answered"
      case .contradictions: "no field with two values"
      case .refused: "nothing refused"
      case .parked: "nothing waits for other changes"
      case .quarantined: "nothing held back"
      case .unsent: "everything at the hub"
      case .clocks: "every session finished"
      case .terminals: "nobody has a sheet open"
      case .secondCopy: "second copy"
      case .chains: "the store is sound"
      case .cuts: "every cut can stand"
      }
    }
  }

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
    /// The row that it is about, where that is read and answered.
    public var subject: String?
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
    fileprivate func key(_ code: Code, number: Int) -> String {
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

    /// What is open: not waived.
    public var open: [Line] { lines.filter { $0.waiver == nil } }

    /// Whether nothing is open.
    public var isOK: Bool { lines.allSatisfy { $0.waiver != nil } }

    init(_ code: Code, _ found: [Line], _ rulings: RulingsInForce) {
      self.code = code
      var seen: [String: Int] = [:]
      lines = found.map { line in
        var line = line
        let first = line.key(code, number: 0)
        line.id = seen[first].map { line.key(code, number: $0) } ?? first
        seen[first, default: 0] += 1
        if code.isWaivable { line.waiver = rulings.waivers[.init(check: code.rawValue, line: line.id)] }
        return line
      }
    }
  }

  /// The identity of the whole exam.
  public let identity: ClosingIdentity
  /// The same of each session, in order.
  public let sessions: [(circuit: String, session: String, identity: ClosingIdentity)]
  /// Every check, in order.
  public let checks: [Check]
  /// Every sheet with its class.
  public let sheets: [ClassedSheet]
  /// Every ruling that stands.
  public let rulings: [ExamRuling]
  /// The locks and amendments of the whole exam that hold, in order; none while it is open.
  public let locks: [ExamLock]

  /// `open`, `locked` or `amended`.
  public var state: String { locks.isEmpty ? "open" : locks.count == 1 ? "locked" : "amended" }

  /// Whether everything is in order.
  public var isReady: Bool { checks.allSatisfy(\.isOK) }

  /// Reads what is open.
  /// - Parameters:
  ///   - examined: what the doctor found in the store.
  ///   - readiness: what was found around it, the second copy among it.
  public static func read(
    _ examined: Diagnosis, _ readiness: Diagnosis, in db: Database, at now: Instant
  ) throws -> ClosingReport {
    let rulings = try ExamRuling.all(in: db)
    let inForce = RulingsInForce(rulings)
    let policy = try PolicyInForce.read(.init(), in: db).policy
    let classes = try SheetClasses(policy, inForce, in: db)
    let scores = try StoredScores.read(policy, in: db)
    let results = Results(scores.exam, policy: policy, isProvisional: scores.isProvisional)
    var finder = try ClosingChecks(classes, scores.exam, results, inForce, in: db, at: now)
    let checks = try Code.allCases.map { code in Check(code, try finder.lines(code, examined, readiness), inForce) }
    return ClosingReport(
      identity: classes.identity, sessions: ClosingReport.sessions(classes.sheets), checks: checks,
      sheets: classes.sheets, rulings: rulings, locks: try ExamLock.standing(in: db).filter(\.scope.isExam))
  }

  private static func sessions(
    _ sheets: [ClassedSheet]
  ) -> [(circuit: String, session: String, identity: ClosingIdentity)] {
    var found: [(circuit: String, session: String, identity: ClosingIdentity)] = []
    var places: [String: Int] = [:]
    for sheet in sheets {
      let session = sheet.place.session.moment
      let key = sheet.place.circuit.name + "\u{1F}" + session
      let index = places[key] ?? found.count
      if index == found.count {
        places[key] = index
        found.append((sheet.place.circuit.name, session, ClosingIdentity()))
      }
      found[index].identity.count(sheet.sheetClass)
    }
    return found
  }
}

extension Session {
  /// Date and start, as in `2026-12-01 08:30`.
  var moment: String { "\(date) \(startTime)" }
}
