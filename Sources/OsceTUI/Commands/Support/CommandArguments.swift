import ArgumentParser
import CircuitModel
import ExamStore
import Foundation
import Reports

/// Puts a command line into the order that the parser understands.
enum CommandArguments {
  /// Moves `--store PATH` and `--wait SECONDS` from before the subcommand to behind it, joins a negative number to the
  /// option that it is for, and moves a bare one behind `--`, so that `osce --store x clock 1 extend -30 --json` says
  /// what it looks like, and what takes no negative number can say what it takes.
  static func arranged(_ arguments: [String]) -> [String] {
    movingNegatives(joiningNegatives(movingStore(arguments)))
  }

  private static func joiningNegatives(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments.indices.reduce(into: []) { joined, index in
      let argument = arguments[index]
      if index > 0, index < end, argument.hasPrefix("-"), Double(argument) != nil, takesValue(arguments[index - 1]) {
        joined[joined.count - 1] += "=" + argument
      } else {
        joined.append(argument)
      }
    }
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

  /// Only the seconds of `extend` may be negative; elsewhere a number with a minus is an option's value.
  private static func movingNegatives(_ arguments: [String]) -> [String] {
    guard arguments.first == "clock", !arguments.contains("--") else { return arguments }
    guard let action = arguments.firstIndex(of: "extend"),
      let place = arguments.indices.first(where: { index in
        index > action && isNegative(arguments[index]) && !takesValue(arguments[index - 1])
      })
    else { return arguments }
    var rest = arguments
    let seconds = rest.remove(at: place)
    return rest + ["--", seconds]
  }

  /// Whether what stands behind an argument is its value.
  private static func takesValue(_ argument: String) -> Bool {
    argument.hasPrefix("--") && !argument.contains("=") && argument != "--json"
  }

  private static func isNegative(_ text: String) -> Bool {
    text.hasPrefix("-") && text.utf8.count > 1 && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
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
    quietClock || ProcessInfo.processInfo.environment["OSCE_QUIET_CLOCK"].map { !$0.isEmpty } ?? false
  }
}
