import CircuitModel

/// What an author should look at before the day in a bundle that has no errors: people who cannot be told apart,
/// stations without a mark sheet, station sessions without an assessor, and what of the plan cannot work. No import
/// speaks of it, as the rest may come with the next bundle, but of items that a form lacks: it knows all that came.
struct BundleAdvice {
  /// A circuit's session, by the circuit's key.
  private struct Session: Hashable {
    let circuit: String
    let date: String?
    let start: String?
  }

  private let bundle: Bundle
  private let rows: [String: [Bundle.Row]]
  private let plan: ExamPlan

  private init(_ bundle: Bundle) {
    self.bundle = bundle
    rows = Dictionary(grouping: bundle.rows.filter { !$0.says("dsDeleted") }, by: \.entity)
    plan = BundlePlan.read(rows)
  }

  /// The warnings about a bundle, in the order of stations and sessions.
  /// - Parameter names: of the people in the bundles before it; those of this one are added.
  static func warnings(_ bundle: Bundle, beside names: inout TakenNames) -> [Problem] {
    BundleAdvice(bundle).warnings(beside: &names)
  }

  private func warnings(beside names: inout TakenNames) -> [Problem] {
    let problems = ProblemList()
    people(beside: &names, problems)
    let (circuits, stations) = (byKey("ClinicGroup"), byKey("ActivityType"))
    let held = (rows["Timetable"] ?? []).filter { row in
      guard let station = row.key("activityType").flatMap({ stations[$0] }) else { return false }
      return !row.says("cancelled") && station.key("withdrawn") == nil
    }
    let marked = marked
    let used = Set(held.compactMap { $0.key("activityType") })
    for station in rows["ActivityType"] ?? [] {
      // The model has no flag for a rest station: it is one that has no form.
      guard let key = station.key("dsid"), used.contains(key), !marked.contains(key) else { continue }
      problems.warning(station.place, "station \(station.name) has no mark sheet, so it is a rest station")
    }
    let additional = (rows["AdditionalStaff"] ?? []).filter { $0.key("staff") != nil }
    let manned = Set(additional.compactMap { $0.key("timetable") })
    var order: [Session] = []
    var unmanned: [Session: (place: Place, stations: [String])] = [:]
    for row in held where !row.hasAssessor {
      guard let key = row.key("activityType"), marked.contains(key), let station = stations[key],
        let circuit = station.key("clinicGroup"), row.key("dsid").map({ manned.contains($0) }) != true
      else { continue }
      let session = Session(circuit: circuit, date: row.key("date"), start: row.key("startTime"))
      if unmanned[session] == nil { order.append(session) }
      unmanned[session, default: (row.place, [])].stations.append(station.name)
    }
    for session in order {
      guard let (place, names) = unmanned[session], let circuit = circuits[session.circuit] else { continue }
      problems.warning(
        place, "session: circuit \(circuit.name) has no assessor at \(names.joined(separator: ", "))")
    }
    lackedItems(problems)
    phases(problems)
    doubles(held, problems)
    for problem in PlanTimes(plan).problems() { problems.warning(problem.place, problem.message) }
    for problem in PlanCheck.sameTimes(plan) + plan.circuits.flatMap(PlanAdvice.clockWarnings) + levels() {
      problems.warning(Place(file: problem.file, line: problem.line), problem.message)
    }
    return problems.problems
  }

  /// Items that a form says something of and does not have; a form whose items come with another bundle is passed over.
  private func lackedItems(_ problems: ProblemList) {
    let questions = byKey("TypeQuestion")
    let sections = Dictionary(grouping: rows["SectionToForm"] ?? []) { $0.key("form") }
    let links = Dictionary(grouping: rows["QuestionToSection"] ?? []) { $0.key("section") }
    for form in rows["TypeForm"] ?? [] {
      guard let key = form.key("dsid") else { continue }
      let asked = (sections[key] ?? []).flatMap { links[$0.key("section")] ?? [] }
      let items = asked.compactMap { $0.key("question").flatMap { questions[$0] } }
      if items.isEmpty || items.count < asked.count { continue }
      let names = items.flatMap { item in ["key", "dsid", "text"].compactMap { item.key($0) } }
      for name in SheetProperties(json: form.key("props")).lackedItems(among: names) {
        problems.warning(form.place, BundleRules.lackedItem(name, ofForm: key))
      }
    }
  }

  /// Circuits with sessions whose phases never let anybody be marked.
  private func phases(_ problems: ProblemList) {
    let used = Set(plan.sessions.map(\.circuit.code))
    for circuit in plan.circuits where used.contains(circuit.code) {
      if !circuit.phases.contains(where: { $0.type == "rotation" }) {
        problems.warning(
          circuit.place, "circuit \(Visible.quoted(circuit.code)) has no rotation phase, so nobody moves on")
      }
    }
  }

