import Terminal
import TerminalTesting
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What the desk keeps in view and in hand, whatever page is shown.
@MainActor @Suite("The desk's frame")
struct DeskFrameTests {
  /// A desk over Blue, which is followed, and Green, whose digits change 400 ms after Blue's.
  private func desk() throws -> Rehearsed {
    let play = try Rehearsed((120, 40))
    try play.startClock()
    let green = try play.session("CHEST", "Green circuit").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: green, at: play.store.clock.now + -68_600, in: $0)
    }
    return try play.desk()
  }

  @Test("the digits of every circuit change on time, also of those that are not followed")
  func digits() throws {
    let play = try desk()
    play.send(.deadline(play.clocks.loop))
    var drawn = play.screen
    var changes = 0
    for _ in 0..<60 {
      // Up to the last millisecond before the desk wants to look again, what is drawn is right.
      let wait = max(0, try #require(play.deadline) - play.clocks.loop)
      play.clocks.pass(max(0, wait - 1))
      #expect(play.screen == drawn)
      play.clocks.pass(min(1, wait))
      let count = play.effects.count
      play.send(.deadline(play.clocks.loop))
      if !play.effects[count...].contains(.unchanged) {
        changes += play.screen == drawn ? 0 : 1
        drawn = play.screen
      }
      #expect(play.screen == drawn)
    }
    #expect(changes > 6)
  }

  @Test(
    "on a terminal too small for anything else p pauses, and that it is paused is seen",
    arguments: [
      (59, 24), (60, 17), (30, 5), (14, 2), (8, 2),
    ])
  func small(width: Int, height: Int) throws {
    let play = try desk()
    play.press("i")
    play.resize(width, height)
    play.press("X", "r", "p")
    #expect(try play.log().last?.text == "pause")
    #expect(play.screen.contains("PAUSED"))
    play.resize(80, 24)
    #expect(play.screen.contains("PAUSED"))
  }

  @Test("no size is too small to draw, and none lets another key act unseen")
  func tiny() throws {
    let play = try desk()
    for size in [(1, 1), (2, 1), (1, 5), (5, 1), (20, 3)] {
      play.resize(size.0, size.1)
      #expect(play.canvas.size == Size(width: size.0, height: size.1))
      play.press("S", "X", "q", "Q", .enter)
    }
    #expect(!play.hasExited)
    #expect(try play.log().count == 1)
  }

  @Test("the desk never locks itself while the clock of any circuit is open; L locks it, and the passcode opens it")
  func lock() throws {
    let play = try desk()
    let config = try play.count("SELECT dsid FROM config ORDER BY dsid")
    try play.store.write(.program) {
      try $0.set("Config", String(config), ["settings": .text(#"{"idleLockMinutes":10}"#)])
    }
    try play.clock(.stop)
    play.pass(seconds: 1).pass(seconds: 700)
    #expect(!play.screen.contains("LOCKED"), "Green runs")
    try play.clock(.stop, "Green circuit")
    play.pass(seconds: 1).pass(seconds: 700)
    #expect(play.screen.contains("LOCKED"))
    let other = try play.atSameStore().desk("psharma").press("L")
    #expect(other.screen.contains("LOCKED"))
    other.press("p").type("y\n")
    #expect(other.screen.contains("wrong passcode"))
    other.type("4711\n")
    #expect(!other.screen.contains("LOCKED"))
  }

  @Test("the question of the session holds nine; before and after have a key, and it begins where the clock is open")
  func manySessions() throws {
    let play = try Rehearsed()
    let station = try play.session("CHEST").station
    try play.store.write(.program) { transaction in
      for day in 10..<30 {
        try transaction.create(
          "Timetable", "\(9000 + day)",
          [
            "activityType": .integer(Int64(station)), "date": .text("2026-12-\(day)"), "startTime": .text("09:00"),
          ])
      }
    }
    try play.desk().press("o")
    #expect(play.screen.contains("1    2026-12-07 09:00") && play.screen.contains("(current)"))
    #expect(!play.screen.contains("sessions before these"))
    play.press("n")
    #expect(play.screen.contains("1    2026-12-17 09:00") && play.screen.contains("sessions before these"))
    play.press("n", "3")
    #expect(play.lines[1].hasPrefix("2026-12-28 09:00"))
    play.press("o")
    #expect(play.screen.contains("3    2026-12-28 09:00  (current)"))
  }

  @Test("circuits in the same state are worded alike, however long their names are", arguments: [80, 120, 132])
  func alike(width: Int) {
    let lines = ["Blue circuit", "Green circuit", "Red circuit"].map { name in
      DeskClocks.Line(
        name: name, short: String(name.prefix { $0 != " " }), isFollowed: name.hasPrefix("Blue"), digits: "00:59",
        alert: .none, badges: ["PAUSED, RESUMES IN 00:59", "PAUSED, BACK IN 00:59", "PAUSED"],
        phases: ["READING 1 of 8", "READING 1/8", "READ 1/8", "1/8"])
    }
    let body = Size(width: width, height: width == 80 ? 20 : 39)
    let layout = DeskClocks.layout(3, in: body)
    var canvas = Canvas(size: Size(width: width, height: layout.height))
    DeskClocks.draw(lines, layout, on: &canvas, in: Rect(canvas.size), theme: .standard())
    let text = canvas.plainText
    let counts = ["RESUMES IN", "BACK IN"].map { text.components(separatedBy: $0).count - 1 }
    #expect(counts.allSatisfy { $0 == 0 || $0 == 3 }, "\(text)")
    #expect(text.components(separatedBy: "PAUSED").count == 4)
  }

  @Test("of six circuits each that runs has its phase in a word, beside one that is paused")
  func six() {
    let lines = ["Blue", "Green", "Red", "Amber", "Violet", "White"].map { name in
      DeskClocks.Line(
        name: name, isFollowed: name == "Blue", digits: "06:24", alert: .none,
        badges: name == "Red" ? ["PAUSED 3 min by Dr Ngozi Okafor", "PAUSED 3 min", "PAUSED"] : [],
        phases: ["STATION 3 of 8, on time", "STATION 3 of 8", "STATION 3/8", "STATION 3/8", "STATION", "3/8"])
    }
    for (width, height, text) in [(80, 20, "06:24  STATION"), (132, 39, "06:24  STATION 3 of 8")] {
      let body = Size(width: width, height: height)
      let layout = DeskClocks.layout(6, in: body)
      var canvas = Canvas(size: Size(width: width, height: layout.height))
      DeskClocks.draw(lines, layout, on: &canvas, in: Rect(canvas.size), theme: .standard())
      #expect(canvas.plainText.components(separatedBy: text).count == 6, "\(canvas.plainText)")
      #expect(canvas.plainText.contains("PAUSED 3 min"))
    }
  }

  @Test("eight circuits have each their name and their time in view", arguments: [(80, 24), (120, 40)])
  func eight(size: (Int, Int)) {
    let lines = (1...8).map { number in
      DeskClocks.Line(
        name: "Circuit number \(number)", isFollowed: number == 2, digits: "0\(number):45",
        alert: number == 3 ? .amber : .none,
        badges: number == 4 ? ["PAUSED 3 min by Dr Ngozi Okafor", "PAUSED 3 min"] : [],
        phases: ["ROTATION 1 of 8, on time", "ROTATION 1 of 8", "1/8"])
    }
    let body = Size(width: size.0, height: size.1 - 4)
    let layout = DeskClocks.layout(8, in: body)
    var canvas = Canvas(size: Size(width: body.width, height: layout.height))
    DeskClocks.draw(lines, layout, on: &canvas, in: Rect(canvas.size), theme: .standard())
    let text = canvas.plainText
    #expect(layout.height <= body.height / 3)
    for number in 1...8 where number != 4 { #expect(text.contains("0\(number):45")) }
    #expect(text.contains("AMBER 03:45") && text.contains("PAUSED 3 min"))
  }
}
