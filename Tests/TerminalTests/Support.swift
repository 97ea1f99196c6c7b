import Glibc

@testable import Terminal

/// Texts in tests are drawn as in a UTF-8 locale, whatever the machine's.
enum TestLocale {
  static let utf8: Bool = setlocale(LC_CTYPE, "C.UTF-8") != nil || setlocale(LC_CTYPE, "C.utf8") != nil
}

func useUTF8() {
  precondition(TestLocale.utf8, "the tests need the locale C.UTF-8")
}

/// Random numbers that can be had again: the seed is in the test's message and can be given in OSCE_SEED.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  static var seed: UInt64 {
    getenv("OSCE_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64.random(in: 1...1_000_000)
  }

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Names and texts that break careless programs.
let oddNames = [
  "O'Brien, Zoë", "李小龍", "محمد", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}galité", "👨‍👩‍👧‍👦 family",
  "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}desrever\u{202C}", "\u{200B}\u{200D}", "a\tb\r\nc", "\u{9B}31m", "\u{0}",
  "\u{301}", "ﷺﷺﷺ", "한글 \u{1112}\u{1161}\u{11AB}", "",
]
