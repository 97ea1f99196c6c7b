/// What must hold between the parts of a plan: references, doubles, places.
struct PlanRules {
  private let plan: ExamPlan
  private let problems: ProblemList
  private let sheets: Set<String>
  private let usernames: Set<String>?
  private let numbers: Set<String>?

  /// - Parameters:
  ///   - knowsCandidates: false where `candidates.csv` could not be read: then no candidate counts as unknown.
  ///   - knowsStaff: the same for `staff.csv`.
  ///   - unread: codes of mark sheets that could not be read: the reason is said of their files, and nothing else.
  init(
    _ plan: ExamPlan, _ problems: ProblemList, knowsCandidates: Bool, knowsStaff: Bool, unread: Set<String> = []
  ) {
    self.plan = plan
    self.problems = problems
    sheets = Set(plan.sheets.map(\.code)).union(unread)
    usernames = knowsStaff ? Set(plan.staff.map(\.username)) : nil
    numbers = knowsCandidates ? Set(plan.candidates.map(\.number)) : nil
  }

  func check() {
    var circuits: [String: Int] = [:]
    for circuit in plan.circuits {
      if let line = circuits.updateValue(circuit.place.line, forKey: circuit.code.lowercased()) {
        problems.error(
          circuit.place, "duplicate circuit code \(Visible.quoted(circuit.code)) (first on line \(line))")
      }
      check(circuit)
    }
    checkSheetsOfStations()
    for session in plan.sessions { check(session) }
    checkSameTimes()
    let broken = Set(plan.sheets.map(\.place.file).filter { problems.hasErrors(in: $0) })
    for sheet in plan.sheets where !broken.contains(sheet.place.file) { check(sheet) }
    if let results = plan.results {
      ResultsRules(plan: plan, problems: problems, numbers: numbers).check(results)
    }
    for problem in PlanCheck.warnings(plan) where !broken.contains(problem.file) {
      problems.warning(Place(file: problem.file, line: problem.line), problem.message)
    }
  }

  private func check(_ circuit: ExamPlan.Circuit) {
    var codes: [String: Int] = [:]
    for station in circuit.stations {
      if let line = codes.updateValue(station.place.line, forKey: station.code.lowercased()) {
        problems.error(
          station.place,
          "duplicate station code \(Visible.quoted(station.code)) in a circuit (first on line \(line))")
      }
      var seen: Set<String> = []
      for sheet in station.sheets {
        known(sheet, sheets, "mark sheet")
        if !seen.insert(sheet.code).inserted {
          problems.error(sheet.place, "station: mark sheet \(Visible.quoted(sheet.code)) is named twice")
        }
      }
      if let lead = station.lead { known(lead, usernames, "username") }
    }
  }

