import Characters
import Standards

/// What `results:` names must be in the exam, and must make a result possible.
struct ResultsRules {
  let plan: ExamPlan
  let problems: ProblemList
  /// The candidates' numbers; nil where they could not be read.
  let numbers: Set<String>?

  func check(_ block: ResultsBlock) {
    let stations = plan.circuits.flatMap(\.stations).filter { !$0.isRest }
    let codes = Set(stations.map(\.code))
    for (station, items) in block.stations where isStation(station.code, codes, station.place) {
      for item in items { check(item: item.code, of: station.code, item.place) }
      check(borderline: block.document.stations?[station.code]?.borderline, of: station.code, station.place)
    }
    var seen: [String: Int] = [:]
    for (exclusion, place) in zip(block.document.exclude ?? [], block.exclusions) {
      check(exclusion, codes, place)
      let named = [exclusion.station, exclusion.item, exclusion.circuit, exclusion.session, exclusion.candidate]
      let key = named.map { $0 ?? "" }.joined(separator: "\u{1F}")
      if let line = seen.updateValue(place.line, forKey: key) {
        problems.error(place, "exclude: the same is left out on line \(line)")
      }
    }
    checkDecisions(block, stations)
  }

  private func isStation(_ code: String, _ codes: Set<String>, _ place: Place) -> Bool {
    if codes.contains(code) { return true }
    problems.error(
      place, "results: station \(Visible.quoted(code)) is not in the exam" + NearestName.hint(for: code, among: codes))
    return false
  }

  private func sheets(of station: String) -> [MarkSheet] {
    let codes = Set(
      plan.circuits.flatMap(\.stations).filter { $0.code == station }.flatMap(\.sheets).map(\.code))
    return plan.sheets.filter { codes.contains($0.code) }
  }

  private func check(item: String, of station: String, _ place: Place) {
    let keys = sheets(of: station).flatMap(\.items).map(\.key)
    if keys.contains(item) { return }
    problems.error(
      place,
      "results: item \(Visible.quoted(item)) is on no sheet of station \(Visible.quoted(station))"
        + NearestName.hint(for: item, among: keys))
  }

  private func check(borderline: Double?, of station: String, _ place: Place) {
    guard let borderline else { return }
    for sheet in sheets(of: station) {
      guard let range = sheet.items.first(where: { $0.key == sheet.globalRating?.code })?.range,
        !range.contains(borderline)
      else { continue }
      problems.error(
        place,
        "results: the borderline grade \(WrittenNumber.text(borderline)) is outside the global rating's levels "
          + "\(WrittenNumber.text(range.lowerBound)) to \(WrittenNumber.text(range.upperBound)) of station "
          + Visible.quoted(station))
      return
    }
  }

  private func check(_ exclusion: PolicyDocument.Exclusion, _ codes: Set<String>, _ place: Place) {
    if let station = exclusion.station, isStation(station, codes, place), let item = exclusion.item {
      check(item: item, of: station, place)
    }
    if let circuit = exclusion.circuit, !plan.circuits.contains(where: { $0.code == circuit || $0.name == circuit }) {
      problems.error(
        place,
        "exclude: circuit \(Visible.quoted(circuit)) is not in the exam"
          + NearestName.hint(for: circuit, among: plan.circuits.map(\.code)))
    }
    if let session = exclusion.session, !plan.sessions.contains(where: { "\($0.date) \($0.start)" == session }) {
      problems.error(
        place,
        "exclude: no session is at \(Visible.quoted(session)); it is written as date and start, as in "
          + "\"2026-12-01 08:30\"")
    }
    if let candidate = exclusion.candidate, let numbers, !numbers.contains(candidate) {
      problems.error(place, "exclude: candidate \(Visible.quoted(candidate)) is not in the exam")
    }
  }

  private func checkDecisions(_ block: ResultsBlock, _ stations: [ExamPlan.Station]) {
    let document = block.document
    let excluded = Set(
      (document.exclude ?? []).filter {
        $0.item == nil && $0.circuit == nil && $0.session == nil && $0.candidate == nil
      }.compactMap(\.station))
    let counted = Set(stations.map(\.code)).filter { code in
      let sheets = sheets(of: code)
      let isPilot = document.stations?[code]?.pilot ?? (!sheets.isEmpty && sheets.allSatisfy(\.isPilot))
      let weight = document.stations?[code]?.weight ?? sheets.first?.weight ?? 1
      return !isPilot && weight > 0 && !excluded.contains(code)
    }
    if counted.isEmpty && !stations.isEmpty {
      problems.error(block.place, "results: no station counts: all are pilots, left out, or without weight")
    }
    if document.method == Policy.Method.fixed.rawValue {
      for code in counted.sorted() where document.stations?[code]?.cut == nil {
        problems.error(
          block.places["method"] ?? block.place,
          "results: with 'method: fixed' station \(Visible.quoted(code)) needs a 'cut'")
      }
    }
    if case .number(let number)? = document.minimumStations.flatMap(Policy.MinimumStations.init) {
      check(minimum: number, counted, block.places["minimumStations"] ?? block.place)
    }
    if document.stations == nil || document.borderline != nil {
      for code in counted.sorted() where document.stations?[code]?.borderline == nil {
        guard sheets(of: code).allSatisfy({ $0.borderlineGrade == nil }) else { continue }
        check(borderline: document.borderline, of: code, block.places["borderline"] ?? block.place)
      }
    }
  }
}

extension ResultsRules {
  /// More stations than anybody can pass are an error; more than some can is worth a look.
  private func check(minimum: Int, _ counted: Set<String>, _ place: Place) {
    let ways = ways(counted)
    let most = ways.map(\.count).max() ?? counted.count
    if minimum > most {
      return problems.error(
        place, "results: 'minimumStations' is \(minimum), but at most \(counts(most)) for anybody")
    }
    for way in ways where minimum > way.count {
      let names = way.circuits.map { Visible.quoted($0) }.joined(separator: " and ")
      problems.warning(
        place,
        "results: 'minimumStations' is \(minimum), but \(counts(way.count)) for candidates of circuit \(names): none of them "
          + "can pass")
    }
  }

  private func counts(_ number: Int) -> String {
    "\(Plural.count(number, "station")) \(Plural.verb(number, "counts", "count"))"
  }

  /// The circuits that candidates go through, each combination once, with how many stations count in them.
  private func ways(_ counted: Set<String>) -> [(circuits: [String], count: Int)] {
    let stations = Dictionary(
      plan.circuits.map { ($0.code, counted.intersection($0.stations.filter { $0.withdrawn == nil }.map(\.code))) },
      uniquingKeysWith: { first, _ in first })
    var circuits: [String: Set<String>] = [:]
    for session in plan.sessions {
      for case let slot? in session.slots { circuits[slot.code, default: []].insert(session.circuit.code) }
    }
    return Set(circuits.values).map { codes in
      (codes.sorted(), codes.reduce(into: Set<String>()) { $0.formUnion(stations[$1] ?? []) }.count)
    }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
  }
}

extension ResultsBlock {
  /// The block as it stands in the store, circuits by the names that they go by there.
  func json(of plan: ExamPlan) -> String {
    var document = document
    for index in (document.exclude ?? []).indices {
      guard let circuit = document.exclude?[index].circuit,
        let named = plan.circuits.first(where: { $0.code == circuit })
      else { continue }
      document.exclude?[index].circuit = named.name
    }
    return PolicyText.json(document)
  }
}
