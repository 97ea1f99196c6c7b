import CircuitModel

/// Checks for plans that are valid but probably mistaken, reported as warnings.
public enum PlanCheck {
  /// Warnings about a plan, wherever it came from.
  public static func warnings(_ plan: ExamPlan) -> [Problem] {
    var found = plan.circuits.flatMap { circuit($0, plan) }
    found += plan.sessions.flatMap { session($0, plan) }
    found += sameTimes(plan)
    found += people(plan)
    found += plan.sheets.flatMap { sheet($0, plan) }
    return found
  }

  private static func warning(_ place: Place, _ message: String) -> Problem {
    Problem(.warning, at: place, message)
  }

  private static func circuit(_ circuit: ExamPlan.Circuit, _ plan: ExamPlan) -> [Problem] {
    var found: [Problem] = []
    let name = Visible.quoted(circuit.code)
    if !circuit.phases.contains(where: { $0.type == "rotation" }) {
      found.append(warning(circuit.place, "circuit \(name) has no rotation phase, so nobody moves on"))
    }
    if !plan.sessions.contains(where: { $0.circuit.code == circuit.code }) {
      found.append(warning(circuit.place, "circuit \(name) has no session"))
    }
    for station in circuit.stations {
      let code = Visible.quoted(station.code)
      if let reason = station.withdrawn {
        found.append(
          warning(station.place, "station \(code) is withdrawn: \(Visible.text(reason)); no sheet is expected there"))
      }
      if station.isRest, !station.sheets.isEmpty {
        found.append(warning(station.place, "station \(code) is a rest station but has a mark sheet"))
      }
      if !station.isRest, station.sheets.isEmpty {
        found.append(
          warning(station.place, "station \(code) has no mark sheet; add 'rest: true' if it is a rest station"))
      }
    }
    return found
  }

  private static func session(_ session: ExamPlan.Session, _ plan: ExamPlan) -> [Problem] {
    guard let circuit = plan.circuits.first(where: { $0.code == session.circuit.code }) else { return [] }
    var found: [Problem] = []
    let unmanned = circuit.stations.filter { station in
      !station.isRest && station.withdrawn == nil
        && session.assessors.first { $0.station.code == station.code }?.staff.isEmpty ?? true
    }
    if !unmanned.isEmpty {
      found.append(
        warning(
          session.place,
          "session: circuit \(Visible.quoted(circuit.code)) has no assessor at "
            + unmanned.map { Visible.quoted($0.code) }.joined(separator: ", ")))
    }
    if session.slots.allSatisfy({ $0 == nil }) {
      found.append(warning(session.place, "session: every slot is empty"))
    }
    return found
  }

  static func sameTimes(_ plan: ExamPlan) -> [Problem] {
    var found: [Problem] = []
    var posts: [String: (post: ExamPlan.Post, circuit: String)] = [:]
    var circuits: [String: Int] = [:]
    for (index, session) in plan.sessions.enumerated() {
      let time = session.date + " " + session.start
      for post in session.assessors {
        for person in post.staff {
          if let (other, circuit) = posts.updateValue(
            (post, session.circuit.code), forKey: person.code + "\u{1F}" + time),
            other.station.code != post.station.code || circuit != session.circuit.code
          {
            found.append(
              warning(
                person.place,
                "\(Visible.quoted(person.code)) is at stations \(Visible.quoted(other.station.code)) and "
                  + "\(Visible.quoted(post.station.code)) at the same time"))
          }
        }
      }
      for case let slot? in session.slots {
        let key = slot.code + "\u{1F}" + session.circuit.code
        if let other = circuits.updateValue(index, forKey: key), other != index {
          found.append(
            warning(
              slot.place,
              "candidate \(Visible.quoted(slot.code)) goes round circuit \(Visible.quoted(session.circuit.code)) twice")
          )
        }
      }
    }
    return found
  }

  private static func people(_ plan: ExamPlan) -> [Problem] {
    let placed = Set(plan.sessions.flatMap { $0.slots.compactMap { $0?.code } })
    guard !plan.sessions.isEmpty else { return [] }
    return plan.candidates.filter { !placed.contains($0.number) }.map {
      warning($0.place, "candidate \(Visible.quoted($0.number)) is in no session")
    }
  }

  private static func sheet(_ sheet: MarkSheet, _ plan: ExamPlan) -> [Problem] {
    var found: [Problem] = []
    let used = plan.circuits.contains { $0.stations.contains { $0.sheets.contains { $0.code == sheet.code } } }
    if !used {
      found.append(warning(sheet.place, "mark sheet \(Visible.quoted(sheet.code)) is used at no station"))
    }
    found += sheet.items.flatMap(keys)
    guard let rating = sheet.globalRating else {
      if !sheet.isPilot {
        found.append(
          warning(
            sheet.place, "mark sheet \(Visible.quoted(sheet.code)) has no global rating, so no borderline regression"))
      }
      return found
    }
    let levels = sheet.items.filter { $0.range != nil }
    if levels.contains(where: { $0.key == rating.code }), levels.last?.key != rating.code {
      found.append(warning(rating.place, "the global rating should be the last item with levels"))
    }
    if sheet.borderlineGrade == nil {
      found.append(warning(rating.place, "there is a global rating but no 'borderlineGrade'"))
    }
    return found
  }

  /// A digit marks the level that is worth it, `t` ten and `h` a half: what is worth anything else costs the assessor
  /// more than a key.
  static func keys(_ item: MarkSheet.Item) -> [Problem] {
    let values = item.levelValues
    let isBinary = item.type == "binary" || item.type == "boolean"
    let shared = shared(values)
    let typed = values.indices.filter {
      !shared.contains(values[$0]) && LevelKeys.key(of: $0, among: values, isBinary: isBinary) == nil
    }
    guard let first = typed.first else { return [] }
    let place = item.descriptors.indices.contains(first) ? item.descriptors[first].place : item.place
    let name = Visible.quoted(item.key)
    return [warning(place, "item \(name): no key marks \(list(typed.map { values[$0] })); '=' and the value does")]
  }

  static func sharedValues(_ item: MarkSheet.Item) -> [Problem] {
    let shared = shared(item.levelValues)
    if shared.isEmpty { return [] }
    let name = Visible.quoted(item.key)
    return [
      warning(item.place, "item \(name): several levels are worth \(list(shared)), so no key marks one of them")
    ]
  }

  private static func shared(_ values: [MarkValue]) -> [MarkValue] {
    Set(values.filter { value in values.count { $0 == value } > 1 }).sorted()
  }

  private static func list(_ values: [MarkValue]) -> String {
    guard values.count > 4, let low = values.min(), let high = values.max() else {
      return values.map(\.description).joined(separator: ", ")
    }
    return "\(values.count) levels from \(low) to \(high)"
  }
}
