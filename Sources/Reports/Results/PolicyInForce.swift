import CircuitModel
import ExamStore
import GRDB
import Standards
import Timer

/// The policy by which results are made, and who decided what of it.
public struct PolicyInForce: Sendable {
  /// Where a choice comes from. The raw values are stable.
  public enum Source: String, Sendable {
    /// Nobody decided.
    case standard = "default"
    /// The exam's own file.
    case file
    /// The stations' mark sheets, where nobody else decided.
    case sheet
    /// The exam lead, by a ruling.
    case screen
    /// An option of the command.
    case option
  }

  /// Whose choice something is, and since when.
  struct Origin {
    var by: String?
    var at: Instant?
  }

  /// The policy.
  public private(set) var policy = Policy()
  private let file: PolicyDocument?
  /// In which file the choices stand whose source is one.
  public let fileName: String
  private let rulings: [(document: PolicyDocument, origin: Origin)]
  private let options: PolicyDocument
  /// Of each exclusion of the policy where it comes from.
  private var exclusions: [(source: Source, origin: Origin)] = []
  /// The borderline grade that the stations bring themselves; nil where they do not agree, or something else decides.
  private var ownBorderline: (grade: Double, source: Source)?
  /// What stations have from their mark sheets beside the choices for all of them, in the stations' order.
  private(set) var sheetChoices: [SheetChoice] = []

  /// - Parameters:
  ///   - file: what the exam says.
  ///   - rulings: what the lead has ruled, in order; it outranks the exam.
  ///   - options: what the command says; it outranks both for this print.
  ///   - fileName: the exam's file, or the one that has the scores.
  public init(
    file: PolicyDocument? = nil, rulings: [ExamRuling] = [], options: PolicyDocument = .init(),
    fileName: String = "exam.yaml"
  ) {
    (self.file, self.options, self.fileName) = (file, options, fileName)
    self.rulings = rulings.compactMap { ruling in
      ruling.choices.map { ($0, Origin(by: ruling.staff, at: ruling.time)) }
    }
    func apply(_ document: PolicyDocument, _ source: Source, _ origin: Origin = Origin()) {
      policy.apply(document)
      exclusions += (document.exclude ?? []).map { _ in (source, origin) }
    }
    if let file { apply(file, .file) }
    for ruling in self.rulings { apply(ruling.document, .screen, ruling.origin) }
    apply(options, .option)
    policy.borderlineForAll = options.borderline ?? self.rulings.lazy.compactMap(\.document.borderline).last
  }

  /// What a store says, and the options on top of it.
  public static func read(_ options: PolicyDocument, in db: Database) throws -> PolicyInForce {
    PolicyInForce(file: try ExamSettings.results(db), rulings: try ExamRuling.all(in: db), options: options)
  }

  /// The same, with the borderline grade that every station that counts brings, where all bring the same, and with what
  /// single stations have from their mark sheets.
  /// - Parameter source: what they have it from.
  func beside(_ stations: [StationPlan], _ results: Results, from source: Source) -> PolicyInForce {
    let counted = Set(results.stations.filter(\.isCounted).map(\.station))
    let grades = stations.filter { counted.contains($0.code) }.map { station in
      policy.stations[station.code]?.borderline == nil ? station.borderline : nil
    }
    let given = Set(grades.compactMap { $0 })
    var other = self
    if given.count == 1, let grade = given.first, !grades.contains(nil) { other.ownBorderline = (grade, source) }
    if source == .sheet {
      let left = Set(results.stations.filter(\.isExcluded).map(\.station))
      other.sheetChoices = stations.filter { !left.contains($0.code) }.compactMap {
        SheetChoice($0, borderline: other.borderline.grade, policy)
      }
    }
    return other
  }

  mutating func replaceExclusions(_ other: (Policy.Exclusion) -> Policy.Exclusion) {
    policy.exclude = policy.exclude.map(other)
  }

  /// What is left out or excused, in the order in which it was decided.
  var standingExclusions: [StandingExclusion] {
    zip(policy.exclude, exclusions).map {
      StandingExclusion(exclusion: $0, source: $1.source, origin: $1.origin)
    }
  }

  private func source(_ isDecided: (PolicyDocument) -> Bool) -> (source: Source, origin: Origin) {
    if isDecided(options) { return (.option, Origin()) }
    if let ruling = rulings.last(where: { isDecided($0.document) }) { return (.screen, ruling.origin) }
    return (file.map(isDecided) == true ? .file : .standard, Origin())
  }

