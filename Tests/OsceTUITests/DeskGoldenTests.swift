import Terminal
import TerminalTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// The desk's pages as they look.
@MainActor @Suite("The desk's screens")
struct DeskGoldenTests {
  private func compare(_ name: String, _ play: Rehearsed) {
    let difference = GoldenScreen.difference(play.screen, name)
    #expect(difference == nil, Comment(rawValue: difference ?? ""))
  }

  @Test("every page, small and large", arguments: [(80, 24), (120, 40)])
  func pages(size: (Int, Int)) throws {
    let play = try Rehearsed(size)
    try play.startClock()
    try play.startClock("Green circuit", seconds: 68)
    let station = try play.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter)
    station.press("!", "p")
    try play.desk().press("j", "i", "s").type("\n45\n").type("SP fainted\n")
    play.press("A", "p").type("fire alarm\n").pass(seconds: 130).press("r", .enter, "A")
    play.pass(seconds: 65).press("8", "n").type("Please stay at your stations\n")
    play.press("6", "j", "j", "a", "a", .enter)
    let names = ["hall", "help", "clear", "incidents", "times", "people", "rerun", "tell", "ready"]
    for (index, name) in names.enumerated() {
      play.press(.character(Character("\(index + 1)")), "g")
      // What the ready page says of this machine differs from machine to machine.
      if name != "ready" { compare("desk-\(name)-\(size.0)x\(size.1)", play) }
    }
    play.press("1", "S")
    compare("desk-skip-\(size.0)x\(size.1)", play)
  }
}
