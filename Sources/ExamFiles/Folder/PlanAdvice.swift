import CircuitModel

/// What an author should look at before the day: a plan that can be imported and will not work as it is written.
enum PlanAdvice {
  /// The advice about a plan that has no errors.
  static func warnings(_ plan: ExamPlan) -> [Problem] {
    var found = PlanTimes(plan).problems().map { warning($0.place, $0.message) }
    found += plan.sessions.flatMap { restStations($0, plan) }
    found += extraTime(plan) + plan.circuits.flatMap(clockWarnings)
    found += plan.sheets.flatMap { globalRating($0) + critical($0) }
    return found
  }

  private static func warning(_ place: Place, _ message: String) -> Problem {
    Problem(.warning, at: place, message)
  }

  private static func restStations(_ session: ExamPlan.Session, _ plan: ExamPlan) -> [Problem] {
    let circuit = plan.circuits.first { $0.code == session.circuit.code }
    let rest = Set((circuit?.stations ?? []).filter(\.isRest).map(\.code))
    return session.assessors.filter { rest.contains($0.station.code) && !$0.staff.isEmpty }.map { post in
      warning(
        post.station.place,
        "session: an assessor is at rest station \(Visible.quoted(post.station.code)), where nobody is marked")
    }
  }

  /// Extra time at a station that is longer than what lies between two rotations delays everybody behind the candidate.
  private static func extraTime(_ plan: ExamPlan) -> [Problem] {
    let candidates = Dictionary(plan.candidates.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [Problem] = []
    var told: Set<String> = []
    for session in plan.sessions {
      guard let circuit = plan.circuits.first(where: { $0.code == session.circuit.code }), let gap = leastGap(circuit)
      else { continue }
      for case let slot? in session.slots {
        guard let candidate = candidates[slot.code], candidate.extraStationSeconds > gap,
          told.insert(slot.code + "\u{1F}" + circuit.code).inserted
        else { continue }
        found.append(
          warning(
            candidate.place,
            "candidate \(Visible.quoted(candidate.number)) has \(candidate.extraStationSeconds) s of extra time at a "
              + "station, but circuit \(Visible.quoted(circuit.code)) has \(gap) s between rotations: others wait"))
      }
    }
    return found
  }

  /// The least that lies between a rotation and the next, in seconds; nil where there is one rotation alone.
  private static func leastGap(_ circuit: ExamPlan.Circuit) -> Int? {
    let gaps = circuit.phases.split(omittingEmptySubsequences: false) { $0.type == "rotation" }.map { phases in
      phases.filter { ["changeover", "break"].contains($0.type) }.reduce(0) { $0 + $1.seconds }
    }
    // What is behind the last rotation of a cycle and before the first one lies between two cycles.
    let cycle = gaps.dropFirst().dropLast() + [(gaps.first ?? 0) + (gaps.last ?? 0)]
    return cycle.prefix(max(0, circuit.stations.count - 1)).min()
  }

  /// The warnings of a circuit's clock that do not come, or not when they should.
  static func clockWarnings(_ circuit: ExamPlan.Circuit) -> [Problem] { idleWarnings(circuit) + longWarnings(circuit) }

  /// Warnings of a phase that the circuit does not have. One without phases may get them from another bundle.
  private static func idleWarnings(_ circuit: ExamPlan.Circuit) -> [Problem] {
    if circuit.phases.isEmpty { return [] }
    let types = circuit.phases.map(\.type)
    return (circuit.warnings ?? []).map(\.phaseType).filter { !types.contains($0.lowercased()) }.map { type in
      warning(
        circuit.place,
        "circuit \(Visible.quoted(circuit.code)) has a warning in the phase \(Visible.quoted(type)), which it does not "
          + "have: it has no effect" + NearestName.hint(for: type, among: types))
    }
  }

  /// A warning at more than a phase lasts: an alert holds from its first second, an announcement never comes.
  private static func longWarnings(_ circuit: ExamPlan.Circuit) -> [Problem] {
    (circuit.warnings ?? []).flatMap { rule in
      circuit.phases.filter { $0.type == rule.phaseType.lowercased() }.map(\.seconds).min().flatMap { shortest in
        rule.secondsLeft > shortest || rule.secondsLeft == shortest && rule.level != "none"
          ? [
            warning(
              circuit.place,
              "circuit \(Visible.quoted(circuit.code)) has a warning at \(rule.secondsLeft) s left, but its "
                + "\(Visible.text(rule.phaseType)) lasts \(shortest) s")
          ] : nil
      } ?? []
    }
  }

  private static func globalRating(_ sheet: MarkSheet) -> [Problem] {
    guard let rating = sheet.globalRating, let item = sheet.items.first(where: { $0.key == rating.code }),
      !item.isMandatory
    else { return [] }
    return [
      warning(
        item.place, "the global rating \(Visible.quoted(rating.code)) may be left blank; write 'mandatory: true'")
    ]
  }

  /// An item that must not be failed has to be answered, and has to say what failing is.
  private static func critical(_ sheet: MarkSheet) -> [Problem] {
    sheet.critical.flatMap { critical -> [Problem] in
      guard let item = sheet.items.first(where: { $0.key == critical.code }) else { return [] }
      var found: [Problem] = []
      let name = Visible.quoted(critical.code)
      if !item.isMandatory {
        found.append(
          warning(item.place, "critical item \(name) may be left blank; write 'mandatory: true'"))
      }
      let isScale = ["rating", "marking_matrix", "procedure"].contains(item.type)
      if isScale, item.threshold == nil, item.lowerThreshold == nil {
        found.append(
          warning(
            item.place, "critical item \(name) has a scale without a 'threshold', so nothing says which mark fails it"))
      }
      return found
    }
  }
}
