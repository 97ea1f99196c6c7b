/// What an author should look at before the day in a bundle that has no errors: stations without a mark sheet, and
/// station sessions without an assessor. No import speaks of it: the rest may come with the next bundle.
struct BundleAdvice {
  /// A circuit's session, by the circuit's key.
  private struct Session: Hashable {
    let circuit: String
    let date: String?
    let start: String?
  }

  private let rows: [String: [Bundle.Row]]

  private init(_ bundle: Bundle) {
    rows = Dictionary(grouping: bundle.rows.filter { !$0.says("dsDeleted") }, by: \.entity)
  }

  /// The warnings about a bundle, in the order of stations and sessions.
  static func warnings(_ bundle: Bundle) -> [Problem] { BundleAdvice(bundle).warnings() }

  private func warnings() -> [Problem] {
    let problems = ProblemList()
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
    let comarkers = (rows["AdditionalStaff"] ?? []).filter { $0.key("staff") != nil }
    let manned = Set(comarkers.compactMap { $0.key("timetable") })
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
    return problems.problems
  }

  /// The keys of the stations that have a mark sheet.
  private var marked: Set<String> {
    let forms = byKey("TypeForm")
    return Set(
      (rows["AvailableForm"] ?? []).filter { row in row.key("typeForm").map { forms[$0] != nil } ?? false }
        .compactMap { $0.key("activityType") })
  }

  private func byKey(_ entity: String) -> [String: Bundle.Row] {
    let keyed = (rows[entity] ?? []).compactMap { row in row.key("dsid").map { ($0, row) } }
    return Dictionary(keyed) { first, _ in first }
  }
}

extension Bundle.Row {
  /// Whether a flag is set.
  fileprivate func says(_ field: String) -> Bool { values[field] == .bool(true) }

  /// The key that a field holds, or its text; nil where it holds none.
  fileprivate func key(_ field: String) -> String? { values[field]?.key }

  /// Code, else name, else key, as people are shown it.
  fileprivate var name: String {
    let texts = [key("code"), key("name"), key("dsid")]
    return Visible.quoted(texts.lazy.compactMap { $0 }.first { !$0.isEmpty } ?? "")
  }

  /// Whether somebody is planned to mark at a station session.
  fileprivate var hasAssessor: Bool {
    ["staff", "scheduledCoverStaff", "coverStaff"].contains { key($0) != nil }
  }
}
