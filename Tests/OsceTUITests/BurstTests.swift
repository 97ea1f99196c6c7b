import CircuitModel
import ExamStore
import Reports
import Terminal
import Testing

@testable import OsceTUI

/// Keys that come faster than a person presses them.
@MainActor @Suite("Bursts")
struct BurstTests {
  private func chest() throws -> Rehearsed { try Rehearsed().mark("nokafor", at: "CHEST") }
  private func marked(_ play: Rehearsed) -> Int { play.sheet.items.filter { !$0.isBlank }.count }

  @Test("three or more mark keys without a gap are kept, are one undo step, and the line says so")
  func oneStep() throws {
    let play = try chest()
    play.type("1").burst("1111")
    #expect(marked(play) == 5)
    #expect(play.message.hasSuffix("- fast keys: one z undoes them all"))
    play.press("z")
    #expect(marked(play) == 1)
    #expect(play.message == "undone: 4 changes")
    play.press("Z")
    #expect(marked(play) == 5)
    play.press("z", "z")
    #expect(marked(play) == 0)
  }

  @Test("what was typed after a burst and not done is said with the last mark")
  func dropped() throws {
    let play = try chest()
    play.burst("1111>11")
    #expect(marked(play) == 4)
    #expect(play.message.hasPrefix("3 keys NOT done; item 4: 1 "))
    #expect(play.message.hasSuffix(" - fast keys: one z undoes them all"))
    play.type("1")
    #expect(play.message == "item 5: 1 Done")
  }

  @Test("two fast keys, or three with a gap of 50 ms, are steps of their own")
  func separateSteps() throws {
    let play = try chest()
    play.burst("11").press("z")
    #expect(marked(play) == 1)
    play.press("z")
    play.pace = 50
    play.press("g").type("1111").press("z")
    #expect(marked(play) == 3)
    play.pace = 49
    play.press("g").type("0000")
    play.pace = 1000
    play.press("z")
    #expect(play.message == "undone: 4 changes")
    #expect(marked(play) == 3)
  }

  @Test("a burst never leaves the sheet: >, q and s in it do nothing, nor do the keys after them")
  func staysOnTheSheet() throws {
    for key in [">", "<", "q", "s", "b", "d", "a", "c", "f", "!", ":", "?", "Q"] {
      let play = try chest()
      play.burst("111\(key)yy11\(key)1")
      #expect(play.context.screen is SheetScreen, "\(key)")
      #expect(play.context.overlay == nil, "\(key)")
      #expect(play.sheetScreen.entry?.candidate?.number == "30101", "\(key)")
      #expect(marked(play) == 3, "\(key)")
      #expect(!play.sheet.isSigned)
      play.type("1")
      #expect(marked(play) == 4, "\(key): after a pause keys mark again")
    }
  }

  @Test("a held key marks to the end of the sheet, or to an item that has no such level, and no further")
  func heldKey() throws {
    let play = try chest()
    play.burst(String(repeating: "1", count: 60))
    #expect(play.sheetScreen.entry?.candidate?.number == "30101")
    #expect(play.item(18).isBlank)
    #expect(play.focus == 18)
    // On a written item letters do nothing.
    play.press("z")
    #expect(marked(play) == 17)
    play.press("ctrl-z")
    #expect(marked(play) == 0)
  }

  @Test("a held x on one item is one step too, and is undone to what stood before")
  func heldClear() throws {
    let play = try chest()
    play.type("1").press("k").burst("xxxx")
    #expect(play.item(1).isBlank)
    play.press("z")
    #expect(play.item(1).rating == MarkValue(1))
    play.press("z")
    #expect(play.item(1).isBlank)
  }

  @Test("an answer that comes with the key that asked is not taken: nobody has read the question")
  func answersUnseen() throws {
    let play = try chest()
    play.burst("SS")
    #expect(!play.sheet.isSigned && play.screen.contains("Sign 30101"))
    #expect(play.message == "S ignored: pressed before the question appeared; answer it now")
    play.press("S")
    #expect(play.sheet.isSigned)
    let other = try chest()
    other.press("j").burst("b\n")
    #expect(marked(other) == 0 && other.screen.contains("Blanks to not done"))
    #expect(other.screen.contains(" ignored: pressed before the question appeared"), "\(other.screen)")
    other.press(.escape).type("1").press("q").burst("z\n")
    #expect(other.message.contains(" ignored: pressed before the question appeared") && other.context.overlay != nil)
    #expect(try other.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 1)
    other.press(.enter)
    #expect(try other.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL") == 0)
  }

  @Test("pasted text marks nothing")
  func paste() throws {
    let play = try chest()
    let before = try play.count("SELECT count(*) FROM operation")
    play.send(.paste("1111111>1111ys\n"))
    #expect(marked(play) == 0)
    #expect(try play.count("SELECT count(*) FROM operation") == before)
    #expect(play.context.overlay == nil)
    #expect(play.message == "paste ignored: no text field is open")
  }
}
