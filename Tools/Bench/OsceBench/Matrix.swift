import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Glibc
import Rig

/// From a key to its ink on a large marking matrix in a large store, alone and beside forty others who save.
struct Matrix: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix", abstract: "Key to ink with the commit, and bytes per mark, on a 40-item matrix.",
    discussion: """
      The store holds 1,000 candidates and 300,000 marks unless told otherwise; making it takes some minutes. With --store
      it is kept there and used again.
      """)

  @Option(help: "How many marks are typed in each part.") var rounds = 400
  @Option(help: "How many candidates; each has ten sheets with thirty marks.") var candidates = 1000
  @Option(help: "How many others save five marks a second each.") var others = 40
  @Option(help: "A store to be used again, made there if it is missing.") var store: String?
  @OptionGroup var measuring: MeasuringOptions

  func run() throws {
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let exam = BenchExam(candidates: candidates, sheets: .matrix)
    let path = store ?? scratch.file("store.sqlite")
    if Files.size(path) == 0 { try make(exam, path) }
    let opened = try ExamStore(StoreLocation(path: path))
    let marks = try opened.read { try LargeExam.marks($0) }
    // A run before has left its clock.
    try? exam.startClock(in: opened)
    let sheets = try exam.openSheets(others + 1, in: opened)
    opened.close()
    let floor = try RawCommits(in: scratch)
    let osce = measuring.osce
    let session = try exam.openTerminal(osce, store: path)
    // The sheet worked on last may be of somebody whose rotation has not begun: it is marked anyway.
    session.child.type("1")
    session.pump(quiet: 500)
    if session.screen.shows("E marks early") {
      session.child.type("E")
      session.pump(quiet: 500)
      session.child.type("\r")
      session.pump(quiet: 500)
    }
    print("a matrix of 40 items, \(exam.candidates) candidates, \(marks) marks, store of \(Files.size(path) >> 20) MB")
    try measure("idle", session, floor)
    // The first sheet is the one that is typed at.
    let seconds = rounds / 5 + 20
    var crowd = try MarkingCrowd(store: path, sheets: Array(sheets.dropFirst()), rate: 5, count: seconds * 5)
    rig_sleep_until(rig_now() + 5_000_000_000)
    try measure("\(others) others saving five a second each", session, floor)
    session.child.signal(SIGKILL)
    let errors = crowd.stop().errors
    guard errors.isEmpty else { throw RigError(errors.prefix(3).joined(separator: "; ")) }
  }

  private func make(_ exam: BenchExam, _ path: String) throws {
    let begin = rig_now()
    let store = try exam.load(into: path)
    try LargeExam.fill(exam, marked: 30, in: store)
    store.close()
    print("made in \((rig_now() - begin) / 1_000_000_000) s")
  }

  private func measure(_ name: String, _ session: TerminalSession, _ floor: RawCommits) throws {
    var (ink, commits) = (Timings(), Timings())
    var (plain, scrolled) = (Bytes(), Bytes())
    for round in 0..<rounds {
      let mark = try Mark.give(at: session)
      ink.add(mark.time)
      if mark.hasScrolled { scrolled.add(mark) } else { plain.add(mark) }
      commits.add(try floor.save(round))
    }
    print("\(name), \(rounds) marks")
    print("  the mark, committed and drawn  \(ink.line)")
    print("  one raw durable commit         \(commits.line)")
    print("  bytes of a mark, list at rest  \(plain.line)")
    if scrolled.count > 0 { print("  bytes of a mark, list moved    \(scrolled.line)") }
    var all = plain
    all.add(scrolled)
    print("  bytes of a mark, all           \(all.line)")
  }

  /// Bytes of marks, and how many of them are the text of the newly focused item and its descriptors.
  private struct Bytes {
    private var sent: [Int] = []
    private var text: [Int] = []
    var count: Int { sent.count }

    mutating func add(_ mark: Mark) {
      sent.append(mark.bytes)
      text.append(mark.text)
    }

    mutating func add(_ other: Bytes) {
      sent += other.sent
      text += other.text
    }

    var line: String {
      guard count > 0 else { return "none" }
      let beside = zip(sent, text).map { $0 - $1 }.sorted()
      let mean = Double(beside.reduce(0, +)) / Double(count)
      return "mean \(decimal(Double(sent.reduce(0, +)) / Double(count), 0)), of them text of the next item "
        + "\(decimal(Double(text.reduce(0, +)) / Double(count), 0)); beside it mean \(decimal(mean, 0)), "
        + "median \(beside[count / 2]), most \(beside[count - 1])  (\(count))"
    }
  }
}

/// One mark that was typed.
private struct Mark {
  /// From the key to the output after which the mark was on the screen, in nanoseconds.
  let time: Int64
  /// Bytes that followed the key.
  let bytes: Int
  /// Bytes of the text about the newly focused item.
  let text: Int
  /// Whether the list has moved.
  let hasScrolled: Bool

  static func give(at session: TerminalSession) throws -> Mark {
    session.pump(quiet: 60)
    var sheet = MarkSheetScreen(session.screen)
    if sheet.focused == nil || sheet.focused == 40 {
      session.child.type("'1\r")
      try session.wait("the first item") { MarkSheetScreen($0).focused == 1 }
      session.pump(quiet: 100)
      sheet = MarkSheetScreen(session.screen)
    }
    // The clock's own bytes come at whole seconds of its own.
    guard let item = sheet.focused else { throw RigError("no item has the focus") }
    let level = sheet.marks[item] == 1 ? 2 : 1
    let (before, first) = (session.bytes, firstItem(session.screen))
    let pieces = session.react(to: String(level), quiet: 40)
    guard let shown = pieces.first(where: { MarkSheetScreen($0.screen).marks[item] == level }) else {
      throw RigError("the mark on item \(item) did not come:\n" + session.screen.lines.joined(separator: "\n"))
    }
    return Mark(
      time: shown.time, bytes: session.bytes - before, text: detail(session.screen),
      hasScrolled: firstItem(session.screen) != first)
  }

  /// What the first line of the list is about.
  private static func firstItem(_ screen: ScreenText) -> String {
    screen.lines[3].split(separator: " ").first { Int($0) != nil }.map(String.init) ?? ""
  }

  /// Bytes of the words under the rule, where the focused item stands in full.
  private static func detail(_ screen: ScreenText) -> Int {
    guard let rule = screen.lines.firstIndex(where: { $0.hasPrefix("───") }) else { return 0 }
    return screen.lines[(rule + 1)...].dropLast(2)
      .reduce(0) { $0 + $1.drop { $0 == " " }.utf8.count }
  }
}
