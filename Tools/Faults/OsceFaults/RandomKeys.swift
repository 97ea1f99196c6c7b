import ArgumentParser
import Glibc
import Rig
import SeededNumbers

/// Keys, pastes and broken escape sequences at a real terminal.
struct RandomKeys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Random keys, pastes and broken sequences at a real terminal: no crash, no hang.")

  @Option(help: "How many keys and sequences.") var count = 200_000
  @OptionGroup var fuzzing: FuzzingOptions

  private static let typed = Array("001122330011223345678911223300tynuxTjkgGzZsbdaecCfm!?:i'=[]<> /,\\N.+-vlhr1é王".utf8)
  private static let sequences: [[UInt8]] =
    [
      "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}OA", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[1;5C", "\u{1B}[Z",
      "\u{1B}[", "\u{1B}O", "\u{1B}", "\u{1B}[999999999999A", "\u{1B}[1;1;1R", "\u{1B}]0;title\u{7}",
      "\u{1B}]52;c;aGk=",
      "\u{1B}P+q544e\u{1B}\\", "\u{1B}[200~pasted 1111\u{1B}[201~", "\u{1B}[200~never ended", "\u{1B}[201~",
      "\u{1B}[<0;10;10M", "\u{1B}[I", "\u{1B}[?1;2c", "\r", "\r", "\t", "\u{7F}", "\u{3}", "\u{C}", "\u{F}", "\u{1A}",
      "\u{1B}[200~\u{1B}[2J\u{202E}\u{1B}[201~",
    ].map { Array($0.utf8) } + [
      [0xC3], [0xFF, 0xFE], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80, 0x80], [0xED, 0xA0, 0x80], [0x9B, 0x41], [0x00],
    ]
  /// After so many keys the program has to answer a change of its terminal's size.
  private static let batch = 50

  func run() throws {
    let seed = fuzzing.announcedSeed("keys")
    var random = Seeded(seed: seed)
    let terminal = try FuzzedTerminal(fuzzing)
    defer { terminal.scratch.remove() }
    var session = try terminal.open()
    var (sent, restarts, slowest, hardest, most) = (0, 0, Int64(0), Int64(0), 0)
    let first = ProcessFacts.proportionalSetSize(of: session.child.process)
    while sent < count {
      for _ in 0..<min(RandomKeys.batch, count - sent) {
        session.child.type(piece(&random))
        sent += 1
        if Int.random(in: 0..<10, using: &random) == 0 { session.pump(quiet: Int.random(in: 0...2, using: &random)) }
      }
      // A paste that nobody ends would swallow the rest, and what lies over the sheet would answer for ever.
      session.child.type("\u{1B}[201~")
      let answer = answers(session)
      if !session.child.isRunning {
        let code = session.child.wait()
        if code != 0 { try report("keys, seed \(seed), \(sent)", ["osce ended with \(code)"]) }
        restarts += 1
        session = try terminal.open()
        continue
      }
      guard let answer, answer.work < 1_000_000_000 else {
        throw RigError(
          "keys, seed \(seed), \(sent): no answer within a second of its own work:\n"
            + session.screen.lines.joined(separator: "\n"))
      }
      (slowest, hardest) = (max(slowest, answer.time), max(hardest, answer.work))
      if sent % 2000 < RandomKeys.batch {
        most = max(most, ProcessFacts.proportionalSetSize(of: session.child.process))
        if sent % 20_000 < RandomKeys.batch { print("keys: \(sent), \(most) kB") }
      }
      comeBack(session, &random)
    }
    let code = FuzzedTerminal.end(session)
    var faults = try terminal.faults()
    if code != 128 + SIGTERM { faults.append("osce ended with \(code)") }
    if most > first + 32_768 { faults.append("memory grew from \(first) to \(most) kB") }
    let audit = try StoreAudit(terminal.path)
    try report("keys, seed \(seed)", faults)
    print(
      "keys: \(sent) keys and sequences, \(audit.operations) changes, each mark with its journal row; slowest answer "
        + "\(slowest / 1_000_000) ms, \(hardest / 1_000_000) ms of them work; memory \(first) kB, at most \(most) kB; \(restarts) times left by its own keys and "
        + "opened again")
  }

  private func piece(_ random: inout Seeded) -> [UInt8] {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return RandomKeys.sequences.randomElement(using: &random)!
    case 1: return [UInt8.random(in: 0...255, using: &random)]
    case 2:
      let whole = RandomKeys.sequences.randomElement(using: &random)!
      return Array(whole.prefix(Int.random(in: 0...whole.count, using: &random)))
    default: return [RandomKeys.typed.randomElement(using: &random)!]
    }
  }

  /// How long the program takes, in nanoseconds, to paint a terminal of another size, and how much of that it worked;
  /// nil if it does not answer.
  private func answers(_ session: TerminalSession) -> (time: Int64, work: Int64)? {
    let begin = now()
    let worked = ProcessFacts.processorTime(of: session.child.process)
    while now() < begin + 20_000_000_000 {
      // A change back may overtake the one before it, and then nothing is painted: the next one is seen.
      session.resize(rows: 24, columns: session.screen.columns == 80 ? 81 : 80)
      let patience = now() + 2_000_000_000
      while now() < patience {
        // Its beginning is painted with the whole line only.
        if session.screen.lines[0].first != " ", !session.screen.lines[0].isEmpty {
          return (now() - begin, ProcessFacts.processorTime(of: session.child.process) - worked)
        }
        if !session.pump(quiet: 1) { return nil }
      }
    }
    return nil
  }

  /// Finds the way back to a sheet, now and then.
  private func comeBack(_ session: TerminalSession, _ random: inout Seeded) {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    session.pump(quiet: 60)
    for key in ["\u{1B}", "\u{1B}", "q", "\u{1B}", "\r", "\r"] {
      if MarkSheetScreen(session.screen).isOpen { return }
      // A look at the candidate first: a quicker Enter is refused.
      if session.screen.shows("Check the candidate") { session.pump(until: now() + 500_000_000) }
      session.child.type(key)
      session.pump(quiet: 60)
    }
  }
}
