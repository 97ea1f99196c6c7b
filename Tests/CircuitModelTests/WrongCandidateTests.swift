import GRDB
import Journal
import SeededNumbers
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Sheets on the wrong candidate")
struct WrongCandidateTests {
  /// Six candidates, 1001 to 1006, at station 1; the entries in the order of rounds.
  private func exam() throws -> MarkedExam {
    let candidates = (13...16).flatMap { number in
      [
        SmallExam.row(
          "Student", "\(number)", ["studentNumber": .text("10\(number - 10 < 10 ? "0" : "")\(number - 10)")]),
        SmallExam.row(
          "TimetableAttendanceLog", SmallExam.entry(number - 8),
          ["timetable": .integer(1), "student": .integer(Int64(number)), "order": .integer(Int64(number - 10))]),
      ]
    }
    return try MarkedExam(candidates)
  }

  private let entries = [1, 2, 5, 6, 7, 8].map { SmallExam.entry($0) }

  private func sheets(_ exam: MarkedExam, _ entry: String, seat: Seat = .lead) throws -> [Sheet] {
    try exam.store.read { db in
      try String.fetchAll(
        db, sql: "SELECT uuid FROM dataForm WHERE attendanceLogID = ? AND seat = ? AND dsDeleted = 0",
        arguments: [entry, seat.name]
      ).compactMap { try Sheet.read($0, in: db) }
    }
  }

  private func plan(_ exam: MarkedExam, _ kind: WrongCandidate.Kind, seat: Seat = .lead) throws -> WrongCandidate.Plan {
    try exam.store.read { try WrongCandidate.plan(kind, seat: seat, in: $0) }
  }

  @discardableResult private func apply(
    _ exam: MarkedExam, _ kind: WrongCandidate.Kind, attendance: Bool = false, lead: ExamLead? = nil,
    reason: String = "one too far"
  ) throws -> [OperationID] {
    let plan = try plan(exam, kind)
    return try exam.store.write(exam.author) {
      try WrongCandidate.apply(plan, reason: reason, movesAttendance: attendance, authorisedBy: lead, in: $0)
    }
  }

  private func text(_ exam: MarkedExam, _ sql: String) throws -> String? {
    try exam.store.read { try String.fetchOne($0, sql: sql) }
  }