  /// Every choice in the order of `results:`, its value and where it comes from.
  var choices: [(key: String, value: JSONDocument, decided: (source: Source, origin: Origin))] {
    [
      ("method", .text(policy.method.rawValue), source { $0.method != nil }),
      ("borderline", .real(borderline.grade), borderline.decided),
      ("borderlineBand", .real(policy.borderlineBand), source { $0.borderlineBand != nil }),
      ("sheets", .text(policy.sheets.rawValue), source { $0.sheets != nil }),
      ("blanks", .text(policy.blanks.rawValue), source { $0.blanks != nil }),
      ("doubleMarks", .text(policy.doubleMarks.rawValue), source { $0.doubleMarks != nil }),
      ("missing", .text(policy.missing.rawValue), source { $0.missing != nil }),
      ("sem", .text(policy.sem.rawValue), source { $0.sem != nil }),
      ("k", .real(policy.k), source { $0.k != nil }),
      ("minimumStations", minimumStations, source { $0.minimumStations != nil }),
      (
        "critical",
        .object([
          ("effect", .text(policy.critical.effect.rawValue)), ("allowed", .number(policy.critical.allowed)),
        ]), source { $0.critical != nil }
      ),
      (
        "rounding",
        .object([
          ("mode", .text(policy.rounding.mode.rawValue)), ("decimals", .number(policy.rounding.decimals)),
        ]), source { $0.rounding != nil }
      ),
      (
        "flags",
        .object([
          ("r2", .real(policy.flags.r2)), ("between", .real(policy.flags.between)),
          ("alpha", .real(policy.flags.alpha)), ("pairs", .number(policy.flags.pairs)),
        ]), source { $0.flags != nil }
      ),
      ("stations", stations, source { !($0.stations ?? [:]).isEmpty }),
      (
        "feedback",
        .object([
          ("scores", .text(policy.feedback.scores.rawValue)), ("cohort", .bool(policy.feedback.cohort)),
          ("minimumGroup", .number(policy.feedback.minimumGroup)),
        ]), source { $0.feedback != nil }
      ),
    ]
  }

  private var borderline: (grade: Double, decided: (source: Source, origin: Origin)) {
    let decided = source { $0.borderline != nil }
    if decided.source == .standard, let own = ownBorderline { return (own.grade, (own.source, Origin())) }
    return (policy.borderline ?? Policy.usualBorderline, decided)
  }

  private var minimumStations: JSONDocument {
    if case .number(let number) = policy.minimumStations { .number(number) } else { .text(policy.minimumStations.text) }
  }

  private var stations: JSONDocument {
    .object(
      policy.stations.sorted { $0.key < $1.key }.map { code, station in
        var members: [(String, JSONDocument)] = []
        if let pilot = station.pilot { members.append(("pilot", .bool(pilot))) }
        if let weight = station.weight { members.append(("weight", .real(weight))) }
        if let borderline = station.borderline { members.append(("borderline", .real(borderline))) }
        if let cut = station.cut { members.append(("cut", .real(cut))) }
        if !station.pilotItems.isEmpty {
          members.append(("pilotItems", .array(station.pilotItems.map { .text($0) })))
        }
        return (code, .object(members))
      })
  }

  /// `{KEY:{"value","source","by","at"},…,"exclude":[{"station","item","circuit","session","candidate","reason","by","at"}]}`
  var json: JSONDocument {
    .object(
      choices.map { choice in
        (
          choice.key,
          JSONDocument.object([
            ("value", choice.value), ("source", .text(choice.decided.source.rawValue)),
            ("by", .optional(choice.decided.origin.by)), ("at", .time(choice.decided.origin.at)),
          ])
        )
      } + [
        (
          "exclude",
          .array(
            standingExclusions.map { standing in
              let exclusion = standing.exclusion
              return .object([
                ("station", .optional(exclusion.station)), ("item", .optional(exclusion.item)),
                ("circuit", .optional(exclusion.circuit)), ("session", .optional(exclusion.session)),
                ("candidate", .optional(exclusion.candidate)), ("reason", .text(exclusion.reason)),
                ("by", .optional(standing.origin.by)), ("at", .time(standing.origin.at)),
              ])
            })
        )
      ])
  }
}

extension ExamSettings {
  /// What the exam says of its results: the member `results` of `Config.settings`; nil where it says nothing.
  /// - Throws: `StoreError` where that cannot be read: results by other choices than the exam's would be wrong unseen.
  static func results(_ db: Database) throws -> PolicyDocument? {
    guard let json = try member("results", db) else { return nil }
    guard let document = PolicyText.read(json) else {
      throw StoreError("what the exam says of its results cannot be read by this version; import exam.yaml again")
    }
    return document
  }
}

extension ExamRuling {
  /// What it says of how results are made; nil where it says nothing, or nothing that this version can read. A ruling on
  /// one sheet changes no policy.
  fileprivate var choices: PolicyDocument? {
    switch kind {
    case .policy: return policy.flatMap(PolicyText.read)
    case .exclusion, .excuse:
      if scope.sheet != nil { return nil }
      var exclusion = PolicyDocument.Exclusion(reason: reason)
      (exclusion.station, exclusion.item, exclusion.circuit) = (scope.station, scope.item, scope.circuit)
      (exclusion.session, exclusion.candidate) = (scope.session, scope.candidate)
      var document = PolicyDocument()
      document.exclude = [exclusion]
      return document
    case .adjudication, .waiver, .answer, .amendment, .reopening: return nil
    }
  }
}
