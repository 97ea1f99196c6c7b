import CircuitModel
import ExamStore
import Reports
import Terminal
import TerminalTesting
import Testing

@testable import OsceTUI

/// What the assessor sees, as text files that a person has looked at: `Golden/NAME-80x24.txt` and `NAME-120x40.txt`.
@MainActor @Suite("The assessor's screens")
struct GoldenTests {
  /// Compares the screen at both sizes.
  private func expect(
    _ name: String, _ play: Rehearsed, styled: Bool = false, at place: SourceLocation = #_sourceLocation
  ) {
    for (width, height) in [(80, 24), (120, 40)] {
      play.resize(width, height)
      let difference = GoldenScreen.difference(styled ? play.styled : play.screen, "\(name)-\(width)x\(height)")
      #expect(difference == nil, Comment(rawValue: difference ?? ""), sourceLocation: place)
    }
    play.resize(80, 24)
  }

  @Test("seats, sign in, sessions")
  func beginning() throws {
    let play = try Rehearsed()
    play.context.push(RolesScreen(play.context))
    play.send(.resized(Size(width: 80, height: 24)))
    expect("seats", play)
    play.press(.enter)
    expect("sign-in", play)
    play.type("an")
    expect("sign-in-filtered", play)
    play.type("zzz")
    expect("sign-in-nobody", play)
    play.press(.escape).type("sharma").press(.enter)
    expect("sign-in-passcode", play)
    play.type("4711\n")
    expect("sessions", play)
    play.press(.tab)
    expect("sessions-all", play)
  }

  @Test("the roster: present, absent, an empty slot, names of every kind")
  func roster() throws {
    let play = try Rehearsed()
    try play.mark("nokafor", at: "CHEST")
    play.press("1", "1", "q")
    expect("roster", play)
    play.press("g", "j", "j", "a")
    expect("attendance", play)
    play.press("a")
    expect("roster-absent", play)
    let green = try Rehearsed()
    try green.startClock("Green circuit")
    try green.sit("gmoreau", at: "CHEST", "Green circuit")
    green.press("q")
    expect("roster-green", green)
    let odd = try Rehearsed()
    try Odd.rename(odd)
    try odd.startClock("Green circuit")
    try odd.sit("gmoreau", at: "CHEST", "Green circuit")
    odd.press("q")
    expect("roster-odd-names", odd)
  }

  @Test("the identity step, with adjustments, for a recorded absentee, for a name that is too long, and for practice")
  func identity() throws {
    let play = try Rehearsed()
    try play.startClock()
    try play.sit("nokafor", at: "CHEST")
    expect("identity", play)
    // The eighth station has slot 7 in round 2 of the ring, and so on: CHEST has it in round 3.
    play.press("q", "g")
    for _ in 0..<9 where !play.screen.contains("▸ \(play.lines[0])") {
      if play.lines.contains(where: { $0.hasPrefix("▸") && $0.contains("30107") }) { break }
      play.press("j")
    }
    play.press(.enter)
    expect("identity-adjustments", play)
    play.press("a", "a")
    expect("identity-absent", play)
    play.press("q", "g", .enter)
    expect("identity-practice", play)
    let long = try Rehearsed()
    try long.startClock("Green circuit")
    try long.sit("ipetrov", at: "DENTAL", "Green circuit")
    for _ in 0..<8 where !long.screen.contains("30114") { long.press(">") }
    expect("identity-long-name", long)
  }

  @Test("a sheet before any mark, half marked, at its end, with signing named, signed")
  func chest() throws {
    let play = try Rehearsed()
    try play.mark("nokafor", at: "CHEST")
    expect("chest-blank", play)
    play.press("1", "0", "1")
    play.press(">")
    play.press("<")
    play.type("101")
    play.press("1", "h", "1")
    expect("chest-half", play)
    play.press("3", "s")
    expect("sign-with-blanks", play)
    play.press(.escape, "G", "j")
    expect("chest-end", play)
    play.press("m")
    expect("missing", play)
    play.press(.escape)
    finish(play)
    play.press("G", "j")
    expect("chest-filled", play)
    play.press("s")
    expect("sign", play)
    play.press(.enter)
    expect("chest-signed", play)
    play.press("g", "1")
    expect("signed-refuses", play)
    play.press("s")
    expect("reopen", play)
  }

  /// Marks every blank item with its highest single key.
  private func finish(_ play: Rehearsed) {
    play.press("g")
    for number in 1...play.sheet.items.count where play.item(number).isBlank {
      play.press("'")
      play.type("\(number)\n")
      if play.item(number).template.kind.isWritten {
        play.press(.enter)
        play.type("Clear and kind.")
        play.press(.escape)
      } else {
        play.press("1")
      }
    }
  }

  @Test("marks of every kind: binary, halves, of 5, of 10, of 20, written")
  func prescribing() throws {
    let play = try Rehearsed()
    try play.mark("psharma", at: "RX")
    play.type("111")
    play.press("2")
    play.type("0h1")
    expect("rx-halves", play)
    play.press("]")
    play.press("j")
    expect("rx-of-20", play)
    play.press("=")
    expect("rx-number", play)
    play.type("17\n")
    expect("rx-of-20-marked", play)
    play.press("'")
    play.type("15\nt")
    expect("rx-written", play)
    play.press(.enter)
    play.type("Good order.\nWrite the route for every drug; oxygen needs a target as well as a flow.")
    expect("editor", play)
    play.press(.escape)
    expect("rx-written-text", play)
    play.press("j", "3")
    play.press("j")
    expect("rx-total", play)
  }

