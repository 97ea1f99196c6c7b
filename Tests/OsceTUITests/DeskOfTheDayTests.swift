import Terminal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// What else the day asks of the desk: times to come, extra time, somebody who is late, a station that fails, cover.
@MainActor @Suite("The day at the desk")
struct DeskOfTheDayTests {
  @Test("@ starts at a time to come, and lets a paused clock go on at one; another time of day is refused in place")
  func later() throws {
    let play = try Rehearsed().desk().press("@").type("soon\n")
    #expect(play.screen.contains("enter a time to come, as 10:45"))
    play.press("ctrl-u").type("+2\n")
    #expect(play.text.contains("START AT 09:02:00?"))
    play.press(.enter).pass(seconds: 60)
    #expect(play.lines[0].contains("NOT STARTED") && play.text.contains("STARTS IN 01:00"))
    play.pass(seconds: 61)
    #expect(play.lines[0].contains("ROUND 1 of 8  READING"))
    play.press("p", .escape).press("@").type("09:10\n")
    #expect(play.text.contains("RESUME AT 09:10:00?"))
    play.press(.enter).pass(seconds: 420)
    #expect(play.lines[0].contains("PAUSED"))
    play.pass(seconds: 60)
    #expect(!play.lines[0].contains("PAUSED"))
  }

  @Test("@ sets the start of the next round while a round is on, and the round begins then") func laterRound() throws {
    let play = try Rehearsed.runningDesk().press("@").type("09:10\n")
    #expect(play.text.contains("START AT 09:10:00?"), "\(play.screen)")
    play.press(.enter)
    #expect(try play.log().last?.text == "start")
    play.pass(seconds: 9 * 60)
    #expect(play.text.contains("STARTS IN"), "\(play.screen)")
    play.pass(seconds: 61)
    #expect(play.lines[0].contains("ROUND 2 of 8  READING"), "\(play.screen)")
  }

  @Test("@ sets no start within a phase, and names no passage") func withinPhase() throws {
    let play = try Rehearsed.runningDesk().press("@").type("+1\n")
    #expect(play.message.contains("nothing to start: the clock is running"), "\(play.message)")
  }

  @Test("extra time is given on the day, in minutes or percent, and z takes nothing else back with it")
  func extraTime() throws {
    let play = try Rehearsed.runningDesk().press("6", "x").type("25%\n")
    #expect(play.text.contains("2 minutes more at each station and 15 seconds more of reading"))
    play.type("told at the door\n")
    #expect(try play.count("SELECT extraStationSeconds FROM user WHERE studentNumber = '30101'") == 120)
    play.press("1")
    #expect(play.lines[6].contains("30101 Abara +2:00"))
    play.press("x").type("0\n").type("a mistake\n")
    #expect(try play.count("SELECT extraStationSeconds FROM user WHERE studentNumber = '30101'") == 0)
  }

  @Test("after the bell the desk counts a candidate with extra time down, and START says who is still in the room")
  func stopsIn() throws {
    let play = try Rehearsed.runningDesk().press("x").type("2\n").type("told at the door\n")
    play.pass(seconds: 465 + 8)
    #expect(play.lines[6].contains("stops in 1:52"), "\(play.screen)")
    // The next round waits to be started, and somebody else is shown at the station.
    play.pass(seconds: 60).press("s")
    #expect(play.text.contains("START? 30101 at CHEST has 0:52 left."), "\(play.screen)")
    play.press(.escape)
    #expect(play.lines[6].contains("30101 stops in 0:52"))
  }

