import ArgumentParser
import Glibc
import Rig
import SeededNumbers

/// A terminal that changes its size at random while keys are typed.
struct RandomSizes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sizes", abstract: "Random sizes from 1x1 to 300x100 of a real terminal: no crash, whole afterwards.")

  @Option(help: "How many sizes.") var count = 10_000
  @OptionGroup var fuzzing: FuzzingOptions

  /// Keys that mark nothing and leave nothing.
  private static let keys = ["j", "k", "]", "[", "?", ":", "\u{1B}", "\u{1B}[C", "G", "g", "m", "\u{C}"]

  func run() throws {
    let seed = fuzzing.announcedSeed("sizes")
    var random = Seeded(seed: seed)
    let terminal = try FuzzedTerminal(fuzzing)
    defer { terminal.scratch.remove() }
    let session = try terminal.open()
    let first = ProcessFacts.proportionalSetSize(of: session.child.process)
    var bytes = session.bytes
    for number in 1...count {
      let isSmall = Int.random(in: 0..<4, using: &random) == 0
      session.resize(
        rows: Int.random(in: isSmall ? 1...8 : 1...100, using: &random),
        columns: Int.random(in: isSmall ? 1...8 : 1...300, using: &random))
      session.child.type(RandomSizes.keys.randomElement(using: &random)!)
      // Some are seen, some are overtaken by the next. What is drawn at a size is not followed here.
      let quiet = Int.random(in: 0...3, using: &random)
      while let output = session.child.read(within: quiet), !output.isEmpty { bytes += output.count }
      // What lies over the sheet is left now and then, or it would take all keys.
      if number % 100 == 0 { try leaveAll(session) }
      if !session.child.isRunning {
        throw RigError("sizes, seed \(seed), \(number): osce ended with \(session.child.wait())")
      }
    }
    try leaveAll(session)
    let most = ProcessFacts.proportionalSetSize(of: session.child.process)
    // Beside it a terminal that never had another size.
    let fresh = try terminal.open()
    for open in [session, fresh] {
      open.child.type("g")
      open.pump(until: now() + 500_000_000)
    }
    var faults: [String] = []
    let (shown, wanted) = (session.screen.lines[2...12], fresh.screen.lines[2...12])
    if shown != wanted {
      faults.append(
        "afterwards it shows\n" + shown.joined(separator: "\n") + "\n-- not\n" + wanted.joined(separator: "\n"))
    }
    for open in [session, fresh] where FuzzedTerminal.end(open) != 128 + SIGTERM { faults.append("it ended otherwise") }
    if most > first + 32_768 { faults.append("memory grew from \(first) to \(most) kB") }
    faults += try terminal.faults()
    try report("sizes, seed \(seed)", faults)
    print(
      "sizes: \(count) sizes from 1x1 to 300x100, \(bytes / 1_048_576) MB drawn, no end; back at 80x24 the screen is as a "
        + "fresh one's; memory \(first) kB, then \(most) kB")
  }

  /// Whether a box or a list lies over the screen: its footer ends with what Esc does.
  private func isCovered(_ screen: ScreenText) -> Bool {
    ["Esc close", "Esc cancel", "Esc save and close"].contains { screen.shows($0) }
  }

  /// Goes back to the sheet at 80x24.
  private func leaveAll(_ session: TerminalSession) throws {
    // A size that was overtaken by the one before it is not painted again.
    repeat {
      while let output = session.child.read(within: 30), !output.isEmpty {}
      session.resize(rows: 24, columns: 81)
      session.pump(quiet: 200)
      session.resize(rows: 24, columns: 80)
      session.pump(quiet: 200)
      if !session.child.isRunning { throw RigError("osce ended with \(session.child.wait())") }
    } while session.screen.lines.filter({ !$0.isEmpty }).count < 3
    for _ in 0..<20 {
      if MarkSheetScreen(session.screen).isOpen, !isCovered(session.screen) { return }
      session.child.type("\u{1B}")
      session.pump(quiet: 200)
      if MarkSheetScreen(session.screen).isOpen { continue }
      // The roster lies under the sheet, other screens over it.
      if session.screen.shows("Check the candidate") {
        try session.passIdentityStep()
      } else if session.screen.shows("Enter open sheet") {
        session.child.type("\r")
      } else if session.screen.shows("q back") {
        session.child.type("q")
      }
      session.pump(quiet: 200)
    }
    throw RigError("the sheet does not come back:\n" + session.screen.lines.joined(separator: "\n"))
  }
}
