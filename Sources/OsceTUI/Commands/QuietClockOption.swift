import ArgumentParser
import Foundation

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
