import SeededNumbers
import Testing

@testable import Terminal

@Suite("Key decoder")
struct KeyDecoderTests {
  private func names(_ text: String) -> [String] { names(Array(text.utf8)) }

  private func names(_ bytes: [UInt8]) -> [String] {
    var decoder = KeyDecoder()
    let events = decoder.feed(bytes, at: 0) + decoder.expire(at: 20_000)
    return events.map(Self.name)
  }

  private static func name(_ event: InputEvent) -> String {
    switch event {
    case .key(let event): event.key.name
    case .paste(let text): "paste:\(text)"
    case .unreadable: "unreadable"
    }
  }

  @Test(
    "the keys of xterm, linux, vt100, screen and rxvt are known",
    arguments: [
      ("\u{1B}[A", "up"), ("\u{1B}OA", "up"), ("\u{1B}[1;5A", "ctrl-up"), ("\u{1B}[1;2D", "shift-left"),
      ("\u{1B}[1;3C", "alt-right"), ("\u{1B}O5C", "ctrl-right"), ("\u{1B}Oc", "ctrl-right"), ("\u{1B}[a", "shift-up"),
      ("\u{1B}[H", "home"), ("\u{1B}OH", "home"), ("\u{1B}[1~", "home"), ("\u{1B}[7~", "home"), ("\u{1B}[4~", "end"),
      ("\u{1B}[8~", "end"), ("\u{1B}OF", "end"), ("\u{1B}[2~", "ins"), ("\u{1B}[3~", "del"),
      ("\u{1B}[3;5~", "ctrl-del"),
      ("\u{1B}[5~", "pgup"), ("\u{1B}[6~", "pgdn"), ("\u{1B}[5^", "ctrl-pgup"), ("\u{1B}[6$", "shift-pgdn"),
      ("\u{1B}OP", "f1"), ("\u{1B}[[A", "f1"), ("\u{1B}[[E", "f5"), ("\u{1B}[11~", "f1"), ("\u{1B}[15~", "f5"),
      ("\u{1B}[17~", "f6"), ("\u{1B}[24~", "f12"), ("\u{1B}[1;2P", "shift-f1"), ("\u{1B}[Z", "shift-tab"),
      ("\u{1B}\u{1B}[A", "alt-up"), ("\u{1B}OM", "enter"), ("\u{1B}Oq", "1"), ("\u{1B}x", "alt-x"),
      ("\u{1B}\u{7F}", "alt-backspace"), ("\r", "enter"), ("\n", "enter"), ("\t", "tab"), ("\u{7F}", "backspace"),
      ("\u{8}", "backspace"), ("\u{F}", "ctrl-o"), ("\u{0}", "ctrl-space"), ("\u{1C}", "ctrl-\\"), (" ", "space"),
      ("é", "é"), ("漢", "漢"), ("👍", "👍"), ("\u{9B}A", "\u{9B}A"),
    ])
  func known(_ bytes: String, _ name: String) {
    if bytes.hasPrefix("\u{9B}") {
      // C1 controls in UTF-8 are no keys; as single bytes they introduce sequences.
      #expect(names(bytes) == ["A"])
      #expect(names([0x9B, 0x41]) == ["up"])
    } else {
      #expect(names(bytes) == [name])
    }
  }