  /// The sheets of one station, in whichever circuit, have to agree where the station has one figure.
  private func checkSheetsOfStations() {
    let stations = plan.circuits.flatMap(\.stations)
    let byCode = Dictionary(plan.sheets.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
    for (code, places) in Dictionary(grouping: stations, by: \.code).sorted(by: { $0.key < $1.key }) {
      let codes = Set(places.flatMap(\.sheets).map(\.code))
      let sheets = codes.sorted().compactMap { byCode[$0] }.filter { !$0.isPilot }
      let chosen = plan.results?.document.stations?[code]
      func error(_ what: String, _ help: String) {
        problems.error(
          places[0].place, "station: the mark sheets of station \(Visible.quoted(code)) have different \(what); \(help)"
        )
      }
      let ofStation = "make them the same, or give the station one under 'results'"
      if chosen?.borderline == nil, Set(sheets.compactMap(\.borderlineGrade)).count > 1 {
        error("borderline grades", ofStation)
      }
      if chosen?.weight == nil, Set(sheets.map(\.weight)).count > 1 { error("weights", ofStation) }
      let scales = sheets.compactMap { sheet in
        sheet.items.first { $0.key == sheet.globalRating?.code }.map { Set($0.levelValues) }
      }
      if Set(scales).count > 1 { error("scales of the global rating", "one regression needs one scale") }
    }
  }

  private func check(_ session: ExamPlan.Session) {
    guard known(session.circuit, Set(plan.circuits.map(\.code)), "circuit"),
      let circuit = plan.circuits.first(where: { $0.code == session.circuit.code })
    else { return }
    let stations = Set(circuit.stations.map(\.code))
    for post in session.assessors + session.cover {
      known(post.station, stations, "station")
      for person in post.staff { known(person, usernames, "username") }
    }
    for post in session.assessors where Set(post.staff.map(\.code)).count < post.staff.count {
      problems.error(
        post.station.place, "session: one person is named twice at station \(Visible.quoted(post.station.code))")
    }
    for post in session.cover where post.staff.count > 1 {
      problems.error(
        post.station.place, "session: station \(Visible.quoted(post.station.code)) can have one cover assessor")
    }
    if session.slots.count > circuit.stations.count {
      problems.error(
        session.place,
        "session: \(session.slots.count) slots, but circuit \(Visible.quoted(circuit.code)) has "
          + "\(circuit.stations.count) stations")
    }
    for case let slot? in session.slots { known(slot, numbers, "candidate") }
  }

  private func checkSameTimes() {
    var circuits: [String: Int] = [:]
    var candidates: [String: (circuit: String, line: Int)] = [:]
    for session in plan.sessions {
      let time = session.date + " " + session.start
      let key = session.circuit.code + "\u{1F}" + time
      if let line = circuits.updateValue(session.place.line, forKey: key) {
        problems.error(
          session.place,
          "session: circuit \(Visible.quoted(session.circuit.code)) has two sessions at \(Visible.text(time)), "
            + "the first on line \(line)")
      }
      for case let slot? in session.slots {
        let circuit = session.circuit.code
        if let first = candidates.updateValue((circuit, slot.place.line), forKey: slot.code + "\u{1F}" + time) {
          let places =
            first.circuit == circuit
            ? "twice in circuit \(Visible.quoted(circuit))"
            : "in circuit \(Visible.quoted(circuit)) and in circuit \(Visible.quoted(first.circuit))"
          problems.error(
            slot.place,
            "session: candidate \(Visible.quoted(slot.code)) is \(places) at \(Visible.text(time)), "
              + "first on line \(first.line)")
        }
      }
    }
  }

  private func check(_ sheet: MarkSheet) {
    var keys: [String: Int] = [:]
    var sections: [String: Int] = [:]
    for section in sheet.sections {
      if let line = sections.updateValue(section.place.line, forKey: section.key) {
        problems.error(
          section.place, "duplicate section key \(Visible.quoted(section.key)) (first on line \(line))")
      }
      for item in section.items {
        if let line = keys.updateValue(item.place.line, forKey: item.key) {
          problems.error(item.place, "duplicate item key \(Visible.quoted(item.key)) (first on line \(line))")
        }
      }
    }
    let names = Set(keys.keys)
    for key in sheet.critical { known(key, names, "item") }
    guard let rating = sheet.globalRating, known(rating, names, "item"),
      let item = sheet.items.first(where: { $0.key == rating.code })
    else { return }
    guard let range = item.range else {
      if item.hasUnreadLevels { return }
      problems.error(
        rating.place, "mark sheet: the global rating \(Visible.quoted(rating.code)) is an item without levels")
      return
    }
    if sheet.sections.contains(where: { $0.isDuplicable && $0.items.contains { $0.key == rating.code } }) {
      problems.error(
        rating.place,
        "mark sheet: the global rating \(Visible.quoted(rating.code)) is in a section that can be copied; it is given once"
      )
    }
    if let grade = sheet.borderlineGrade, !range.contains(grade) {
      problems.error(
        rating.place,
        "mark sheet: the borderline grade \(WrittenNumber.text(grade)) is outside the global rating's levels "
          + "\(WrittenNumber.text(range.lowerBound)) to \(WrittenNumber.text(range.upperBound))")
    }
  }

  @discardableResult
  private func known(_ reference: ExamPlan.Reference, _ names: Set<String>?, _ what: String) -> Bool {
    guard let names, !names.contains(reference.code) else { return true }
    // Among so many, what is near says little, and looking for it for each reference would take as long as all the rest.
    let hint = names.count > Self.mostHinted ? "" : NearestName.hint(for: reference.code, among: names.sorted())
    problems.error(reference.place, "\(what) \(Visible.quoted(reference.code)) is unknown" + hint)
    return false
  }

  private static let mostHinted = 2000
}
