import GRDB
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Absent, late and extra candidates")
struct HallAttendanceTests {
  private func presence(_ exam: HallExam, _ student: Int) throws -> [Bool?] {
    try (1...5).map { try exam.entry(student, $0).isPresent }
  }

  @Test("absent keeps the slot; what has marks stays and is listed; present takes absent back")
  func absent() throws {
    let exam = try HallExam()
    try exam.mark(101, 4)
    #expect(try exam.write { try HallAttendance.absent(101, from: 3, in: exam.session, $0) } == 2)
    #expect(try presence(exam, 101) == [nil, nil, false, true, false])
    #expect(
      try exam.store.read { try HallAttendance.absence(of: 101, from: 3, in: exam.session, $0) }.kept.map(\.round) == [
        4
      ])
    #expect(try exam.board().candidates.first?.slots == [1, 1, 1, 1, 1])
    #expect(try exam.write { try HallAttendance.absent(101, from: 3, in: exam.session, $0) } == 0)
    #expect(try exam.write { try HallAttendance.present(101, from: 4, in: exam.session, $0) } == 1)
    #expect(try presence(exam, 101) == [nil, nil, false, true, nil])
  }

  @Test("a round or a candidate that is not there is refused in a line")
  func refused() throws {
    let exam = try HallExam()
    for (student, round) in [(101, 0), (101, 6), (11, 1)] {
      #expect(throws: RosterRefusal.self) {
        try exam.write { try HallAttendance.absent(student, from: round, in: exam.session, $0) }
      }
      #expect(throws: RosterRefusal.self) {
        try exam.write { try HallAttendance.late(student, joining: round, in: exam.session, $0) }
      }
    }
  }

  @Test("a late candidate joins in the current round, and the stations missed are queued for the re-run")
  func late() throws {
    let exam = try HallExam()
    try exam.write { _ = try HallAttendance.absent(102, from: 1, in: exam.session, $0) }
    let arrival = try exam.write { try HallAttendance.late(102, joining: 4, in: exam.session, $0) }
    #expect(arrival.joined?.lateAt == exam.store.clock.now && arrival.joined?.isPresent == true)
    // Rounds 1, 2 and 3 were A2, the rest station, and A4: the rest station needs no re-run.
    #expect(arrival.missed.map(\.round) == [1, 3] && arrival.missed.map(\.rerunRound) == [1, 2])
    #expect(try presence(exam, 102) == [false, false, false, true, nil])
    #expect(try exam.queue().map(\.reason) == ["late: joined in round 4", "late: joined in round 4"])
  }

  @Test("a round that a late candidate has marks in was not missed")
  func lateWithMarks() throws {
    let exam = try HallExam()
    try exam.mark(102, 1)
    let arrival = try exam.write { try HallAttendance.late(102, joining: 4, in: exam.session, $0) }
    #expect(arrival.missed.map(\.round) == [3])
    #expect(try presence(exam, 102) == [true, false, false, true, nil])
  }

  @Test("nobody whom an assessor has seen is made absent, by an absence or by a lateness")
  func seen() throws {
    let exam = try HallExam()
    // The identity step was passed in round 1, and nothing is marked; in round 3 the station recorded presence.
    let first = try exam.entry(102, 1)
    _ = try exam.write { try Attendance.passIdentityStep(entry: first, seat: .lead, in: $0) }
    let third = try exam.entry(102, 3)
    try exam.atStation { try Attendance.record(true, for: third, in: $0) }
    #expect(
      try exam.store.read { try AttendancePreview.absent(102, from: 1, in: exam.session, $0) }
        == "ABSENT at A3, A5, A1; seen at A2, A4, which stays as it is.")
    #expect(try exam.write { try HallAttendance.absent(102, from: 1, in: exam.session, $0) } == 3)
    #expect(try presence(exam, 102) == [true, false, true, false, false])
    let arrival = try exam.write { try HallAttendance.late(102, joining: 5, in: exam.session, $0) }
    #expect(arrival.missed.map(\.round) == [4])
    #expect(try presence(exam, 102) == [true, false, true, false, true])
  }

  @Test("somebody whom the assessor saw before the desk heard of it came late when they were seen")
  func seenLate() throws {
    let exam = try HallExam()
    let entry = try exam.entry(102, 3)
    _ = try exam.write { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0) }
    let came = exam.store.clock.now
    exam.test.time.pass(90_000)
    let arrival = try exam.write { try HallAttendance.late(102, joining: 3, in: exam.session, $0) }
    #expect(arrival.joined?.lateAt == came && arrival.joined?.isPresent == true)
  }

  @Test(
    "what a station recorded is told, with who and when, before the desk takes it back; so is what the desk recorded")
  func whoRecorded() throws {
    let exam = try HallExam()
    let first = try exam.entry(102, 1)
    try exam.atStation { try Attendance.record(false, for: first, in: $0) }
    func note(_ round: Int) throws -> AttendanceSource? {
      let entry = try exam.entry(102, round)
      return try exam.store.read { try AttendanceSource.read(entry, in: $0) }
    }
    #expect(try note(1)?.text == "by Dr Davies at the station, 09:00" && note(2) == nil)
    #expect(
      try exam.store.read { try AttendancePreview.late(102, joining: 1, in: exam.session, $0) }
        == "LATE: joins in round 1 at A2. Recorded absent there by Dr Davies at the station, 09:00: that is undone."
    )
    try exam.write { _ = try HallAttendance.absent(102, from: 2, in: exam.session, $0) }
    #expect(
      try exam.store.read { try AttendancePreview.present(102, from: 1, in: exam.session, $0) }
        == "HERE: no longer absent at A2, A3, A4, A5, A1, recorded absent at A2 by Dr Davies at the station, 09:00.")
    #expect(try note(2)?.text == "by Dr Davies at the desk, 09:00")
  }

  @Test("lateness is taken back with what came of it: the absences before, the queue, and a presence that nobody saw")
  func notLate() throws {
    let exam = try HallExam()
    _ = try exam.write { try HallAttendance.late(102, joining: 4, in: exam.session, $0) }
    try exam.write { _ = try HallAttendance.notLate(102, in: exam.session, $0) }
    #expect(try presence(exam, 102) == [nil, nil, nil, nil, nil])
    #expect(try exam.entry(102, 4).lateAt == nil)
    #expect(try exam.queue().map(\.status) == [.withdrawn, .withdrawn])
    #expect(throws: RosterRefusal.notLate("102")) {
      try exam.write { try HallAttendance.notLate(102, in: exam.session, $0) }
    }
    _ = try exam.write { try HallAttendance.late(102, joining: 4, in: exam.session, $0) }
    try exam.mark(102, 4)
    try exam.write { _ = try HallAttendance.notLate(102, in: exam.session, $0) }
    #expect(try presence(exam, 102) == [nil, nil, nil, true, nil])
  }

  @Test("the undo of a lateness leaves a candidate present whom an assessor has seen since, and so does its redo")
  func lateUndone() throws {
    let exam = try HallExam()
    let desk = try exam.store.write(exam.author) { transaction in
      let member = try StaffMember.active(transaction.db).first { $0.id == 1 }!
      return try SignIn.begin(member, timetable: nil, device: exam.store.device, in: transaction)
    }
    let author = desk.author(at: exam.store.clock)
    func late() throws {
      try exam.store.write(author) { _ = try HallAttendance.late(102, joining: 4, in: exam.session, $0) }
    }
    func takeBack() throws {
      let action = try #require(try exam.store.read { try HallActions.newest(in: $0) })
      try exam.store.write(author) { try action.takeBack($0) }
    }
    try late()
    try takeBack()
    #expect(try presence(exam, 102) == [nil, nil, nil, nil, nil])
    try late()
    let sheet = try exam.mark(102, 4)
    try takeBack()
    #expect(try presence(exam, 102) == [nil, nil, nil, true, nil])
    let entry = try exam.entry(102, 4)
    #expect(entry.lateAt == nil && entry.identityCheckedAt != nil && entry.sheets.map(\.key) == [sheet])
    let again = try #require(try exam.store.read { try HallActions.lastUndone(in: $0) })
    try exam.store.write(author) { try again.takeBack($0) }
    #expect(try exam.entry(102, 4).isPresent == true && exam.entry(102, 4).lateAt != nil)
  }

  @Test("a lateness that is taken back, or undone, leaves a candidate present of whom marks were typed from paper")
  func lateOnPaper() throws {
    let exam = try HallExam()
    try exam.write { _ = try HallAttendance.late(102, joining: 4, in: exam.session, $0) }
    let sheet = try exam.mark(102, 4)
    try exam.store.write(.program) {
      try $0.set("TimetableAttendanceLog", exam.entry(102, 4).key, ["identityCheckedAt": .null])
    }
    try exam.write { _ = try HallAttendance.notLate(102, in: exam.session, $0) }
    let entry = try exam.entry(102, 4)
    #expect(entry.isPresent == true && entry.lateAt == nil && entry.sheets.map(\.key) == [sheet])
  }

  @Test("any station of a candidate is queued by hand and taken out again; a signed one says so")
  func byHand() throws {
    let exam = try HallExam()
    try exam.mark(102, 1, sign: true)
    try exam.mark(102, 3)
    try exam.write { _ = try HallAttendance.absent(102, from: 4, in: exam.session, $0) }
    func choices() throws -> [RerunChoice] {
      try exam.store.read { try RerunQueue.choices(102, in: exam.session, $0) }
    }
    #expect(try choices().map(\.station.stationCode) == ["A2", "A4", "A5", "A1"])
    #expect(try choices().map(\.text) == ["signed", "has marks", "absent", "absent"])
    #expect(try choices().map { $0.isMissed(by: 4) } == [false, false, true, false])
    for choice in try choices().dropFirst() {
      try exam.write { _ = try RerunQueue.add(entry: choice.entry.key, reason: "by hand", $0) }
    }
    #expect(try choices().map(\.isQueued) == [false, true, true, true])
    #expect(try choices()[1].text == "queued, re-run round 1")
    let queued = try choices()[1].item!
    try exam.write { try RerunQueue.withdraw(queued.key, $0) }
    #expect(try choices()[1].text == "has marks")
  }

  @Test("a candidate for whom no slot is free is examined in the re-run alone")
  func rerunOnly() throws {
    let exam = try HallExam()
    let newcomer = Newcomer.new(number: "999", forename: "Zoë", surname: "Late")
    let keys = try exam.write { try ExtraCandidates.addToRerun(newcomer, in: exam.session, $0) }
    #expect(keys.count == 4)
    #expect(try exam.queue().map(\.station.stationCode) == ["A1", "A2", "A4", "A5"])
    #expect(try exam.queue().map(\.entry.round) == [nil, nil, nil, nil] && exam.board().rounds == 5)
    #expect(throws: CandidateRefusal.numberInUse("999")) {
      try exam.write { try ExtraCandidates.addToRerun(newcomer, in: exam.session, $0) }
    }
  }

  @Test("a slot is free where no roster has an entry, absent candidates counted as there")
  func free() throws {
    let exam = try HallExam()
    #expect(ExtraCandidates.freeSlots(try exam.board(), from: 2) == [4])
    try exam.write { _ = try HallAttendance.absent(102, from: 1, in: exam.session, $0) }
    #expect(ExtraCandidates.freeSlots(try exam.board(), from: 1) == [4])
    #expect(ExtraCandidates.freeSlots(try exam.board(), from: 0) == [])
    #expect(ExtraCandidates.freeSlots(try exam.board(), from: 6) == [])
  }

  @Test("a newcomer takes a free slot: one entry a station, the earlier ones queued, the running clock untouched")
  func extra() throws {
    let exam = try HallExam()
    try exam.clock(.start, at: 0)
    let before = try exam.state(at: 100).state
    let newcomer = Newcomer.new(number: " 999 ", forename: "Zoë", surname: "Late")
    let keys = try exam.write { try ExtraCandidates.add(newcomer, slot: 4, from: 3, in: exam.session, $0) }
    #expect(try exam.state(at: 100).state == before)
    #expect(keys.count == 5)
    let person = try #require(try exam.board().candidates.first { $0.candidate.number == "999" })
    #expect(person.isAdditional && person.candidate.name == "Zoë Late" && person.candidate.id < 0)
    #expect(
      try (1...5).map { try exam.board().entries(station: [24, 25, 21, 22, 23][$0 - 1], round: $0).count } == [
        1, 1, 1, 1, 1,
      ])
    #expect(try presence(exam, person.candidate.id) == [false, false, nil, nil, nil])
    #expect(try exam.queue().map(\.station.stationCode) == ["A4", "A5"] && exam.queue().map(\.place) == [1, 2])
    let rows = try exam.store.read {
      try Int.fetchOne(
        $0, sql: "SELECT count(*) FROM timetableAttendanceLog WHERE additional = 1 AND addedInApp = 1")
    }
    #expect(rows == 5)
    #expect(ExtraCandidates.freeSlots(try exam.board(), from: 3) == [])
  }

  @Test("who has changed slots is not added with the entry at which another comes now")
  func extraAfterSwap() throws {
    let exam = try HallExam()
    let keys = try exam.write {
      try ExtraCandidates.add(
        .new(number: "999", forename: "Zoë", surname: "Late"), slot: 4, from: 3, in: exam.session, $0)
    }
    let student = try #require(try exam.board().candidates.first { $0.candidate.number == "999" }).candidate.id
    let key = keys[3]
    let entry = try exam.store.read { try Roster.entry(key, seat: .lead, in: $0)! }
    let timetable = try exam.store.read {
      try Int.fetchOne($0, sql: "SELECT timetableID FROM timetableAttendanceLog WHERE uuid = ?", arguments: [key])!
    }
    try exam.write { try SlotChanges.swap(student, 101, from: 4, in: exam.session, $0) }
    func comes() throws -> Int? { try exam.store.read { try Roster.entry(key, seat: .lead, in: $0)?.candidate?.id } }
    #expect(entry.round == 4 && entry.candidate?.id == student)
    #expect(try comes() == 101)
    for round in [nil, 1] {
      #expect(throws: RosterRefusal.self, "\(round ?? 0)") {
        try exam.write { try AdditionalCandidate.add(number: "999", timetable: timetable, round: round, in: $0) }
      }
    }
    #expect(try comes() == 101)
  }

  @Test("an entry that was taken off comes back with the round that it is added for, and with none where there is none")
  func backWithoutRound() throws {
    let exam = try HallExam()
    let key = try exam.write {
      try AdditionalCandidate.add(number: "999", names: ["Zoë", "Late"], timetable: 21, round: 3, in: $0)
    }
    try exam.write { try AdditionalCandidate.takeOff(key, in: $0) }
    let student = try #require(
      try exam.store.read { try Int.fetchOne($0, sql: "SELECT dsid FROM user WHERE studentNumber = '999'") })
    let keys = try exam.write { try ExtraCandidates.addToRerun(.known(student), in: exam.session, $0) }
    #expect(keys.contains(key))
    let entry = try exam.store.read { try Roster.entry(key, seat: .lead, in: $0)! }
    #expect(entry.round == nil && entry.isPresent == false && entry.rerunRound != nil)
  }

  @Test("where an earlier round of the slot was somebody else's, the missed station has only the re-run's round")
  func extraAfterSomebody() throws {
    let exam = try HallExam()
    try exam.write { transaction in
      for round in 3...5 {
        try transaction.delete("TimetableAttendanceLog", DerivedKeys.key("Test", "101", "\(round)"))
      }
    }
    let keys = try exam.write { try ExtraCandidates.add(.known(11), slot: 1, from: 3, in: exam.session, $0) }
    let entries = try keys.map { key in try exam.store.read { try Roster.entry(key, seat: .lead, in: $0)! } }
    #expect(entries.map(\.round) == [nil, nil, 3, 4, 5] && entries.map(\.rerunRound) == [1, 2, nil, nil, nil])
    #expect(try exam.board().entries(station: 21, round: 1).map { $0.candidate?.id } == [101])
  }

  @Test("is refused in a slot that is not free, for somebody who comes already, and for a number in use")
  func extraRefused() throws {
    let exam = try HallExam()
    let before = try exam.store.lastSequence()
    func refusal(_ newcomer: Newcomer, _ slot: Int) -> String {
      let error = #expect(throws: (any Error).self) {
        try exam.write { try ExtraCandidates.add(newcomer, slot: slot, from: 2, in: exam.session, $0) }
      }
      return error.map { "\($0)" } ?? ""
    }
    #expect(refusal(.known(11), 1).contains("free: 4") && refusal(.known(11), 9).contains("free: 4"))
    #expect(refusal(.known(101), 4).contains("already") && refusal(.known(1), 4).contains("no candidate"))
    #expect(refusal(.new(number: "1001", forename: "", surname: "A"), 4).contains("in use"))
    #expect(refusal(.new(number: "  ", forename: "", surname: "A"), 4).contains("number"))
    #expect(refusal(.new(number: "5", forename: "", surname: " "), 4).contains("surname"))
    #expect(try exam.store.lastSequence() == before)
  }

  @Test("the same newcomer at two terminals is the same row; a taken key is passed over")
  func newcomerKey() throws {
    let keys = try [0, 1].map { taken in
      let exam = try HallExam()
      let derived = DerivedKeys.student(number: "999")
      if taken == 1 {
        try exam.write { _ = try $0.create("Staff", String(derived), ["surname": .text("Other")]) }
      }
      try exam.write {
        try ExtraCandidates.add(
          .new(number: "999", forename: "", surname: "Late"), slot: 4, from: 5, in: exam.session, $0)
      }
      return try exam.board().candidates.first { $0.isAdditional }!.candidate.id - derived
    }
    #expect(keys == [0, -1])
    for number in ["1", "999", "é"] { #expect((-0x8000_0000 ... -1).contains(DerivedKeys.student(number: number))) }
  }

  @Test("extra time is absorbed by a gap, or where neither the candidate nor the station is needed next")
  func adjustments() throws {
    let exam = try HallExam()
    let phases = try exam.store.read { try exam.session.plannedPhases($0) }
    func fit(_ student: Int, _ seconds: Int, _ round: Int) throws -> AdjustmentFit {
      try exam.write { try $0.set("Student", "\(student)", ["extraStationSeconds": .integer(Int64(seconds))]) }
      let board = try exam.board()
      let place = board.places(of: student).first { $0.round == round }!
      return AdjustmentFit.of(
        place.entry.candidate!, at: place.timetable, round: round, board: board, phases: phases)
    }
    #expect(try fit(101, 0, 1) == .none)
    #expect(try fit(101, 60, 1) == .absorbed(by: .gap([.changeover], seconds: 60), seconds: 60))
    #expect(try fit(101, 120, 1) == .late(seconds: 60))
    // 105 goes to the rest station after A2, and slot 4 is empty: nobody waits for A2.
    #expect(try fit(105, 120, 3) == .absorbed(by: .restStation("A3"), seconds: 120))
    // 102 goes to the rest station too, but 101 comes to A2 next.
    #expect(try fit(102, 120, 1) == .late(seconds: 60))
    #expect(try fit(102, 120, 5) == .absorbed(by: .lastRound, seconds: 120))
    #expect(
      try exam.entry(102, 1).candidate?.stopsAt == "stop at +2:00" && exam.entry(103, 1).candidate?.stopsAt == nil)
  }
}
