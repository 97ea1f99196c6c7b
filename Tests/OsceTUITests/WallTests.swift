import CircuitModel
import Terminal
import Testing
import Timer

@testable import OsceTUI

/// The public clock on the year 3 exam, whose clocks the test sets.
@MainActor @Suite("The wall")
struct WallTests {
  private func wall(
    _ exam: Rehearsed, _ names: [String] = [], size: (Int, Int) = (80, 24), theme: Theme = .standard()
  ) throws -> Rehearsal<WallProgram> {
    let circuits = try exam.store.read { db in
      try names.isEmpty ? Circuit.all(db) : names.map { try Circuit.find($0, in: db) }
    }
    return Rehearsal(
      WallProgram(exam.store, circuits: circuits, theme: theme, ringsBell: true),
      size: Size(width: size.0, height: size.1))
  }

  private func expect(
    _ name: String, _ exam: Rehearsed, _ circuits: [String] = ["BLUE"], at place: SourceLocation = #_sourceLocation
  ) throws {
    for (width, height) in [(80, 24), (132, 43), (200, 60)] {
      for theme in [Theme.standard(), .monochrome(.ascii)] {
        let play = try wall(exam, circuits, size: (width, height), theme: theme)
        let file = "wall-\(name)-\(width)x\(height)" + (theme.name == "monochrome" ? "-monochrome" : "")
        let difference = GoldenScreen.difference(play.canvas.styledText, file)
        #expect(difference == nil, Comment(rawValue: difference ?? ""), sourceLocation: place)
      }
    }
  }

  @Test("every state at three sizes, in colour and without")
  func states() throws {
    let exam = try Rehearsed()
    try expect("not-started", exam)
    try exam.startClock(seconds: 0)
    try expect("reading", exam)
    exam.pass(seconds: 75)
    try expect("running", exam)
    exam.pass(seconds: 360)
    try expect("amber", exam)
    exam.pass(seconds: 90)
    try expect("red", exam)
    try exam.clock(.pause)
    exam.pass(seconds: 65)
    try expect("paused", exam)
    try exam.clock(.resume)
    exam.pass(seconds: 90)
    try expect("waiting", exam)
    try exam.clock(.stop)
    try expect("finished", exam)
  }

  @Test("several circuits stand side by side, and each can have a page of its own")
  func circuits() throws {
    let exam = try Rehearsed()
    try exam.startClock("Blue circuit", seconds: 75)
    var play = try wall(exam)
    #expect(play.screen.contains("Blue circuit") && play.screen.contains("Green circuit"))
    play.press(.tab)
    #expect(play.screen.contains("Blue circuit") && !play.screen.contains("Green circuit"))
    play.press(.tab)
    #expect(!play.screen.contains("Blue circuit") && play.screen.contains("Green circuit"))
    play.press(.tab)
    #expect(play.screen.contains("Blue circuit") && play.screen.contains("Green circuit"))
  }

  @Test("no name of a candidate or of staff is on it")
  func names() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    let play = try wall(exam, size: (200, 60))
    for name in ["Abara", "Okafor", "30101"] { #expect(!play.screen.contains(name)) }
  }

  @Test("the bell rings once at an announcement, and not for one that is more than half a second past")
  func bell() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    // 480 s of rotation after 60 s of reading: amber at 120 s left is 345 s from now.
    var play = try wall(exam, ["BLUE"])
    func bells() -> Int { play.effects.filter { $0 == .bell }.count }
    exam.clocks.pass(344_900)
    play.send(.deadline(exam.clocks.loop))
    #expect(bells() == 0)
    exam.clocks.pass(200)
    play.send(.deadline(exam.clocks.loop))
    play.send(.deadline(exam.clocks.loop))
    #expect(bells() == 1)
    // Red at 30 s left, slept through.
    exam.clocks.pass(100_000)
    play.send(.deadline(exam.clocks.loop))
    #expect(bells() == 1)
  }

  @Test("a start that is set for a time to come is counted down to")
  func scheduled() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: -90)
    let play = try wall(exam, ["BLUE"])
    #expect(play.screen.contains("STARTS IN"))
    #expect(!play.screen.contains("READING"))
  }

  @Test("no size is too small or too large to draw")
  func sizes() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    for (width, height) in [(1, 1), (2, 3), (10, 4), (39, 12), (300, 100)] {
      let play = try wall(exam, size: (width, height))
      #expect(play.canvas.size == Size(width: width, height: height))
    }
  }
}
