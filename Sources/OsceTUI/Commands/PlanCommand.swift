import ArgumentParser
import CircuitModel
import ExamStore
import Reports
import Timer

/// `osce plan`: who is where, when.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Show who is where, when: each session, round by station.",
    discussion: """
      Times are those of a session that starts on time; the clock alone says when rounds really begin. The row \
      --timetable has the numbers of the station sessions, as osce mark takes them.
      """)

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    let plan = try store.read { db in try PlanReport.read(db) }
    if json { return try Output.standard.json(plan.json) }
    if plan.sessions.isEmpty {
      Output.standard.text("no session is planned\n")
      return
    }
    Output.standard.text(plan.sessions.map(PlanCommand.text).joined(separator: "\n"))
  }

  private static func text(_ session: PlanReport.PlannedSession) -> String {
    let end = session.end.map { ", until \(LocalTime.reading(of: $0).minute)" } ?? ""
    let heading = "\(session.circuit.name), \(session.session.name)\(end)"
    var table = TextTable()
    table.row(["round", "time"] + session.stations.map(\.place.stationCode))
    table.row(["", ""] + session.stations.map { $0.place.isRest ? "(rest)" : $0.assessors.first ?? "NOBODY" })
    table.row(["--timetable", ""] + session.stations.map { $0.place.isRest ? "-" : String($0.place.timetable) })
    let last = session.stations.flatMap { $0.entries.compactMap(\.round) }.max() ?? 0
    for number in 1...max(1, last, session.rounds.count) {
      let round = session.rounds.first { $0.number == number }
      let cells = session.stations.map { station in
        station.entries.filter { $0.round == number }.map { entry in
          (entry.candidate?.number ?? "?") + (entry.isPresent == false ? " absent" : "")
        }.joined(separator: "+")
      }
      table.row(
        [String(number), round?.start.map { LocalTime.reading(of: $0).minute } ?? "-"]
          + cells.map { $0.isEmpty ? "-" : $0 })
    }
    return PlainText.cell(heading) + "\n" + table.text
  }
}
