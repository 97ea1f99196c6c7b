import CircuitModel
import Timer

/// Reads circuits, sessions, people and items of a bundle into the shape of a plan, so that the checks of a folder serve
/// it too. What has no code is called by its name, or by its key.
struct BundlePlan {
  private let rows: [String: [Bundle.Row]]
  private let circuits: [String: Bundle.Row]
  private let stations: [String: Bundle.Row]
  private let people: [String: Bundle.Row]

  /// - Parameter rows: those that are not deleted, by entity.
  static func read(_ rows: [String: [Bundle.Row]]) -> ExamPlan { BundlePlan(rows: rows).plan() }

  private init(rows: [String: [Bundle.Row]]) {
    func keyed(_ entities: String...) -> [String: Bundle.Row] {
      let found = entities.flatMap { rows[$0] ?? [] }.compactMap { row in row.key("dsid").map { ($0, row) } }
      return Dictionary(found) { first, _ in first }
    }
    self.rows = rows
    (circuits, stations) = (keyed("ClinicGroup"), keyed("ActivityType"))
    people = keyed("Staff", "Student")
  }

  private func plan() -> ExamPlan {
    let config = rows["Config"]?.first
    return ExamPlan(
      name: "", timeZone: config?.key("timeZone") ?? "", circuits: (rows["ClinicGroup"] ?? []).map(circuit),
      sessions: sessions(), candidates: [], staff: [], sheets: [], phrases: [],
      place: config?.place ?? Place(file: "", line: 1))
  }

  private func circuit(_ row: Bundle.Row) -> ExamPlan.Circuit {
    let key = row.key("dsid")
    let phases = (rows["CircuitStationDuration"] ?? []).filter { $0.key("clinicGroup") == key }
      .sorted { ($0.number("order") ?? 1) < ($1.number("order") ?? 1) }
    let rules = row.key("warnings").flatMap { try? CircuitWarnings.rules(json: $0) }
    return ExamPlan.Circuit(
      code: row.code, name: row.key("name") ?? "",
      phases: phases.map { phase in
        .init(
          type: (phase.key("durationType") ?? "rotation").lowercased(),
          seconds: Int((phase.number("duration") ?? 0) * 60 + (phase.number("seconds") ?? 0)),
          manualStart: phase.says("manualStart"), place: phase.place)
      },
      warnings: rules?.map {
        .init(phaseType: $0.phaseType.name, secondsLeft: $0.secondsLeft, level: "\($0.level)", text: $0.text)
      },
      stations: (rows["ActivityType"] ?? []).filter { $0.key("clinicGroup") == key }.map(station), disciplines: [],
      place: row.place)
  }

  private func station(_ row: Bundle.Row) -> ExamPlan.Station {
    ExamPlan.Station(
      code: row.code, name: row.key("name") ?? "", sheets: [], forms: "all", isRest: false,
      requiresStudentSignout: false, acceptsPatients: false, acceptsSimulatedPatient: false, lead: nil,
      withdrawn: row.key("withdrawn"), place: row.place)
  }

  private struct Moment: Hashable {
    let circuit: String
    let date: String
    let start: String
  }

  private func sessions() -> [ExamPlan.Session] {
    var order: [Moment] = []
    var held: [Moment: [Bundle.Row]] = [:]
    for row in rows["Timetable"] ?? [] where !row.says("cancelled") {
      guard let circuit = row.key("activityType").flatMap({ stations[$0]?.key("clinicGroup") }),
        let date = row.key("date"), let start = row.key("startTime"),
        row.key("activityType").flatMap({ stations[$0]?.key("withdrawn") }) == nil
      else { continue }
      let moment = Moment(circuit: circuit, date: date, start: start)
      if held[moment] == nil { order.append(moment) }
      held[moment, default: []].append(row)
    }
    let additional = Dictionary(grouping: rows["AdditionalStaff"] ?? []) { $0.key("timetable") }
    let entries = Dictionary(grouping: (rows["TimetableAttendanceLog"] ?? []).filter { !$0.says("practice") }) {
      $0.key("timetable")
    }
    return order.compactMap { moment in
      guard let circuit = circuits[moment.circuit], let places = held[moment], let first = places.first else {
        return nil
      }
      var seen: Set<String> = []
      let coming = places.flatMap { entries[$0.key("dsid")] ?? [] }.filter { row in
        row.key("student").map { seen.insert($0).inserted } ?? false
      }
      return ExamPlan.Session(
        name: "", date: moment.date, start: moment.start, end: places.lazy.compactMap { $0.key("endTime") }.first,
        circuit: .init(code: circuit.code, place: circuit.place),
        assessors: places.map { place in
          let lead = place.key("coverStaff") ?? place.key("scheduledCoverStaff") ?? place.key("staff")
          let others = (additional[place.key("dsid")] ?? []).map { $0.key("staff") }
          return ExamPlan.Post(
            station: .init(code: place.key("activityType").flatMap { stations[$0]?.code } ?? "", place: place.place),
            staff: ([lead] + others).compactMap { $0 }.map { .init(code: person($0), place: place.place) })
        }, cover: [], slots: coming.map { .init(code: person($0.key("student") ?? ""), place: $0.place) }, group: nil,
        place: first.place)
    }
  }

  private func person(_ key: String) -> String {
    guard let row = people[key] else { return key }
    let texts = [row.key("username"), row.key("studentNumber"), row.key("surname")]
    return (row.entity == "Student" ? Array(texts.dropFirst()) : texts).lazy.compactMap { $0 }.first { !$0.isEmpty }
      ?? key
  }

  /// An item as far as its levels go, with what is left out as the catalogue has it.
  static func item(_ row: Bundle.Row, _ descriptors: [Bundle.Row]) -> MarkSheet.Item {
    let levels = descriptors.compactMap { level in level.decimal("value").map { ($0, level.place) } }
    return MarkSheet.Item(
      key: row.key("key") ?? row.key("text") ?? row.key("dsid") ?? "", type: row.key("questionType") ?? "rating",
      text: row.key("text") ?? "", information: "", isMandatory: false, allowsUnable: false, defaultState: false,
      threshold: nil, lowerThreshold: nil, low: (row.decimal("binaryLow") ?? 0, ""),
      high: (row.decimal("binaryHigh") ?? 1, ""),
      scale: levels.isEmpty
        ? .init(
          lowest: row.decimal("lowest") ?? 1, step: row.decimal("step") ?? 1,
          options: max(1, Int(row.number("numberOfOptions") ?? 5))) : nil,
      descriptors: levels.map { .init(value: $0.0, text: "", place: $0.1) }, tags: [], place: row.place)
  }
}

extension Bundle.Row {
  /// Whether a flag is set.
  func says(_ field: String) -> Bool { values[field] == .bool(true) }

  /// The key that a field holds, or its text; nil where it holds none.
  func key(_ field: String) -> String? { values[field]?.key }

  /// A whole number.
  func number(_ field: String) -> Int64? {
    if case .integer(let number)? = values[field] { number } else { nil }
  }

  /// Any number.
  func decimal(_ field: String) -> Double? {
    if case .double(let number)? = values[field] { number } else { number(field).map(Double.init) }
  }

  /// Code, else name, else key.
  var code: String { [key("code"), key("name"), key("dsid")].lazy.compactMap { $0 }.first { !$0.isEmpty } ?? "" }
}
