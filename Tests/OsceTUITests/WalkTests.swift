import CircuitModel
import ExamStore
import Foundation
import SeededNumbers
import Terminal
import TerminalTesting
import Testing

@testable import OsceTUI

/// Every screen in many states: a line that names a key names one that acts there, and no message is cut.
@MainActor @Suite("A walk through the screens")
struct WalkTests {
  /// A key that a line says does something: "Enter opens it", "z undoes".
  private static let promise =
    #/(?:^|[\s;:·(])(Enter|Esc|Tab|Space|Ctrl-[A-Z]|[A-Za-z<>?!=',]) (?:opens|undoes|signs|goes|shows|chooses|lists|switches|starts|resumes|pauses|reopens|takes|writes|asks|leaves|marks|clears|begins|returns|adds|moves|sorts)\b/#

  private func check(_ play: Rehearsed, _ state: String) {
    if play.hasExited { return }
    #expect(play.context.message.text.width <= 80, "\(state): \(play.message)")
    checkCut(play, state)
    if let overlay = play.context.overlay { return checkBox(overlay, play, state) }
    for line in play.lines {
      for match in line.matches(of: WalkTests.promise) {
        let name = String(match.output.1)
        guard let key = Key(named: name.count == 1 ? name : name.lowercased()) else { continue }
        guard case .action = play.table.dispatch(key) else {
          Issue.record("\(state): \(name) does not act: \(line)")
          continue
        }
      }
    }
  }

  /// A question has keys of its own, and stands over lines that are not its: what its box names, its box takes.
  private func checkBox(_ overlay: Overlay, _ play: Rehearsed, _ state: String) {
    guard case .question(let modal) = overlay else { return }
    for line in play.lines {
      for match in line.matches(of: #/┃ +(Enter|Esc|Tab|[A-Za-z0-9!=]) {2,}(\S.*?) *┃/#) {
        let name = String(match.output.1)
        guard let key = Key(named: name.count == 1 ? name : name.lowercased()) else { continue }
        if case .open = modal.update(key) { Issue.record("\(state): the box does not take \(name): \(line)") }
      }
    }
  }

  /// A line that fills the last column of 80 within a word, and goes on there on a wider terminal, is cut.
  private func checkCut(_ play: Rehearsed, _ state: String) {
    let size = play.canvas.size
    let full = play.lines.filter { SafeText($0).width == size.width && $0.last?.isLetter == true }
    if full.isEmpty { return }
    play.resize(200, size.height)
    let wide = play.lines
    play.resize(size.width, size.height)
    for line in full
    where wide.contains(where: { $0.hasPrefix(line) && $0.dropFirst(line.count).first?.isLetter == true }) {
      Issue.record("\(state): cut at \(size.width) columns: \(line)")
    }
  }

  /// Presses keys, and checks the screen at each.
  private func walk(_ play: Rehearsed, _ state: String, _ keys: Key...) {
    check(play, state)
    for key in keys where !play.hasExited {
      play.press(key)
      check(play, "\(state), \(key.name)")
    }
  }

  /// The same, and leaves what a key has opened over the screen.
  private func boxes(_ play: Rehearsed, _ state: String, _ keys: Key...) {
    for key in keys {
      walk(play, state, key)
      for _ in 0..<3 where play.context.overlay != nil { walk(play, state, .escape) }
    }
  }

  @Test("an assessor's: sign-in, roster, sheet, comments, blanks, signing, after the bell")
  func assessor() throws {
    let play = try Rehearsed()
    play.context.push(RolesScreen(play.context))
    walk(play, "seats", .enter)
    play.type("okafor\n")
    walk(play, "station sessions", .tab, .tab, .enter)
    walk(play, "before the start", .enter, "q")
    try play.startClock()
    walk(play, "roster", "m", "q", "c", "q", .enter, .enter)
    walk(
      play, "sheet", "1", "1", "z", "Z", "0", "h", "t", "u", "x", "e", .escape, "m", "q", "H", "q", "i", "q", "\\", "\\"
    )
    walk(play, "sheet", "s", .escape, "S", .escape, "G", "r", "N", "N", "c", "q", ">", "<")
    play.pass(seconds: 470)
    walk(play, "red", "1", "z")
    play.pass(seconds: 30)
    walk(play, "after the bell", "1", ">", "<", "s", .escape)
    play.pass(seconds: 600)
    walk(play, "a round later", "1", "S", .enter, "q", "m", "q")
  }

  @Test("the invigilator's: nine pages before, during, paused and after")
  func desk() throws {
    let play = try Rehearsed()
    play.context.push(RolesScreen(play.context))
    let desk = try play.atSameStore().desk("psharma")
    func pages(_ state: String) {
      walk(desk, state, "1", "2", "3", "4", "5", "6", "7", "8", "9", "1")
    }
    pages("not started")
    try play.startClock()
    desk.pass(seconds: 1)
    pages("running")
    walk(desk, "running", "P")
    pages("paused")
    walk(desk, "paused", "z", .escape, "o", .escape, "e", .escape, "?", .escape)
  }

