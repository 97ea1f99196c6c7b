import CircuitModel
import ExamStore
import Reports
import SeededNumbers
import Terminal
import Testing

@testable import OsceTUI

/// Keys from nobody in particular, as many as `OSCE_FUZZ_KEYS` says (see `FuzzRun`).
@MainActor @Suite("Any keys at all")
struct FuzzTests {
  private static let typed = Array(
    "0123456789tynuxTjkgGzZsbdaecCfm!?:i'=[]<>qQ LM/ Aé王\u{301}hrRNOPpo.-+,\\vl")
  private static let named: [Key] = [
    .enter, .enter, .escape, .escape, .tab, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .backspace,
    .delete, "ctrl-z", "ctrl-o", "ctrl-l", "ctrl-c", "ctrl-u", "ctrl-w", "f1", "alt-x", "ctrl-q",
  ]
  private static let pastes = [
    "", "17", "1111>>>ysy", "a\nb\r\n\u{1B}[2J\u{202E}", String(repeating: "long ", count: 60), "王小明",
  ]

  @Test("random keys, pastes, resizes and times end nothing, break nothing, and leave no mark without its journal row")
  func random() throws {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let events = FuzzRun.number("OSCE_FUZZ_KEYS", or: 8_000)
    var run = FuzzRun("keys", seed: seed)
    let terminals = [
      ("nokafor", "CHEST"), ("aalrashid", "NEWS"), ("psharma", "RX"), ("tnguyen", "DENTAL"), ("doneill", "RESUS"),
    ]
    let perStore = min(FuzzRun.perStore, events / terminals.count)
    var marks = 0, played = 0, stores = 0
    while played < events {
      let (username, station) = terminals[stores % terminals.count]
      stores += 1
      let play = try Rehearsed()
      try play.startClock()
      try play.sit(username, at: station)
      play.isHeld = true
      for number in 1...min(perStore, events - played) {
        played += 1
        run.step { step(play, &random) }
        if number % 64 == 0 {
          run.step {
            play.isHeld = false
            play.settle()
            play.isHeld = true
          }
        }
        if play.hasExited || !(play.context.screen?.isSignedIn ?? false) {
          // Now and then keys find the way out: sign-out, or the questions about leaving.
          run.leave(play)
          break
        }
        if number % 50 == 0 { check(play, "seed \(seed), event \(played)") }
      }
      play.isHeld = false
      play.settle()
      marks += try expectJournalled(play, "seed \(seed)")
      run.endStore()
    }
    run.end(played, "\(marks) marks stand, each with its journal row")
    #expect(marks > 0, "too few marks to mean anything, seed \(seed)")
  }

  private func step(_ play: Rehearsed, _ random: inout Seeded) {
    switch Int.random(in: 0..<1000, using: &random) {
    case 0..<4: play.send(.paste(FuzzTests.pastes.randomElement(using: &random)!))
    case 4..<8: play.resize(Int.random(in: 0...140, using: &random), Int.random(in: 0...50, using: &random))
    case 8..<40: play.resize(80, 24)
    case 40..<45: play.pass(seconds: Int64.random(in: 0...40, using: &random))
    default:
      play.pace = Bool.random(using: &random) ? 10 : 500
      let isNamed = Int.random(in: 0..<4, using: &random) == 0
      var key =
        isNamed
        ? FuzzTests.named.randomElement(using: &random)! : .character(FuzzTests.typed.randomElement(using: &random)!)
      if play.context.overlay != nil, Int.random(in: 0..<3, using: &random) == 0 { key = .escape }
      // Leaving is played elsewhere: here it would end the run of keys.
      if case .question = play.context.overlay, [.enter, "L"].contains(key), play.screen.contains("Quit osce?") {
        key = .escape
      }
      if play.context.screen is RosterScreen, key == "q" { key = "j" }
      if play.context.screen is RosterScreen, case .palette = play.context.overlay, key == .enter { key = .escape }
      if play.context.navigator.lock != nil, key == "ctrl-q" { key = "y" }
      // Nobody in particular knows no passcode, and finds the way back to the sheet only by chance.
      if Int.random(in: 0..<20, using: &random) == 0 { play.context.navigator.lock = nil }
      if !(play.context.screen is SheetScreen || play.context.screen is RosterScreen), play.context.overlay == nil,
        Int.random(in: 0..<6, using: &random) == 0
      {
        _ = play.context.pop()
      }
      play.press(key)
    }
  }

  private func check(_ play: Rehearsed, _ place: String) {
    let canvas = play.canvas
    if let cursor = canvas.cursor, !canvas.bounds.isEmpty { #expect(canvas.bounds.contains(cursor), "\(place)") }
    guard canvas.size.width >= 60, canvas.size.height > 2 else { return }
    // The clock and the candidate's line are never covered.
    let lines = play.lines
    #expect(lines[0].contains(" of 8") || lines[0].contains("FINISHED"), "\(place): \(lines[0])")
    guard let screen = play.context.screen as? SheetScreen else { return }
    let badge = screen.heading.badge.plain
    #expect(lines[1].hasPrefix(" \(badge)"), "\(place): \(lines[1])")
  }

  /// Every value that stands on a sheet is the value of an operation of the journal.
  /// - Returns: how many.
  private func expectJournalled(_ play: Rehearsed, _ place: String) throws -> Int {
    let unexplained = try play.readable.read { db in try Fixture.unexplainedMarks(db) }
    #expect(unexplained.isEmpty, "\(place)")
    return try play.readable.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL OR unable = 1")
  }
}
