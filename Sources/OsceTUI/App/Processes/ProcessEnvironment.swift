import Glibc

/// The process's environment, without Foundation.
enum ProcessEnvironment {
  /// Every variable.
  static var current: [String: String] {
    var result: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      place += 1
    }
    return result
  }
}
