import Glibc

@testable import Terminal

/// Texts in tests are drawn as in a UTF-8 locale, whatever the machine's.
enum TestLocale {
  static let utf8: Bool = setlocale(LC_CTYPE, "C.UTF-8") != nil || setlocale(LC_CTYPE, "C.utf8") != nil
}

func useUTF8() {
  precondition(TestLocale.utf8, "the tests need the locale C.UTF-8")
}

/// Names and texts that break careless programs.
let oddNames = [
  "O'Brien, Zoë", "李小龍", "محمد", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}galité", "👨‍👩‍👧‍👦 family",
  "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}desrever\u{202C}", "\u{200B}\u{200D}", "a\tb\r\nc", "\u{9B}31m", "\u{0}",
  "\u{301}", "ﷺﷺﷺ", "한글 \u{1112}\u{1161}\u{11AB}", "",
]
