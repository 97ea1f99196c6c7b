import CircuitModel
import ExamStore
import GRDB
import Standards
import Timer

/// What stands between an exam and its closing: whether every planned sheet is accounted for, and what is open.
public struct ClosingReport: Sendable {
  /// What must be in order. The raw values are stable.
  public enum Code: String, CaseIterable, Sendable {
    case identity, unsigned, blankRequired, blankGlobal, rerunQueue, attendance, doubleMarks, otherForm, critical
    case concerns, identityNotes, contradictions, refused, parked, quarantined, unsent, clocks, terminals, secondCopy, chains, cuts

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
    /// Who can settle it, by username.
    public var call: String?
    /// Whether no required item of the sheet is blank.
    public var isFilled: Bool?
    /// At which terminal it is open.
    public var terminal: String?
    /// Since when.
    public var since: Instant?

    init(_ what: String) { self.what = what }
  }

  /// One check with what is open of it.
  public struct Check: Sendable {
    /// What must be in order.
    public let code: Code
    /// What is open of it.
    public let lines: [Line]

    /// Whether nothing is open.
    public var isOK: Bool { lines.isEmpty }
  }

  /// The identity of the whole exam.
  public let identity: ClosingIdentity
  /// The same of each session, in order.
  public let sessions: [(circuit: String, session: String, identity: ClosingIdentity)]
  /// Every check, in order.
  public let checks: [Check]
  /// Every sheet with its class.
  public let sheets: [ClassedSheet]

  /// Whether everything is in order.
  public var isReady: Bool { checks.allSatisfy(\.isOK) }

  /// Reads what is open.
  /// - Parameters:
  ///   - examined: what the doctor found in the store.
  ///   - readiness: what was found around it, the second copy among it.
  public static func read(
    _ examined: Diagnosis, _ readiness: Diagnosis, in db: Database, at now: Instant
  ) throws -> ClosingReport {
    let policy = try PolicyInForce.read(.init(), in: db).policy
    let classes = try SheetClasses(policy, in: db)
    var finder = ClosingChecks(classes, in: db, at: now)
    let results = try ResultsReport.read(.init(), in: db, at: now).results
    let checks = try Code.allCases.map { code in
      Check(code: code, lines: try finder.lines(code, examined, readiness, results))
    }
    return ClosingReport(
      identity: classes.identity, sessions: ClosingReport.sessions(classes.sheets), checks: checks,
      sheets: classes.sheets)
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

extension ClosingReport {
  /// `{"scope","state","identity":{…},"checks":[{"code","open","waived","ok","lines":[{…}]}],"lock":null}`.
  public var json: JSONDocument {
    .object([
      ("scope", .text("exam")), ("state", .text("open")), ("identity", identity.json),
      (
        "checks",
        .array(
          checks.map { check in
            .object([
              ("code", .text(check.code.rawValue)), ("open", .number(check.lines.count)), ("waived", .integer(0)),
              ("ok", .bool(check.isOK)), ("lines", .array(check.lines.map(\.json))),
            ])
          })
      ), ("lock", .null),
    ])
  }

  /// The sheets as a table, each with its class.
  public static let sheetColumns = [
    "date", "start", "circuit", "station", "round", "student_number", "seat", "form", "assessor", "sheet", "signed_at",
    "class",
  ]

  /// Writes the sheets as comma-separated values.
  public func writeSheets(to write: ([UInt8]) throws -> Void) throws {
    let rows: [[ExportCell]] = sheets.map { sheet in
      [
        .text(sheet.place.session.date), .text(sheet.place.session.startTime), .text(sheet.place.circuit.name),
        .text(sheet.place.stationCode), .number(sheet.entry.round), .text(sheet.entry.number), .text(sheet.seat.name),
        .text(sheet.form), .optional(sheet.assessor), .optional(sheet.sheet), .instant(sheet.signedAt),
        .text(sheet.sheetClass.rawValue),
      ]
    }
    try ExportWriter.write(rows, CSVRows(ClosingReport.sheetColumns), to: write)
  }
}

extension ClosingIdentity {
  fileprivate var json: JSONDocument {
    .object([
      ("expected", .number(expected)), ("held", .number(held)), ("absent", .number(absent)),
      ("excluded", .number(excluded)), ("queued", .number(queued)), ("open", .number(open)),
      ("unplanned", .number(unplanned)), ("practice", .number(practice)), ("holds", .bool(holds)),
    ])
  }
}

extension ClosingReport.Line {
  fileprivate var json: JSONDocument {
    .object([
      ("what", .text(what)), ("circuit", .optional(circuit)), ("session", .optional(session)),
      ("round", .number(round)), ("station", .optional(station)), ("candidate", .optional(candidate)),
      ("call", .optional(call)), ("filled", .flag(isFilled)), ("terminal", .optional(terminal)),
      ("since", .time(since)),
    ])
  }
}
