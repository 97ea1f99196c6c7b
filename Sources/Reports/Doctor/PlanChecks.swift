import Characters
import CircuitModel
import ExamStore
import GRDB
import Timer

/// Looks whether the plan of the exam is sound.
struct PlanChecks {
  let db: Database
  let now: Instant

  func run(_ diagnosis: inout Diagnosis) throws {
    let plan = try PlanReport.read(db)
    if plan.sessions.isEmpty {
      diagnosis.add("sessions", .failed, "no session is planned; load an exam with: osce import DIR")
      return
    }
    sessions(plan, &diagnosis)
    try clocks(&diagnosis)
    try PeopleChecks(db: db).run(&diagnosis)
    stations(plan, &diagnosis)
    try sheets(&diagnosis)
  }

  private func sessions(_ plan: PlanReport, _ diagnosis: inout Diagnosis) {
    var problems = Problems()
    for planned in plan.sessions {
      let name = "\(planned.circuit.name), \(planned.session.name)"
      let needed = planned.stations.flatMap { $0.entries.compactMap(\.round) }.max() ?? 0
      if planned.session.plannedStart == nil { problems.add("\(name): no valid date and start") }
      if needed == 0 { problems.add("\(name): nobody is on the rosters") }
      if planned.rounds.count < needed {
        problems.add("\(name): \(needed) rounds are needed, the phases give \(planned.rounds.count)")
      }
      let codes = Dictionary(grouping: planned.stations, by: \.place.station).values.filter { $0.count > 1 }
      for code in codes.map({ $0[0].place.stationCode }).sorted() {
        problems.add("\(name): station \(code) is planned twice")
      }
    }
    diagnosis.add("sessions", problems: problems, sound: "\(plan.sessions.count) planned, all with enough rounds")
  }

  /// Clocks that run by another plan than is written now.
  private func clocks(_ diagnosis: inout Diagnosis) throws {
    for run in try OutdatedRun.all(in: db, at: now) {
      let rounds = Plural.count(run.rounds, "round")
      diagnosis.add(
        "running clock", run.remedy == nil ? .warning : .failed,
        "\(run.circuit), \(run.session.name): it keeps the phases and \(rounds) that it began with; "
          + (run.remedy ?? "the plan has others now"))
    }
  }

  private func stations(_ plan: PlanReport, _ diagnosis: inout Diagnosis) {
    let unmanned = plan.sessions.map { planned in
      (
        name: "\(planned.circuit.name), \(planned.session.name)",
        codes: planned.stations.filter { !$0.place.isRest && $0.assessors.isEmpty && !$0.entries.isEmpty }
          .map(\.place.stationCode)
      )
    }.filter { !$0.codes.isEmpty }
    if unmanned.isEmpty {
      diagnosis.add("assessors", .ok, "every station that is marked has one")
    } else {
      let list = unmanned.prefix(5).map { "\($0.name): \($0.codes.joined(separator: ", "))" }.joined(separator: "; ")
      diagnosis.add("assessors", .warning, "none at \(list)")
    }
  }

  private func sheets(_ diagnosis: inout Diagnosis) throws {
    var problems = Problems()
    var count = 0
    for form in try Int.fetchAll(
      db, sql: "SELECT DISTINCT typeFormID FROM availableForm WHERE dsDeleted = 0 ORDER BY typeFormID")
    {
      count += 1
      do {
        guard let template = try TemplateReader.read(form: form, in: db) else {
          problems.add("template \(form) is not there")
          continue
        }
        if template.items.isEmpty { problems.add("\(template.code ?? template.name) has no items") }
        for item in template.items where item.kind.takesLevel && item.levels.isEmpty {
          problems.add("\(template.code ?? template.name): item \(item.link) has no levels")
        }
      } catch { problems.add("template \(form): \(error)") }
    }
    diagnosis.add("mark sheets", problems: problems, sound: "\(count) in use, each with items and levels")
  }
}
