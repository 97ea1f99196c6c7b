import CircuitModel
import ExamStore
import Timer

/// Reads `exam.yaml`.
struct ExamReader {
  static let phaseTypes = ["rotation", "reading", "feedback", "changeover", "break"]

  private static let examKeys = [
    "exam", "timeZone", "circuits", "phases", "warnings", "stations", "sessions", "comments", "phrases", "showNames",
    "identityDigits",
    "idleLockMinutes", "results", "scales", "retentionDays",
  ]
  private static let circuitKeys = ["code", "name", "phases", "warnings", "stations", "disciplines"]
  private static let phaseKeys = ["type", "length", "minutes", "seconds", "manualStart"]
  private static let warningKeys = ["phase", "left", "level", "text"]
  private static let stationKeys = [
    "code", "name", "sheets", "forms", "rest", "requiresStudentSignout", "patients", "simulatedPatient", "lead",
    "doubleMarkingMargin", "withdrawn",
  ]

  let file: String
  let problems: ProblemList

  func read(_ tree: YAMLTree) -> ExamPlan? {
    guard let fields = Fields(tree, "exam", keys: Self.examKeys, file: file, problems: problems) else { return nil }
    let name = fields.needed("exam")
    let zone = fields.needed("timeZone")
    if !zone.isEmpty, !WrittenTime.isTimeZone(zone) {
      fields.error(
        "timeZone",
        "time zone \(Visible.quoted(zone)) is unknown" + NearestName.hint(for: zone, among: WrittenTime.timeZones))
    }
    let shared = Shared(
      phases: fields.has("phases") ? phases(fields) : nil, warnings: warnings(fields),
      stations: fields.has("stations") ? stations(fields) : nil)
    if !fields.has("circuits") { fields.error(nil, "'circuits' is missing") }
    if !fields.has("sessions") {
      problems.warning(fields.place(), "exam: there are no 'sessions', so nobody is examined yet")
    }
    let circuits = fields.list("circuits").compactMap { circuit($0, shared) }
    let sessions = SessionReader(file: file, problems: problems).read(fields.list("sessions"))
    let groups = fields.table("comments").map { entry in
      ExamPlan.PhraseGroup(name: entry.key.trimmed, texts: texts(entry.value))
    }
    let general = phrases(fields)
    return ExamPlan(
      name: name, timeZone: zone, circuits: circuits, sessions: sessions, candidates: [], staff: [], sheets: [],
      phrases: groups + general, rules: rules(fields),
      results: fields.value("results").flatMap { ResultsReader(file: file, problems: problems).read($0) },
      retentionDays: fields.whole("retentionDays", in: 1...36_500), place: fields.place())
  }

  /// The scales that items of mark sheets name, read before the sheets are.
  func scales(_ tree: YAMLTree) -> [String: MarkSheet.SharedScale] {
    // Read again with the rest of the file, which says what is wrong with it.
    guard
      let fields = Fields(tree, "exam", keys: Self.examKeys, file: file, problems: ProblemList())
    else { return [:] }
    let reader = MarkSheetReader(file: file, problems: problems)
    var scales: [String: MarkSheet.SharedScale] = [:]
    for entry in fields.table("scales") {
      let name = entry.key.trimmed
      if MarkSheetReader.scale(name) != nil {
        problems.error(
          Place(file: file, line: entry.line), "scale \(Visible.quoted(name)): a name, not a scale, is needed")
      }
      scales[name] = reader.shared(entry.value) ?? MarkSheet.SharedScale()
    }
    return scales
  }

  /// What every circuit has that does not say otherwise.
  private struct Shared {
    var phases: [ExamPlan.Phase]?
    var warnings: [ExamPlan.Warning]?
    var stations: [ExamPlan.Station]?
  }

  private func circuit(_ tree: YAMLTree, _ shared: Shared) -> ExamPlan.Circuit? {
    guard let fields = Fields(tree, "circuit", keys: Self.circuitKeys, file: file, problems: problems) else {
      return nil
    }
    let code = fields.needed("code")
    if !fields.has("phases"), shared.phases == nil {
      fields.error(nil, "circuit \(Visible.quoted(code)) has no 'phases'")
    }
    if !fields.has("stations"), shared.stations == nil {
      fields.error(nil, "circuit \(Visible.quoted(code)) has no 'stations'")
    }
    return ExamPlan.Circuit(
      code: code, name: fields.text("name") ?? code,
      phases: fields.has("phases") ? phases(fields) : shared.phases ?? [],
      warnings: fields.has("warnings") ? warnings(fields) : shared.warnings,
      stations: fields.has("stations") ? stations(fields) : shared.stations ?? [],
      disciplines: fields.texts("disciplines").map(\.text), place: fields.place())
  }

