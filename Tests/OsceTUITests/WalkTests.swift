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
  private static var promise: Regex<(Substring, Substring)> {
    #/(?:^|[\s;:·(])(Enter|Esc|Tab|Space|Ctrl-[A-Z]|[A-Za-z<>?!=',]) (?:opens|undoes|signs|goes|shows|chooses|lists|switches|starts|resumes|pauses|reopens|takes|writes|asks|leaves|marks|clears|begins|returns|adds|moves|sorts)\b/#
  }

  private func check(_ play: Rehearsed, _ state: String) {
    if play.hasExited { return }
    #expect(play.context.message.text.width <= 80, "\(state): \(play.message)")
    checkCut(play, state)
    // A question has keys of its own, and stands over lines that are not its.
    guard play.context.overlay == nil else { return }
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

  /// A line that fills the last column of 80 within a word, and goes on there on a wider terminal, is cut.
  private func checkCut(_ play: Rehearsed, _ state: String) {
    let full = play.lines.filter { SafeText($0).width == 80 && $0.last?.isLetter == true }
    if full.isEmpty { return }
    play.resize(200, 24)
    let wide = play.lines
    play.resize(80, 24)
    for line in full
    where wide.contains(where: { $0.hasPrefix(line) && $0.dropFirst(line.count).first?.isLetter == true }) {
      Issue.record("\(state): cut at 80 columns: \(line)")
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

  @Test("an assessor's: sign-in, roster, sheet, comments, blanks, signing, after the bell")
  func assessor() throws {
    let play = try Rehearsed()
    play.context.push(SeatsScreen(play.context))
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
    play.context.push(SeatsScreen(play.context))
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
    let lead = try play.atSameStore()
    LeadTerminal.sitDown(try lead.member("cdubois"), in: lead.context)
    lead.settle()
    lead.resize(80, 24)
    walk(lead, "grid", "l", "j", .enter, .escape, "f", "t", .escape, "?", .escape, "w", .escape)
    walk(lead, "results", "v", "]", "b", "?", .escape, "q")
    lead.press("c")
    let end = Date(timeIntervalSinceNow: 60)
    while lead.deadline != nil, lead.screen.contains("EXAMINING"), Date() < end {
      Thread.sleep(forTimeInterval: 0.02)
      lead.passTime(60)
    }
    walk(lead, "closing", "j", "j", .enter, "j", .escape, "L", "w", .escape, "r", "?", .escape, "q")
    walk(lead, "outbox", "ctrl-t", "j", "?", .escape, "q")
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