  @Test("extra time goes down by the second at the desk while the next round waits to be started")
  func stopsWhileWaiting() throws {
    let play = try Rehearsed.runningDesk().press("x").type("2\n").type("told at the door\n")
    play.pass(seconds: 465 + 8 + 60)
    #expect(play.lines[0].contains("WAITING"), "\(play.screen)")
    for left in ["0:51", "0:50", "0:49"] {
      let before = play.effects.count
      play.pass(seconds: 1)
      #expect(play.lines[6].contains("30101 stops in \(left)"), "\(play.screen)")
      #expect(!play.effects[before...].contains(.unchanged), "the frame at \(left) is not drawn")
      // Nothing else that the desk shows changes every second here.
      let asked = try #require((play.context.screen as? DeskScreen)?.deadline)
      #expect(asked <= play.context.monotonic() + 1000, "the desk does not ask to be woken for it")
    }
  }

  @Test("who comes within the last seconds of a round is offered the next one")
  func lateInTheLastSeconds() throws {
    let play = try Rehearsed.runningDesk().press("6", "a")
    #expect(!play.screen.contains("joins in round 2"))
    play.press(.escape).pass(seconds: 420).press("a")
    #expect(play.screen.contains("late: joins in round 1") && play.screen.contains("late: joins in round 2"))
    play.press("T", .enter)
    #expect(play.message.contains("30101 joins in round 2; 1 missed station waits"))
  }

  @Test("a station that is out of order this round is an incident, and its candidate is queued for the re-run")
  func outOfOrder() throws {
    let play = try Rehearsed.runningDesk()
    let station = try play.atSameStore().sit("nokafor", at: "CHEST")
    play.press("O")
    #expect(play.text.contains("CHEST is OUT OF ORDER in round 1") && play.text.contains("30101"))
    play.type("no power\n")
    #expect(play.screen.contains("Re-run:1") && play.text.contains("RE-RUN 1 queued"))
    #expect(try play.count("SELECT count(*) FROM stationIncident WHERE dsDeleted = 0") == 1)
    play.pass(seconds: 100)
    #expect(play.lines[6].contains("OUT OF ORDER") && !play.screen.contains("CHEST silent"), "\(play.screen)")
    station.pass(seconds: 1)
    #expect(station.screen.contains("out of order this round: 30101 comes in the re-run"), "\(station.screen)")
    #expect(station.lines[1].hasPrefix(" RE-RUN 1"), "\(station.screen)")
    play.press("z")
    #expect(play.text.contains("UNDO Blue CHEST: out of order, re-run queue: 30101"), "\(play.screen)")
    #expect(play.text.contains("30101 leaves the re-run queue, and the incident is withdrawn"), "\(play.screen)")
    play.press(.enter)
    station.pass(seconds: 1)
    #expect(!station.screen.contains("out of order this round"))
    #expect(try play.count("SELECT count(*) FROM rerunEntry WHERE status = 'queued'") == 0)
    #expect(try play.count("SELECT count(*) FROM stationIncident WHERE dsDeleted = 0") == 0)
  }

  @Test("a sheet that the re-run owes says so, and nothing of it is missed when it is left")
  func queuedSheet() throws {
    let play = try Rehearsed.runningDesk()
    let station = try play.atSameStore().sit("nokafor", at: "CHEST").press(.enter, "1")
    #expect(station.lines[1].hasPrefix(" IN THE ROOM"))
    play.press("O").type("no power\n")
    station.pass(seconds: 1)
    #expect(station.lines[1].hasPrefix(" RE-RUN 1"), "\(station.screen)")
    station.press(">")
    #expect(!station.message.contains("blank"), "\(station.message)")
  }

  @Test("somebody absent is not queued for the re-run by a station that is out of order")
  func outOfOrderAbsent() throws {
    let play = try Rehearsed.runningDesk().press("6", "a", "a", .enter, "1", "O")
    #expect(play.text.contains("CHEST is OUT OF ORDER in round 1") && play.text.contains("Nobody is there."))
    play.type("no power\n")
    #expect(try play.count("SELECT count(*) FROM stationIncident WHERE dsDeleted = 0") == 1)
    #expect(try play.count("SELECT count(*) FROM rerunEntry") == 0)
  }