  // MARK: - Phases

  private func phases(_ fields: Fields) -> [ExamPlan.Phase] {
    fields.list("phases").compactMap { tree in
      if case .scalar(let text, _) = tree.content { return phase(text, Place(file: file, line: tree.line)) }
      return phase(tree)
    }
  }

  /// `rotation 8 min`, `reading 60 s, manual start`.
  private func phase(_ text: String, _ place: Place) -> ExamPlan.Phase? {
    let parts = text.split(separator: ",").map(\.trimmed)
    let words = (parts.first ?? "").split(separator: " ", maxSplits: 1)
    guard words.count == 2 else {
      problems.error(place, "phase: write a type and a length, such as 'rotation 8 min', not \(Visible.quoted(text))")
      return nil
    }
    var manual = false
    for part in parts.dropFirst() {
      if Fields.folded(part) == "manualstart" {
        manual = true
      } else {
        problems.error(place, "phase: only 'manual start' may follow the length, not \(Visible.quoted(part))")
      }
    }
    let type = phaseType(String(words[0]), place)
    guard let seconds = WrittenTime.length(words[1].trimmed) else {
      problems.error(
        place, "phase: a length is '60 s', '8 min' or '8:30', at most a day, not \(Visible.quoted(words[1].trimmed))")
      return nil
    }
    return finished(type, seconds, manual, place)
  }

  private func phase(_ tree: YAMLTree) -> ExamPlan.Phase? {
    guard let fields = Fields(tree, "phase", keys: Self.phaseKeys, file: file, problems: problems) else { return nil }
    let type = phaseType(fields.needed("type"), fields.place("type"))
    let manual = fields.flag("manualStart")
    if let length = fields.text("length") {
      if fields.has("minutes") || fields.has("seconds") {
        fields.error(nil, "write 'length', or 'minutes' and 'seconds', not both")
      }
      guard let seconds = WrittenTime.length(length) else {
        fields.error("length", "a length is '60 s', '8 min' or '8:30', at most a day, not \(Visible.quoted(length))")
        return nil
      }
      return finished(type, seconds, manual, fields.place())
    }
    guard fields.has("minutes") || fields.has("seconds") else {
      fields.error(nil, "'length' is missing")
      return nil
    }
    let written = fields.has("minutes")
    guard let minutes = written ? fields.whole("minutes", in: 0...1_440) : 0,
      let seconds = fields.has("seconds") ? fields.whole("seconds", in: written ? 0...59 : 0...86_400) : 0
    else { return nil }
    return finished(type, minutes * 60 + seconds, manual, fields.place())
  }

  private func phaseType(_ text: String, _ place: Place) -> String? {
    if let type = Self.phaseTypes.first(where: { $0 == text.lowercased() }) { return type }
    if !text.isEmpty {
      problems.error(
        place,
        "phase: the type must be one of \(Self.phaseTypes.joined(separator: ", ")), not \(Visible.quoted(text))"
          + NearestName.hint(for: text, among: Self.phaseTypes))
    }
    return nil
  }

  private func finished(_ type: String?, _ seconds: Int, _ manual: Bool, _ place: Place) -> ExamPlan.Phase? {
    guard seconds > 0 else {
      problems.error(place, "phase: the length is zero")
      return nil
    }
    return type.map { ExamPlan.Phase(type: $0, seconds: seconds, manualStart: manual, place: place) }
  }

  // MARK: - Warnings

  private func warnings(_ fields: Fields) -> [ExamPlan.Warning]? {
    guard let value = fields.value("warnings") else { return nil }
    if case .scalar = value.content {
      switch fields.word("warnings", of: ["default", "liftupp", "none"]) {
      case "liftupp": return ExamPlan.Warning.liftupp
      case "none": return []
      default: return nil
      }
    }
    return fields.list("warnings").compactMap(warning)
  }

