import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("At the station")
struct StationTests {
  private func comments(_ exam: MarkedExam, _ level: CommentLevel) throws -> [CircuitModel.Comment] {
    try exam.store.read { try Comments.all(level, in: $0) }
  }

  @Test("what is written of one candidate is never recorded for another who comes in the place since")
  func otherCandidate() throws {
    let exam = try HallExam()
    let (seen, first) = (try exam.entry(101, 2), try exam.entry(101, 1))
    let (level, before) = (CommentLevel.candidate(seen.key), CommentLevel.candidate(first.key))
    let key = try exam.write { try Comments.add("calm", to: before, shown: first, in: $0) }
    try exam.swap(101, 102, 2)
    let changes: [(JournalTransaction) throws -> Void] = [
      { try Comments.add("unsafe", to: level, shown: seen, isConcern: true, in: $0) },
      { try Comments.edit(key, at: level, shown: seen, text: "rude", in: $0) },
      { try Comments.set(concern: true, on: key, at: level, shown: seen, in: $0) },
      { try Comments.set(visibleToCandidate: true, on: key, at: level, shown: seen, in: $0) },
    ]
    for change in changes { #expect(throws: RosterRefusal.slotsChanged) { try exam.write(change) } }
    // Nor is a comment changed that has gone to another's place with its sheet.
    let now = try exam.entry(102, 2)
    #expect(throws: RosterRefusal.slotsChanged) {
      try exam.write { try Comments.edit(key, at: level, shown: now, text: "rude", in: $0) }
    }
    try exam.write { try Comments.edit(key, at: before, shown: first, text: "very calm", in: $0) }
    #expect(try exam.store.read { try Comments.all(before, in: $0) }.map(\.text) == ["very calm"])
    #expect(try exam.store.read { try Comments.all(level, in: $0) }.isEmpty)
  }

  @Test(
    "a comment whose text is emptied is in no list and no export; a concern stays in both",
    arguments: [CommentLevel.circuit(1), .station(1), .candidate(SmallExam.entry(1))])
  func emptied(_ level: CommentLevel) throws {
    let exam = try MarkedExam()
    let exported = try exam.rows(.comments).count
    let key = try exam.store.write(exam.author) { try Comments.add("Text", to: level, in: $0) }
    #expect(try comments(exam, level).count == 1 && exam.rows(.comments).count == exported + 1)
    try exam.store.write(exam.author) { try Comments.edit(key, at: level, text: " ", in: $0) }
    #expect(try comments(exam, level).isEmpty && exam.rows(.comments).count == exported)
    let noted = try exam.store.read {
      try Bool.fetchOne(
        $0, sql: "SELECT \(UsedEntry.hasNotes) FROM timetableAttendanceLog e WHERE e.uuid = ?",
        arguments: [SmallExam.entry(1)])
    }
    #expect(noted == false, "nothing that nobody can find binds a candidate to the place")
    try exam.store.write(exam.author) { _ = try Comments.set(concern: true, on: key, at: level, in: $0) }
    #expect(try comments(exam, level).count == 1 && exam.rows(.comments).count == exported + 1)
  }

  @Test(
    "a concern is raised and taken back at every level, and only the author changes a comment",
    arguments: [CommentLevel.circuit(1), .station(1), .candidate(SmallExam.entry(1))])
  func concerns(_ level: CommentLevel) throws {
    let exam = try MarkedExam()
    let key = try exam.store.write(exam.author) { try Comments.add("Text", to: level, in: $0) }
    try exam.store.write(Author(staff: 2)) { _ = try Comments.set(concern: true, on: key, at: level, in: $0) }
    #expect(try comments(exam, level)[0].isConcern)
    let others: [(JournalTransaction) throws -> Void] = [
      { _ = try Comments.set(concern: false, on: key, at: level, in: $0) },
      { try Comments.edit(key, at: level, text: "Other", in: $0) },
      { _ = try Comments.set(visibleToCandidate: true, on: key, at: level, in: $0) },
    ]
    for change in others {
      #expect(throws: CommentRefusal.self) { try exam.store.write(Author(staff: 2)) { try change($0) } }
    }
    try exam.store.write(exam.author) {
      _ = try Comments.set(concern: false, on: key, at: level, in: $0)
      try Comments.edit(key, at: level, text: "New", in: $0)
    }
    #expect(try comments(exam, level).map(\.text) == ["New"])
    #expect(try !comments(exam, level)[0].isConcern)
  }

