import Glibc
import SeededNumbers
import Terminal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// Bytes as a broken terminal, a cat on the keyboard or a hostile paste sends them, through the decoder to the screens.
/// `OSCE_FUZZ_KEYS` says how many, `OSCE_FUZZ_RESIZES` how many sizes; `OSCE_SEED` plays one again (see `FuzzRun`).
@MainActor @Suite("Any bytes, any size")
struct ByteFuzzTests {
  private static let sequences: [[UInt8]] = [
    "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}OA", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[1;5C", "\u{1B}[Z",
    "\u{1B}[", "\u{1B}O", "\u{1B}", "\u{1B}[999999999999A", "\u{1B}[1;1;1;1;1;1;1R", "\u{1B}]0;title\u{7}",
    "\u{1B}]52;c;aGk=", "\u{1B}P+q544e\u{1B}\\", "\u{1B}[200~pasted 1111\u{1B}[201~", "\u{1B}[200~never ended 2222",
    "\u{1B}[201~", "\u{1B}[<0;10;10M", "\u{1B}[I", "\u{1B}[?1;2c", "\u{1B}\u{1B}\u{1B}[B", "\r", "\n", "\t", "\u{7F}",
    "\u{1B}[200~\u{1B}[2J\u{202E}\u{1B}[201~",
  ].map { Array($0.utf8) }

  private static let broken: [[UInt8]] = [
    [0xC3], [0xFF, 0xFE], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80, 0x80], [0xED, 0xA0, 0x80], [0x9B, 0x41], [0x00],
  ]

  private static let typed = Array("001122330011223345678911223300tynuxTjkgGzZsbdaecCfm!?:i'=[]<> /é王".utf8)

  private func piece(_ random: inout Seeded) -> [UInt8] {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return ByteFuzzTests.sequences.randomElement(using: &random)!
    case 1: return ByteFuzzTests.broken.randomElement(using: &random)!
    case 2: return [UInt8.random(in: 0...255, using: &random)]
    case 3:
      // A sequence that is cut off.
      let whole = ByteFuzzTests.sequences.randomElement(using: &random)!
      return Array(whole.prefix(Int.random(in: 0...whole.count, using: &random)))
    default: return [ByteFuzzTests.typed.randomElement(using: &random)!]
    }
  }

  @Test("random bytes end nothing, break nothing, and leave no mark without its journal row")
  func bytes() throws {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let wanted = FuzzRun.number("OSCE_FUZZ_KEYS", or: 3_000)
    var run = FuzzRun("bytes", seed: seed)
    let places = [("nokafor", "KINDS"), ("hyamamoto", "TWENTY")]
    var changes = 0, sent = 0, stores = 0
    while sent < wanted {
      let (username, station) = places[stores % places.count]
      stores += 1
      let play = try Rehearsed.allKinds(as: username, at: station)
      play.isHeld = true
      var decoder = KeyDecoder()
      let end = min(wanted, sent + FuzzRun.perStore)
      while sent < end {
        sent += 1
        run.step { feed(play, &decoder, piece(&random), &random) }
        // A paste that nobody ends would swallow the rest.
        if sent % 40 == 0 { feed(play, &decoder, Array("\u{1B}[201~".utf8), &random) }
        if sent % 64 == 0 {
          run.step {
            play.isHeld = false
            play.settle()
            play.isHeld = true
          }
        }
        if sent % 40 == 0, let cursor = play.canvas.cursor {
          #expect(play.canvas.bounds.contains(cursor), "OSCE_SEED=\(seed), \(sent)")
        }
        if sent % 997 == 0 { play.pass(seconds: Int64.random(in: 0...40, using: &random)) }
        if play.hasExited {
          run.leave(play)
          break
        }
        comeBack(play, &random)
      }
      play.isHeld = false
      play.settle()
      #expect(try play.readable.read { try Fixture.unexplainedMarks($0) }.isEmpty, "OSCE_SEED=\(seed), \(sent)")
      changes += try play.readable.count(
        "SELECT count(*) FROM operation WHERE kind = 'set' AND entity IN ('DataQuestion', 'RatingQuestion')")
      run.endStore()
    }
    run.end(sent, "\(changes) changes of marks, each with its journal row")
    #expect(changes > wanted / 1000, "\(changes) changes are too few to mean anything, OSCE_SEED=\(seed)")
  }

  private func feed(
    _ play: Rehearsed, _ decoder: inout KeyDecoder, _ bytes: [UInt8], _ random: inout Seeded
  ) {
    play.clocks.passLoop(Int.random(in: 0..<4, using: &random) == 0 ? 10 : 500)
    var events = decoder.expire(at: play.clocks.loop)
    if play.context.overlay != nil, Int.random(in: 0..<3, using: &random) == 0 {
      events += [.key(KeyEvent(.escape, at: play.clocks.loop))]
    }
    events += decoder.feed(bytes, at: play.clocks.loop)
    for event in events {
      switch event {
      case .key(let key):
        // Leaving is played elsewhere: here it would end the run of keys.
        if case .question = play.context.overlay, key.key == .enter, play.screen.contains("Quit osce?") { continue }
        play.send(.key(key))
      case .paste(let text): play.send(.paste(text))
      case .unreadable: play.send(.unreadable)
      }
    }
  }

  /// Goes back to a sheet that can be marked, now and then, from where keys led.
  private func comeBack(_ play: Rehearsed, _ random: inout Seeded) {
    guard play.context.overlay == nil else { return }
    let chance = Int.random(in: 0..<100, using: &random)
    if play.context.screen is RosterScreen {
      play.press(">", .enter)
    } else if let screen = play.context.screen as? SheetScreen {
      if chance < 2 { play.press("q") }
      if chance < 10, play.context.screen === screen, screen.sheet?.isSigned == true {
        play.press("s").type("again\n")
      }
    } else if chance < 40 {
      play.press("q")
    }
  }

  @Test("random sizes from 1x1 to 300x100 crash nothing, and the candidate's line stays where it is")
  func resizes() throws {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let play = try Rehearsed.allKinds()
    let keys: [Key] = [
      "j", "k", "]", "[", .space, "1", "u", "T", "?", ":", .enter, .escape, .escape, .right, "G", "g", "m",
    ]
    for number in 0..<FuzzRun.number("OSCE_FUZZ_RESIZES", or: 150) {
      let isSmall = Int.random(in: 0..<4, using: &random) == 0
      let width = Int.random(in: isSmall ? 1...8 : 1...300, using: &random)
      play.resize(width, Int.random(in: isSmall ? 1...8 : 1...100, using: &random))
      let canvas = play.canvas
      if let cursor = canvas.cursor { #expect(canvas.bounds.contains(cursor), "OSCE_SEED=\(seed), \(number)") }
      if canvas.size.width >= 64, canvas.size.height >= 2, let screen = play.context.screen as? SheetScreen {
        #expect(play.lines[1].hasPrefix(" \(screen.heading.badge.plain)"), "OSCE_SEED=\(seed), \(number)")
      }
      play.press(keys.randomElement(using: &random)!)
    }
  }
}
