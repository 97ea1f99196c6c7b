import Standards

/// `results:` of exam.yaml: how marks become results, with the lines for what is found later.
public struct ResultsBlock: Sendable {
  /// What is decided.
  public var document = PolicyDocument()
  /// Where the block begins.
  public var place: Place
  /// Where the choices stand that are checked against the exam, by their keys.
  var places: [String: Place] = [:]
  /// The stations that it decides on.
  var stations: [(code: ExamPlan.Reference, pilotItems: [ExamPlan.Reference])] = []
  /// Where each exclusion stands, in the document's order.
  var exclusions: [Place] = []
}

/// Reads `results:`.
struct ResultsReader {
  private static let keys = [
    "method", "borderline", "borderlineBand", "sheets", "blanks", "doubleMarks", "missing", "sem", "k",
    "minimumStations", "critical", "rounding", "flags", "stations", "exclude", "feedback",
  ]

  let file: String
  let problems: ProblemList

  func read(_ tree: YAMLTree) -> ResultsBlock? {
    guard let fields = Fields(tree, "results", keys: Self.keys, file: file, problems: problems) else { return nil }
    var block = ResultsBlock(place: fields.place())
    for key in ["method", "borderline", "minimumStations"] { block.places[key] = fields.place(key) }
    block.document.method = word(fields, "method", Policy.Method.self)
    block.document.borderline = number(fields, "borderline", -1000...1000)
    block.document.borderlineBand = number(fields, "borderlineBand", 0...1000)
    block.document.sheets = word(fields, "sheets", Policy.Sheets.self)
    block.document.blanks = word(fields, "blanks", Policy.Blanks.self)
    block.document.doubleMarks = word(fields, "doubleMarks", Policy.DoubleMarks.self)
    block.document.missing = word(fields, "missing", Policy.Missing.self)
    block.document.sem = word(fields, "sem", Policy.ErrorSource.self)
    block.document.k = number(fields, "k", 0...5)
    if let text = fields.text("minimumStations") {
      block.document.minimumStations = text
      if Policy.MinimumStations(text) == nil {
        fields.error(
          "minimumStations",
          "'minimumStations' is none, a number, a percentage such as 60%, or predicted, not "
            + Visible.quoted(text))
      }
    }
    block.document.critical = sub(fields, "critical", ["effect", "allowed"]) { inner in
      var critical = PolicyDocument.Critical()
      critical.effect = word(inner, "effect", Policy.Critical.Effect.self)
      critical.allowed = inner.whole("allowed", in: 0...100)
      return critical
    }
    block.document.rounding = sub(fields, "rounding", ["mode", "decimals"]) { inner in
      var rounding = PolicyDocument.Rounding()
      rounding.mode = word(inner, "mode", Policy.Rounding.Mode.self)
      rounding.decimals = inner.whole("decimals", in: 0...6)
      return rounding
    }
    block.document.flags = sub(fields, "flags", ["r2", "between", "alpha", "pairs"]) { inner in
      var flags = PolicyDocument.Flags()
      flags.r2 = number(inner, "r2", 0...1)
      flags.between = number(inner, "between", 0...100)
      flags.alpha = number(inner, "alpha", 0...1)
      flags.pairs = inner.whole("pairs", in: 0...10_000)
      return flags
    }
    block.document.feedback = sub(fields, "feedback", ["scores", "cohort", "minimumGroup"]) { inner in
      var feedback = PolicyDocument.Feedback()
      feedback.scores = word(inner, "scores", Policy.Feedback.Scores.self)
      if inner.has("cohort") { feedback.cohort = inner.flag("cohort") }
      feedback.minimumGroup = inner.whole("minimumGroup", in: 5...10_000)
      return feedback
    }
    readStations(fields, &block)
    for entry in fields.list("exclude") { readExclusion(entry, &block) }
    return block
  }

  private func sub<Value>(_ fields: Fields, _ key: String, _ keys: [String], _ body: (Fields) -> Value) -> Value? {
    fields.value(key).flatMap { Fields($0, key, keys: keys, file: file, problems: problems) }.map(body)
  }

  private func word<Word: CaseIterable & RawRepresentable<String>>(
    _ fields: Fields, _ key: String, _: Word.Type
  ) -> String? { fields.word(key, of: Word.allCases.map(\.rawValue)) }

  private func number(_ fields: Fields, _ key: String, _ range: ClosedRange<Double>) -> Double? {
    guard let number = fields.number(key) else { return nil }
    if range.contains(number) { return number }
    fields.error(
      key,
      "'\(key)' must be \(WrittenNumber.text(range.lowerBound)) to \(WrittenNumber.text(range.upperBound)), not "
        + WrittenNumber.text(number))
    return nil
  }

  private func readStations(_ fields: Fields, _ block: inout ResultsBlock) {
    for entry in fields.table("stations") {
      let keys = ["pilot", "weight", "borderline", "cut", "pilotItems"]
      guard let inner = Fields(entry.value, "results", keys: keys, file: file, problems: problems) else { continue }
      var station = PolicyDocument.Station()
      if inner.has("pilot") { station.pilot = inner.flag("pilot") }
      station.weight = number(inner, "weight", 0...1000)
      station.borderline = number(inner, "borderline", -1000...1000)
      station.cut = number(inner, "cut", 0...100)
      let items = inner.texts("pilotItems")
      if !items.isEmpty { station.pilotItems = items.map(\.text) }
      block.document.stations = (block.document.stations ?? [:]).merging([entry.key.trimmed: station]) { $1 }
      block.stations.append(
        (
          .init(code: entry.key.trimmed, place: Place(file: file, line: entry.line)),
          items.map { .init(code: $0.text, place: $0.place) }
        ))
    }
  }

  private func readExclusion(_ tree: YAMLTree, _ block: inout ResultsBlock) {
    let keys = ["station", "item", "circuit", "session", "candidate", "reason"]
    guard let inner = Fields(tree, "exclude", keys: keys, file: file, problems: problems) else { return }
    var exclusion = PolicyDocument.Exclusion(reason: inner.needed("reason"))
    exclusion.station = inner.text("station")
    exclusion.item = inner.text("item")
    exclusion.circuit = inner.text("circuit")
    exclusion.session = inner.text("session")
    exclusion.candidate = inner.text("candidate")
    if exclusion.station == nil && exclusion.candidate == nil {
      inner.error(nil, "'station' or 'candidate' is missing")
    } else if exclusion.station == nil && (exclusion.circuit != nil || exclusion.session != nil) {
      inner.error(nil, "'circuit' and 'session' need a 'station'")
    } else if exclusion.station == nil && exclusion.item != nil {
      inner.error(nil, "'item' needs a 'station'")
    }
    block.document.exclude = (block.document.exclude ?? []) + [exclusion]
    block.exclusions.append(inner.place())
  }
}
