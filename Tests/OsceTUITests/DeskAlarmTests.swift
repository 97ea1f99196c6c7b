import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What the desk does in a hurry: stopping the clock whatever is on the screen, and what two people do at once.
@MainActor @Suite("The desk in an alarm")
struct DeskAlarmTests {
  private func last(_ play: Rehearsed, _ circuit: String = "Blue circuit") throws -> String? {
    try play.log(circuit).last?.text
  }

  @Test("p pauses through help, a question and a line to be confirmed, of which nothing is done")
  func throughWhatIsRead() throws {
    for key: Key in ["?", "Q", "+", "o"] {
      let play = try Rehearsed.runningDesk().press(key)
      #expect(play.context.overlay != nil)
      play.press("p")
      #expect(try last(play) == "pause" && play.log().count == 2)
      #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Reason:"))
    }
  }

  @Test("where a line is typed p is a letter and Ctrl-P pauses; where nothing lies over the desk it does too")
  func throughWhatIsTyped() throws {
    for key: Key in ["S", "e", ":"] {
      let play = try Rehearsed.runningDesk().press(key, "p")
      play.resize(60, 16)
      play.press("p")
      #expect(try last(play) == "start")
      play.resize(80, 24)
      play.press("ctrl-p")
      #expect(try last(play) == "pause" && play.log().count == 2)
      #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Reason:"))
    }
    #expect(try last(try Rehearsed.runningDesk().press("ctrl-p")) == "pause")
  }

