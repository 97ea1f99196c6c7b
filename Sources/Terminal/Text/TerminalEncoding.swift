import Glibc

/// What the terminal can be sent: any Unicode text, or ASCII only.
public enum TerminalEncoding: Sendable, Equatable {
  /// The locale's character set is UTF-8.
  case utf8
  /// Any other locale: characters outside ASCII show as `?`.
  case ascii

  /// The encoding of the locale as the program last set it with `setlocale`; `.ascii` before that.
  public static var current: TerminalEncoding {
    guard let name = nl_langinfo(nl_item(CODESET)) else { return .ascii }
    return strcasecmp(name, "UTF-8") == 0 || strcasecmp(name, "UTF8") == 0 ? .utf8 : .ascii
  }

  /// Takes the user's locale from the environment (`LC_ALL`, `LC_CTYPE`, `LANG`) for characters only, so that numbers
  /// are still written with a point. Call once, before any text is made.
  public static func adoptUserLocale() {
    setlocale(LC_CTYPE, "")
  }
}