  @Test("a sheet moves to a candidate whose sheet is blank, with comments, concerns, jots and feedback; nothing else")
  func move() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 3)
    try exam.store.write(exam.author) { transaction in
      try Comments.add("Unsafe", to: .candidate(entries[0]), isConcern: true, in: transaction)
      try transaction.create("Jot", "j1", ["text": .text("shook"), "attendanceLog": .text(entries[0])])
      try transaction.set("TimetableAttendanceLog", entries[0], ["feedbackAgreed": .bool(true)])
    }
    exam.test.time.pass(1000)
    try exam.store.write(exam.author) { try Comments.add("Was ill", to: .candidate(entries[1]), in: $0) }
    let plan = try plan(exam, .move(from: entries[0], to: entries[1]))
    let lines = plan.lines { $0.name }
    #expect(lines.count == 1 && lines[0].contains("1001") && lines[0].contains("1002"))
    #expect(lines[0].hasSuffix("1 mark, 1 comment, 1 concern, 1 private note"))
    let names = plan.handovers.flatMap { [$0.from, $0.to] }.compactMap(\.name)
    #expect(names.count == 2 && names.allSatisfy { lines[0].contains($0) })
    let unnamed = plan.lines { _ in nil }
    #expect(!names.contains { unnamed[0].contains($0) })
    #expect(plan.attendance.map(\.after) == [.nothing, .present])
    try apply(exam, .move(from: entries[0], to: entries[1]))
    #expect(try sheets(exam, entries[0]).isEmpty)
    let moved = try #require(try sheets(exam, entries[1]).first)
    #expect(moved.key == sheet.key && moved.items[1].rating == MarkValue(4))
    let there = try exam.store.read { try Comments.all(.candidate(entries[1]), in: $0) }
    #expect(there.map(\.text) == ["Unsafe", "Was ill"])
    #expect(there.map(\.isConcern) == [true, false])
    #expect(try text(exam, "SELECT attendanceLogID FROM jot") == entries[1])
    #expect(try exam.entry(1).isPresent == true && exam.entry(2).isPresent == nil)
    #expect(
      try text(exam, "SELECT uuid FROM timetableAttendanceLog WHERE feedbackAgreed = 1") == entries[1])
    #expect(
      try text(exam, "SELECT \(TestStore.reason) FROM operation WHERE entity = 'Jot' ORDER BY seq DESC")
        == "one too far")
  }

  @Test("the dossiers of both candidates and the export of changes say that a sheet went to another, by whom and why")
  func moveIsTold() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 3)
    try apply(exam, .move(from: entries[0], to: entries[1]), reason: "wrong row")
    let text = "moved from 1001 round 1 to 1002 round 2, Dr Davies, 09:00:00: wrong row"
    for number in ["1001", "1002"] {
      let dossier = try exam.store.read {
        try CandidateDossier.read(number, concerns: false, in: $0, at: exam.store.clock.now)
      }
      #expect(dossier.lines.joined(separator: " ").split(separator: " ").joined(separator: " ").contains(text))
      #expect(dossier.json.text.contains(text))
    }
    let row = try #require(try exam.rows(.changes).first { $0["what"] == .text("candidate") })
    #expect((row["student_number"], row["from"], row["words"]) == (.text("1002"), .text("1001 round 1"), .text(text)))
  }

  @Test("a sheet that went to another candidate on another day than its own tells the date") func movedLater() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 3)
    exam.test.time.pass(86_400_000)
    try apply(exam, .move(from: entries[0], to: entries[1]), reason: "wrong row")
    let row = try #require(try exam.rows(.changes).first { $0["what"] == .text("candidate") })
    #expect(row["words"] == .text("moved from 1001 round 1 to 1002 round 2, Dr Davies, 2026-12-08 09:00:00: wrong row"))
  }

  @Test("the export of changes tells a move, its undo and its redo apart") func moveIsUndone() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 3)
    let moved = try apply(exam, .move(from: entries[0], to: entries[1]))
    let undone = try exam.store.write(exam.author) { try $0.undo(moved) }
    try exam.store.write(exam.author) { _ = try $0.undo(undone) }
    let rows = try exam.rows(.changes).filter { $0["what"] == .text("candidate") }
    #expect(rows.map { $0["how"] } == [.text("set"), .text("undo"), .text("redo")])
    #expect(rows.map { $0["from"] } == ["1001 round 1", "1002 round 2", "1001 round 1"].map { .text($0) })
  }

  @Test("presence goes along only if it is said to, and the check of another name's card is nobody's then")
  func attendance() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 3)
    let second = try exam.entry(2)
    try exam.store.write(exam.author) { try Attendance.record(false, for: second, in: $0) }
    let checked = try exam.entry(1).identityCheckedAt
    let step = try apply(exam, .move(from: entries[0], to: entries[1]), attendance: true)
    let (first, now) = (try exam.entry(1), try exam.entry(2))
    #expect(first.isPresent == false && first.identityCheckedAt == nil)
    #expect(now.isPresent == true && now.identityCheckedAt == nil)
    try exam.store.write(exam.author) { _ = try $0.undo(step) }
    #expect(try exam.entry(1).identityCheckedAt == checked && checked != nil)
  }

  @Test("an exchange of two who are both present voids both identity checks, and undoing it brings them back")
  func checksOfExchange() throws {
    let exam = try exam()
    for number in [1, 2] { try exam.mark(exam.open(number).key, item: 1, level: 3) }
    let checked = try [1, 2].map { try exam.entry($0).identityCheckedAt }
    let swap = WrongCandidate.Kind.swap(entries[0], entries[1])
    let plan = try plan(exam, swap)
    #expect(plan.attendance.isEmpty && plan.voidsChecks && checked.allSatisfy { $0 != nil })
    let step = try apply(exam, swap)
    let after = try [1, 2].map { try exam.entry($0) }
    #expect(after.allSatisfy { $0.identityCheckedAt == nil && $0.isPresent == true })
    try exam.store.write(exam.author) { _ = try $0.undo(step) }
    #expect(try [1, 2].map { try exam.entry($0).identityCheckedAt } == checked)
  }

  @Test("an emptied entry gets a sheet of its own, the same on every machine, and goes on there")
  func freshKey() throws {
    let keys = try (0..<2).map { _ in
      let exam = try exam()
      let sheet = try exam.open(1)
      try exam.mark(sheet.key, item: 1, level: 3)
      try apply(exam, .move(from: entries[0], to: entries[1]))
      let fresh = try exam.open(1)
      #expect(fresh.key != sheet.key && fresh.entry == entries[0] && fresh.items.allSatisfy(\.isBlank))
      #expect(try exam.open(2).key == sheet.key)
      try exam.mark(fresh.key, item: 1, level: 0)
      #expect(try exam.sheet(sheet.key).items[1].rating == MarkValue(4))
      exam.test.time.pass(1000)
      try exam.mark(sheet.key, item: 0, level: 1)
      let resumed = try exam.store.read { try SheetResume.entry(timetable: 1, seat: .lead, round: 5, in: $0) }
      #expect(resumed == entries[1])
      return [fresh.key] + fresh.items.map(\.key)
    }
    #expect(keys[0] == keys[1])
  }

  @Test("what cannot be mended is refused in a line, and nothing changes")
  func refusals() throws {
    let exam = try exam()
    let marked = [try exam.open(1), try exam.open(2)]
    for sheet in marked { try exam.mark(sheet.key, item: 1, level: 2) }
    try exam.open(5)
    let before = try exam.store.lastSequence()
    let kinds: [(WrongCandidate.Kind, String)] = [
      (.move(from: entries[0], to: entries[1]), "has marks"), (.move(from: entries[2], to: entries[3]), "blank"),
      (.swap(entries[2], entries[3]), "blank"),
      (.move(from: entries[0], to: SmallExam.entry(3)), "one station session"),
      (.move(from: entries[0], to: entries[0]), "on"), (.move(from: entries[0], to: "nowhere"), "not in this store"),
      (.shift(timetable: 1, round: 1, .earlier), "fall off"), (.shift(timetable: 1, round: 2, .earlier), "in the way"),
      (.shift(timetable: 1, round: 3, .later), "blank"),
    ]
    for (kind, text) in kinds {
      let error = #expect(throws: SheetMoveRefusal.self) { try apply(exam, kind) }
      #expect(error.map { "\($0)".contains(text) } == true, "\(kind): \(String(describing: error))")
    }
    #expect(throws: SheetMoveRefusal.self) { try apply(exam, .swap(entries[0], entries[1]), reason: " \n") }
    #expect(try exam.store.lastSequence() == before)
    try exam.sign(marked[1].key)
    #expect(try plan(exam, .swap(entries[0], entries[1])).signed == ["1002"])
    let swap = WrongCandidate.Kind.swap(entries[0], entries[1])
    let error = #expect(throws: SheetMoveRefusal.self) { try apply(exam, swap) }
    #expect(error.map { "\($0)".hasPrefix("signed sheets need the lead") } == true)
  }

  @Test("a lead's word moves signed sheets; the journal names the lead, and what was signed is to be signed again")
  func signedByLead() throws {
    let exam = try exam()
    let marked = [try exam.open(1), try exam.open(2)]
    for sheet in marked { try exam.mark(sheet.key, item: 1, level: 3) }
    try exam.sign(marked[1].key)
    func lead(_ username: String, _ passcode: String) throws -> ExamLead {
      let member = try exam.store.read { try ExamLead.find(username: username, in: $0) }
      return try ExamLead.authorise(member, by: member.hasPasscode ? member.prove(passcode, in: exam.store) : nil)
    }
    #expect(throws: StaffRefusal.notLead("bmurphy")) { try lead("bmurphy", "") }
    try exam.store.write(.program) {
      try $0.set("Config", "1", ["settings": .text(#"{"roles":{"adavies":"assessor","bmurphy":"lead"}}"#)])
      try $0.set("Staff", "2", ["passcodeHash": .text(try Passcode.hash("2468", rounds: 16))])
    }
    #expect(throws: StaffRefusal.notLead("adavies")) { try lead("adavies", "") }
    #expect(throws: StaffRefusal.wrongPasscode("Murphy", wait: 0)) {
      try lead("bmurphy", "1357")
    }
    let operations = try apply(
      exam, .swap(entries[0], entries[1]), lead: try lead("bmurphy", "2468"), reason: "Badges swapped")
    let swapped = try sheets(exam, entries[0])[0]
    #expect(swapped.key == marked[1].key && !swapped.isSigned)
    #expect(try text(exam, "SELECT signedByID FROM dataForm WHERE signedAt IS NOT NULL") == nil)
    #expect(
      try text(
        exam,
        "SELECT DISTINCT \(TestStore.reason) AS why FROM operation WHERE entity = 'DataForm' AND why IS NOT NULL")
        == "Badges swapped [authorised by the lead bmurphy]")
    #expect(try text(exam, "SELECT entityID FROM operation WHERE kind = 'reopen'") == marked[1].key)
    try exam.store.write(exam.author) { _ = try $0.undo(operations) }
    #expect(try sheets(exam, entries[1])[0].key == marked[1].key)
    #expect(try sheets(exam, entries[1])[0].isSigned)
  }

  @Test("a plan that the sheets have outrun is not carried out")
  func outrun() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 2)
    let plan = try plan(exam, .move(from: entries[0], to: entries[1]))
    try exam.open(2)
    #expect(throws: SheetMoveRefusal.changedMeanwhile) {
      try exam.store.write(exam.author) {
        try WrongCandidate.apply(plan, reason: "x", movesAttendance: false, in: $0)
      }
    }
  }

  @Test("a shift moves everybody's sheet by one round, those of absent candidates too, as far as there are marks")
  func shift() throws {
    let exam = try exam()
    var keys: [Int: String] = [:]
    for (place, number) in [(0, 1), (1, 2), (3, 6)] {
      let sheet = try exam.open(number)
      keys[place] = sheet.key
      try exam.mark(sheet.key, item: 1, level: place)
    }
    try apply(exam, .shift(timetable: 1, round: 2, .later))
    #expect(try (0..<6).map { try sheets(exam, entries[$0]).first?.key } == [keys[0], nil, keys[1], nil, keys[3], nil])
    try apply(exam, .shift(timetable: 1, round: 3, .earlier))
    #expect(try (0..<6).map { try sheets(exam, entries[$0]).first?.key } == [keys[0], keys[1], nil, keys[3], nil, nil])
  }

  @Test("another seat's sheets and notes stay where they are")
  func otherSeat() throws {
    let exam = try exam()
    try exam.store.write(.program) {
      _ = try $0.create(
        "AdditionalStaff", "a1", ["timetable": .integer(1), "staff": .integer(2), "seat": .text("second")])
    }
    let (own, other) = (try exam.open(1), try exam.open(1, seat: Seat(name: "second")))
    for sheet in [own, other] { try exam.mark(sheet.key, item: 1, level: 2) }
    try exam.store.write(Author(staff: 2)) { try Comments.add("Mine", to: .candidate(entries[0]), in: $0) }
    try apply(exam, .move(from: entries[0], to: entries[1]))
    #expect(try sheets(exam, entries[0], seat: Seat(name: "second")).map(\.key) == [other.key])
    #expect(try exam.store.read { try Comments.all(.candidate(entries[0]), in: $0) }.count == 1)
  }

  @Test("what was marked for practice moves to the candidate, and the practice sheet is blank again")
  func practice() throws {
    let exam = try exam()
    let key = try exam.store.write(exam.author) { try Attendance.practiceEntry(timetable: 1, in: $0) }
    let sheet = try exam.store.write(exam.author) {
      try SheetGenerator.makeSheets(entry: key, seat: .lead, in: $0)[0]
    }
    try exam.mark(sheet, item: 1, level: 2)
    try exam.open(1)
    try apply(exam, .move(from: key, to: entries[0]))
    #expect(try sheets(exam, entries[0]).map(\.key) == [sheet])
    #expect(try sheets(exam, key).allSatisfy { $0.items.allSatisfy(\.isBlank) })
    #expect(try exam.entry(1).isPresent == true)
    #expect(throws: SheetMoveRefusal.self) { try apply(exam, .move(from: entries[0], to: key)) }
  }

  @Test("an undo is refused where the emptied entry has another sheet since")
  func undoAfterNewSheet() throws {
    let exam = try exam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 1, level: 2)
    let step = try apply(exam, .move(from: entries[0], to: entries[1]))
    try exam.open(1)
    #expect(throws: UndoRefusal.anotherSheet) { try exam.store.write(exam.author) { _ = try $0.undo(step) } }
    #expect(try sheets(exam, entries[1]).map(\.key) == [sheet.key])
  }

  @Test("whatever is moved, swapped and shifted: no mark is lost or doubled, each keeps judge and time, undo goes back")
  func property() throws {
    var undone = 0, done = 0
    for seed in Seeded.seeds(4) {
      var random = Seeded(seed: seed)
      let exam = try exam()
      let numbers = [1, 2, 5, 6, 7, 8]
      for _ in 0..<30 {
        exam.test.time.pass(1000)
        if Int.random(in: 0..<3, using: &random) == 0, let number = numbers.dropLast().randomElement(using: &random) {
          let sheet = try exam.open(number)
          let item = sheet.items[Int.random(in: 0..<2, using: &random)]
          let staff = Int.random(in: 1...2, using: &random)
          try exam.store.write(Author(staff: staff)) {
            _ = try Marking($0).mark(item, level: item.template.levels.first!)
            try Comments.add("\(staff)", to: .candidate(SmallExam.entry(number)), in: $0)
          }
          continue
        }
        let (first, second) = (entries.randomElement(using: &random)!, entries.randomElement(using: &random)!)
        let kinds: [WrongCandidate.Kind] = [
          .move(from: first, to: second), .swap(first, second),
          .shift(timetable: 1, round: Int.random(in: 1...6, using: &random), .later),
          .shift(timetable: 1, round: Int.random(in: 1...6, using: &random), .earlier),
        ]
        let kind = kinds.randomElement(using: &random)!
        let (marks, state) = (try marks(exam), try state(exam))
        let along = Bool.random(using: &random)
        guard let step = try? apply(exam, kind, attendance: along) else {
          #expect(try self.state(exam) == state, "seed \(seed)")
          continue
        }
        done += 1
        #expect(try self.marks(exam) == marks, "seed \(seed): \(kind)")
        #expect(try doubled(exam) == 0, "seed \(seed): \(kind)")
        if Bool.random(using: &random) {
          try exam.store.write(exam.author) { _ = try $0.undo(step) }
          undone += 1
          #expect(try self.state(exam) == state, "seed \(seed): \(kind)")
        }
      }
      #expect(try exam.examine().failures == [], "seed \(seed)")
    }
    #expect(done > 0 && undone > 0)
  }

  /// Every mark with its judge and time, wherever its sheet is.
  private func marks(_ exam: MarkedExam) throws -> [String] {
    try exam.store.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT q.uuid || ' ' || q.rating || ' ' || q.judgedByID || ' ' || q.markedAt || ' ' || s.dataFormID
          FROM dataQuestion q JOIN dataSection s ON s.uuid = q.dataSectionID WHERE q.rating IS NOT NULL ORDER BY 1
          """)
    }
  }

  /// Which sheet and note is where, and what the roster says.
  private func state(_ exam: MarkedExam) throws -> [String] {
    try exam.store.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT uuid || ' ' || attendanceLogID FROM dataForm
          UNION ALL SELECT uuid || ' ' || attendanceLogID FROM commentMetaStationCandidate
          UNION ALL SELECT uuid || ' ' || coalesce(present, '-') || ' ' || coalesce(identityCheckedAt, '-')
            FROM timetableAttendanceLog ORDER BY 1
          """)
    }
  }

  private func doubled(_ exam: MarkedExam) throws -> Int? {
    try exam.store.read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM (SELECT 1 FROM dataForm WHERE dsDeleted = 0
            GROUP BY attendanceLogID, typeID, seat HAVING count(*) > 1)
          """)
    }
  }
}
