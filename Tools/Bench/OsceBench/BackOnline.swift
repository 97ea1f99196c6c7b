import ArgumentParser
import CRig
import Glibc
import HubRig
import Rig

/// A terminal that comes back with what was marked while its hub was away.
struct BackOnline: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offline", abstract: "From the hub's return until 2,000 marks are there, and in another store.")

  @Option(help: "How many marks.") var marks = 2000
  @Option(help: "For how long the hub is away at least, in seconds.") var seconds = 90
  @OptionGroup var place: FolderOption

  func run() throws {
    let scratch = try ScratchFolder(in: place.folder)
    defer { scratch.remove() }
    let exam = BenchExam(candidates: 50)
    let hub = try RigHub(exam, in: scratch.path)
    defer { hub.close() }
    try hub.start()
    usleep(500_000)
    let terminals = try (0..<2).map { index in
      let code = try runBlocking { try await hub.code(for: index == 0 ? .lead : .station) }
      return try RigTerminal(scratch.file("store-\(index).sqlite"), at: hub.url, code: code)
    }
    defer { for terminal in terminals { terminal.close() } }
    let store = try terminals[0].store()
    let sheet = try exam.openSheets(1, in: store)[0]
    // While a clock runs nobody waits for long.
    try exam.startClock(in: store)
    for terminal in terminals { try terminal.start() }
    try until(60) { try terminals[0].waiting() == 0 && terminals[1].has(try runBlocking { try await hub.head() }) }
    StandardError.note("the hub goes away for \(seconds) s; meanwhile \(marks) marks are made")
    hub.kill()
    let away = rig_now()
    var seat = try MarkingSeat(sheet: sheet.sheet, staff: sheet.staff, in: store)
    for number in 0..<marks { try seat.save(number, in: store) }
    while rig_now() - away < Int64(seconds) * 1_000_000_000 { usleep(100_000) }
    try hub.start()
    let back = rig_now()
    try until(120) { try terminals[0].waiting() < marks }
    let begun = rig_now()
    StandardError.note("the hub is back; the first marks are there")
    try until(120) { try terminals[0].waiting() == 0 }
    let sent = rig_now()
    StandardError.note("all marks are at the hub")
    let head = try runBlocking { try await hub.head() }
    try until(120) { try terminals[1].has(head) }
    func after(_ time: Int64) -> String { decimal(Double(time - back) / 1e9, 2) }
    print(
      "\(marks) marks made while the hub was away for \(seconds) s: after its return the first were there after "
        + "\(after(begun)) s, all after \(after(sent)) s, in the other store after \(after(rig_now())) s")
    terminals[0].kill()
    StandardError.note("\(marks) more marks, for who asks for the exchange")
    for number in 0..<marks { try seat.save(number, in: store) }
    let asked = rig_now()
    let run = try Child(onPipe: ProcessFacts.ownFolder + "/osce-sync", ["now", "--store", terminals[0].path]).finish()
    guard run.code == 0 else { throw RigError("osce-sync now ended with \(run.code)") }
    let taken = decimal(Double(rig_now() - asked) / 1e9, 2)
    print("\(marks) marks when asked for (osce-sync now): all there after \(taken) s")
  }

  private func until(_ seconds: Int64, _ condition: () throws -> Bool) throws {
    let end = rig_now() + seconds * 1_000_000_000
    while try !condition() {
      guard rig_now() < end else { throw RigError("not even after \(seconds) s") }
      usleep(5_000)
    }
  }
}
