import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce missing`: what the expected sheets lack.
struct MissingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "missing",
    abstract: "List missing sheets, items, section details, signatures, sign-outs.")

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var choice: PlanChoice
  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    try PartNote.say(of: store)
    var list = ListPrinter(name: "missing", isJSON: json)
    var count = 0
    let (filter, now) = (try store.read { try choice.filter.withKnownCandidate(in: $0) }, store.clock.now)
    try store.read { db in
      try MissingMark.forEach(matching: filter, in: db, at: now) { missing in
        count += 1
        try list.add(missing.json, line: MissingCommand.line(missing))
      }
    }
    try list.finish(closing: count == 0 ? "nothing is missing" : "\(count) missing")
  }

  private static func line(_ missing: MissingMark) -> String {
    let sheet = missing.sheet
    let place = "\(sheet.place.session.name) \(sheet.place.circuit.name), \(sheet.place.stationCode)"
    let isRerun = if case .rerun = missing.kind { true } else { false }
    let who =
      (sheet.entry.round.map { "round \($0), " } ?? (isRerun ? "" : "round ?, "))
      + "\(sheet.entry.number) \(sheet.entry.candidate)"
    let seat = sheet.seat == .lead ? "" : " (\(sheet.place.name(of: sheet.seat)))"
    return "\(place), \(who), \(missing.assessor ?? "no assessor")\(seat): \(missing.sheetPrefix)\(missing.text)"
  }
}
