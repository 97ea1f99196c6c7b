import ArgumentParser
import Characters
import CircuitModel
import Console
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

  @OptionGroup var choice: PlanChoice
  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    let filter = try store.read { try choice.filter.withKnownCandidate(in: $0) }
    let now = store.clock.now
    let plan = try store.read { db in try PlanReport.read(db, at: now).only(filter, in: db, at: now) }
    if json { return try Output.standard.json(plan.json) }
    if let candidate = filter.candidate {
      return Output.standard.text(plan.itinerary(of: candidate).joined(separator: "\n") + "\n")
    }
    if plan.sessions.isEmpty {
      Output.standard.text(filter.isAll ? "no session is planned\n" : "nothing of the plan fits\n")
      return
    }
    Output.standard.text(plan.sessions.map(PlanCommand.text).joined(separator: "\n"))
  }

  /// A station's column: what stands above it, and who comes in which round.
  private struct Column {
    let heads: [String]
    let entries: [PlannedEntry]

    init(_ station: PlanReport.Station) {
      let place = station.place
      heads = [
        place.stationCode, place.isRest ? "(rest)" : station.assessors.first ?? "NOBODY",
        place.isRest ? "-" : String(place.timetable),
      ]
      entries = station.entries
    }

    /// Who would have come rests in that round, and the column says why.
    init(_ withdrawn: PlanReport.Withdrawn) {
      heads = [withdrawn.station.code, "(withdrawn)", "-"]
      entries = withdrawn.entries
    }

    var width: Int {
      let cells = entries.map { entry in
        (entry.candidate.map { ColumnWidth.of($0.number) } ?? 1) + (entry.isPresent == false ? 7 : 0)
      }
      return 2 + (cells + heads.prefix(2).map { ColumnWidth.of($0) }).reduce(0, max)
    }
  }

  /// The columns that fit a line of 80 beside round and time: the others stand below.
  private static func blocks(_ columns: [Column]) -> [[Column]] {
    var blocks: [[Column]] = []
    var width = 0
    for column in columns {
      if blocks.isEmpty || width + column.width > 80 {
        blocks.append([])
        width = 18
      }
      blocks[blocks.count - 1].append(column)
      width += column.width
    }
    return blocks
  }

  private static func text(_ session: PlanReport.PlannedSession) -> String {
    let end = session.end.map { ", until \(LocalTime.reading(of: $0).minute)" } ?? ""
    let heading = "\(session.circuit.name), \(session.session.name)\(end)"
    let columns = session.stations.map { Column($0) } + session.withdrawn.map { Column($0) }
    let tables = blocks(columns).map { table(session, $0).text }
    let withdrawn = session.withdrawn.map { PlainText.cell($0.station.text) + "\n" }
    let note = session.earlierPlanNote.map { $0 + "\n" } ?? ""
    return PlainText.cell(heading) + "\n" + note + withdrawn.joined() + tables.joined(separator: "\n")
  }

  private static func table(_ session: PlanReport.PlannedSession, _ columns: [Column]) -> TextTable {
    var table = TextTable()
    for (row, head) in [["round", "time"], ["", ""], ["--timetable", ""]].enumerated() {
      table.row(head + columns.map { $0.heads[row] })
    }
    let last = columns.flatMap { $0.entries.compactMap(\.round) }.max() ?? 0
    let rounds = Dictionary(session.rounds.map { ($0.number, $0) }) { first, _ in first }
    for number in 1...max(1, last, session.rounds.count) {
      let round = rounds[number]
      let cells = columns.map { column in
        column.entries.filter { $0.round == number }.map { entry in
          (entry.candidate?.number ?? "?") + (entry.isPresent == false ? " absent" : "")
        }.joined(separator: "+")
      }
      table.row(
        [String(number), round?.start.map { LocalTime.reading(of: $0).minute } ?? "-"]
          + cells.map { $0.isEmpty ? "-" : $0 })
    }
    return table
  }
}
