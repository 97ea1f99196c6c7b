import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports

/// Puts a command line into the order that the parser understands.
enum CommandArguments {
  /// Moves `--store PATH` and `--wait SECONDS` from before the subcommand to behind it, joins a negative number to the
  /// option that it is for, and moves a bare one behind `--`, so that `osce --store x clock 1 extend -30 --json` says
  /// what it looks like, and what takes no negative number can say what it takes.
  static func arranged(_ arguments: [String]) -> [String] {
    movingNegatives(CommandText.joiningNegatives(movingStore(arguments)))
  }

  private static let movable = ["--store", "--wait"]

  private static func movingStore(_ arguments: [String]) -> [String] {
    var leading: [String] = []
    var rest = arguments[...]
    while let first = rest.first {
      if movable.contains(first), rest.count >= 2 {
        leading += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else if movable.contains(where: { first.hasPrefix($0 + "=") }) {
        leading.append(first)
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    guard let command = rest.first, !command.hasPrefix("-") else { return leading + rest }
    return [command] + leading + rest.dropFirst()
  }

  /// The actions that take a number without an option, which stands last and may be negative.
  private static let signed = [("clock", "extend"), ("rule", "amend"), ("rule", "settle")]

  private static func movingNegatives(_ arguments: [String]) -> [String] {
    guard !arguments.contains("--"),
      let action = signed.lazy.compactMap({ arguments.first == $0.0 ? arguments.firstIndex(of: $0.1) : nil }).first,
      let place = arguments.indices.first(where: { index in
        index > action && isNegative(arguments[index]) && !CommandText.isOption(arguments[index - 1])
      })
    else { return arguments }
    var rest = arguments
    let number = rest.remove(at: place)
    return rest + ["--", number]
  }

  private static func isNegative(_ text: String) -> Bool { text.hasPrefix("-") && Double(text) != nil }
}

/// This process's own arguments.
enum ProcessArguments {
  /// The arguments after the program's name.
  ///
  /// Read from the kernel: the runtime looks for them beside the environment, where they are not found any more once a
  /// preloaded library has moved that, as libfaketime does.
  static var own: [String] {
    guard let text = readSmallFile("/proc/self/cmdline", limit: 1 << 22), text.hasSuffix("\0") else {
      return Array(CommandLine.arguments.dropFirst())
    }
    return text.dropLast().split(separator: "\0", omittingEmptySubsequences: false).dropFirst().map(String.init)
  }
}

/// `--quiet-clock`: for a screen reader.
struct QuietClockOption: ParsableArguments {
  @Flag(
    name: .long,
    help: """
      Change the countdown once a minute, in the last minute every 10 s, and at alerts; for a screen reader (default: \
      OSCE_QUIET_CLOCK, any text).
      """)
  var quietClock = false

  /// Whether it is asked for, here or in the environment.
  var isQuiet: Bool {
    quietClock || ProcessEnvironment.current["OSCE_QUIET_CLOCK"].map { !$0.isEmpty } ?? false
  }
}