  /// Two rows where a session has one: of a station, of a station in a round, and of a candidate in a round.
  private func doubles(_ held: [Bundle.Row], _ problems: ProblemList) {
    let (stations, students) = (byKey("ActivityType"), byKey("Student"))
    let places = Dictionary(
      held.compactMap { row in row.key("dsid").map { ($0, row) } }, uniquingKeysWith: { first, _ in first })
    func moment(_ place: Bundle.Row) -> String { "\(place.key("date") ?? "") \(place.key("startTime") ?? "")" }
    func station(_ place: Bundle.Row) -> String {
      place.key("activityType").flatMap { stations[$0] }?.name ?? ""
    }
    var seen: [String: Int] = [:]
    func note(_ parts: [String], _ row: Bundle.Row, _ message: (Int) -> String) {
      let key = parts.joined(separator: "\u{1F}")
      if let line = seen[key] { problems.warning(row.place, message(line)) } else { seen[key] = row.place.line }
    }
    for place in held {
      note(["station", place.key("activityType") ?? "", moment(place)], place) {
        "session: station \(station(place)) has two rows of Timetable at \(moment(place)), the first on line \($0)"
      }
    }
    for entry in rows["TimetableAttendanceLog"] ?? [] where !entry.says("practice") {
      guard let timetable = entry.key("timetable"), let place = places[timetable], let round = entry.key("order"),
        let student = entry.key("student")
      else { continue }
      note(["round", timetable, round], entry) {
        "session: station \(station(place)) has two candidates in round \(round), the first on line \($0)"
      }
      note(["student", student, moment(place), round], entry) {
        "session: candidate \(students[student]?.person ?? student) is at two stations in round \(round), the first on "
          + "line \($0)"
      }
    }
  }

  /// Levels that cost the assessor more than a key.
  private func levels() -> [Problem] {
    let descriptors = Dictionary(grouping: rows["MarkingDescriptor"] ?? []) { $0.key("question") }
    return (rows["TypeQuestion"] ?? []).flatMap { row in
      let item = BundlePlan.item(row, descriptors[row.key("dsid")] ?? [])
      return PlanCheck.sharedValues(item) + PlanCheck.keys(item)
    }
  }

  /// Those whom their number or username does not name alone.
  private func people(beside names: inout TakenNames, _ problems: ProblemList) {
    let students = rows["Student"] ?? []
    for row in students where (row.key("studentNumber") ?? "").isEmpty {
      problems.warning(row.place, "candidate \(row.person) has no 'studentNumber'")
    }
    names.add(bundle, "Student", "studentNumber", "candidate number", problems) { !$0.says("dsDeleted") }
    unseen(students, "studentNumber", "candidate number", problems)
    func isActive(_ row: Bundle.Row) -> Bool { !row.says("dsDeleted") && row.values["active"] != .bool(false) }
    names.add(bundle, "Staff", "username", "username", problems, where: isActive)
    unseen((rows["Staff"] ?? []).filter(isActive), "username", "username", problems)
  }

  /// A text that is typed and has a character that cannot be.
  private func unseen(_ rows: [Bundle.Row], _ field: String, _ what: String, _ problems: ProblemList) {
    for row in rows {
      guard let text = row.key(field) else { continue }
      if let fault = UnseenCharacter.fault(of: text, what) { problems.warning(row.place, fault) }
      if text.trimmed != text {
        problems.warning(row.place, "\(what) \(Visible.quoted(text)) begins or ends with a blank: remove it")
      }
    }
  }

  /// The keys of the stations that have a mark sheet.
  private var marked: Set<String> {
    // A form that the file lacks may be in the store.
    let deleted = bundle.rows.filter { $0.entity == "TypeForm" && $0.says("dsDeleted") }.compactMap { $0.key("dsid") }
    return Set(
      (rows["AvailableForm"] ?? []).filter { row in row.key("typeForm").map { !deleted.contains($0) } ?? false }
        .compactMap { $0.key("activityType") })
  }

  private func byKey(_ entity: String) -> [String: Bundle.Row] {
    let keyed = (rows[entity] ?? []).compactMap { row in row.key("dsid").map { ($0, row) } }
    return Dictionary(keyed) { first, _ in first }
  }
}

extension Bundle.Row {
  /// Code, else name, else key, as people are shown it.
  fileprivate var name: String { Visible.quoted(code) }

  /// Surname, else key.
  fileprivate var person: String { Visible.quoted(key("surname") ?? key("dsid") ?? "") }

  /// Whether somebody is planned to mark at a station session.
  fileprivate var hasAssessor: Bool {
    ["staff", "scheduledCoverStaff", "coverStaff"].contains { key($0) != nil }
  }
}