  @Test("between two rounds the desk asks in which of them a station is out of order")
  func outOfOrderBetweenRounds() throws {
    let play = try Rehearsed.runningDesk()
    try play.clock(.jump(index: 3))
    play.pass(seconds: 1).press("O")
    #expect(play.text.contains("round 1 is over, round 2 is"), "\(play.screen)")
    #expect(play.text.contains("n round 2: 30108 Mr Joseph Farrell"), "\(play.screen)")
    play.press("n")
    #expect(play.text.contains("CHEST is OUT OF ORDER in round 2") && play.text.contains("30108"))
    play.type("no power\n")
    #expect(
      try play.count(
        """
        SELECT count(*) FROM rerunEntry r JOIN timetableAttendanceLog e ON e.uuid = r.attendanceLogID
        JOIN user u ON u.dsid = e.studentID WHERE u.studentNumber = '30108' AND r.status = 'queued'
        """) == 1)
  }

  @Test("the log begins with what was last, and only what the keys act on has a pointer")
  func latestFirst() throws {
    let play = try Rehearsed.runningDesk()
    play.press("p").type("spill\n").pass(seconds: 1).press("5")
    #expect(play.lines[6].contains("PAUSE") && play.lines[6].contains("spill"), "\(play.screen)")
    try play.startClock("Green circuit")
    play.send(.resumed).resize(132, 60)
    play.press("1").pass(seconds: 2)
    #expect(play.screen.contains("Green circuit\n"), "\(play.screen)")
    #expect(play.lines.count { $0.hasPrefix("▸ CHEST") } == 1, "\(play.screen)")
  }

  @Test("cover is given at the desk by a surname, and z takes it back")
  func cover() throws {
    let play = try Rehearsed.runningDesk().press("c").type("nobodyatall\n")
    #expect(play.screen.contains("nobody of the staff is called nobodyatall"))
    play.press("ctrl-u").type("psharma\n").type("ill\n")
    #expect(try play.session("CHEST").lead?.role == .cover)
    play.press("z")
    #expect(play.text.contains("UNDO Blue CHEST: cover by"))
    play.press(.enter)
    #expect(try play.session("CHEST").lead?.role == .assessor)
  }

  @Test("a message can go to one station alone, from its line or by its code")
  func oneStation() throws {
    let play = try Rehearsed.runningDesk().press("8", "t").type("abdo\n").type("Two minutes, please\n")
    let abdo = try play.session("ABDO").station
    #expect(try play.store.read { try HallMessages.shown(circuit: nil, station: nil, in: $0) }.map(\.station) == [abdo])
  }

  @Test(
    "an extra candidate of another session is named with circuit, station and round before Enter, and by nobody else's name"
  )
  func extraFromElsewhere() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit")
    let chest = try play.session("CHEST", "Green circuit")
    let who = try play.store.read { db in
      try HallBoard.read(chest.session, in: db).entries(station: chest.timetable, round: 1).first!.candidate!
    }
    play.send(.resumed).press("6", "n").type("\(who.number)\n")
    #expect(
      play.text.contains(
        "\(who.number) \(who.name) IS BEING EXAMINED ON Green circuit 09:00, at CHEST in round 1."), "\(play.screen)")
    play.press(.escape, "n").type("\(who.number) Ada Lovelace\n")
    #expect(play.message.contains("number \(who.number) \(who.name) is not Ada Lovelace"), "\(play.message)")
    try play.clock(.stop, "Green circuit")
    play.press(.escape, "n").type("\(who.number)\n")
    #expect(play.text.contains("\(who.name) WAS ON Green circuit 09:00."), "\(play.screen)")
  }

  @Test("a candidate whom another session has in its re-run queue alone is not said to be examined there")
  func extraOfRerunAlone() throws {
    let play = try Rehearsed.runningDesk()
    try play.startClock("Green circuit")
    play.send(.resumed).press("6", "n").type("40001 Ada Lovelace\n").press(.enter)
    play.press(.tab, "n").type("40001\n").press(.enter)
    #expect(
      play.text.contains("40001 Ada Lovelace IS IN THE RE-RUN QUEUE OF Blue circuit 09:00."), "\(play.screen)")
  }

  @Test("a swap with oneself is refused where the other's number is asked for")
  func swapWithOneself() throws {
    let play = try Rehearsed.runningDesk().press("6", "w").type("30101\n")
    #expect(play.message == "a candidate cannot change places with themselves", "\(play.screen)")
    #expect(play.lines[22].hasPrefix("Swap 30101 with"), "\(play.lines[22])")
    play.press("ctrl-u").type("30102\n")
    #expect(play.lines[22].hasPrefix("From round"))
  }

  @Test("in the grid a candidate's extra time is a figure, wherever they are now")
  func extraInGrid() throws {
    let play = try Rehearsed.runningDesk().press("6", "x").type("25%\n").type("told at the door\n")
    #expect(play.lines[6].contains("30101") && play.lines[6].contains("+2:00"), "\(play.lines[6])")
    let rest = try #require(play.lines.firstIndex { $0.contains("30105") })
    for _ in 6..<rest { play.press("j") }
    play.press("x").type("25%\n").type("told at the door\n")
    #expect(play.lines[rest].hasSuffix(" +2:00"), "\(play.lines[rest])")
  }

  @Test("nobody joins late in a round that was cut, and no sheet of it is due")
  func lateWhereRoundsWereCut() throws {
    let play = try Rehearsed.runningDesk()
    try play.clock(.rounds(1))
    play.pass(seconds: 420).press("6", "a")
    #expect(play.screen.contains("late: joins in round 1") && !play.screen.contains("joins in round 2"))
    let student = try play.count("SELECT dsid FROM user WHERE studentNumber = '30101'")
    let session = try play.session("CHEST").session
    #expect(throws: JoiningRefusal.past(round: 2)) {
      try play.store.write(.program) { transaction in
        try SessionStage.check(joining: 2, of: session, transaction)
        _ = try HallAttendance.late(student, joining: 2, in: session, transaction)
      }
    }
    play.press(.escape, "1").pass(seconds: 900)
    #expect(play.lines[0].contains("FINISHED") && play.text.contains("SIGNED 0 of 8 due"), "\(play.screen)")
  }

  @Test("what is set for later is said to be set, with its time; the desk and the stations count down to a resume")
  func setForLater() throws {
    let play = try Rehearsed().desk().press("@").type("+2\n").press(.enter)
    #expect(play.message.hasPrefix("START set for 09:02:00: "), "\(play.message)")
    play.pass(seconds: 1)
    #expect(play.lines[3].contains("start set for 09:02:00"), "\(play.screen)")
    #expect(play.lines[1].contains("STARTS IN 01:59"), "\(play.screen)")
    play.pass(seconds: 120)
    let station = try play.atSameStore().sit("nokafor", at: "CHEST")
    play.press("p").type("fire door\n").press("@").type("+1\n").press(.enter)
    play.pass(seconds: 5)
    #expect(play.lines[1].contains("RESUMES IN 00:55") && play.lines[1].contains("fire door"), "\(play.screen)")
    station.pass(seconds: 1)
    #expect(station.lines[1].contains("RESUMES 09:0"), "\(station.screen)")
    play.pass(seconds: 57)
    #expect(!play.lines[1].contains("fire door") && !play.lines[1].contains("RESUMES"), "a pause ends with its text")
  }

  @Test("start and resume stand in the footer at 80 columns while they are what is needed")
  func footer() throws {
    let play = try Rehearsed().desk()
    #expect(play.lines[23].contains("s start") && play.lines[23].contains("P pause all"))
    play.press("s", .enter).pass(seconds: 70)
    #expect(!play.lines[23].contains("s start") && !play.lines[23].contains("r resume"))
    play.press("p", .escape)
    #expect(play.lines[23].contains("r resume"))
  }
}