  @Test("the invigilator's after the end and in the re-run, with what was done in the hall on every page")
  func deskToTheEnd() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.startClock("Green circuit")
    let desk = try play.atSameStore().desk("psharma")
    func pages(_ state: String) {
      boxes(desk, state, "1", "2", "3", "4", "5", "6", "7", "8", "9", "1", "z", "Z", "@", "r", "b")
    }
    desk.press("6", "a", "a", .enter).press("m").type("1").type("kit failed\n")
    desk.press("4", "n", .escape, "8", "n").type("two minutes\n").press("1", "c").type("haddad\n").type("ill\n")
    pages("with something on every page")
    desk.press("P").type("a fire alarm that nobody expected, in the whole of the building\n")
    desk.press("@").type("+2\n").press(.enter)
    pages("paused, to be resumed")
    desk.pass(seconds: 130)
    pages("resumed")
    desk.press("X").type("end\n")
    pages("after the end")
    desk.press("b", .enter).pass(seconds: 70)
    pages("in the re-run")
  }

  @Test("paper marks are entered for somebody else: sheet, blanks and roster say whose they are")
  func paper() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    walk(play, "paper", "P")
    play.type("haddad\n")
    walk(
      play, "entering paper marks", "1", "0", "z", "N", "1", "N", "m", "q", "s", .escape, ">", "<", "q", "m", "q", "P")
    walk(play, "its end", .escape, "P", .enter)
  }

  @Test("the outbox: nothing sent, waiting, and what the hub refused")
  func outbox() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("1", "1")
    walk(play, "outbox, no hub", "ctrl-t", "G", "?", .escape, "q")
    try play.acknowledge()
    walk(play, "outbox, empty", "ctrl-t", "q")
    walk(play, "outbox, waiting", "1", "ctrl-t", "j", .enter, .escape, "q")
  }

  @Test("the smallest screens that are marked on: station, desk and lead at 60 by 20")
  func small() throws {
    let play = try Rehearsed((60, 20)).mark("nokafor", at: "CHEST")
    walk(play, "small sheet", "1", "1", "z", "m", "q", "c", "q", "e", .escape, "s", .escape, "S", .escape, "?", .escape)
    walk(play, "small roster", "q", "m", "q", "a", .escape, ">")
    let desk = try play.atSameStore().desk("psharma")
    desk.resize(60, 20)
    boxes(desk, "small desk", "1", "2", "3", "4", "5", "6", "7", "8", "9", "P", "z", "e", "?")
    let lead = try play.atSameStore().lead()
    lead.resize(60, 20)
    walk(lead, "small lead", "l", .enter, .escape, "v", .tab, .enter, .escape, "q", "c")
    lead.awaitExamination()
    walk(lead, "small closing", "j", .enter, .escape, "q")
  }

  @Test("a sheet of every kind of item, with the focus on each")
  func kinds() throws {
    let play = try Rehearsed.allKinds()
    for _ in 0..<30 { walk(play, "kinds, item \(play.focus ?? 0)", "1", "=", .escape, "e", .escape, "j") }
    walk(play, "kinds, the end", "s", .escape, "S", .escape, "c", "q", "q")
  }

  @Test("the exam lead's: grid, whom to chase, results, closing, outbox")
  func lead() throws {
    let play = try Rehearsed()
    try play.mark("nokafor", at: "CHEST").press("1", "1", "0", "0")
    play.pass(seconds: 600)
    let lead = try play.atSameStore().lead()
    walk(lead, "grid", "l", "j", .enter, .escape, "f", "t", .escape, "?", .escape, "w", .escape)
    walk(lead, "results", "v", "]", "b", "?", .escape)
    walk(lead, "results, a ruling", "w", .escape, "r", "x", .escape, .tab, "x", .escape, .enter, .escape, .tab)
    walk(lead, "a station's results", .enter, "?", .escape, "m", .escape, "b", "d", "x", .escape)
    walk(lead, "a station's items", "i", "j", "x", "w", .escape, .enter, .escape, .escape, "q")
    for _ in 0..<4 where !(lead.context.screen is LeadScreen) { walk(lead, "back to the grid", "q") }
    lead.press("c")
    lead.awaitExamination()
    walk(lead, "closing", "j", "j", .enter, "j", .escape, "L", "w", .escape, "r", "?", .escape, "q")
    walk(lead, "outbox", "ctrl-t", "j", "?", .escape, "q")
  }

  @Test("the rulings: two assessors apart, compared, ruled, what was refused, waived with a reason")
  func rulings() throws {
    let first = try Rehearsed()
    try first.markApart()
    first.pass(seconds: 600)
    let lead = try first.atSameStore().lead()
    lead.press("c")
    lead.awaitExamination()
    let count = try #require(lead.context.screen as? ClosingScreen).table.rows.count
    try #require(count > 0)
    var hasCompared = false
    for row in 0..<count {
      walk(lead, "closing, check \(row)", .enter)
      if !(lead.context.screen is ClosingScreen) {
        boxes(lead, "lines of check \(row)", "a", "w", .enter)
        if lead.context.screen is AdjudicationScreen {
          hasCompared = true
          boxes(lead, "two assessors", "j", "1", "2", "=", "?")
        }
        for _ in 0..<4 where !(lead.context.screen is ClosingScreen) { walk(lead, "back", .escape) }
        try #require(lead.context.screen is ClosingScreen, "\(lead.screen)")
      }
      boxes(lead, "closing, check \(row)", "w", "j")
    }
    #expect(hasCompared)
    boxes(lead, "closing, of one session", "]", "]", "[", "L", "U", "q")
  }

  @Test("the boxes of a station: attendance, wrong candidate, paper, concern, help, the lock, quitting")
  func boxes() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.press("1", "1")
    walk(
      play, "boxes of a sheet", "a", .escape, "M", .escape, "P", .escape, "f", .escape, "v", .escape, "p", .escape,
      "!", .escape, "s", .escape, "S", .escape, "Q", .escape, ":", .escape, "/", .escape, "?", .escape, "w", .escape)
    for _ in 0..<4 where !(play.context.screen is RosterScreen) { play.press("q") }
    try #require(play.context.screen is RosterScreen, "\(play.screen)")
    walk(
      play, "boxes of a roster", "a", .escape, "A", .escape, "n", .escape, "M", .escape, "o", .escape, "P", .escape,
      "q", .escape, "Q", .escape)
    let desk = try play.atSameStore().desk("psharma")
    desk.pass(seconds: 1)
    walk(
      desk, "boxes of the desk", "X", .escape, "S", .escape, "e", .escape, "o", .escape, "b", .escape, "z", .escape,
      "i", .escape, "t", .escape, "c", .escape, "O", .escape, "m", .escape, "x", .escape, "a", .escape, "Q", .escape)
    walk(desk, "boxes of the people", "6", "a", .escape, "w", .escape, "n", .escape, "x", .escape, "m", .escape)
    walk(desk, "boxes of incidents", "4", "n", .escape, "7", "b", .escape, "8", "n", .escape, "9")
  }

  @Test("the wall in every state: no line is cut, and a key that a line names acts there")
  func wall() throws {
    let exam = try Rehearsed()
    let circuits = try exam.store.read { try Circuit.all(at: exam.store.clock.now, $0) }
    func lines(_ play: Rehearsal<WallProgram>) -> [String] {
      play.canvas.plainText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    func look(_ state: String) {
      look(state, Size(width: 80, height: 24))
      look(state, Size(width: 60, height: 20))
    }
    func look(_ state: String, _ size: Size) {
      for shown in [Array(circuits.prefix(1)), circuits] {
        var play = Rehearsal(
          WallProgram(exam.store, circuits: shown, theme: .standard(), options: .init()) { exam.clocks.loop },
          size: size)
        for key in ["?", "esc", "q", "esc", "x", "ctrl-c"] as [Key] {
          play.press(key)
          for line in lines(play) {
            for match in line.matches(of: #/(?:^|[\s;:·,?.])(Enter|Esc|[A-Za-z?]) (?:quits|cancels|lists)\b/#) {
              let name = String(match.output.1)
              // These two answer whether to quit.
              let key = Key(named: name.count == 1 ? name : name.lowercased())
              let acts =
                ["Enter", "Esc"].contains(name)
                || WallProgram.keys.names.contains { key.map($0.keys.contains) ?? false }
              #expect(acts, "\(state): \(name) does not act: \(line)")
            }
          }
          let small = lines(play)
          play.resize(Size(width: 200, height: size.height))
          let wide = lines(play)
          play.resize(size)
          for line in small where SafeText(line).width == size.width && line.last?.isLetter == true {
            let isCut = wide.contains { $0.hasPrefix(line) && $0.dropFirst(line.count).first?.isLetter == true }
            #expect(!isCut, "\(state): cut at \(size.width) columns: \(line)")
          }
        }
      }
    }
    look("before the start")
    try exam.startClock(seconds: 0)
    look("reading")
    exam.pass(seconds: 75)
    look("running")
    exam.pass(seconds: 360)
    look("amber")
    exam.pass(seconds: 90)
    look("red")
    try exam.clock(.pause)
    look("paused")
    exam.pass(seconds: 5)
    try exam.clock(.resume)
    try exam.startClock("Green circuit", seconds: 575)
    look("apart, moving")
    exam.pass(seconds: 90)
    look("waiting")
    try exam.clock(.stop)
    look("finished")
  }

  @Test("and wherever keys lead that act", arguments: [1, 2, 3] as [UInt64])
  func anywhere(_ seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    let ends: Set<String> = ["quit", "station.lock"]
    for step in 1...120 where !play.hasExited {
      let acting = play.table.bindings.filter { binding in
        guard case .enabled = binding.availability else { return false }
        return !ends.contains(binding.id.rawValue)
      }.flatMap(\.keys)
      let key = play.context.overlay == nil ? acting.randomElement(using: &random) ?? .escape : .escape
      play.press(key)
      check(play, "seed \(seed), step \(step), \(key.name)")
    }
  }
}