  @Test("a comment on a candidate may be shown to the candidate; no other may")
  func visible() throws {
    let exam = try MarkedExam()
    let level = CommentLevel.candidate(SmallExam.entry(1))
    let key = try exam.store.write(exam.author) {
      try Comments.add("Shown", to: level, isVisibleToCandidate: true, in: $0)
    }
    #expect(try comments(exam, level)[0].isVisibleToCandidate == true)
    try exam.store.write(exam.author) { _ = try Comments.set(visibleToCandidate: false, on: key, at: level, in: $0) }
    #expect(try comments(exam, level)[0].isVisibleToCandidate == false)
    let other = try exam.store.write(exam.author) { try Comments.add("Station", to: .station(1), in: $0) }
    #expect(throws: CommentRefusal.self) {
      try exam.store.write(exam.author) {
        _ = try Comments.set(visibleToCandidate: true, on: other, at: .station(1), in: $0)
      }
    }
  }

  @Test("general comments go to a person in a category, and their writer may change them")
  func general() throws {
    let exam = try MarkedExam([SmallExam.row("CommentGroup", "1", ["name": .text("Conduct")])])
    #expect(try exam.store.read { try GeneralComments.categories(in: $0) }.map(\.name) == ["Conduct"])
    let key = try exam.store.write(exam.author) {
      try GeneralComments.add("Polite", to: 11, category: 1, in: $0).key
    }
    try exam.store.write(Author(staff: 2)) { _ = try GeneralComments.add("Late", to: 11, category: nil, in: $0) }
    let refused: [(Author, (JournalTransaction) throws -> Void)] = [
      (Author(staff: 2), { _ = try GeneralComments.edit(key, text: "x", in: $0) }),
      (exam.author, { _ = try GeneralComments.add(" ", to: 11, category: 1, in: $0) }),
      (exam.author, { _ = try GeneralComments.add("x", to: 999, category: 1, in: $0) }),
      (exam.author, { _ = try GeneralComments.add("x", to: 11, category: 9, in: $0) }),
    ]
    for (author, change) in refused {
      #expect(throws: CommentRefusal.self) { try exam.store.write(author) { try change($0) } }
    }
    try exam.store.write(exam.author) { _ = try GeneralComments.edit(key, text: "Very polite", in: $0) }
    let all = try exam.store.read { try GeneralComments.all(to: 11, in: $0) }
    #expect(all.map(\.text) == ["Very polite", "Late"] && all.map(\.category) == ["Conduct", nil])
    #expect(try exam.store.read { try GeneralComments.all(to: 11, by: 2, in: $0) }.map(\.text) == ["Late"])
  }

  @Test("phrases are read by category, those of none first, also where they are a plain list")
  func phrases() throws {
    func read(_ settings: String) throws -> [Phrases.Group] {
      let exam = try MarkedExam([
        SmallExam.row("Config", "1", ["timeZone": .text("Europe/London"), "settings": .text(settings)]),
        SmallExam.row("CommentGroup", "1", ["name": .text("Z")]),
        SmallExam.row("CommentGroup", "2", ["name": .text("A")]),
      ])
      return try exam.store.read { try Phrases.read($0) }
    }
    let grouped = try read(#"{"phrases":{"A":["a"],"Z":["z1","z2"],"":["any"],"E":[]}}"#)
    #expect(grouped.map(\.name) == ["", "Z", "A"] && grouped[1].texts == ["z1", "z2"])
    #expect(try read(#"{"phrases":["one","two"]}"#) == [Phrases.Group(name: "", texts: ["one", "two"])])
    #expect(Phrases.groups(json: #"{"phrases":7}"#).isEmpty)
    #expect(Phrases.groups(json: "no JSON").isEmpty)
  }

  @Test("feedback is received, then agreed, then the candidate is signed out; each can be taken back")
  func signOut() throws {
    let exam = try MarkedExam([
      SmallExam.row(
        "ActivityType", "1",
        [
          "name": .text("History"), "code": .text("H"), "clinicGroup": .integer(1), "order": .integer(1),
          "requiresStudentSignout": .bool(true),
        ])
    ])
    let entry = SmallExam.entry(1)
    func missing() throws -> [String] {
      try exam.store.read { db in
        try SignOut.read(entry: entry, in: db)!.missing(at: StationSession.find(1, in: db)).map(\.lack)
      }
    }
    #expect(try missing() == ["feedback not given", "feedback not agreed", "not signed out"])
    #expect(throws: RosterRefusal.feedbackNotReceived) {
      try exam.store.write(exam.author) { _ = try SignOut.record(feedbackAgreed: true, entry: entry, in: $0) }
    }
    try exam.store.write(exam.author) {
      try SignOut.record(feedbackReceived: true, entry: entry, in: $0)
      try SignOut.record(feedbackAgreed: true, entry: entry, in: $0)
      try SignOut.record(signedOut: true, entry: entry, in: $0)
      try SignOut.note(identity: "badge of another year", entry: entry, in: $0)
      try SignOut.record(late: true, entry: entry, in: $0)
    }
    #expect(try missing().isEmpty)
    let state = try exam.store.read { try SignOut.read(entry: entry, in: $0) }
    #expect(state?.identityNote == "badge of another year" && state?.feedbackReceivedAt == exam.store.clock.now)
    #expect(try exam.entry(1).isPresent == true && exam.entry(1).lateAt == exam.store.clock.now)
    try exam.store.write(exam.author) {
      try SignOut.record(feedbackReceived: false, entry: entry, in: $0)
      try SignOut.note(identity: " ", entry: entry, in: $0)
    }
    #expect(try missing() == ["feedback not given", "feedback not agreed"])
    #expect(try exam.store.read { try SignOut.read(entry: entry, in: $0) }?.identityNote == nil)
  }

  @Test("what did not fit at the identity step is counted with who and where, told in the ledger, and exported last")
  func identityNotes() throws {
    let exam = try MarkedExam()
    try exam.store.write(exam.author) {
      try SignOut.note(identity: "badge of another year", entry: SmallExam.entry(1), in: $0)
      let practice = try Attendance.practiceEntry(timetable: 1, in: $0)
      try SignOut.note(identity: "only tried", entry: practice, in: $0)
    }
    let (candidate, place) = try exam.store.read { db in
      (try Roster.entry(SmallExam.entry(1), seat: .lead, in: db)?.candidate, try StationSession.find(1, in: db))
    }
    let (student, session) = (try #require(candidate), place.session)
    let notes = try exam.status().identityNotes
    #expect(notes.map(\.text) == ["badge of another year"] && notes.first?.number == student.number)
    #expect(try exam.status().json.text.contains(#""note":"badge of another year"}]"#))
    let (ledger, board) = try exam.store.read { db in
      (
        try CandidateLedger.read(student.id, session: session, at: exam.store.clock.now, in: db),
        try HallBoard.read(session, in: db)
      )
    }
    #expect(ledger.text().joined(separator: " ").contains("The identity did not match: badge of another year."))
    #expect(board.identityNotes(on: student.id) == ["\(place.stationCode): badge of another year"])
    var rows: [[ExportCell]] = []
    try exam.store.read { try AttendanceExport.forEachRow(in: $0) { rows.append($0) } }
    #expect(AttendanceExport.columns.last == "identity_note")
    #expect(rows.filter { $0.last == .text("badge of another year") }.count == 1)
    #expect(rows.allSatisfy { $0.count == AttendanceExport.columns.count })
  }

  @Test("a candidate is added at the station, known or new, the same row on every machine")
  func additional() throws {
    let keys = try (0..<2).map { _ in
      let exam = try MarkedExam([
        SmallExam.row(
          "TimetableAttendanceLog", SmallExam.entry(9), SmallExam.place(timetable: 2, student: 11, round: 3))
      ])
      let key = try exam.store.write(exam.author) {
        try AdditionalCandidate.add(number: " 9001 ", names: ["New"], timetable: 1, round: 3, in: $0)
      }
      let entry = try exam.store.read { try Roster.entry(key, seat: .lead, in: $0) }
      #expect(entry?.candidate?.number == "9001" && entry?.candidate?.name == "New" && entry?.round == 3)
      #expect(
        try exam.store.read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM timetableAttendanceLog WHERE addedInApp AND additional")
        } == 1)
      #expect(try exam.examine().failures == [])
      return [key, "\(entry?.candidate?.id ?? 0)"]
    }
    #expect(keys[0] == keys[1])
  }

  @Test("a newcomer at the station passes over a key that another row has; a number is one in either case")
  func newcomerBesideTakenKey() throws {
    let exam = try MarkedExam()
    let taken = DerivedKeys.student(number: "a9001")
    let key = try exam.store.write(exam.author) {
      _ = try $0.create("Staff", String(taken), ["surname": .text("Other")])
      return try AdditionalCandidate.add(number: "a9001", names: ["Ann", "New"], timetable: 1, round: nil, in: $0)
    }
    let candidate = try #require(try exam.store.read { try Roster.entry(key, seat: .lead, in: $0) }?.candidate)
    #expect(candidate.number == "a9001" && candidate.id == taken - 1)
    let known = try exam.store.read { try CandidateNumber.holders(" A9001", in: $0) }
    #expect(known == [candidate.id])
  }

  @Test("a candidate who was removed from the exam and comes to the station is brought back")
  func removedCandidateComes() throws {
    let exam = try MarkedExam([
      SmallExam.row("Student", "13", ["studentNumber": .text("1003"), "surname": .text("Li")])
    ])
    let key = try exam.store.write(exam.author) {
      _ = try $0.delete("Student", "13")
      return try AdditionalCandidate.add(number: "1003", timetable: 1, round: nil, in: $0)
    }
    let candidate = try exam.store.read { try Roster.entry(key, seat: .lead, in: $0) }?.candidate
    #expect(candidate?.id == 13 && candidate?.name == "Li")
  }

  @Test("nobody is added twice, into a taken round, to a rest station, or without a number")
  func notAdditional() throws {
    let exam = try MarkedExam([
      SmallExam.row("Student", "13", ["studentNumber": .text("1003"), "surname": .text("Li")])
    ])
    for (number, timetable, round) in [
      ("1001", 1, 5), ("1003", 1, 2), ("1003", 2, 3), (" ", 1, 3), ("1003", 1, 0), ("1003", 99, 3),
      ("1003", 1, 3), ("1003", 1, Int.max),
    ] {
      #expect(throws: (any Error).self, "\(number) at \(timetable) in \(round)") {
        try exam.store.write(exam.author) {
          _ = try AdditionalCandidate.add(number: number, timetable: timetable, round: round, in: $0)
        }
      }
    }
    try exam.store.write(exam.author) {
      _ = try AdditionalCandidate.add(number: "1003", timetable: 1, round: nil, in: $0)
    }
    let roster = try exam.store.read { try Roster.entries(timetable: 1, seat: .lead, in: $0) }
    #expect(roster.contains { $0.candidate?.id == 13 && $0.round == nil })
  }

  @Test("who was added by mistake is taken off while nothing is recorded, and can be added again")
  func takenOff() throws {
    let exam = try MarkedExam([
      SmallExam.row("Student", "13", ["studentNumber": .text("1003"), "surname": .text("Li")])
    ])
    func add() throws -> String {
      try exam.store.write(exam.author) {
        try AdditionalCandidate.add(number: "1003", timetable: 1, round: nil, in: $0)
      }
    }
    func isThere() throws -> Bool {
      try exam.store.read { try Roster.entries(timetable: 1, seat: .lead, in: $0) }.contains { $0.candidate?.id == 13 }
    }
    func takeOff(_ key: String) throws {
      try exam.store.write(exam.author) { try AdditionalCandidate.takeOff(key, in: $0) }
    }
    let key = try add()
    try takeOff(key)
    #expect(try !isThere())
    #expect(try add() == key && isThere())
    let entry = try #require(try exam.store.read { try Roster.entry(key, seat: .lead, in: $0) })
    try exam.store.write(exam.author) { try Attendance.record(true, for: entry, in: $0) }
    #expect(throws: RosterRefusal.recorded) { try takeOff(key) }
    #expect(throws: RosterRefusal.recorded) { try takeOff(SmallExam.entry(1)) }
    #expect(try isThere() && exam.examine().failures == [])
  }

  @Test("an exam says what its stations ask; what makes no sense is as if unwritten")
  func rules() throws {
    func read(_ settings: String?) throws -> StationRules {
      let exam = try MarkedExam([
        SmallExam.row(
          "Config", "1", ["timeZone": .text("Europe/London"), "settings": settings.map { .text($0) } ?? .null])
      ])
      return try exam.store.read { try ExamSettings.read($0) }.stations
    }
    #expect(try read(nil) == StationRules(showsNames: true, identityDigits: 0, idleLockMinutes: 0))
    let rules = try read(#"{"showNames":false,"identityDigits":2,"idleLockMinutes":10}"#)
    #expect(rules == StationRules(showsNames: false, identityDigits: 2, idleLockMinutes: 10))
    #expect(StationRules(json: #"{"identityDigits":7,"idleLockMinutes":-1}"#) == StationRules())
    #expect(StationRules(json: #"{"idleLockMinutes":9223372036854775807}"#).idleLockMinutes == 10_080)
    #expect(rules.accepts(typed: "42", number: "A10042") && !rules.accepts(typed: "24", number: "A10042"))
    #expect(rules.accepts(typed: "7", number: "X7") && rules.accepts(typed: "", number: "X"))
    #expect(StationRules().accepts(typed: "", number: "1001"))
  }
}