  @Test("the question why one circuit was paused keeps nobody from pausing the next; what is typed in it is not left")
  func nextWhileAsked() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit")
    play.send(.resumed).press("p", "f", .tab)
    #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Reason: f"))
    play.press("backspace", .tab, "p")
    #expect(try last(play, "Green circuit") == "pause")
    #expect(play.lines[22].hasPrefix("PAUSED Green circuit. Reason:"))
  }

  @Test(
    "P stops every clock that runs at the key's own instant, whatever is looked after, and nothing it does starts one")
  func everything() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit", seconds: 68)
    for keys: [Key] in [[], ["?"], ["+"], [.tab], ["A"], ["6"]] {
      play.send(.resumed)
      for key in keys { play.press(key) }
      let pressed = play.store.clock.now + -300
      play.send(.key(KeyEvent("P", at: play.clocks.loop - 300)))
      for circuit in ["Blue circuit", "Green circuit"] {
        let event = try #require(try play.log(circuit).last)
        #expect(event.text == "pause" && event.event.at == pressed)
      }
      #expect(play.lines[22].hasPrefix("PAUSED Blue circuit, Green circuit. Reason:"), "\(keys)")
      play.type("fire alarm\n").pass(seconds: 1).press("P")
      #expect(play.lines[22].hasPrefix("ALREADY PAUSED at "))
      play.press(.escape)
      #expect(try play.log().last?.text == "pause" && play.log("Green circuit").last?.text == "pause")
      play.press("A", "r", .enter).pass(seconds: 1)
      #expect(try play.log().last?.text == "resume" && play.log("Green circuit").last?.text == "resume")
    }
  }

  @Test("no box of the desk answers to an alarm key: each pauses over it")
  func boxes() throws {
    let alarms = Set(DeskKeys.all.map(\.name).filter { $0.reach == .urgent }.flatMap(\.keys))
    let play = try Rehearsed.runningDesk()
    // Who is absent from round 1 on may be here after all; in round 2 any earlier absence may be cleared too.
    play.press("6", "a", "a", .enter).pass(seconds: 620).press("s", .enter).pass(seconds: 70)
    for keys: [Key] in [["1", "i"], ["6", "a"], ["6", "m"]] {
      for key in keys { play.press(key) }
      guard case .question(let question) = play.context.overlay else {
        Issue.record("no box after \(keys)\n\(play.screen)")
        continue
      }
      #expect(question.keys.count >= 4 && alarms.isDisjoint(with: question.keys), "\(play.screen)")
      play.press(.escape)
    }
    play.press("6", "a", "P")
    #expect(try play.log().last?.text == "pause")
    #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Reason:"), "\(play.screen)")
  }

  @Test("P again, or held, is no text of the reason and starts nothing; a reason that begins with it later is taken")
  func again() throws {
    let play = try Rehearsed.runningDesk()
    play.press("P", "P", "P")
    #expect(play.lines[22].trimmingCharacters(in: .whitespaces) == "PAUSED Blue circuit. Reason:")
    #expect(try play.log().map(\.text) == ["start", "pause"])
    play.pass(seconds: 3).type("Power\n")
    #expect(try play.log().last?.event.reason == "Power" && play.log().count == 2)
    let held = try Rehearsed.runningDesk()
    held.burst("PPPfire").press(.enter)
    #expect(try held.log().map(\.text) == ["start", "pause"])
    #expect(try held.log().last?.event.reason == "fire")
    held.pass(seconds: 1).press("P", "P", .enter)
    let texts = try held.log().map(\.text)
    #expect(texts == ["start", "pause"], "\(texts) \(held.message)")
  }

  @Test("A holds for one action, and Esc or another circuit take it away")
  func allForOne() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit", seconds: 68)
    play.send(.resumed).press("A")
    #expect(play.lines[1].contains("the NEXT key is for ALL circuits"))
    play.press("+", .enter).pass(seconds: 1)
    #expect(try play.log("Green circuit").last?.text == "extend 30" && !play.lines[1].contains("ALL"))
    play.press("+", .enter).pass(seconds: 1)
    #expect(try play.log().count == 3 && play.log("Green circuit").count == 2)
    for key: Key in [.escape, .tab, "f1"] {
      play.press("A", key, "f1", "-", .enter).pass(seconds: 1)
      #expect(try play.log("Green circuit").count == 2)
    }
  }

  @Test("a resume of all lets go on what the pause of all stopped, and names what stood before, with its reason")
  func resumeOfAll() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit", seconds: 68)
    play.send(.resumed).press(.tab, "p").type("fire door\n").pass(seconds: 30).press("P").type("alarm\n").pass(
      seconds: 1)
    #expect(try play.log("Green circuit").count == 2, "one pause is enough")
    play.press("A", "r")
    #expect(play.text.contains("Blue circuit: then ROTATION 1 runs"))
    #expect(play.text.contains("Green circuit: stays paused, since 09:00:0") && play.text.contains("(fire door"))
    play.press(.enter).pass(seconds: 1)
    #expect(try play.log().last?.text == "resume" && play.log("Green circuit").last?.text == "pause")
  }

  @Test("a pause says who, why and for how long, and is not cut where circuits stand beside each other")
  func whoAndWhy() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit", seconds: 68)
    play.send(.resumed).press("p").type("fire door\n").pass(seconds: 190)
    #expect(play.lines[1].hasPrefix(" PAUSED  3 min by Dr Ngozi Okafor: fire door"))
    #expect(play.lines[2].contains(" PAUSED 3 min "))
    play.press(.tab)
    #expect(play.lines[2].contains(" PAUSED 3 min "))
  }

  @Test("the line of a call for help names the key that was chosen to answer it")
  func chosenAnswer() throws {
    var configuration = Configuration()
    configuration.keys = ["help.acknowledge": ["ctrl-k"]]
    let play = try Rehearsed(configuration: configuration)
    try play.startClock()
    try play.desk()
    try play.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter).press("!", "p")
    play.pass(seconds: 1)
    #expect(play.lines[3].hasSuffix("2 Ctrl-K on my way"), "\(play.lines[3])")
  }

  @Test("a call for help rings as the desk was told when it was opened", arguments: [Bell.none, .audible])
  func chosenBell(bell: Bell) throws {
    let play = try Rehearsed()
    try play.startClock()
    let circuits = try play.store.read { try Circuit.all(at: play.store.clock.now, $0) }
    DeskTerminal.openDesk(try play.member("psharma"), at: .init(circuits: circuits, bell: bell), in: play.context)
    play.settle()
    if case .confirmation = play.context.overlay { play.press(.enter) }
    try play.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter, "!", "p")
    play.pass(seconds: 1)
    #expect(play.lines[3].hasPrefix(" HELP "), "\(play.screen)")
    #expect(play.effects.contains(.bell) == (bell == .audible))
  }

  @Test("a call for help rings once and stays over every page with its age until somebody is on the way")
  func help() throws {
    let play = try Rehearsed.runningDesk()
    let station = try play.atSameStore().sit("hyamamoto", at: "ABDO").press(.enter)
    station.press("!", "p")
    func bells() -> Int { play.effects.filter { $0 == .bell }.count }
    let before = bells()
    play.pass(seconds: 1).pass(seconds: 39)
    #expect(bells() == before + 1)
    for page: Key in ["1", "5", "6", "8"] {
      play.press(page)
      #expect(play.lines[3].hasPrefix(" HELP  Blue ABDO 山本 40 s \""))
      #expect(play.lines[3].hasSuffix("2 Enter on my way"))
    }
    for over: Key in ["?", .enter, ":"] {
      play.press("1", over)
      #expect(play.context.overlay != nil && play.lines[3].hasPrefix(" HELP  Blue ABDO"), "\(play.screen)")
      play.press(.escape)
    }
    play.press("2", .enter)
    #expect(play.lines[3].contains("help: Dr Ngozi Okafor on the way to Blue ABDO"))
  }

  @Test("what another desk has done is said with its name, and stands over every page")
  func announced() throws {
    let play = try Rehearsed.runningDesk()
    try play.atSameStore().desk("psharma").press("p").type("fire door\n")
    play.pass(seconds: 1)
    let name = try play.member("psharma").name
    #expect(play.lines[3].contains("last: Blue circuit: pause (fire door) · \(name) 09:0"))
    #expect(play.message.hasPrefix("\(name): Blue circuit: pause"))
  }

  @Test("what another desk does again is announced as that, and not as what undid it")
  func announcedAgain() throws {
    let play = try Rehearsed.runningDesk()
    let other = try play.atSameStore().desk("psharma").press("8", "n").type("bags outside\n")
    other.press("z", .enter)
    play.pass(seconds: 1)
    let name = try play.member("psharma").name
    #expect(play.message == "\(name): undone: message to Blue circuit \"bags outside\"")
    other.press("Z", .enter)
    play.pass(seconds: 1)
    #expect(play.message == "\(name): done again: message to Blue circuit \"bags outside\"")
    #expect(play.lines[3].hasPrefix(" last: message to Blue circuit \"bags outside\" · "), "\(play.lines[3])")
  }

  @Test("however long what was done is, who did it and when is in the line over every page")
  func authorIsNeverCut() throws {
    let play = try Rehearsed.runningDesk()
    try play.atSameStore().desk("psharma").press("p").type("the fire door at the end of the corridor was open\n")
    play.pass(seconds: 1)
    #expect(play.lines[3].contains("… · Sharma 09:0"), "\(play.lines[3])")
    #expect(play.lines[3].hasPrefix(" last: Blue circuit: pause (the fire door"))
  }

  @Test("what was done at a station is said with its circuit, where another may have a station of that code")
  func stationOfCircuit() throws {
    let play = try Rehearsed.runningDesk()
    let other = try play.atSameStore().desk("psharma").press("3", .enter).type("unwell\n")
    #expect(other.message == "Blue CHEST may go")
    play.pass(seconds: 1)
    #expect(play.message.contains(": Blue CHEST: released"))
    #expect(play.lines[3].contains("last: Blue CHEST: released · "))
    play.press("z")
    #expect(
      play.text.contains("UNDO Blue CHEST: released") && play.text.contains("assessors of Blue CHEST are called"))
    play.press(.escape)
    let chest = try play.session("CHEST", "Green circuit")
    try play.store.write(.program) { _ = try HelpCalls.request("broken phantom", at: chest, in: $0) }
    other.pass(seconds: 1).press("2", .enter)
    #expect(other.message == "Green CHEST sees that you are on your way")
    play.pass(seconds: 1)
    #expect(play.message.contains(": Green CHEST: help call answered"))
    let ngozi = try play.member("nokafor")
    try other.store.write(Author(staff: try play.member("psharma").id)) {
      try Attendance.cover(chest.timetable, by: ngozi.id, in: $0)
    }
    play.pass(seconds: 1)
    #expect(play.lines[3].contains("Green CHEST") || play.message.contains("Green CHEST: cover by"))
  }

  @Test("a large screen lists the last actions of every desk under the halls, the newest first")
  func lastActions() throws {
    let play = try Rehearsed.runningDesk()
    try play.atSameStore().desk("psharma").press("p").type("fire door\n")
    play.pass(seconds: 1)
    #expect(!play.screen.contains("LAST ACTIONS"))
    play.resize(132, 43)
    let title = try #require(play.lines.firstIndex { $0.contains("LAST ACTIONS, ANY DESK") }, "\(play.screen)")
    #expect(play.lines[title + 1].contains("Ms Pooja Sharma") && play.lines[title + 1].contains("pause (fire door)"))
    #expect(play.lines[title + 2].contains("a command") && play.lines[title + 2].contains("Blue circuit: start"))
  }

  @Test("a large screen names the assessors in full, with how far round and session have come and what is signed")
  func largeHall() throws {
    let play = try Rehearsed.runningDesk()
    play.resize(132, 43)
    #expect(play.screen.contains("Prof. Måns Lindqvist") && play.screen.contains("Sister Bethan Thomas"))
    #expect(play.lines.contains { $0.contains("ROUND 1  ▰") && $0.contains("SESSION  ▰") }, "\(play.screen)")
    play.pass(seconds: 480)
    let isWhole = { play.lines.contains { $0.contains("ROUND 1  ▰▰▰▰") && $0.contains("SIGNED 0 of 8 due") } }
    #expect(isWhole(), "\(play.screen)")
    play.resize(80, 24)
    #expect(isWhole(), "\(play.screen)")
  }

  @Test("a pause of all circuits also calls off what was set for later, and its reason is kept there too")
  func callsOff() throws {
    let play = try Rehearsed.runningDesk()
    let session = try play.session("CHEST", "Green circuit").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: session, at: play.store.clock.now + 60_000, in: $0)
    }
    let afternoon = try play.session("CHEST", "Blue circuit", "13:30").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.start, to: afternoon, at: play.store.clock.now + 600_000, in: $0)
    }
    play.send(.resumed).press("A", "p")
    #expect(play.text.contains("PAUSED Blue circuit. Reason:"))
    #expect(play.text.contains("CANCELLED: Blue circuit 13:30 start at 09:1"))
    #expect(play.text.contains(", Green circuit start at 09:0"))
    #expect(try play.read { try ClockLog.scheduled(of: afternoon, at: play.store.clock.now, in: $0) }.isEmpty)
    play.type("fire alarm\n").pass(seconds: 120)
    let log = try play.store.read { try ClockLogEntry.all(of: session, asOf: play.store.clock.now, in: $0) }
    #expect(log.map(\.event.kind.name) == ["annul", "start"] || log.map(\.event.kind.name) == ["start", "annul"])
    #expect(log.contains { $0.event.reason == "fire alarm" })
    #expect(log.allSatisfy { !$0.event.kind.isStart || $0.isApplied == false })
  }

  @Test("what two invigilators give at once is given twice only after the second has been asked again")
  func twice() throws {
    let play = try Rehearsed.runningDesk().press("+")
    let other = try play.atSameStore().desk("psharma").press("+", .enter)
    #expect(try other.log().count == 2)
    play.pass(seconds: 1).press(.enter)
    #expect(play.screen.contains("THE CLOCK HAS MOVED ON; nothing changed."))
    #expect(try play.log().count == 2)
  }

  @Test("a start names its session, and an earlier one of the day that nobody began")
  func start() throws {
    let play = try Rehearsed().desk().press("s")
    #expect(play.screen.contains("Blue circuit 2026-12-07 09:00: then READING 1"))
    play.press(.escape)
    #expect(!play.screen.contains("never started"))
    play.pass(seconds: 4 * 3600).press("o", "2", "s")
    let text = play.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("2026-12-07 13:30") && text.contains("the 09:00 session was never started"), "\(text)")
  }

  @Test("time taken away that ends the phase is titled so and needs a reason")
  func endsPhase() throws {
    let play = try Rehearsed.runningDesk().pass(seconds: 460).press("-")
    #expect(play.screen.contains("SHORTEN by 30 s, which ends this phase?"))
    play.press(.enter)
    #expect(try play.log().count == 1 && play.message.contains("a reason is required"))
    play.type("bell was late\n")
    #expect(try play.log().last?.event.reason == "bell was late")
    #expect(play.lines[0].contains("ROUND 1 of 8  CHANGEOVER"))
  }

  @Test("p at a clock that will go on by itself says when, and what calls it off; z offers what was given last")
  func goesOn() throws {
    let play = try Rehearsed.runningDesk()
    try play.clock(.pause)
    let session = try play.session("CHEST").session
    try play.store.write(.program) {
      _ = try ClockLog.append(.resume, to: session, at: play.store.clock.now + 60_000, in: $0)
    }
    play.send(.resumed).pass(seconds: 1).press("p")
    #expect(play.lines[22].hasPrefix("ALREADY PAUSED at 09:00:0"))
    #expect(play.text.contains("resumes by itself at 09:01:0"))
    #expect(play.text.contains("; z cancels that, after later actions"))
    play.press(.escape)
    #expect(play.screen.contains("WAITING") == false)
    play.press("S").type("slip\n").press("z")
    #expect(play.screen.contains("UNDO skip of 09:00:0") && !play.screen.contains("CALL OFF"))
    play.type("a slip\n").press("z")
    #expect(play.screen.contains("CALL OFF resume of 09:01:0"))
    #expect(play.text.contains("paused with") && play.text.contains("until resumed"))
    #expect(!play.text.contains("the end moves"))
    play.type("not yet\n").pass(seconds: 120)
    #expect(play.lines[1].hasPrefix(" PAUSED "))
  }

  @Test("whoever pauses a clock that stands already is asked why too: what is typed is never a command")
  func pausedAlready() throws {
    let play = try Rehearsed.runningDesk()
    let other = try play.atSameStore().desk("psharma")
    other.press("p").type("fire alarm\n")
    play.pass(seconds: 1).press("p")
    #expect(play.lines[22].hasPrefix("ALREADY PAUSED at 09:00:0"))
    #expect(play.lines[22].contains("by Ms Pooja Sharma (fire alarm). Reason:"))
    play.type("real fire\n")
    #expect(try play.log().map(\.text) == ["start", "pause"])
    #expect(try play.log().last?.event.reason == "fire alarm; real fire")
    #expect(play.lines[1].hasPrefix(" PAUSED "))
  }

  @Test("two who say at once why they paused are both kept")
  func reasonsOfTwo() throws {
    let play = try Rehearsed.runningDesk()
    let other = try play.atSameStore().desk("psharma")
    other.press("p")
    play.pass(seconds: 1).press("p")
    other.type("fire alarm\n")
    play.type("smoke at A4\n")
    #expect(try play.log().last?.event.reason == "fire alarm; smoke at A4")
  }

  @Test("p where no clock runs is answered by a box, which takes no letter for a command")
  func nothingRuns() throws {
    let play = try Rehearsed().desk().press("p")
    #expect(play.screen.contains("NOT PAUSED") && play.screen.contains("Blue circuit: not started"))
    play.type("start fire\n")
    #expect(try play.log().isEmpty)
    play.press(.escape)
    #expect(play.context.overlay == nil)
  }

  @Test("what is typed before the pause is on the disk is the beginning of its reason")
  func typedMeanwhile() throws {
    let play = try Rehearsed.runningDesk()
    (play.isHeld, play.pace) = (true, 200)
    play.press("p").type("rx").press(.backspace).type("e").press(.enter)
    play.isHeld = false
    play.settle()
    #expect(try play.log().map(\.text) == ["start", "pause"])
    #expect(play.lines[22].hasPrefix("PAUSED Blue circuit. Reason: re"))
    play.type("al\n")
    #expect(try play.log().last?.event.reason == "real")
  }
}
