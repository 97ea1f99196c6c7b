import CircuitModel
import ExamStore
import GRDB
import Standards

/// The policy by which results are made, and who decided what of it.
public struct PolicyInForce: Sendable {
  /// Where a choice comes from. The raw values are stable.
  public enum Source: String, Sendable {
    /// Nobody decided.
    case standard = "default"
    /// The exam's own file.
    case file
    /// An option of the command.
    case option
  }

  /// The policy.
  public private(set) var policy = Policy()
  private var file: PolicyDocument?
  private var options = PolicyDocument()

  /// - Parameters:
  ///   - file: what the exam says.
  ///   - options: what the command says; it outranks the exam for this print.
  public init(file: PolicyDocument? = nil, options: PolicyDocument = .init()) {
    (self.file, self.options) = (file, options)
    if let file { policy.apply(file) }
    policy.apply(options)
    policy.borderlineForAll = options.borderline
  }

  /// What a store says, and the options on top of it.
  public static func read(_ options: PolicyDocument, in db: Database) throws -> PolicyInForce {
    PolicyInForce(file: try ExamSettings.results(db), options: options)
  }

  private func source(_ isDecided: (PolicyDocument) -> Bool) -> Source {
    isDecided(options) ? .option : file.map(isDecided) == true ? .file : .standard
  }

  /// Every choice in the order of `results:`, its value and where it comes from.
  var choices: [(key: String, value: JSONDocument, source: Source)] {
    [
      ("method", .text(policy.method.rawValue), source { $0.method != nil }),
      ("borderline", .real(policy.borderline ?? 2), source { $0.borderline != nil }),
      ("borderlineBand", .real(policy.borderlineBand), source { $0.borderlineBand != nil }),
      ("sheets", .text(policy.sheets.rawValue), source { $0.sheets != nil }),
      ("blanks", .text(policy.blanks.rawValue), source { $0.blanks != nil }),
      ("doubleMarks", .text(policy.doubleMarks.rawValue), source { $0.doubleMarks != nil }),
      ("missing", .text(policy.missing.rawValue), source { $0.missing != nil }),
      ("sem", .text(policy.sem.rawValue), source { $0.sem != nil }),
      ("k", .real(policy.k), source { $0.k != nil }),
      ("minimumStations", .text(policy.minimumStations.text), source { $0.minimumStations != nil }),
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
            ("value", choice.value), ("source", .text(choice.source.rawValue)), ("by", .null), ("at", .null),
          ])
        )
      } + [
        (
          "exclude",
          .array(
            policy.exclude.map {
              .object([
                ("station", .optional($0.station)), ("item", .optional($0.item)), ("circuit", .optional($0.circuit)),
                ("session", .optional($0.session)), ("candidate", .optional($0.candidate)),
                ("reason", .text($0.reason)), ("by", .null), ("at", .null),
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
