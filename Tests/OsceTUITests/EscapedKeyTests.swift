import Terminal
import Testing

@testable import OsceTUI

/// Esc and the keys after it, where a stalled line hands them over in one go.
@MainActor @Suite("Esc and what follows in one read") struct EscapedKeyTests {
  /// Hands over bytes in one read.
  private func read(_ text: String, _ play: Rehearsed) {
    var decoder = KeyDecoder()
    play.clocks.passLoop(1000)
    var events = decoder.feed(Array(text.utf8), at: play.clocks.loop)
    play.clocks.passLoop(KeyDecoder.sequenceDelay)
    events += decoder.expire(at: play.clocks.loop)
    for case .key(let key) in events { play.send(.key(key)) }
  }

  private func edited(_ play: Rehearsed) -> String? {
    if case .editor(let editor) = play.context.overlay { editor.area.text } else { nil }
  }

  @Test("in an editor Esc leaves it and the keys that follow mark") func editor() throws {
    let play = try Rehearsed.allKinds(as: "hyamamoto", at: "TWENTY")
    play.press("e").type("well done")
    read("\u{1B}10", play)
    #expect(edited(play) == nil)
    #expect(play.sheet.items.prefix(3).map { $0.rating?.description } == ["1", "0", nil])
    play.press("k", "e")
    #expect(edited(play) != nil)
    read("\u{1B}\r", play)
    #expect(edited(play) == nil)
  }

  @Test("what an editor has with Alt stays that") func bound() throws {
    let play = try Rehearsed.allKinds(as: "hyamamoto", at: "TWENTY")
    play.press("e").type("one two")
    read("\u{1B}bx", play)
    #expect(edited(play) == "one xtwo")
    read("\u{1B}\u{7F}", play)
    #expect(edited(play) == "one two")
  }

  @Test("over a list of keys Esc closes it and the next key acts") func help() throws {
    let play = try Rehearsed.allKinds(as: "hyamamoto", at: "TWENTY")
    read("?\u{1B}j", play)
    #expect(play.context.overlay == nil && play.focus == 2)
  }

  @Test("at the desk the key after Esc acts, though an answer may begin with it") func desk() throws {
    let play = try Rehearsed.runningDesk()
    read("\u{1B}P", play)
    #expect(play.screen.contains("PAUSED"))
  }

  @Test("on a sheet that nothing covers a digit with Alt marks nothing, and says so") func bareSheet() throws {
    let play = try Rehearsed.allKinds(as: "hyamamoto", at: "TWENTY")
    read("\u{1B}1", play)
    #expect(play.sheet.items.allSatisfy { $0.isBlank } && play.message.contains("Alt-1 does nothing here"))
  }
}
