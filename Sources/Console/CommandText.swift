/// The words of a command line, before a parser reads them.
package enum CommandText {
  /// Why a command line is not even read: a word that is no text, or one of blanks, which names nothing. Of options only
  /// those for a file are held to that.
  /// - Returns: one line without the program's name; nil where the words can be read.
  package static func refusal(of arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated() {
      let name = "argument \(index + 1)"
      if argument.unicodeScalars.contains("\u{FFFD}") {
        return "\(name) is not text in UTF-8: type it again, or rename the file; nothing was done"
      }
      guard argument.allSatisfy(\.isWhitespace) else { continue }
      guard index > 0, isOption(arguments[index - 1]) else { return "\(name) is empty: give a name; nothing was done" }
      if ["--file", "--out", "--pack", "--unpack", "--from"].contains(arguments[index - 1]) {
        return "\(arguments[index - 1]) takes the path of a file; nothing was done"
      }
    }
    return nil
  }

  /// Joins a negative number to the option that it is for: to the parser it would look like an option.
  package static func joiningNegatives(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments.indices.reduce(into: []) { joined, index in
      let argument = arguments[index]
      if index > 0, index < end, argument.hasPrefix("-"), Double(argument) != nil, isOption(arguments[index - 1]) {
        joined[joined.count - 1] += "=" + argument
      } else {
        joined.append(argument)
      }
    }
  }

  /// Whether what stands behind a word is its value.
  package static func isOption(_ argument: String) -> Bool {
    argument.hasPrefix("--") && argument.utf8.count > 2 && !argument.contains("=") && argument != "--json"
  }
}