  @Test("a matrix with its levels, one of them read without marking, and unable to assess")
  func matrix() throws {
    let play = try Rehearsed()
    try play.mark("aalrashid", at: "NEWS")
    play.press("]", "j", "3", "2")
    expect("matrix", play)
    play.press(.right, .right)
    expect("matrix-reading", play)
    play.press("j", "j", "u")
    expect("matrix-unable", play)
  }

  @Test("sections: folded, copied, with quadrant and tooth")
  func sections() throws {
    let play = try Rehearsed()
    try play.mark("nokafor", at: "CHEST")
    play.press("]", "]", .space)
    expect("folded", play)
    let dental = try Rehearsed()
    try dental.mark("tnguyen", at: "DENTAL")
    dental.press("]")
    expect("tooth", dental)
    dental.press(.enter)
    expect("tooth-asked", dental)
    dental.type("36\n2\n")
    dental.press("d")
    expect("tooth-copied", dental)
  }

  @Test("a mark on its way to the disk, one that waits for another process, and one that failed")
  func saving() throws {
    let play = try Rehearsed()
    try play.mark("nokafor", at: "CHEST")
    play.press("1")
    let holder = try play.holdLock()
    play.press("1")
    expect("pending", play)
    play.pass(seconds: 4)
    let text = play.message
    #expect(text.hasPrefix("NOT YET SAVED: 1 change waits; process "))
    play.isHeld = false
    holder.release()
    play.settle()
    try play.signElsewhere()
    play.press("1")
    expect("failed", play)
    play.press("k")
    expect("failed-focused", play)
  }

  @Test("help, the palette, comments, a concern, a help call, instructions")
  func overlays() throws {
    let play = try Rehearsed()
    try play.mark("nokafor", at: "CHEST")
    play.press("?")
    expect("help", play)
    play.press("pgdn")
    expect("help-second-page", play)
    play.press(.escape, ":")
    expect("palette", play)
    play.type("sec")
    expect("palette-typed", play)
    play.press(.escape, "c")
    expect("comments-none", play)
    play.press("n")
    play.type("Worked in a clear and complete order.")
    expect("comment-editor", play)
    play.press(.escape, "q", "f")
    expect("concern", play)
    play.press(.escape, "c")
    expect("comments", play)
    play.press("q", "!")
    expect("help-call", play)
    play.press("k", "i")
    expect("instructions", play)
    play.press(.escape, "q", "?")
    expect("help-roster", play)
    play.press(.escape, "Q")
    expect("quit", play)
  }

  @Test("headers: amber, red, paused, waiting, left, not yet here, finished")
  func headers() throws {
    let play = try Rehearsed()
    try play.startClock(seconds: 30)
    try play.sit("nokafor", at: "CHEST")
    expect("reading", play)
    play.pass(seconds: 60).press(.enter)
    play.pass(seconds: 340)
    expect("amber", play, styled: true)
    play.pass(seconds: 95)
    expect("red", play, styled: true)
    try play.clock(.pause)
    expect("paused", play)
    play.pass(seconds: 1)
    try play.clock(.resume)
    play.pass(seconds: 40)
    expect("left", play)
    play.pass(seconds: 50)
    expect("waiting", play)
    try play.clock(.stop)
    expect("finished", play)
    play.press("?")
    play.press(.escape)
    let idle = try Rehearsed()
    try idle.sit("nokafor", at: "CHEST")
    expect("not-started", idle)
    idle.press(.enter, "1")
    expect("not-yet-here", idle)
  }

  @Test("a smaller terminal shows what it can, and under 60x18 one calm line and the clock")
  func small() throws {
    let play = try Rehearsed()
    try play.mark("aalrashid", at: "NEWS")
    play.press("]", "j", "3")
    for (width, height) in [(72, 20), (64, 18), (60, 20), (59, 24), (80, 17), (40, 10), (20, 5), (10, 3)] {
      play.resize(width, height)
      let difference = GoldenScreen.difference(play.screen, "small-\(width)x\(height)")
      #expect(difference == nil, Comment(rawValue: difference ?? ""))
    }
    for size in [(1, 1), (0, 0), (2, 1), (200, 2), (3, 100)] { play.resize(size.0, size.1); _ = play.screen }
  }

  @Test("ASCII signs and no colours say the same")
  func plain() throws {
    let ascii = try Rehearsed(theme: .monochrome(.ascii))
    try ascii.mark("aalrashid", at: "NEWS")
    ascii.press("1", "]", "j", "3")
    ascii.pass(seconds: 345)
    expect("ascii-monochrome", ascii, styled: true)
    let isASCII = ascii.lines.allSatisfy { $0.allSatisfy { $0.isASCII || $0 == "…" } }
    #expect(isASCII)
  }
}

/// Names that break careless programs.
enum Odd {
  static let names = [
    "李小龍 歐陽娜娜 司馬相如 諸葛孔明 上官婉兒", "محمد عبد الرحمن", "e\u{301}\u{301}\u{301}galité Zoë", "O'Brien-O'Connor",
    "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh-Vandenberghe", "\u{1B}[2Jclear \u{202E}desrever", "a\tb\nc",
  ]

  /// Gives the green circuit's candidates odd names.
  @MainActor static func rename(_ play: Rehearsed) throws {
    try play.store.write(.program) { transaction in
      for (index, name) in names.enumerated() {
        let student = try Fixture.count(
          "SELECT dsid FROM user WHERE studentNumber = '\(30109 + index)'", transaction.db)
        try transaction.set(
          "Student", String(student), ["surname": .text(name), "forename": .text(""), "title": .text("")])
      }
    }
  }
}
