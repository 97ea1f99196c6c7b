import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports
import Timer

/// `osce outbox`: what is not at the hub, and what of it needs a person.
struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "List the changes that are not at the hub, and why.",
    discussion: """
      Shows how many changes still have to be sent, by candidate and station, and which the hub refused or keeps for the \
      office. Nothing is changed; terminals may be running.
      """)

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    let line = ProgressLine()
    defer { line.end() }
    line.say("reading what waits")
    let report = try store.read { db in try OutboxReport.read(db, at: store.clock.now) }
    line.end()
    if json { return try Output.standard.json(report.json) }
    Output.standard.text(OutboxCommand.text(Output.standard.isTerminal ? report.shortened : report))
  }

  static func text(_ report: OutboxReport) -> String {
    var lines = [OutboxText.waiting(report.waiting, isEnrolled: report.isEnrolled)]
    if let since = report.since { lines[0] += ", the oldest since \(since.localMoment)" }
    if let attention = OutboxText.attention(report.attention) { lines.append(attention) }
    if report.items.isEmpty { return lines.joined(separator: "\n") + "\n" }
    var table = TextTable()
    table.row(["number", "candidate", "station", "what", "changes", "since", "state"])
    for item in report.items {
      table.row([
        item.candidate?.number ?? "-", item.candidate?.name ?? "-", item.station?.code ?? "-",
        item.what, String(item.count), item.since.localMoment,
        OutboxText.state(why: item.why, isEnrolled: report.isEnrolled),
      ])
    }
    return lines.joined(separator: "\n") + "\n\n" + table.text(within: Output.standard.columns)
      + (report.moreText.map { $0 + "; --json lists all\n" } ?? "")
  }
}
