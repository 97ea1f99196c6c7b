import Testing

@testable import Terminal

@Suite("Key names")
struct KeyNameTests {
  @Test(
    "a name is read and written alike",
    arguments: [
      "a", "A", "[", "]", "'", "-", "?", "ctrl-o", "ctrl-\\", "alt--", "ctrl-alt-up", "shift-tab", "space", "pgup",
      "pgdn", "home", "end", "ins", "del", "enter", "esc", "backspace", "f1", "f12", "é", "ctrl-space", "!",
    ])
  func roundTrip(_ name: String) {
    #expect(Key(named: name)?.name == name)
  }

  @Test("names of the field are read in any case, characters keep theirs")
  func cases() {
    #expect(Key(named: "Ctrl-O") == Key(.character("o"), .control))
    #expect(Key(named: "PgUp") == .pageUp)
    #expect(Key(named: "G") != Key(named: "g"))
  }

  @Test(
    "what no terminal sends is no key",
    arguments: [
      "", "ctrl-", "f0", "f25", "pageup", "shift-a", "ab", "\u{1B}", "ctrl-m", "Ctrl-I", "ctrl-j", "ctrl-h", "ctrl-1",
      "ctrl-ü", "ctrl-[", "ctrl--",
    ])
  func refused(_ name: String) {
    #expect(Key(named: name) == nil)
  }

  @Test("labels are what is printed on a keyboard")
  func labels() {
    useUTF8()
    #expect(Key(.character("o"), .control).label(.unicode).plain == "Ctrl-O")
    #expect(Key.pageUp.label(.unicode).plain == "PgUp")
    #expect(Key.up.label(.unicode).plain == "↑")
    #expect(Key.up.label(.ascii).plain == "Up")
    #expect(Key("'").label(.unicode).plain == "'")
    #expect(Key("f").label(.unicode).plain == "f")
  }
}
