import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("What the hall asks and is told", .serialized) struct HallTests {
  private let other = Author(staff: 2)

  private func call(_ exam: MarkedExam, _ text: String = "please come", station: Int = 1) throws {
    let place = try exam.store.read { db in try StationSession.find(station, in: db) }
    _ = try exam.store.write(exam.author) { try HelpCalls.request(text, at: place, in: $0) }
  }

  private func open(_ exam: MarkedExam) throws -> [HelpCall] { try exam.store.read { try HelpCalls.open(in: $0) } }

  @Test("a call is open until it is resolved, with who answered and when") func helpCall() throws {
    let exam = try MarkedExam()
    try call(exam)
    let asked = try #require(try open(exam).first)
    #expect((asked.circuit, asked.circuitName, asked.stationCode) == (1, "Blue", "H"))
    #expect((asked.caller, asked.status, asked.responder) == ("Dr Davies", .requested, nil))
    #expect(asked.requestedAt == exam.store.clock.now)
    exam.test.time.pass(30_000)
    try exam.store.write(other) { try HelpCalls.respond(asked, $0) }
    let taken = try #require(try open(exam).first)
    #expect((taken.status, taken.responder) == (.responding, "Murphy"))
    #expect(taken.respondedAt == exam.store.clock.now)
    exam.test.time.pass(60_000)
    try exam.store.write(other) { try HelpCalls.resolve(taken, $0) }
    #expect(try open(exam).isEmpty)
    let last = try #require(try exam.store.read { try HelpCalls.latest(station: 1, in: $0) })
    #expect((last.status, last.responder, last.resolvedAt) == (.resolved, "Murphy", exam.store.clock.now))
    #expect(try exam.examine().failures == [])
  }

  @Test("calls stand oldest first, and a station's latest is its own") func helpCallOrder() throws {
    let exam = try MarkedExam()
    for (text, station) in [("one", 2), ("two", 1), ("three", 2)] {
      try call(exam, text, station: station)
      exam.test.time.pass(1000)
    }
    #expect(try open(exam).map(\.text) == ["one", "two", "three"])
    #expect(try exam.store.read { try HelpCalls.latest(station: 1, in: $0) }?.text == "two")
    #expect(try exam.store.read { try HelpCalls.latest(station: 9, in: $0) } == nil)
  }

  @Test("a call that somebody else has taken or resolved is refused with who and when, and nothing is written")
  func helpCallRefused() throws {
    let exam = try MarkedExam()
    try call(exam)
    let shown = try open(exam)[0]
    try exam.store.write(other) { try HelpCalls.respond(shown, $0) }
    let before = try exam.store.lastSequence()
    for act in [HelpCalls.respond, HelpCalls.resolve] {
      let error = #expect(throws: HelpCallRefusal.self) { try exam.store.write(exam.author) { try act(shown, $0) } }
      #expect(error?.description == "Murphy took the call from H at 09:00:00")
    }
    try exam.store.write(other) { try HelpCalls.respond(shown, $0) }
    #expect(try exam.store.lastSequence() == before)
    // Who sees that it is taken may still close it; who went there stays recorded.
    let taken = try open(exam)[0]
    try exam.store.write(exam.author) { try HelpCalls.resolve(taken, $0) }
    let resolved = try exam.store.read { try HelpCalls.all(in: $0) }[0]
    #expect((resolved.status, resolved.responder) == (.resolved, "Murphy"))
    let error = #expect(throws: HelpCallRefusal.self) {
      try exam.store.write(exam.author) { try HelpCalls.resolve(taken, $0) }
    }
    #expect(error?.description == "the call from H was resolved at 09:00:00; Murphy answered it")
    #expect(try exam.store.read { db in try StatusReport.read(db).forks } == 0)
  }

  @Test("an incident has happened: a time to come is refused, reported or amended") func incidentToCome() throws {
    let exam = try MarkedExam()
    let now = exam.store.clock.now
    let error = IncidentRefusal.future(now + 1000)
    #expect(throws: error) {
      try exam.store.write(exam.author) {
        try Incidents.report(.other, at: 1, secondsLost: nil, text: "", time: now + 1000, $0)
      }
    }
    let key = try exam.store.write(exam.author) {
      try Incidents.report(.other, at: 1, secondsLost: nil, text: "", time: now, $0)
    }
    #expect(throws: error) { try exam.store.write(exam.author) { try Incidents.amend(key, time: now + 1000, $0) } }
    try exam.store.write(exam.author) { try Incidents.amend(key, time: now + -1000, $0) }
    #expect(try exam.store.read { try Incidents.all(of: exam.session, in: $0) }.map(\.time) == [now + -1000])
  }

  @Test("an incident is reported, amended and withdrawn; its history stays") func incident() throws {
    let exam = try MarkedExam()
    func all() throws -> [Incident] { try exam.store.read { try Incidents.all(of: exam.session, in: $0) } }
    let key = try exam.store.write(exam.author) {
      try Incidents.report(.equipment, at: 1, secondsLost: nil, text: "no thermometer", $0)
    }
    let first = try #require(try all().first)
    #expect((first.stationCode, first.kind, first.secondsLost) == ("H", .equipment, nil))
    #expect((first.text, first.reporter, first.time) == ("no thermometer", "Dr Davies", exam.store.clock.now))
    try exam.store.write(exam.author) { try Incidents.amend(key, secondsLost: 90, $0) }
    #expect(try all().first?.secondsLost == 90)
    for wrong in [-1, 86_401] {
      #expect(throws: IncidentRefusal.self) {
        try exam.store.write(exam.author) { try Incidents.amend(key, secondsLost: wrong, $0) }
      }
    }
    try exam.store.write(exam.author) { try Incidents.withdraw(key, $0) }
    #expect(try all().isEmpty)
    #expect(throws: IncidentRefusal.withdrawn) {
      try exam.store.write(exam.author) { try Incidents.amend(key, secondsLost: 1, $0) }
    }
    #expect(throws: IncidentRefusal.unknown("none")) {
      try exam.store.write(exam.author) { try Incidents.withdraw("none", $0) }
    }
    #expect(try exam.examine().failures == [])
  }

  @Test("a message is shown to whom it is for until it is withdrawn") func message() throws {
    let exam = try MarkedExam()
    func shown(_ circuit: Int?, _ station: Int?) throws -> [String] {
      try exam.store.read { try HallMessages.shown(circuit: circuit, station: station, in: $0).map(\.text) }
    }
    try exam.store.write(exam.author) { transaction in
      try HallMessages.send("  please\nhold ", circuit: nil, station: nil, transaction)
      try HallMessages.send("circuit", circuit: 1, station: nil, transaction)
      try HallMessages.send("station", circuit: nil, station: 1, transaction)
    }
    let all = try exam.store.read { try HallMessages.shown(circuit: nil, station: nil, in: $0) }
    #expect(Set(all.map(\.text)) == ["please hold", "circuit", "station"])
    let own = try #require(all.first { $0.text == "station" })
    #expect((own.circuit, own.station, own.stationCode, own.sender) == (1, 1, "H", "Dr Davies"))
    #expect(Set(try shown(1, nil)) == ["please hold", "circuit", "station"])
    #expect(Set(try shown(1, 1)) == ["please hold", "circuit", "station"])
    #expect(Set(try shown(1, 2)) == ["please hold", "circuit"])
    try exam.store.write(exam.author) { try HallMessages.send("rest", circuit: 1, station: 2, $0) }
    #expect(Set(try shown(1, 1)) == ["please hold", "circuit", "station"])
    #expect(Set(try shown(1, 2)) == ["please hold", "circuit", "rest"])
    #expect(try shown(2, nil) == ["please hold"])
    try exam.store.write(exam.author) { try HallMessages.withdraw(own.key, $0) }
    #expect(Set(try shown(1, 1)) == ["please hold", "circuit"])
    for wrong in ["", " \n", String(repeating: "x", count: 201)] {
      #expect(throws: MessageRefusal.self) {
        try exam.store.write(exam.author) { try HallMessages.send(wrong, circuit: nil, station: nil, $0) }
      }
    }
    #expect(throws: MessageRefusal.unknownStation(1, circuit: 2)) {
      try exam.store.write(exam.author) { try HallMessages.send("x", circuit: 2, station: 1, $0) }
    }
    #expect(try exam.examine().failures == [])
  }

  @Test("a station is clear when no required item is blank and every expected sheet is signed") func clearance() throws
  {
    let exam = try MarkedExam()
    func read() throws -> [StationClearance] {
      try exam.store.read { try StationClearance.read(exam.session, in: $0) }
    }
    let before = try read()
    #expect(before.map(\.station.stationCode) == ["H", "R"])
    #expect(before.map(\.open.isEmpty) == [false, true])
    #expect(before[0].open.map { "\($0.number) \($0.round ?? 0) \($0.items)" } == ["1001 1 2", "1002 2 2"])
    #expect(before[0].open.map(\.isStarted) == [false, false])
    let absent = try exam.entry(2)
    // A sheet that was begun before its candidate was recorded absent holds nobody up.
    let begun = try exam.open(2)
    try exam.mark(begun.key, item: 0, level: 1)
    try exam.store.write(exam.author) {
      try $0.set("TimetableAttendanceLog", absent.key, ["present": .bool(false)])
    }
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    #expect(try read()[0].open.map(\.items) == [1])
    try exam.mark(sheet.key, item: 1, level: 0)
    #expect(try read()[0].open.map { [$0.items > 0, $0.isStarted, $0.isSigned] } == [[false, true, false]])
    try exam.sign(sheet.key)
    #expect(try read()[0].open.isEmpty)
  }

  @Test("where candidates sign out, who is here and has not is missing in every report, after all else of them")
  func signOut() throws {
    let exam = try MarkedExam()
    try exam.store.write(.program) { try $0.set("ActivityType", "1", ["requiresStudentSignout": .bool(true)]) }
    func missing() throws -> [String] {
      try exam.store.read { db in
        var lines: [String] = []
        try MissingMark.forEach(in: db, at: exam.store.clock.now) {
          guard $0.sheet.entry.number == "1001" else { return }
          if case .signOut(let step) = $0.kind { lines.append(step.lack) } else { lines.append($0.kind.word) }
        }
        return lines
      }
    }
    func clear() throws -> [String] {
      let clearance = try exam.store.read { try StationClearance.read(exam.session, in: $0) }[0]
      return ClearanceLines(clearance, at: .on(round: 1, joining: 1), Excuses()).missing
    }
    #expect(try missing() == ["sheet"])
    let entry = try exam.entry(1)
    let key = try exam.store.write(exam.author) {
      try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)[0]
    }
    let steps = ["feedback not given", "feedback not agreed", "not signed out"]
    #expect(try missing() == ["item", "item", "signature"] + steps)
    for item in 0..<2 { try exam.mark(key, item: item, level: 1) }
    try exam.sign(key)
    #expect(try missing() == steps && clear() == ["round 1 1001: signed, not signed out"])
    try exam.store.write(exam.author) {
      try SignOut.record(feedbackReceived: true, entry: entry.key, in: $0)
      try SignOut.record(signedOut: true, entry: entry.key, in: $0)
    }
    #expect(try missing() == [steps[1]] && clear() == ["round 1 1001: signed, feedback not agreed"])
    try exam.store.write(exam.author) { try SignOut.record(feedbackAgreed: true, entry: entry.key, in: $0) }
    #expect(try missing().isEmpty && clear().isEmpty)
  }

  @Test("where a station has several forms, each line names its own, and blanks are those of the same sheet")
  func forms() throws {
    let exam = try MarkedExam([
      SmallExam.row("TypeForm", "2", ["name": .text("Ethics sheet"), "code": .text("E")]),
      SmallExam.row("SectionToForm", "2", ["section": .integer(1), "form": .integer(2), "order": .integer(1)]),
      SmallExam.row(
        "AvailableForm", "2", ["typeForm": .integer(2), "activityType": .integer(1), "order": .integer(2)]),
    ])
    func missing() throws -> [String] {
      let clearance = try exam.store.read { try StationClearance.read(exam.session, in: $0) }[0]
      return ClearanceLines(clearance, at: .on(round: 1, joining: 1), Excuses()).missing
    }
    #expect(try missing() == ["round 1 1001 (History sheet): no sheet", "round 1 1001 (Ethics sheet): no sheet"])
    let entry = try exam.entry(1)
    let keys = try exam.store.write(exam.author) { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0) }
    for key in keys where try exam.sheet(key).template.form == 1 {
      try exam.mark(key, item: 0, level: 1)
      try exam.mark(key, item: 1, level: 1)
    }
    #expect(
      try missing()
        == ["round 1 1001 (History sheet): not signed", "round 1 1001 (Ethics sheet): 2 blank, not signed"])
    for key in keys where try exam.sheet(key).template.form == 2 { try exam.sign(key) }
    #expect(
      try missing() == ["round 1 1001 (History sheet): not signed", "round 1 1001 (Ethics sheet): signed, 2 blank"])
    try exam.store.write(.program) { try $0.set("ActivityType", "1", ["forms": .text("one")]) }
    let second = try exam.store.read { try StationClearance.read(exam.session, in: $0) }[0].open.last
    #expect(second?.number == "1002" && second?.form == nil)
  }

  @Test("a station is released once, and the release can be taken back") func release() throws {
    let exam = try MarkedExam()
    func read() throws -> StationClearance {
      try exam.store.read { try StationClearance.read(exam.session, in: $0) }[0]
    }
    try exam.store.write(exam.author) { try StationClearance.release(timetable: 1, $0) }
    let released = try read()
    #expect(released.releasedAt == exam.store.clock.now && released.releasedBy == "Dr Davies")
    let error = #expect(throws: ClearanceRefusal.self) {
      try exam.store.write(other) { try StationClearance.release(timetable: 1, $0) }
    }
    #expect(error?.description == "H was released by Dr Davies at 09:00:00")
    try exam.store.write(other) { try StationClearance.takeBack(timetable: 1, $0) }
    let back = try read()
    #expect(back.releasedAt == nil && back.releasedBy == nil)
    #expect(throws: ClearanceRefusal.notReleased("H")) {
      try exam.store.write(other) { try StationClearance.takeBack(timetable: 1, $0) }
    }
    #expect(throws: RosterRefusal.unknownStationSession(99)) {
      try exam.store.write(other) { try StationClearance.release(timetable: 99, $0) }
    }
  }
}
