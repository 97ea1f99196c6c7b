import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// Every kind of item, marked by its keys.
@MainActor @Suite("Kinds of items")
struct KindsTests {
  private func go(_ play: Rehearsed, to number: Int) { play.press("'").type("\(number)\n") }

  private func row(_ play: Rehearsed) throws -> String {
    try #require(play.lines.first { $0.hasPrefix("▌") || $0.hasPrefix("▸") })
  }

  @Test("a chosen level says satisfactory, borderline or below beside it, and so does each level in full")
  func thresholds() throws {
    let play = try Rehearsed.allKinds()
    for (key, word) in [("3", "satisfactory"), ("2", "satisfactory"), ("1", "borderline"), ("0", "below")] {
      go(play, to: 1)
      play.type(key).press("k")
      #expect(try row(play).contains(" \(word) "), "\(key)")
    }
    #expect(play.lines.contains { $0.contains("[0] Poor: Does not say who they are (below)") })
    #expect(play.lines.contains { $0.contains(" 1  Weak: Name, no role (borderline)") })
  }

  @Test("the global rating has no such words, whatever its item says")
  func globalRating() throws {
    let play = try Rehearsed.allKinds()
    go(play, to: 19)
    play.type("5").press("k")
    #expect(play.item(19).rating == MarkValue(5))
    for word in ["satisfactory", "borderline", "below"] { #expect(!play.screen.contains("(\(word))"), "\(word)") }
    #expect(try !row(play).contains("satisfactory"))
  }

  @Test("a yes/no item shows its own values, what was given in front of it, and its texts below")
  func binary() throws {
    let play = try Rehearsed.allKinds()
    go(play, to: 5)
    #expect(try row(play).contains(" n=-2"))
    play.type("n").press("k")
    #expect(play.item(5).rating == MarkValue(-2))
    #expect(try row(play).contains(" 5 -2 ") && row(play).contains("[n=-2]") && play.screen.contains("Left out"))
    #expect(play.lines.contains { $0.contains(" 2     Asked") })
    go(play, to: 6)
    play.type("y").press("k", "k")
    #expect(try row(play).contains(" 6 ✓ ") && row(play).contains("[1]") && play.screen.contains("Yes"))
  }

  @Test("a record is filled in by a form in order, and Esc keeps what is there")
  func record() throws {
    let play = try Rehearsed.allKinds()
    go(play, to: 13)
    play.type("x2")
    #expect(play.item(13).isBlank)
    play.press(.enter).type("Upper left\n3\n5\nsteady")
    #expect(play.lines[2] == "Item 13, 1: What was scaled")
    play.press(.escape)
    let item = play.item(13)
    #expect(item.feedback == "Upper left" && item.work == WorkFacts(times: 3, difficulty: 5, note: "steady"))
    #expect(try row(play).contains("Upper left, 3 times, difficulty 5"))
    play.press("ctrl-z")
    #expect(play.item(13).isBlank && play.item(13).work == WorkFacts())
  }

  @Test("a form takes no number out of range, and its last field's Enter finishes it")
  func formRefuses() throws {
    let play = try Rehearsed.allKinds()
    go(play, to: 14)
    play.press(.enter, .tab).type("a")
    #expect(play.message == "a number from 1 to 999")
    play.type("1000")
    #expect(play.message == "a number from 1 to 999")
    play.press(.tab).type("6")
    #expect(play.message == "a number from 1 to 5")
    play.type("4").press("shift-tab", .enter, .enter, .enter)
    #expect(play.context.overlay == nil)
    #expect(play.item(14).work == WorkFacts(times: 100, difficulty: 4))
  }

  @Test("a procedure takes its level by key, and what a record takes by the form")
  func procedure() throws {
    let play = try Rehearsed.allKinds()
    go(play, to: 14)
    play.type("3")
    #expect(play.message == "item 14: 3 Did it with the supervisor beside")
    play.press("k", .enter).type("Forceps\n2").press(.escape)
    let item = play.item(14)
    #expect(item.rating == MarkValue(3) && item.feedback == "Forceps" && item.work.times == 2)
    #expect(try row(play).contains("2 times"))
  }

  @Test("what was typed into a form is on the disk two seconds later, and when the terminal is lost")
  func formIsKept() throws {
    let play = try Rehearsed.allKinds()
    go(play, to: 13)
    play.press(.enter).type("Upper").pass(seconds: 3)
    #expect(try play.count("SELECT count(*) FROM dataQuestion WHERE feedback = 'Upper'") == 1)
    play.type(" left\n7")
    play.isHeld = true
    play.send(.hangup)
    #expect(play.hasExited)
    let again = try ExamStore(play.store.location, .existing, system: play.clocks.system)
    defer { again.close() }
    let kept = try again.read { try Fixture.count("SELECT times FROM dataQuestion WHERE feedback = 'Upper left'", $0) }
    #expect(kept == 7)
  }

  @Test("tags, recommended and a completed case are switched from a box by their numbers, and undone")
  func tags() throws {
    let play = try Rehearsed.allKinds()
    play.press("T")
    play.type("1")
    #expect(play.message == "item 1: tagged safety")
    play.type("3").press("j", .space, .escape)
    let item = play.item(1)
    #expect(item.tags == ["safety"] && item.isRecommended && item.isCompletedCase && item.isBlank)
    #expect(play.lines.contains { $0.contains("#safety · recommended · completes the case") })
    play.press("z", "z", "z")
    #expect(play.item(1).tags.isEmpty && !play.item(1).isRecommended && !play.item(1).isCompletedCase)
  }

  @Test("a section says which copy it is, its tooth and difficulty, and takes no copy beyond its most")
  func duplicable() throws {
    let play = try Rehearsed.allKinds()
    play.press("]", "]", "]")
    #expect(try row(play).contains("Filling · 1 of at most 3 · which tooth, how difficult? Enter  0 of 2 marked"))
    play.press(.enter).type("36\n2\n")
    #expect(try row(play).contains("Filling · 1 of at most 3 · tooth 36 · difficulty 2 of 3  0 of 2 marked"))
    play.press("d")
    #expect(try row(play).contains("Filling · 2 of at most 3 · which tooth, how difficult? Enter"))
    play.press("d", "d")
    #expect(play.message == "this section is there 3 times, which is the most")
    play.press(.enter).type("3\n").press(.escape)
    #expect(try row(play).contains("quadrant 3"))
    play.press(.enter, "ctrl-u").type("19\n")
    #expect(play.message.hasPrefix("19 is no tooth"))
    play.press(.escape)
    #expect(play.context.overlay != nil)
    play.press(.escape)
    #expect(play.context.overlay == nil)
    #expect(try row(play).contains("quadrant 3"))
  }

  @Test("signing, the list of what is missing and the command name a tooth and a difficulty that a used section lacks")
  func missingFacts() throws {
    let play = try Rehearsed.allKinds()
    func box() -> String { play.press("S").flat }
    #expect(!box().contains("RECORDED:"))
    play.press(.escape, "]", "]", "]", "j").type("1").press("S")
    #expect(play.screen.contains("NOT RECORDED: Filling: tooth") && play.screen.contains("NOT RECORDED: Filling: diff"))
    play.press(.escape, "m")
    #expect(play.screen.contains("not recorded: Filling: tooth"))
    #expect(play.screen.contains("not recorded: Filling: difficulty"))
    for _ in 0..<30 where try !row(play).contains("Filling: tooth") { play.press("j") }
    play.press(.enter)
    #expect(try row(play).contains("Filling"))
    var found: [String] = []
    try play.store.read {
      try MissingMark.forEach(in: $0, at: play.store.clock.now) {
        if case .fact(let fact) = $0.kind { found.append(fact.text) }
      }
    }
    #expect(found == ["Filling: tooth", "Filling: difficulty"])
    play.press(.enter).type("36\n2\n").press("S")
    #expect(!play.flat.contains("RECORDED:"))
  }

  @Test("undo of a section's tooth, difficulty and copy says what it was, and goes to that section")
  func undoOfSections() throws {
    let play = try Rehearsed.allKinds()
    play.press("]", "]", "]", .enter).type("36\n2\n").press("d", "g", "z")
    #expect(play.message == "undone: copy 2 of Filling is taken away")
    #expect(try row(play).contains("Filling"))
    play.press("g", "Z")
    #expect(play.message == "done again: copy 2 of Filling is there again")
    #expect(try row(play).contains("Filling · 2 of"))
    play.press("z", "g", "z")
    #expect(play.message == "undone: Filling: the tooth cleared, how difficult it was cleared")
    #expect(try row(play).contains("Filling · 1 of"))
  }

  @Test("a folded section says what is in it, and what of that is required")
  func folded() throws {
    let play = try Rehearsed.allKinds()
    play.press("]", "]", .space)
    #expect(try row(play).contains("Scales  0 of 4, 1 required blank"))
    play.press(.space, "'").type("8\n7")
    play.press("[", .space)
    #expect(try row(play).contains("Scales  1 of 4"))
    #expect(try !row(play).contains("required"))
  }

  @Test("what does not fit is read on with the arrows, and Enter shows all of it")
  func readingOn() throws {
    let play = try Rehearsed.allKinds()
    play.resize(80, 20)
    go(play, to: 2)
    #expect(play.screen.contains("read on, Enter all"))
    play.press(.left)
    #expect(play.screen.contains("unable to assess"))
    play.press(.left)
    #expect(play.screen.contains("Strong: Lets the patient finish, leaves silences"))
    #expect(play.screen.contains("read on, Enter marks"))
    go(play, to: 2)
    play.press(.enter)
    #expect(play.screen.contains("Item 2 (Esc closes)") && play.screen.contains("could not say"))
    #expect(play.item(2).isBlank)
  }

  @Test("the detail stands still: its first row is the same on every item")
  func detailStands() throws {
    for (width, height) in [(80, 24), (100, 30)] {
      let play = try Rehearsed.allKinds((width, height))
      let rule = play.lines.firstIndex { $0.hasPrefix("────") }
      for _ in play.sheet.items {
        play.press("j")
        #expect(play.lines.firstIndex { $0.hasPrefix("────") } == rule)
      }
    }
  }

  @Test("an item of a kind that this version does not know says so, and no key marks it")
  func unknownKind() throws {
    let play = try Rehearsed.allKinds()
    let item = play.item(13)
    try play.store.write(.program) {
      try $0.set("TypeQuestion", String(item.template.question), ["questionType": .text("hologram")])
    }
    play.press(">", .enter, "E", .enter, .enter)
    go(play, to: 13)
    #expect(try row(play).contains("kind not known here"))
    #expect(play.text.contains("an item of a kind this version does not know (hologram)"))
    for key: Key in ["1", "x", "=", .enter] {
      play.press(key)
      #expect(play.message.hasPrefix("an item of a kind this version does not know"), "\(key)")
      go(play, to: 13)
    }
    #expect(play.item(13).template.kind == .unknown("hologram") && play.item(13).isBlank)
  }

  @Test("beside the detail a long item is wrapped under itself, and no mark moves the rows below it")
  func wrapped() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.resize(132, 43)
    func row(_ text: String) -> Int? { play.lines.firstIndex { $0.prefix(86).contains(text) } }
    let first = try #require(row("Introduces self with role"))
    #expect(!play.lines[first].prefix(86).contains("…"), "\(play.lines[first])")
    #expect(play.lines[first + 1].hasPrefix("         "), "\(play.screen)")
    let below = row("Gains consent")
    play.press("j", "1")
    #expect(row("Gains consent") == below)
    // Every row comes into view, and the focus with it, however few lines there are.
    play.resize(132, 18)
    for item in play.sheet.items {
      play.press("'").type("\(play.sheet.items.firstIndex { $0.key == item.key }! + 1)\n")
      #expect(play.lines.contains { $0.hasPrefix("▌") }, "\(play.screen)")
    }
  }
}