  private func warning(_ tree: YAMLTree) -> ExamPlan.Warning? {
    guard let fields = Fields(tree, "warning", keys: Self.warningKeys, file: file, problems: problems) else {
      return nil
    }
    let phase = fields.word("phase", of: Self.phaseTypes) ?? "rotation"
    let level = fields.word("level", of: ["none", "amber", "red"]) ?? "none"
    guard let left = fields.text("left") else {
      fields.error(nil, "'left' is missing: the time left, such as '2 min'")
      return nil
    }
    guard let seconds = WrittenTime.length(left) else {
      fields.error("left", "a length is '60 s', '8 min' or '8:30', at most a day, not \(Visible.quoted(left))")
      return nil
    }
    return ExamPlan.Warning(phaseType: phase, secondsLeft: seconds, level: level, text: fields.text("text") ?? "")
  }

  // MARK: - Stations

  private func stations(_ fields: Fields) -> [ExamPlan.Station] {
    fields.list("stations").compactMap { tree in
      guard let fields = Fields(tree, "station", keys: Self.stationKeys, file: file, problems: problems) else {
        return nil
      }
      let code = fields.needed("code")
      return ExamPlan.Station(
        code: code, name: fields.text("name") ?? code,
        sheets: fields.texts("sheets").map { .init(code: $0.text, place: $0.place) },
        forms: fields.word("forms", of: ["all", "one"]) ?? "all", isRest: fields.flag("rest"),
        requiresStudentSignout: fields.flag("requiresStudentSignout"), acceptsPatients: fields.flag("patients"),
        acceptsSimulatedPatient: fields.flag("simulatedPatient"), doubleMarkingMargin: margin(fields),
        lead: fields.text("lead").map { .init(code: $0, place: fields.place("lead")) }, withdrawn: withdrawn(fields),
        place: fields.place())
    }
  }

  /// The reason is the mark of a withdrawal: a bare yes or no says nothing to who asks later.
  private func withdrawn(_ fields: Fields) -> String? {
    guard fields.has("withdrawn"), let reason = fields.text("withdrawn") else { return nil }
    if !reason.isEmpty, !["true", "false", "yes", "no"].contains(reason.lowercased()) { return reason }
    fields.error("withdrawn", "'withdrawn' is the reason in words, such as 'manikin broken'; leave it out to examine")
    return nil
  }

  private func margin(_ fields: Fields) -> Double? {
    guard let margin = fields.number("doubleMarkingMargin") else { return nil }
    if 0...100 ~= margin { return margin }
    fields.error("doubleMarkingMargin", "'doubleMarkingMargin' is percent of the maximum, 0 to 100")
    return nil
  }

  // MARK: - Settings

  private func rules(_ fields: Fields) -> StationRules {
    let digits = fields.whole("identityDigits", in: 0...2) ?? 0
    if digits == 1 { fields.error("identityDigits", "'identityDigits' must be 0 or 2") }
    return StationRules(
      showsNames: fields.flag("showNames", default: true), identityDigits: digits,
      idleLockMinutes: fields.whole("idleLockMinutes", in: 0...240) ?? 0)
  }

  private static let longestPhrase = 500

  /// Ready-made texts of no group.
  private func phrases(_ fields: Fields) -> [ExamPlan.PhraseGroup] {
    var seen: Set<String> = []
    let phrases = fields.texts("phrases").compactMap { text, place -> String? in
      if text.count > Self.longestPhrase {
        problems.error(place, "phrases: a phrase has at most \(Self.longestPhrase) characters, not \(text.count)")
      } else if !seen.insert(text).inserted {
        problems.error(place, "phrases: duplicate \(Visible.quoted(text))")
      }
      return text
    }
    return phrases.isEmpty ? [] : [ExamPlan.PhraseGroup(name: "", texts: phrases)]
  }

  private func texts(_ tree: YAMLTree) -> [String] {
    let items: [YAMLTree] = if case .list(let items) = tree.content { items } else { [tree] }
    return items.compactMap { item in
      if case .scalar(let text, _) = item.content, !item.isEmpty { return text.trimmed }
      problems.error(Place(file: file, line: item.line), "comments: a text is needed here, not \(item.kind)")
      return nil
    }
  }
}

extension ExamPlan.Warning {
  /// The preset of the clock.
  static var liftupp: [Self] {
    WarningRule.liftupp.map {
      Self(phaseType: $0.phaseType.name, secondsLeft: $0.secondsLeft, level: $0.level.name, text: $0.text)
    }
  }
}
