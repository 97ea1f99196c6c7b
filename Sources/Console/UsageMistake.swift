import ArgumentParser
import Characters

/// What is wrong with a command line, in one line of this program's words: what, where, and what to do.
struct UsageMistake {
  let line: String

  /// - Parameters:
  ///   - message: what the parser says of it, or a validation of this program, which stays as it is.
  ///   - usage: the same with the parser's usage, which names the command's help.
  ///   - root: the program's own command.
  init(_ message: String, usage: String, of root: any ParsableCommand.Type) {
    let commands = UsageMistake.commands(below: UsageMistake.help(usage), of: root)
    guard let text = UsageMistake.text(message, commands: commands) else {
      line = message
      return
    }
    line = "\(text); \(UsageMistake.help(usage)) --help shows what it takes"
  }

  /// The command as its help is asked for, as in `osce rule waive`.
  private static func help(_ usage: String) -> String {
    let name = usage.split(separator: "See '").last?.split(separator: " --help'").first
    return usage.contains("See '") ? name.map(String.init) ?? "osce" : "osce"
  }

  /// The names of the commands that a command has.
  private static func commands(below help: String, of root: any ParsableCommand.Type) -> [String] {
    var command = root
    for name in help.split(separator: " ").dropFirst() {
      command = command.configuration.subcommands.first { $0.configuration.commandName == String(name) } ?? command
    }
    return command.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// What the parser says, in this program's words; nil where it is not the parser who says it.
  /// - Parameter commands: what can stand where a word is not known; empty: no command can.
  private static func text(_ message: String, commands: [String]) -> String? {
    let quoted = quoted(message)
    func value(_ place: Int) -> String { place < quoted.count ? quoted[place] : "" }
    if message.hasPrefix("Unknown option '") {
      return "unknown option \(value(0))" + EditDistance.hint(for: value(0), among: [value(1)])
    }
    if message.hasPrefix("Missing value for '") { return "\(option(value(0))) takes a value: \(value(0))" }
    if message.hasPrefix("Missing expected argument '") { return "missing: \(value(0))" }
    if message.hasPrefix("Missing one of: '") { return "missing: one of \(quoted.joined(separator: ", "))" }
    if message.hasPrefix("Missing required subcommand") { return "missing: a command" }
    let isUnexpected = message.hasPrefix("Unexpected argument '") || message.contains(" unexpected arguments: '")
    if isUnexpected, !commands.isEmpty {
      return "there is no command \(value(0))" + EditDistance.hint(for: value(0), among: commands)
    }
    if message.hasPrefix("Unexpected argument '") { return "unexpected word \(value(0))" }
    if message.contains(" unexpected arguments: '") { return "unexpected words \(quoted.joined(separator: " "))" }
    if message.hasPrefix("The option '"), message.contains("' does not take any value") {
      return "\(value(0)) takes no value; got \(value(1))"
    }
    if message.hasPrefix("Value to be set with ") { return "\(value(0)) and \(value(1)) exclude each other" }
    if message.hasPrefix("The value '") { return invalid(message, quoted) }
    return nil
  }

  private static func invalid(_ message: String, _ quoted: [String]) -> String {
    let place = quoted.count > 1 ? quoted[1] : "this place"
    let what = "\(option(place)) cannot be \(quoted.first ?? "")"
    if let list = message.split(separator: "one of the following:\n").dropFirst().first {
      let names = list.split(separator: "\n").map { $0.drop { " -".contains($0) } }
      return "\(what): it is one of \(names.joined(separator: ", "))"
    }
    let names = quoted.dropFirst(2)
    if message.contains("Please provide one of ") { return "\(what): it is one of \(names.joined(separator: ", "))" }
    // What a type of its own says of the value stands behind the place.
    let own = message.split(separator: "'\(place)': ", maxSplits: 1).dropFirst().first
    return what + (own.map { ": \($0)" } ?? "")
  }

  /// An option's name without what stands for its value.
  private static func option(_ synopsis: String) -> String {
    synopsis.hasPrefix("-") ? String(synopsis.prefix { $0 != " " }) : synopsis
  }

  /// What stands between apostrophes: those within a word belong to it.
  private static func quoted(_ message: String) -> [String] {
    var found: [String] = []
    var rest = Substring(message)
    while let open = rest.firstRange(of: "'") {
      let tail = rest[open.upperBound...]
      let ends = ["' ", "',", "'.", "':", "'?"].compactMap { tail.firstRange(of: $0)?.lowerBound }
      guard let end = ends.min() ?? (tail.hasSuffix("'") ? tail.index(before: tail.endIndex) : nil) else { break }
      found.append(String(tail[..<end]))
      rest = tail[tail.index(after: end)...]
    }
    return found
  }
}
