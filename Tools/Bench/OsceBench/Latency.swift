import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Glibc
import Rig

/// From a key to its ink: a mark in the mark sheet, commit included, beside a cursor step in tig and in htop and beside
/// one raw durable commit, by turns in one run.
struct Latency: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency", abstract: "Key to ink through a pseudo-terminal, beside tig, htop and a raw commit.")

  @Option(help: "How many keys in each program.") var rounds = 300
  @Option(help: "Milliseconds without a key before each mark, as of somebody who looks at a candidate.") var pause = 0
  @Option(help: "Another build of the program, by turns with the first, to be compared with it.") var beside: String?
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let exam = BenchExam(candidates: 1000)
    let (scratch, path, made) = try measuring.prepare(exam)
    defer { scratch.remove() }
    try exam.startClock(in: made)
    let sheet = try exam.openSheets(1, in: made)[0]
    var seat = try MarkingSeat(sheet: sheet.sheet, staff: sheet.staff, in: made)
    for number in 0..<seat.items.count { try seat.save(number, in: made) }
    made.close()
    try scratch.copyStore(path, to: "c.sqlite")
    try scratch.copyStore(path, to: "beside.sqlite")
    guard let floor = rig_floor_open(scratch.file("c.sqlite"), seat.items[0].key) else { throw ExitCode.failure }

    let history = scratch.file("history.git")
    try History.make(history, commits: 500)
    defer { History.remove(history) }
    let osce = try exam.openTerminal(measuring.osce, store: path)
    let other = try beside.map { try exam.openTerminal($0, store: scratch.file("beside.sqlite")) }
    let tig = try TerminalSession("/usr/bin/tig", ["-C", history])
    let htop = try TerminalSession("/usr/bin/htop", ["-d", "100"])
    let sessions = [osce, tig, htop] + (other.map { [$0] } ?? [])
    for session in sessions { session.pump(quiet: 700) }

    var (marks, first, tigTimes, htopTimes, commits) = (Timings(), Timings(), Timings(), Timings(), Timings())
    var otherMarks = Timings()
    for round in 0..<rounds {
      if pause > 0 { osce.pump(until: rig_now() + Int64(pause) * 1_000_000) }
      let mark = try self.mark(at: osce)
      marks.add(mark.mark)
      first.add(mark.first)
      if let other { otherMarks.add(try self.mark(at: other).mark) }
      tigTimes.add(try step(tig, round))
      htopTimes.add(try step(htop, round))
      let begin = rig_now()
      guard rig_floor_save(floor, Double(round % 2)) == 0 else { throw RigError("a raw save failed") }
      commits.add(rig_now() - begin)
    }
    rig_floor_close(floor)
    for session in sessions {
      session.child.signal(SIGKILL)
      session.child.wait()
    }
    print("key to ink, \(rounds) keys in each by turns, stores on \(measuring.folder)")
    print("  osce, first sign of the key  \(first.line)")
    print("  osce, the mark, committed    \(marks.line)")
    if other != nil { print("  the other, the mark          \(otherMarks.line)") }
    print("  tig, cursor down             \(tigTimes.line)")
    print("  htop, cursor down            \(htopTimes.line)")
    print("  one raw durable commit       \(commits.line)")
    let goal = (tigTimes.median + commits.median) * 1.5
    print(
      "  goal at p50, (tig + commit) × 1.5: \(text(goal)) µs; the mark takes "
        + "\(decimal(marks.median / goal, 2)) of that"
        + (other == nil ? "" : ", that of the other \(decimal(otherMarks.median / goal, 2))"))
    let audit = try StoreAudit(path)
    guard audit.problems.isEmpty else { throw RigError(audit.problems.joined(separator: "; ")) }
  }

  /// Types the level of the focused item that is not chosen.
  /// - Returns: from the key to the first output, and to the output after which the mark was on the screen.
  private func mark(at session: TerminalSession) throws -> (first: Int64, mark: Int64) {
    session.pump(quiet: 80)
    var sheet = MarkSheetScreen(session.screen)
    if sheet.focused.map({ $0 > BenchExam.markedItems }) ?? true {
      session.child.type("'1\r")
      try session.wait("the first item") { MarkSheetScreen($0).focused == 1 }
      session.pump(quiet: 80)
      sheet = MarkSheetScreen(session.screen)
    }
    guard let item = sheet.focused else { throw RigError("no item has the focus") }
    let level = sheet.marks[item] == 1 ? 0 : 1
    func isShown(_ piece: TerminalSession.Piece) -> Bool { MarkSheetScreen(piece.screen).marks[item] == level }
    let pieces = session.react(to: String(level), quiet: 60, until: isShown)
    guard let first = pieces.first, let shown = pieces.first(where: isShown)
    else { throw RigError("the mark on item \(item) did not come") }
    return (first.time, shown.time)
  }

  /// One step of the cursor, down and up by turns.
  private func step(_ session: TerminalSession, _ round: Int) throws -> Int64 {
    session.pump(quiet: 20)
    guard let last = session.react(to: round % 2 == 0 ? "\u{1B}OB" : "\u{1B}OA", quiet: 30).first else {
      throw RigError("the cursor did not move:\n" + session.screen.lines.joined(separator: "\n"))
    }
    return last.time
  }
}
