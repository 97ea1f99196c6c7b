import ArgumentParser
import CRig
import Glibc
import Rig

/// The whole day of an exam, played by scripted people at real terminals whose clocks run faster.
struct ExamDay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "day",
    abstract:
      "The example exam's whole day at real terminals, sixty times as fast: every planned sheet, locked, proved.",
    discussion: """
      An invigilator at the desk starts the rounds of two circuits and stops them once for a fire alarm; fifteen \
      assessors check who comes, mark, and sign; after the afternoon two people lock the exam. Every sheet that was \
      planned must be held, the store sound, and a copy of it proved by the final hash.
      """)

  @Option(help: "How much faster the clocks run.") var factor = 60
  @Option(help: "The exam's folder.") var exam = "fixtures/year3-osce"
  @Option(help: "The library that makes clocks faster; by default beside this program.") var library: String?
  @Option(help: "The program; by default osce beside this one.") var program: String?
  @OptionGroup var place: FolderOption

  /// One of the sessions: when it begins, and its station sessions with who marks there.
  private struct Half {
    let name: String
    /// Seconds since 1970 at which its terminals are opened.
    let opening: Int64
    let seats: [(timetable: Int, username: String)]
  }

  private static let assessors = [
    "nokafor", "hyamamoto", "mlindqvist", "psharma", "", "doneill", "aalrashid", "tnguyen",
    "gmoreau", "jadeyemi", "skowalska", "lchen", "", "bthomas", "evasquez", "ipetrov",
  ]

  /// 7 December 2026, 08:59 and 13:29 in London.
  private static let halves = [(name: "morning", opening: 1_796_633_940 as Int64), ("afternoon", 1_796_650_140)]
    .enumerated().map { index, half in
      var marking = assessors.enumerated().filter { !$0.element.isEmpty }
        .map { (timetable: index * 16 + $0.offset + 1, username: $0.element) }
      // In the afternoon somebody covers.
      if index == 1 { marking[1].username = "fhaddad" }
      // The second marker of the consent station.
      return Half(
        name: half.name, opening: half.opening, seats: marking + [(timetable: index * 16 + 3, username: "rfitzgerald")])
    }

  func run() throws {
    let library = library ?? ProcessFacts.ownFolder + "/osce-faster.so"
    guard access(library, R_OK) == 0 else { throw RigError("\(library) is not there: script/faults builds it") }
    let scratch = try ScratchFolder(in: place.folder)
    defer { scratch.remove() }
    let day = try PlayedDay(
      in: scratch, osce: program ?? ProcessFacts.ownFolder + "/osce", exam: exam, library: library, factor: factor,
      from: ExamDay.halves[0].opening)
    let begin = now()
    var faults: [String] = []
    for half in ExamDay.halves {
      day.sleep(until: half.opening)
      let assessors = try half.seats.map { try day.assessor($0.username, timetable: $0.timetable) }
      let desk = try day.desk("wbarker")
      do { try PlayedDay.play(desk, assessors) } catch { faults.append("the \(half.name): \(error)") }
      let keys = assessors.reduce(0) { $0 + $1.keys }
      print(
        "day: the \(half.name): two circuits through, \(assessors.count) assessors pressed \(keys) keys, "
          + "\((now() - begin) / 1_000_000_000) s so far")
      for terminal in assessors.map(\.terminal) + [desk.terminal] { terminal.child.hangUp() }
      for terminal in assessors.map(\.terminal) + [desk.terminal] { terminal.child.wait() }
      if !faults.isEmpty { break }
    }
    if faults.isEmpty { faults += try closingFaults(day) }
    try report("day", faults)
  }

  /// What is wrong after the last bell.
  private func closingFaults(_ day: PlayedDay) throws -> [String] {
    var faults: [String] = []
    func expect(_ text: String, of arguments: String...) throws {
      let said = try day.osce(arguments)
      if said.code != 0 || !said.lines.contains(where: { $0.contains(text) }) {
        faults.append("osce \(arguments.joined(separator: " ")) (\(said.code)):\n" + said.lines.joined(separator: "\n"))
      }
    }
    try expect("226 expected = 226 held + 0 absent + 0 excluded + 0 queued", of: "close", "--staff", "cdubois")
    // What scripts cannot agree on, two markers and the cuts, the lead accepts; everything else is in order.
    // The copy's age follows from a file's time, which runs no faster here.
    for check in ["doubleMarks", "critical", "cuts", "secondCopy"] {
      _ = try day.osce(["rule", "waive", check, "--reason", "played by scripts", "--staff", "cdubois"])
    }
    try expect("everything is in order", of: "close", "--staff", "cdubois")
    if !faults.isEmpty { return faults }
    try expect("LOCKED", of: "close", "--lock", "--staff", "cdubois", "--second", "kmensah")
    try expect("30101", of: "results", "--staff", "cdubois")
    let copy = day.scratch.file("locked.sqlite")
    try expect(copy, of: "backup", copy)
    try expect("true", of: "verify", copy)
    try expect("sound", of: "doctor")
    let board = day.scratch.file("board.html")
    let written = try day.osce(["report", board, "--staff", "cdubois"])
    let isWritten = try written.code == 0 && Files.text(board).contains("30101")
    if !isWritten {
      faults.append("osce report (\(written.code)):\n" + written.lines.joined(separator: "\n"))
    }
    let marks = try day.osce(["export", "marks", "--staff", "cdubois"]).lines.count - 1
    if faults.isEmpty {
      print(
        "day: 226 planned sheets, all held, \(marks) items exported; locked by two, its copy proved, the store sound, "
          + "the board report written")
    }
    return faults
  }
}
