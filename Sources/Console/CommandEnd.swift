import ArgumentParser
import Characters
import Glibc

extension ParsableCommand {
  /// Says what ended a command, all of it through `Output`: the parser itself would write an argument as it was given.
  /// - Parameters:
  ///   - program: stands before a line that says why.
  ///   - text: an error of the program's own, in one line: the parser, which makes its help first, is not asked.
  /// - Returns: the exit code. 0: done; 1: a failure, told in one line on standard error; 64: a usage mistake.
  package static func end(_ error: any Error, of program: String, text: (any Error) -> String? = { _ in nil }) -> Int32
  {
    if error is OutputClosed { return 0 }
    if let code = error as? ExitCode { return code.rawValue }
    if let line = text(error) {
      Output.failure.line(ErrorLine.of("\(program): " + line))
      return ExitCode.failure.rawValue
    }
    widenHelp()
    let code = exitCode(for: error)
    switch code {
    case .success:
      // Help, the version, or a script for a shell.
      do {
        try Output.standard.data(Array((fullMessage(for: error) + "\n").utf8))
      } catch {
        return end(error, of: program, text: text)
      }
    case .validationFailure:
      let mistake = UsageMistake(message(for: error), usage: fullMessage(for: error), of: self)
      Output.failure.line(ErrorLine.of("\(program): " + mistake.line))
    default: Output.failure.line(ErrorLine.of("\(program): " + message(for: error)))
    }
    return code.rawValue
  }

  /// Gives the parser columns enough: it stops the program where none are left beside those that it indents help by, and
  /// asks the environment for them. A narrower terminal breaks the lines itself.
  private static func widenHelp() {
    let narrowest = 40
    let chosen = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
    guard (chosen ?? Output.standard.columns ?? TextLines.width) < narrowest else { return }
    setenv("COLUMNS", String(narrowest), 1)
  }
}

extension ParsableCommand {
  /// Why no help is shown for what stands behind `help`: the parser would show the program's for a command that it does
  /// not know.
  /// - Returns: one line without the program's name; nil where each word names a command, or help is not asked for.
  package static func helpRefusal(of arguments: [String]) -> String? {
    guard arguments.first == "help" else { return nil }
    var command: any ParsableCommand.Type = self
    var path = configuration.commandName ?? ""
    for name in arguments.dropFirst().prefix(while: { !$0.hasPrefix("-") }) where name != "help" {
      let known = command.configuration.subcommands
      guard let next = known.first(where: { $0.configuration.commandName == name }) else {
        let hint = EditDistance.hint(for: name, among: known.compactMap { $0.configuration.commandName })
        return ErrorLine.of("there is no command \(name)\(hint); \(path) --help shows what it takes")
      }
      (command, path) = (next, "\(path) \(name)")
    }
    return nil
  }
}

/// The line that says why a command failed.
enum ErrorLine {
  /// A line without the middle of a value that nobody reads to its end; what failed and what to do stay.
  static func of(_ line: String) -> String {
    line.count > 1000 ? "\(line.prefix(300))…\(line.suffix(300))" : line
  }
}

extension AsyncParsableCommand {
  /// Reads this process's command line, runs what it asks for, and ends the process.
  /// - Parameters:
  ///   - program: stands before a line that says why it failed.
  ///   - text: as `end` takes them.
  package static func runProgram(_ program: String, text: (any Error) -> String? = { _ in nil }) async -> Never {
    ProgramStart.prepare()
    let arguments = CommandText.joiningNegatives(Array(CommandLine.arguments.dropFirst()))
    if let refusal = CommandText.refusal(of: arguments) ?? helpRefusal(of: arguments) {
      Output.failure.line("\(program): " + refusal)
      Glibc.exit(ExitCode.validationFailure.rawValue)
    }
    var code: Int32 = 0
    do {
      var command = try parseAsRoot(arguments)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      code = end(error, of: program, text: text)
    }
    Glibc.exit(Output.finalCode(code, of: program))
  }
}
