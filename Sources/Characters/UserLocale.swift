import Glibc

/// What the user's locale says of characters by its name alone, which holds also where the locale is not installed.
package enum UserLocale {
  /// Whether the name of the locale ends in that of UTF-8, as in `fr_FR.UTF-8` and `UTF-8`.
  package static var namesUTF8: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].map { (name: String) in
      getenv(name).map { String(cString: $0) } ?? ""
    }
    return isUTF8(names.first { !$0.isEmpty }?.split(separator: ".").last ?? "")
  }

  /// Whether a codeset of that name is UTF-8.
  package static func isUTF8(_ codeset: Substring) -> Bool {
    ["utf-8", "utf8"].contains(codeset.lowercased())
  }
}
