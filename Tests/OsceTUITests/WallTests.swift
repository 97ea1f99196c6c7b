import CircuitModel
import ExamStore
import Foundation
import GRDB
import Reports
import SystemTesting
import Terminal
import TerminalTesting
import Testing
import Timer

@testable import OsceTUI

/// The public clock on the year 3 exam, whose clocks the test sets.
@MainActor @Suite("The wall")
struct WallTests {
  private func wall(
    _ exam: Rehearsed, _ names: [String] = [], size: (Int, Int) = (80, 24), theme: Theme = .standard(),
    options: WallProgram.Options = .init()
  ) throws -> Rehearsal<WallProgram> {
    let circuits = try exam.store.read { db in
      let now = exam.store.clock.now
      return try names.isEmpty ? Circuit.all(at: now, db) : names.map { try Circuit.find($0, at: now, in: db) }
    }
    return Rehearsal(
      WallProgram(exam.store, circuits: circuits, theme: theme, options: options) { exam.clocks.loop },
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
    let moving = try Rehearsed()
    try moving.startClock(seconds: 575)
    try expect("changeover", moving)
    let apart = try Rehearsed()
    try apart.startClock("Blue circuit", seconds: 575)
    try apart.startClock("Green circuit", seconds: 490)
    try expect("apart", apart, [])
    try exam.clock(.stop)
    try expect("finished", exam)
  }

  @Test("it makes the timed backup where it is due, and says while that cannot be made") func timedBackup() throws {
    let exam = try Rehearsed()
    let path = exam.folder + "/second.sqlite"
    exam.store.timedBackup.use(BackupChoice(path: path))
    var play = try wall(exam)
    play.send(.deadline(0))
    eventually { access(path, F_OK) == 0 }
    #expect(!play.screen.contains("BACKUP"))
    exam.store.timedBackup.use(BackupChoice(path: exam.folder + "/none/second.sqlite"))
    exam.pass(seconds: 61)
    play.send(.deadline(61_000))
    eventually { exam.store.timedBackup.warning != nil }
    play.send(.deadline(61_200))
    #expect(play.screen.contains("THE TIMED BACKUP FAILED"))
  }

  @Test("a start and a resume that are set for a time to come, two circuits, two open runs, messages: at three sizes")
  func further() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: -90)
    try expect("scheduled", exam)
    exam.pass(seconds: 90 + 75)
    try exam.clock(.pause)
    let session = try exam.session("CHEST").session
    try exam.store.write(.program) {
      _ = try ClockLog.append(.resume, to: session, at: exam.store.clock.now + 45_000, in: $0)
    }
    try expect("scheduled-resume", exam)
    try exam.startClock("Green circuit", seconds: 68)
    exam.pass(seconds: 45)
    try expect("circuits", exam, [])
    let rivals = try Rehearsed()
    try rivals.startClock(seconds: 75)
    try start(rivals, "Blue circuit", "13:30")
    try expect("two-runs", rivals)
    let told = try Rehearsed()
    try told.startClock(seconds: 75)
    let chest = try told.session("CHEST").station
    try told.store.write(.program) {
      try HallMessages.send("Please hold at the end of this round.", circuit: nil, station: nil, $0)
    }
    try expect("message", told)
    told.clocks.pass(1000)
    try told.store.write(.program) { try HallMessages.send("Water at the door", circuit: nil, station: chest, $0) }
    try expect("messages", told)
  }

  /// As many clocks as there can be, in states of all kinds, as one that runs is shown.
  private func panels(_ count: Int) throws -> [WallPanel] {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    let shown = try wall(exam, ["BLUE"]).program.picture.panels[0]
    let faces: [WallPanel.Face] = [
      .counting(word: "STATION", digits: "06:24", alert: .none, look: .heading),
      .counting(word: "STATION", digits: "01:24", alert: .amber, look: .heading),
      .moving(digits: "00:18"), .counting(word: "READING", digits: "00:41", alert: .none, look: .reading),
      .paused(for: "3 min", at: "09:45", left: .init(digits: "04:10", phase: "station"), resumes: nil),
      .paused(for: "3 min", at: "09:45", left: .init(digits: "04:10", phase: "station"), resumes: "00:38"),
      .word("FINISHED"), .starting(word: "STARTS IN", digits: "12:46", plan: "Start 09:00"),
    ]
    let names = ["Blue", "Green", "Red", "Amber", "Violet", "White", "Grey", "Orange"]
    return (0..<count).map { index in
      var panel = shown
      (panel.titles, panel.face) = ([names[index]], faces[index])
      return panel
    }
  }

  @Test("six circuits have a cell each at three sizes, and up to eight have each a name and a time in view")
  func many() throws {
    for (width, height) in [(80, 24), (132, 43), (200, 60)] {
      for count in 1...8 {
        var picture = WallPicture()
        picture.panels = try panels(count)
        picture.time = "09:45"
        let canvas = picture.canvas(Size(width: width, height: height), theme: .standard(), message: "")
        if count == 6 {
          if width == 132 { #expect(!canvas.plainText.contains("S T A T I O N"), "the word is read from far away") }
          let difference = GoldenScreen.difference(canvas.styledText, "wall-six-\(width)x\(height)")
          #expect(difference == nil, Comment(rawValue: difference ?? ""))
        }
        for panel in picture.panels { #expect(canvas.plainText.contains(panel.titles[0]), "\(count) \(width)") }
        // Neither colour nor reverse carries a fact alone.
        if count > 4 && width == 80 {
          // The word stands once: over the digits, or beside the name where the digits take that row.
          let places = ["Green  AMBER", "A M B E R"].filter { canvas.plainText.contains($0) }
          #expect(places.count == 1, "\(count): \(canvas.plainText)")
        }
      }
    }
  }

  @Test("clocks beside each other have digits of one size, the largest that all have room for", arguments: 2...8)
  func oneSize(count: Int) throws {
    for (width, height) in [(80, 24), (132, 43), (200, 60)] {
      var picture = WallPicture()
      picture.panels = try panels(8).filter { panel in
        if case .paused = panel.face { false } else { !panel.digits.isEmpty }
      }
      while picture.panels.count < count { picture.panels += picture.panels }
      picture.panels = picture.panels.prefix(count).map { panel in
        var panel = panel
        // The same digits, so that what is drawn of them is the same; the words stay as long as they are.
        if case .counting(let word, _, _, let look) = panel.face {
          panel.face = .counting(word: word, digits: "00:00", alert: .none, look: look)
        } else if case .moving = panel.face {
          panel.face = .moving(digits: "00:00")
        } else if case .starting(let word, _, let plan) = panel.face {
          panel.face = .starting(word: word, digits: "00:00", plan: plan)
        }
        return panel
      }
      let screen = picture.canvas(Size(width: width, height: height), theme: .standard(), message: "").plainText
      let sizes = BigText.Scale.all(to: height, .unicode).filter { scale in
        guard let text = BigText("00:00", scale) else { return false }
        var canvas = Canvas(size: text.size)
        text.draw(on: &canvas, at: Point(x: 0, y: 0), style: .plain, glyphs: .unicode)
        let middle = canvas.plainText.split(separator: "\n", omittingEmptySubsequences: false)[scale.height / 2]
        let row = String(middle.reversed().drop { $0 == " " }.reversed())
        return screen.components(separatedBy: row).count - 1 >= count
      }
      #expect(!sizes.isEmpty, "\(count) at \(width)x\(height)\n\(screen)")
    }
  }

  @Test("where all clocks together have more room than whole sizes need, letters grow by halves")
  func halfSizes() throws {
    func height(_ width: Int, _ height: Int, _ glyphs: Glyphs) -> Int? {
      BigText.Scale.fitting(["00:00"], in: Size(width: width, height: height), glyphs)?.height
    }
    #expect(height(50, 9, .unicode) == 5 && height(51, 8, .unicode) == 8 && height(51, 8, .ascii) == 5)
    #expect(height(68, 10, .unicode) == 10 && height(85, 13, .unicode) == 13 && height(34, 3, .unicode) == 3)
    let scale = try #require(BigText.Scale.fitting(["1"], in: Size(width: 9, height: 8), .unicode))
    let text = try #require(BigText("1", scale))
    var canvas = Canvas(size: text.size)
    text.draw(on: &canvas, at: Point(x: 0, y: 0), style: .plain, glyphs: .unicode)
    #expect(text.size == Size(width: 9, height: 8))
    #expect(canvas.plainText.split(separator: "\n").last?.contains("▀▀▀▀▀▀▀▀▀") == true, "\(canvas.plainText)")
  }

  @Test("a pause with its resume set looks like a pause in a cell of any size: large digits stand behind words alone")
  func pausedCells() throws {
    var picture = WallPicture()
    let all = try panels(8)
    let paused: (String?) -> WallPanel.Face = {
      .paused(for: "3 min", at: "09:45", left: .init(digits: "04:10", phase: "station"), resumes: $0)
    }
    let words = try #require(BigText("RESUMES IN 0:38", .small))
    var drawn = Canvas(size: words.size)
    words.draw(on: &drawn, at: Point(x: 0, y: 0), style: .plain, glyphs: .unicode)
    let large = try #require(drawn.plainText.split(separator: "\n").first)
    for count in [2, 4, 6, 8] {
      picture.panels = Array(all.prefix(count))
      for (width, height) in [(60, 20), (80, 24), (132, 43), (200, 60)] {
        // Every cell pauses: what is large anywhere is read as time that runs.
        func screen(_ resumes: String?) -> String {
          var all = picture
          for index in all.panels.indices { all.panels[index].face = paused(resumes) }
          return all.canvas(Size(width: width, height: height), theme: .standard(), message: "").plainText
        }
        let text = screen("00:38")
        #expect(text.contains("04:10") == screen(nil).contains("04:10"), "\(count) \(width)")
        if text.contains(large) {
          #expect(width > 80 && !text.contains("resumes in"), "\(count) \(width)")
          continue
        }
        #expect(text.contains("resumes in 0:38"), "\(count) \(width)")
        // A second of the countdown changes a line of text, and no letter drawn in blocks.
        let blocks = { (text: String) in text.filter { "█▄▀".contains($0) } }
        #expect(blocks(text) == blocks(screen("00:11")), "\(count) \(width)")
      }
    }
  }

  @Test("a second costs the digits and nothing else", arguments: [(80, 24), (132, 43), (200, 60)])
  func costOfASecond(size: (Int, Int)) throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    var play = try wall(exam, size: size)
    play.send(.deadline(exam.clocks.loop))
    let digits = WallPanelView.digits(in: Size(width: size.0, height: size.1 * 2 / 3), .unicode)
    for _ in 0..<70 {
      let before = play.canvas
      exam.clocks.pass(1000)
      play.send(.deadline(exam.clocks.loop))
      let after = play.canvas
      let rows = (0..<size.1).filter { before.row($0) != after.row($0) }
      let isMinute = exam.store.clock.now.milliseconds % 60_000 < 1000
      // With the minute the time of day, and once in a while the progress.
      if !isMinute { #expect((rows.last ?? 0) - (rows.first ?? 0) < max(digits, 3) + 4, "\(rows)") }
      #expect(!rows.contains(0) && !rows.isEmpty)
    }
  }

  @Test("the help covers the clock that the hall looks at for a quarter of a minute at most")
  func helpGoes() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    var play = try wall(exam)
    let digits = play.screen
    play.press("?")
    #expect(play.screen != digits && play.screen.contains("Says how to quit"))
    exam.clocks.passLoop(14_000)
    play.send(.deadline(exam.clocks.loop))
    #expect(play.screen.contains("Says how to quit"))
    exam.clocks.passLoop(1000)
    play.send(.deadline(exam.clocks.loop))
    #expect(play.screen == digits)
  }

  @Test("q asks: Enter leaves the wall, any other key stays")
  func leaving() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    for key: Key in ["q", "Q"] {
      // The whole question has room on the smallest terminal.
      var play = try wall(exam, size: (60, 20))
      play.press(key)
      #expect(play.screen.contains("Quit? Enter quits, Esc cancels; the clock goes on ") && !play.hasExited)
      play.press(.escape)
      #expect(!play.screen.contains("Quit? ") && !play.hasExited)
      play.press(key)
      play.press(.enter)
      #expect(play.hasExited)
    }
  }

  private func start(_ exam: Rehearsed, _ circuit: String, _ start: String, seconds: Int64 = 75) throws {
    let session = try exam.session("CHEST", circuit, start).session
    let at = exam.store.clock.now - seconds * 1000
    try exam.store.write(.program) { _ = try ClockLog.append(.start, to: session, at: at, in: $0) }
  }

  @Test("two open runs of a circuit are both shown with their digits, and a session that is asked for alone")
  func rivals() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    try start(exam, "Blue circuit", "13:30", seconds: 100)
    let panels = try wall(exam, ["BLUE"]).program.picture.panels
    #expect(panels.flatMap(\.titles) == ["Blue circuit 09:00", "Blue circuit 13:30"])
    #expect(panels.map(\.digits) == ["07:45", "07:20"])
    let chosen = try wall(exam, ["BLUE"], options: .init(session: "2026-12-07 13:30")).program.picture.panels[0]
    #expect(chosen.said == "STATION ROUND 1 of 8" && chosen.digits == "07:20")
  }

  @Test("the end stays for ten minutes, or until another session starts; then the next planned session is shown")
  func afterTheEnd() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    try exam.clock(.stop)
    func panel() throws -> WallPanel { try wall(exam, ["BLUE"]).program.picture.panels[0] }
    exam.clocks.pass(599_999)
    #expect(try panel().word == "FINISHED")
    exam.clocks.pass(1)
    #expect(try panel().said == "STARTS IN 8 ROUNDS")
    #expect(
      try panel().face
        == .starting(word: "STARTS IN", digits: "4:20:00", plan: "Start 13:30 · reading 1 min, station 8 min"))
    let other = try Rehearsed()
    try other.startClock(seconds: 75)
    try other.clock(.stop)
    try start(other, "Blue circuit", "13:30", seconds: 0)
    #expect(try wall(other, ["BLUE"]).program.picture.panels[0].said == "READING ROUND 1 of 8")
  }

  @Test("circuits that show the same second share one clock; they part when they differ by one, and then none moves")
  func inStep() throws {
    let exam = try Rehearsed()
    try exam.startClock("Blue circuit", seconds: 75)
    try exam.startClock("Green circuit", seconds: 75)
    func panels() throws -> [WallPanel] { try wall(exam).program.picture.panels }
    #expect(try panels().map(\.titles) == [["Blue circuit", "Green circuit"]])
    exam.clocks.pass(400)
    try exam.clock(.pause, "Green circuit")
    #expect(try panels().map(\.word) == ["STATION", "PAUSED"])
    exam.clocks.pass(700)
    try exam.clock(.resume, "Green circuit")
    #expect(try panels().map(\.titles) == [["Blue circuit", "Green circuit"]], "by less than a second")
    exam.clocks.pass(1000)
    try exam.clock(.pause, "Green circuit")
    exam.clocks.pass(900)
    try exam.clock(.resume, "Green circuit")
    #expect(try panels().map(\.titles) == [["Blue circuit"], ["Green circuit"]])
    #expect(try wall(exam).screen.contains("Each circuit follows its own clock"))
    #expect(try !wall(exam).screen.contains("behind Blue"))
  }

  @Test("circuits that stand in different phases, or at different times, have each a clock, whenever they resume")
  func inStepWhilePaused() throws {
    func stands(_ blue: Int64, _ green: Int64) throws -> [WallPanel] {
      let exam = try Rehearsed()
      for (name, seconds) in [("Blue circuit", blue), ("Green circuit", green)] {
        try exam.startClock(name, seconds: seconds)
        try exam.clock(.pause, name)
        let session = try exam.session("CHEST", name).session
        try exam.store.write(.program) {
          _ = try ClockLog.append(.resume, to: session, at: exam.store.clock.now + 45_000, in: $0)
        }
      }
      return try wall(exam).program.picture.panels
    }
    #expect(try stands(75, 75).map(\.titles) == [["Blue circuit", "Green circuit"]])
    #expect(try stands(75, 80).count == 2, "five seconds apart")
    let phases = try stands(15, 75)
    #expect(phases.count == 2 && phases.allSatisfy { $0.word == "PAUSED" && $0.digits == "00:45" })
  }

  @Test("a circuit's name that has no room loses the word that all share, and is not cut")
  func shortNames() throws {
    #expect(
      ["Blue circuit", "Circuit A", "Circuit", "North"].map(CircuitName.short) == ["Blue", "A", "Circuit", "North"])
    #expect(CircuitName.short(["Circuit A", "Circuit B"]) == ["A", "B"])
    #expect(CircuitName.short(["Blue", "Blue circuit"]) == ["Blue", "Blue circuit"])
    let exam = try Rehearsed()
    try exam.startClock("Blue circuit", seconds: 75)
    try exam.startClock("Green circuit", seconds: 68)
    let screen = try wall(exam, size: (30, 24)).screen
    #expect(screen.contains("Green") && !screen.contains("Green…") && !screen.contains("Blue…"), "\(screen)")
  }

  @Test("the line about the machine's clock stands beside the clocks")
  func notes() throws {
    let exam = try Rehearsed()
    try exam.startClock("Blue circuit", seconds: 75)
    try exam.startClock("Green circuit", seconds: 68)
    exam.clocks.stepWall(3_600_000)
    let screen = try wall(exam).screen
    #expect(screen.contains("system clock is 1 h ahead of exam time; the countdown is correct"))
  }

  @Test("a circuit that is deleted while its clock runs stays on wall and desk, and its clock can be stopped")
  func deleted() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    try exam.store.write(.program) { transaction in
      for circuit in try Circuit.all(at: transaction.clock.now, transaction.db) {
        try transaction.delete("ClinicGroup", String(circuit.id))
      }
    }
    #expect(try wall(exam).program.picture.panels.map(\.said) == ["STATION ROUND 1 of 8"])
    try exam.desk()
    #expect(exam.lines[0].contains("ROUND 1 of 8  STATION"))
    exam.press("X").type("deleted by mistake\n")
    #expect(exam.lines[0].contains("FINISHED"))
    exam.pass(seconds: 1).press("z").type("goes on\n")
    #expect(exam.lines[0].contains("ROUND 1 of 8  STATION"))
  }

  @Test(
    "words that have no room are said shorter or left out, never cut",
    arguments: [(12, 2), (10, 2), (6, 3), (5, 3), (12, 1), (20, 12)])
  func words(width: Int, height: Int) throws {
    let exam = try Rehearsed()
    var screens: [String] = []
    func look() throws { screens.append(try wall(exam, ["BLUE"], size: (width, height)).screen) }
    try look()
    try exam.startClock(seconds: 0)
    try look()
    exam.pass(seconds: 435)
    try look()
    try exam.clock(.pause)
    try look()
    #expect(height == 1 || height >= 10 || ["PAUSED", "PAUSE", "HOLD"].contains { screens.last!.contains($0) })
    exam.pass(seconds: 1)
    try exam.clock(.resume)
    exam.pass(seconds: 180)
    try look()
    try exam.clock(.stop)
    try look()
    for screen in screens { #expect(!screen.contains("\u{2026}") || screen.contains("Blue"), "\(screen)") }
  }

  @Test("the key for the next circuit is offered only where there is one")
  func oneCircuit() throws {
    let exam = try Rehearsed()
    #expect(try wall(exam).program.picture.panels.count == 1, "none has begun: they share one clock")
    var play = try wall(exam, ["BLUE"])
    play.press(.tab)
    #expect(play.screen.contains("there is one circuit"))
  }

  @Test("a page for each circuit turns by key and never shows all")
  func pages() throws {
    let exam = try Rehearsed()
    var play = try wall(exam, options: .init(hasPages: true))
    func titles() -> [String] { play.program.picture.panels.flatMap(\.titles) }
    #expect(titles() == ["Blue circuit"])
    play.press(.tab)
    #expect(titles() == ["Green circuit"])
    play.send(.deadline(exam.clocks.loop + 60_000))
    #expect(titles() == ["Green circuit"])
    play.press(.tab)
    #expect(titles() == ["Blue circuit"])
  }

  @Test("a wall of pages turns to the second of two open runs of its one circuit")
  func pagesOfRuns() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    try start(exam, "Blue circuit", "13:30", seconds: 100)
    var play = try wall(exam, ["BLUE"], options: .init(hasPages: true))
    #expect(play.program.picture.panels.flatMap(\.titles) == ["Blue circuit 09:00"])
    play.press(.tab)
    #expect(play.program.picture.panels.flatMap(\.titles) == ["Blue circuit 13:30"])
    play.press(.tab)
    #expect(play.program.picture.panels.flatMap(\.titles) == ["Blue circuit 09:00"])
  }

  @Test("a message to a circuit is on its own page alone, one to a station on no wall, one taken down is gone")
  func messages() throws {
    let exam = try Rehearsed()
    let green = try exam.store.read { try Circuit.find("Green circuit", at: exam.store.clock.now, in: $0) }
    let chest = try exam.session("CHEST").station
    let key = try exam.store.write(.program) { transaction in
      try HallMessages.send("Wait", circuit: nil, station: chest, transaction)
      return try HallMessages.send("Hold", circuit: green.id, station: nil, transaction)
    }
    #expect(try wall(exam).program.picture.messages == ["Green circuit: Hold"])
    #expect(try wall(exam, ["BLUE"]).program.picture.messages.isEmpty)
    try exam.store.write(.program) { try HallMessages.withdraw(key, $0) }
    #expect(try wall(exam, ["GREEN"]).program.picture.messages.isEmpty)
  }

  @Test("a wall with room for one line of a message says what it is about, not for whom")
  func smallMessages() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    let blue = try exam.session("CHEST").circuit.id
    try exam.store.write(.program) {
      try HallMessages.send("Bring the key now", circuit: blue, station: nil, $0)
    }
    for (width, height) in [(20, 5), (30, 8), (20, 6)] {
      #expect(try wall(exam, size: (width, height)).screen.contains("Bring the key now"), "\(width)x\(height)")
    }
    #expect(try wall(exam, size: (80, 8)).screen.contains("Blue circuit: Bring the key now"))
  }

  @Test("however long the messages are, a wide wall says whom each is for")
  func longMessages() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    let blue = try exam.session("CHEST").circuit.id
    for word in ["first", "second", "third"] {
      try exam.store.write(.program) {
        try HallMessages.send(
          "The \(word): stop marking, everybody leave by the east door and wait there until somebody calls you in",
          circuit: blue, station: nil, $0)
      }
    }
    for height in [8, 24] {
      let lines = try wall(exam, size: (80, height)).screen.split(separator: "\n").filter {
        $0.contains(": stop marking")
      }
      #expect(!lines.isEmpty)
      for line in lines { #expect(line.contains("Blue circuit: The "), "\(height): \(line)") }
    }
  }

  @Test("what others do to the clock, and what they tell the hall, is there at the next look")
  func elsewhere() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    var play = try wall(exam, ["BLUE"])
    play.send(.deadline(exam.clocks.loop))
    let other = try exam.atSameStore()
    try other.clock(.pause)
    exam.clocks.pass(100)
    play.send(.deadline(exam.clocks.loop))
    #expect(play.program.picture.panels[0].word == "PAUSED")
    try other.store.write(.program) { try HallMessages.send("Hold", circuit: nil, station: nil, $0) }
    exam.clocks.pass(100)
    play.send(.deadline(exam.clocks.loop))
    #expect(play.program.picture.messages == ["Hold"])
  }

  @Test("a flash turns the whole screen over and back")
  func flash() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    var play = try wall(exam, ["BLUE"])
    exam.clocks.pass(345_000)
    let before = play.canvas
    play.send(.deadline(exam.clocks.loop))
    var turned = play.canvas
    #expect(turned != before)
    turned.reverse()
    exam.clocks.pass(400)
    play.send(.deadline(exam.clocks.loop))
    #expect(play.canvas == turned)
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

  @Test("nothing about a person is on it: attendance, adjustments, comments, concerns, help calls, incidents, senders")
  func privacy() throws {
    let exam = try Rehearsed()
    try exam.mark("nokafor", at: "CHEST")
    let station = try exam.session("CHEST")
    let texts = ["Xylophone", "Quagmire", "Zeppelin", "Wombat", "Jamboree"]
    let entry = exam.sheetScreen.entry!
    try exam.store.write(.program) { transaction in
      try Comments.add(texts[0], to: .candidate(entry.key), isConcern: true, timetable: station, in: transaction)
      try Comments.add(texts[1], to: .station(station.station), isConcern: false, timetable: station, in: transaction)
      try Comments.add(
        texts[2], to: .circuit(station.circuit.id), isConcern: false, timetable: station, in: transaction)
      try HelpCalls.request(texts[3], at: station, in: transaction)
      try Attendance.record(false, for: entry, in: transaction)
      try transaction.db.execute(
        sql: "UPDATE user SET access = ? WHERE studentNumber IS NOT NULL", arguments: [texts[4]])
      try HallMessages.send("Please hold", circuit: nil, station: nil, transaction)
    }
    let people = try exam.store.read { db in
      try Row.fetchAll(db, sql: "SELECT forename, surname, studentNumber, username FROM user")
        .flatMap { row in (0..<4).compactMap { row[$0] as String? } }
    }.filter { $0.count > 3 }
    #expect(people.count > 20)
    for size in [(80, 24), (132, 43), (200, 60), (20, 6)] {
      let screen = try wall(exam, size: size).screen.lowercased()
      for text in texts + people + ["absent", "concern", "help call"] {
        #expect(!screen.contains(text.lowercased()), "\(text)")
      }
    }
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

  @Test("a resume that will be refused is not counted down to")
  func refused() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    try exam.clock(.pause)
    let session = try exam.session("CHEST").session
    func set(_ action: ClockAction, in seconds: Int64) throws {
      try exam.store.write(.program) {
        _ = try ClockLog.append(action, to: session, at: exam.store.clock.now + seconds * 1000, in: $0)
      }
    }
    try set(.resume, in: 45)
    #expect(try wall(exam, ["BLUE"]).program.picture.panels[0].digits == "00:45")
    try set(.stop, in: 20)
    let panel = try wall(exam, ["BLUE"]).program.picture.panels[0]
    #expect(panel.word == "PAUSED" && panel.digits.isEmpty)
  }

  @Test("the time of day is shown to the minute: nothing ticks beside a countdown, or while one stands")
  func seconds() throws {
    let exam = try Rehearsed()
    func time() throws -> String { try wall(exam, ["BLUE"]).program.picture.time }
    #expect(try time() == "09:00")
    try exam.startClock(seconds: 75)
    #expect(try time() == "09:00")
    try exam.clock(.pause)
    #expect(try time() == "09:00")
  }

  @Test("a wall of few rows says in words what must be known", arguments: [3, 4, 5, 6, 7])
  func fewRows(height: Int) throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    try exam.startClock("Green circuit", seconds: 68)
    exam.clocks.stepWall(3_600_000)
    #expect(try wall(exam, size: (80, height)).screen.contains("system clock is 1 h ahead"))
    try exam.clock(.pause)
    #expect(try wall(exam, ["BLUE"], size: (60, height)).screen.contains("PAUSED"))
  }

  @Test("a wall of one row has the time, the alert and what it is")
  func oneRow() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    exam.pass(seconds: 360)
    let line = try wall(exam, ["BLUE"], size: (60, 1)).screen
    #expect(line.contains("STATION AMBER 01:45"))
    #expect(try wall(exam, ["BLUE"], size: (6, 1)).screen.contains("01:4"))
  }

  @Test("a message shows nothing but its text, whatever it holds")
  func hostileMessage() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    try exam.store.write(.program) {
      try HallMessages.send("Hold\u{1B}[2J\u{9B}1m\u{202E}please\u{07}", circuit: nil, station: nil, $0)
    }
    for size in [(80, 24), (200, 60), (20, 5)] {
      let screen = try wall(exam, size: size).screen
      for sign in ["\u{1B}", "\u{9B}", "\u{202E}", "\u{07}"] { #expect(!screen.contains(sign)) }
    }
  }

  @Test("two open runs of a circuit ring both")
  func rivalsRing() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    try start(exam, "Blue circuit", "13:30", seconds: 100)
    var play = try wall(exam, ["BLUE"])
    func bells() -> Int { play.effects.filter { $0 == .bell }.count }
    for (milliseconds, rung) in [(320_100, 1), (25_000, 2)] as [(Int64, Int)] {
      exam.clocks.pass(milliseconds)
      play.send(.deadline(exam.clocks.loop))
      #expect(bells() == rung)
    }
  }

  @Test("a start that is set for a time to come is counted down to")
  func scheduled() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: -90)
    let play = try wall(exam, ["BLUE"], size: (40, 12))
    #expect(play.program.picture.panels[0].word == "STARTS IN")
    #expect(!play.screen.contains("READING"))
  }

  @Test("no size is too small or too large to draw")
  func sizes() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    exam.pass(seconds: 360)
    for (width, height) in [(40, 12), (20, 6), (12, 5), (5, 3)] {
      let play = try wall(exam, ["BLUE"], size: (width, height))
      let difference = GoldenScreen.difference(play.screen, "wall-small-\(width)x\(height)")
      #expect(difference == nil, Comment(rawValue: difference ?? ""))
    }
    for (width, height) in [(1, 1), (2, 3), (10, 4), (39, 12), (300, 100)] {
      let play = try wall(exam, size: (width, height))
      #expect(play.canvas.size == Size(width: width, height: height))
    }
  }

  @Test("after the last round nobody is sent to a next station: the wall says to wait, and when the session ends")
  func lastChangeover() throws {
    let exam = try Rehearsed()
    try exam.startClock(seconds: 75)
    let session = try exam.session("CHEST").session
    let phases = try exam.read { try session.plannedPhases($0) }
    let changeovers = (1...phases.count).filter { phases.phase($0)?.type == .changeover }
    try exam.clock(.jump(index: changeovers[changeovers.count - 2]))
    #expect(try wall(exam, ["BLUE"]).program.picture.panels[0].word == "MOVE")
    exam.pass(seconds: 1)
    try exam.clock(.jump(index: changeovers.last! - 1))
    #expect(try wall(exam, ["BLUE"]).program.picture.panels[0].next != "Move to the next station")
    exam.pass(seconds: 1)
    try exam.clock(.jump(index: changeovers.last!))
    let screen = try wall(exam, ["BLUE"]).screen
    #expect(try wall(exam, ["BLUE"]).program.picture.panels[0].word == "WAIT")
    #expect(screen.contains("The session ends") && !screen.contains("next station"), "\(screen)")
  }

  @Test("in a cell of any size the word of the phase is seen", arguments: [(80, 24), (132, 43), (200, 60)])
  func wordsOfCells(size: (Int, Int)) throws {
    for count in 2...8 {
      var picture = WallPicture()
      picture.panels = try panels(count)
      func screen() -> String {
        picture.canvas(Size(width: size.0, height: size.1), theme: .standard(), message: "").plainText
      }
      let before = screen()
      for index in picture.panels.indices {
        guard case .counting(_, let digits, .none, let look) = picture.panels[index].face else { continue }
        let face = picture.panels[index].face
        picture.panels[index].face = .counting(word: "FEEDBACK", digits: digits, alert: .none, look: look)
        #expect(screen() != before, "cell \(index + 1) of \(count)")
        picture.panels[index].face = face
      }
    }
  }
}