  @Test("a sequence may arrive in any pieces")
  func pieces() {
    let bytes = Array("a\u{1B}[1;5Aé\u{1B}OP\u{1B}[200~x\u{1B}[y\u{1B}[201~1".utf8)
    let whole = names(bytes)
    #expect(whole == ["a", "ctrl-up", "é", "f1", "paste:x\u{1B}[y", "1"])
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      let events = decoder.feed(bytes[..<cut], at: 0) + decoder.feed(bytes[cut...], at: 1)
      #expect(events.map(Self.name) == whole, "cut at \(cut)")
    }
  }

  @Test("an escape alone is Esc after 25 ms, not before")
  func escapeDelay() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B], at: 100).isEmpty)
    #expect(decoder.deadline == 125)
    #expect(decoder.expire(at: 124).isEmpty)
    #expect(decoder.expire(at: 125) == [.key(KeyEvent(.escape, at: 125))])
    #expect(decoder.deadline == nil)
  }

  @Test("two escapes are two Esc keys")
  func twoEscapes() {
    #expect(names("\u{1B}\u{1B}") == ["esc", "esc"])
    #expect(names("\u{1B}\u{1B}\u{1B}") == ["esc", "esc", "esc"])
  }

  @Test("the tail of an arrow that comes after the Esc delay is no mark and no command")
  func lateTail() {
    var decoder = KeyDecoder()
    _ = decoder.feed([0x1B], at: 0)
    #expect(decoder.expire(at: 25).map(Self.name) == ["esc"])
    #expect(decoder.feed(Array("[1;5Ax".utf8), at: 60).map(Self.name) == ["x"])
    _ = decoder.feed([0x1B], at: 1_000)
    _ = decoder.expire(at: 1_025)
    #expect(decoder.feed(Array("[".utf8), at: 1_400).map(Self.name) == ["["])
    #expect(decoder.feed(Array("[A".utf8), at: 1_500).map(Self.name) == ["[", "A"])
  }

  @Test("the tail of a sequence that was given up is no mark either")
  func lateParameters() {
    var decoder = KeyDecoder()
    _ = decoder.feed(Array("\u{1B}[1".utf8), at: 0)
    #expect(decoder.expire(at: 1_000).isEmpty)
    #expect(decoder.feed(Array(";5A2".utf8), at: 1_300).map(Self.name) == ["2"])
    _ = decoder.feed(Array("\u{1B}[1".utf8), at: 5_000)
    #expect(decoder.feed(Array("5~3".utf8), at: 6_500).map(Self.name) == ["3"])
    _ = decoder.feed(Array("\u{1B}[1".utf8), at: 10_000)
    _ = decoder.expire(at: 11_000)
    #expect(decoder.feed(Array("5".utf8), at: 11_200).map(Self.name) == ["5"])
  }

  @Test(
    "the rest of an answer or a mouse click that was given up is no mark either",
    arguments: [
      ("\u{1B}]11;rgb:", "1111/1111/1111\u{1B}\\", [String]()), ("\u{1B}]11;rgb:1111", "/1111/1111\u{7}", []),
      ("\u{1B}P1+r", "544e=31\u{1B}\\", []), ("\u{1B}P1+r544e", "\u{1B}\\", []), ("\u{1B}[M", "123", []),
      ("\u{1B}", "]11;rgb:1111/1111/1111\u{7}", ["esc"]), ("\u{1B}]", "11;rgb:1111/1111/1111\u{7}", ["alt-]"]),
      ("\u{1B}P", "1+r544e=31\u{1B}\\", ["alt-P"]),
    ])
  func lateAnswer(_ first: String, _ rest: String, _ keys: [String]) {
    var decoder = KeyDecoder()
    let early = decoder.feed(Array(first.utf8), at: 0) + decoder.expire(at: 1_000)
    #expect(early.map(Self.name) == keys)
    #expect(decoder.feed(Array((rest + "2").utf8), at: 1_300).map(Self.name) == ["2"])
  }

  @Test("keys that are pressed after an answer was given up are keys")
  func keysAfterAnswer() {
    var decoder = KeyDecoder()
    _ = decoder.feed(Array("\u{1B}]11;rgb:".utf8), at: 0)
    _ = decoder.expire(at: 1_000)
    #expect(decoder.feed(Array("1".utf8), at: 1_300).map(Self.name) == ["1"])
    #expect(decoder.feed(Array("2".utf8), at: 1_400).map(Self.name) == ["2"])
  }

  @Test("a loop that was held up still joins an escape with its sequence")
  func lateRead() {
    var decoder = KeyDecoder()
    _ = decoder.feed([0x1B], at: 0)
    #expect(decoder.feed(Array("[A".utf8), at: 300).map(Self.name) == ["up"])
    _ = decoder.feed([0x1B], at: 1_000)
    #expect(decoder.feed(Array("1".utf8), at: 1_300).map(Self.name) == ["esc", "1"])
  }

  @Test(
    "what is broken or unknown is swallowed whole",
    arguments: [
      "\u{1B}[999;999;999~", "\u{1B}[?1;2c", "\u{1B}[24;80R", "\u{1B}[I", "\u{1B}[<0;5;6M", "\u{1B}[1\u{1}2;3A",
      "\u{1B}]11;rgb:1212/3434/5656\u{7}", "\u{1B}]0;1234\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[49u",
      "\u{1B}[27;5;49~", "\u{1B}[1", "\u{1B}[", "\u{1B}O", "\u{1B}[[1", "\u{1B}O1", "\u{1B}[200", "\u{1B}Oz",
    ])
  func broken(_ bytes: String) {
    #expect(names(bytes) == [])
  }

  @Test(
    "Esc and a key that begins an answer of a terminal are keys where no answer follows",
    arguments: [
      ("\u{1B}P", ["alt-P"]), ("\u{1B}]", ["alt-]"]), ("\u{1B}_", ["alt-_"]), ("\u{1B}X1", ["alt-X", "1"]),
      ("\u{1B}^1", ["alt-^", "1"]), ("\u{1B}]j2", ["alt-]", "j", "2"]), ("\u{1B}]11j", ["alt-]", "1", "1", "j"]),
      ("\u{1B}]11", ["alt-]", "1", "1"]), ("\u{1B}P3\r", ["alt-P", "3", "enter"]),
      ("\u{1B}P\u{1B}[A", ["alt-P", "up"]),
      ("\u{1B}\u{1B}]x", ["esc", "alt-]", "x"]), ("\u{1B}]1234567", ["alt-]", "1", "2", "3", "4", "5", "6", "7"]),
    ])
  func noAnswer(_ bytes: String, _ keys: [String]) {
    #expect(names(bytes) == keys)
  }

  @Test("the key after Esc does not wait for an answer longer than Esc itself")
  func introducerDelay() {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}]".utf8), at: 0).isEmpty && decoder.deadline == 25)
    #expect(decoder.feed(Array("1".utf8), at: 100).map(Self.name) == ["alt-]", "1"])
    #expect(decoder.feed(Array("1".utf8), at: 200).map(Self.name) == ["1"])
  }

  @Test("a mouse click that an earlier program asked for is no mark and no command, however it is cut")
  func mouseClick() {
    let click: [UInt8] = [0x1B, 0x5B, 0x4D, 0x20, 0x31, 0x32]
    let far: [UInt8] = [0x9B, 0x4D, 0x23, 0xFF, 0xC3]
    let bytes = click + click + far + Array("2".utf8)
    for cut in 0...bytes.count {
      var decoder = KeyDecoder()
      let events = decoder.feed(bytes[..<cut], at: 0) + decoder.feed(bytes[cut...], at: 900)
      #expect(events.map(Self.name) == ["2"], "cut at \(cut)")
    }
    var decoder = KeyDecoder()
    #expect(decoder.feed(Array("\u{1B}[M1".utf8), at: 0).isEmpty)
    #expect(decoder.deadline == 1_000)
    #expect(decoder.feed(Array("3".utf8), at: 1_000).map(Self.name) == ["3"])
    #expect(names("\u{1B}[M1\u{1B}[A") == ["up"])
  }

  @Test("an endless sequence is swallowed up to its end")
  func endless() {
    #expect(names("\u{1B}[" + String(repeating: "1;", count: 500) + "A7") == ["7"])
  }

  @Test("invalid UTF-8 is no key, is told of, and does not hide the next one")
  func invalidUTF8() {
    #expect(names([0xC3, 0x31]) == ["1", "unreadable"])
    #expect(names([0xFF, 0xC0, 0x80, 0x32]) == ["unreadable", "unreadable", "2"])
    #expect(names([0xED, 0xA0, 0x80, 0x33]) == ["unreadable", "3"])
    #expect(names([0xF0, 0x9F, 0x1B, 0x5B, 0x41]) == ["unreadable", "up"])
    // é of Latin-1, after which nobody types on.
    #expect(names([0xE9]) == ["unreadable"])
  }

  @Test("a paste is one text, whatever it holds, and its line breaks are LF")
  func paste() {
    #expect(names("\u{1B}[200~1\r\n2\r3\n\u{1B}[A\u{1B}[201~4") == ["paste:1\n2\n3\n\u{1B}[A", "4"])
    #expect(names("\u{1B}[200~\u{1B}[201\u{1B}[201~") == ["paste:\u{1B}[201"])
  }

  @Test("a paste is cut at its limit and what follows it are keys again")
  func longPaste() {
    let events = names("\u{1B}[200~" + String(repeating: "9", count: 200_000) + "\u{1B}[201~q")
    #expect(events.count == 2 && events[1] == "q")
    #expect(events[0].utf8.count == KeyDecoder.pasteLimit + "paste:".utf8.count)
  }

  private static let opened = Array("\u{1B}[200~".utf8)

  @Test("a paste that nothing ends is over after two seconds, also while keys are typed, which stay text")
  func unclosedPaste() {
    var decoder = KeyDecoder()
    #expect(decoder.feed(Self.opened + Array("12".utf8), at: 0).isEmpty)
    #expect(decoder.deadline == 2_000)
    for now in stride(from: Int64(100), to: 2_000, by: 100) {
      #expect(decoder.feed(Array("3".utf8), at: now).isEmpty)
    }
    #expect(decoder.expire(at: 1_999).isEmpty)
    #expect(decoder.expire(at: 2_000).map(Self.name) == ["paste:12" + String(repeating: "3", count: 19)])
    #expect(decoder.deadline == nil)
    #expect(decoder.feed(Array("4".utf8), at: 2_100).map(Self.name) == ["4"])
  }

  @Test("a paste that takes long stays one text as long as it comes") func longLastingPaste() {
    var decoder = KeyDecoder()
    var text = ""
    #expect(decoder.feed(Self.opened, at: 0).isEmpty)
    for now in stride(from: Int64(500), through: 20_000, by: 500) {
      text += String(repeating: "5", count: 100)
      #expect(decoder.feed(Array(String(repeating: "5", count: 100).utf8), at: now).isEmpty)
    }
    #expect(decoder.feed(Array("\u{1B}[201~6".utf8), at: 20_100).map(Self.name) == ["paste:" + text, "6"])
  }

  @Test("the rest of a paste that stood still is text, whether the loop or the line was asleep")
  func latePaste() {
    for isAwake in [true, false] {
      var decoder = KeyDecoder()
      #expect(decoder.feed(Self.opened + Array("12".utf8), at: 0).isEmpty)
      let first = isAwake ? decoder.expire(at: 2_000).map(Self.name) : []
      #expect(first == (isAwake ? ["paste:12"] : []))
      let rest = decoder.feed(Array("34\u{1B}[201~5".utf8), at: 9_000).map(Self.name)
      #expect(rest == [isAwake ? "paste:34" : "paste:1234", "5"])
      #expect(decoder.feed(Array("6666666666666666666".utf8), at: 9_100).count == 19)
    }
  }

  @Test("keys of one read carry the time of that read")
  func times() {
    var decoder = KeyDecoder()
    #expect(
      decoder.feed(Array("12".utf8), at: 77)
        == [.key(KeyEvent("1", at: 77)), .key(KeyEvent("2", at: 77))])
  }

  @Test("random bytes in random pieces end in a decoder that still works")
  func fuzz() {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let alphabet: [UInt8] = [0x1B, 0x1B, 0x5B, 0x4F, 0x31, 0x32, 0x30, 0x3B, 0x7E, 0x41, 0xC3, 0xA9, 0x9B, 0x00, 0x5D]
    for _ in 0..<300 {
      var decoder = KeyDecoder()
      var now: Int64 = 0
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
          Bool.random(using: &random)
            ? alphabet.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
        }
        now += Int64.random(in: 0...1_500, using: &random)
        for event in decoder.feed(bytes, at: now) {
          if case .key(let key) = event, case .character(let character) = key.key.code {
            let plain = character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
            #expect(plain, "OSCE_SEED=\(seed)")
          }
        }
        if let deadline = decoder.deadline { #expect(deadline > now - 10_001, "OSCE_SEED=\(seed)") }
      }
      _ = decoder.expire(at: now + 20_000)
      #expect(decoder.deadline == nil, "OSCE_SEED=\(seed)")
      #expect(decoder.feed([0x71], at: now + 30_000).map(Self.name) == ["q"], "OSCE_SEED=\(seed)")
    }
  }
}
