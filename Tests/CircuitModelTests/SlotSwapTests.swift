import GRDB
import Journal
import SeededNumbers
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Changes of slots")
struct SlotSwapTests {
  private func refusal(_ exam: HallExam, _ first: Int, _ second: Int, _ round: Int) throws -> String {
    let before = try exam.store.lastSequence()
    let error = #expect(throws: (any Error).self) { try exam.swap(first, second, round) }
    let preview = #expect(throws: (any Error).self) {
      try exam.store.read { try SlotChanges.preview(first, second, from: round, in: exam.session, in: $0) }
    }
    #expect(error.map { "\($0)" } == preview.map { "\($0)" })
    #expect(try exam.store.lastSequence() == before)
    return error.map { "\($0)" } ?? ""
  }

  @Test("the board says who is where: slots, empty places and candidates by slot")
  func board() throws {
    let exam = try HallExam()
    let board = try exam.board()
    #expect(board.rounds == 5 && board.stations.map(\.stationCode) == ["A1", "A2", "A3", "A4", "A5"])
    #expect(try exam.who(1, 1) == [101] && exam.who(4, 1) == [] && exam.who(2, 4) == [])
    for round in 1...5 {
      for station in board.stations {
        let slot = board.slot(station: station.timetable, round: round)
        #expect(board.timetable(slot: slot, round: round) == station.timetable)
      }
    }
    #expect(board.slot(station: 21, round: 1) == 1 && board.slot(station: 21, round: 2) == 5)
    #expect(board.candidates.map(\.candidate.id) == [101, 102, 103, 105])
    #expect(board.candidates.map(\.slots) == [1, 2, 3, 5].map { Array(repeating: $0, count: 5) })
  }

  @Test("a cancelled station keeps its place in the ring, so that no slot moves")
  func cancelled() throws {
    let exam = try HallExam()
    try exam.write { try $0.set("Timetable", "22", ["cancelled": .bool(true)]) }
    let board = try exam.board()
    #expect(board.stations.map(\.stationCode) == ["A1", "A3", "A4", "A5"])
    #expect(board.slot(station: 23, round: 2) == 2 && board.slot(station: 99, round: 1) == 0)
    #expect(board.candidates.map(\.slots) == [1, 2, 3, 5].map { Array(repeating: $0, count: 5) })
  }

  @Test("what is cancelled is listed in the order of the ring, each station with its own assessors")
  func cancelledInOrder() throws {
    let exam = try HallExam()
    let second = try exam.addSecondAssessor().seat
    try exam.write { transaction in
      for key in ["21", "22"] { try transaction.set("Timetable", key, ["cancelled": .bool(true)]) }
      try transaction.set("ActivityType", "21", ["order": .integer(9)])
    }
    let cancelled = try exam.store.read { try StationSession.cancelled(in: $0) }
    #expect(cancelled.map(\.stationCode) == ["A2", "A1"])
    #expect(cancelled.map { $0.assessors.map(\.seat) } == [[.lead], [.lead, second]])
    #expect(try exam.store.read { try StationSession.all(in: $0).contains { $0.timetable == 21 } } == false)
  }

  @Test("from its round on each comes wherever the other would have come, and earlier rounds stay")
  func swap() throws {
    let exam = try HallExam()
    _ = try exam.swap(101, 103, 3)
    let people = try exam.board().candidates
    #expect(people.first { $0.candidate.id == 101 }?.slots == [1, 1, 3, 3, 3])
    #expect(people.first { $0.candidate.id == 103 }?.slots == [3, 3, 1, 1, 1])
    #expect(people.first { $0.candidate.id == 102 }?.slots == [2, 2, 2, 2, 2])
    let count = try exam.store.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM operation WHERE entity = 'SlotTable'")
    }
    #expect(count == 1)
  }

  private func lines(_ swap: SlotSwap) -> [String] {
    swap.repeated.map { "\($0.candidate.number) meets \($0.stations.joined(separator: ", ")) twice" }
      + swap.missed.map { "\($0.candidate.number) misses \($0.stations.joined(separator: ", "))" }
  }

  @Test("it is said beforehand and afterwards what each meets twice and misses, rest stations left out")
  func consequences() throws {
    let exam = try HallExam()
    let preview = try exam.store.read { try SlotChanges.preview(101, 103, from: 3, in: exam.session, in: $0) }
    let swap = try exam.swap(101, 103, 3)
    #expect(lines(preview) == lines(swap))
    // 101 was at A1, A2 and goes on at A5, A1, A2; 103 was at the rest station and A4 and goes on there.
    #expect(
      lines(swap) == ["101 meets A1, A2 twice", "103 meets A4 twice", "101 misses A4", "103 misses A1, A2"])
    #expect(try lines(exam.swap(101, 103, 3)) == [])
  }

  /// The open lines about candidates who never come to a station, of the session of the exam.
  private func missed(_ exam: HallExam) throws -> [ClosingReport.Line] {
    let report = try exam.store.read {
      try ClosingReport.read(Diagnosis(), Diagnosis(), in: $0, at: exam.store.clock.now)
    }
    return try #require(report.checks.first { $0.code == .missedStation }).open.filter { $0.circuit == "Green" }
  }

  /// The results in one line.
  private func results(_ exam: HallExam) throws -> String {
    try exam.store.read { try ResultsReport.read(.init(), in: $0, at: exam.store.clock.now) }.lines
      .joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  private func places(_ lines: [ClosingReport.Line]) -> [String] {
    lines.map { "\($0.station ?? "") \($0.candidate ?? ""): \($0.what)" }
  }

  @Test("closing lists who never comes to a station after it, until that is waived or excused, or they change back")
  func closing() throws {
    let exam = try HallExam()
    #expect(try missed(exam).isEmpty)
    try exam.swap(101, 103, 3)
    let lines = try missed(exam)
    #expect(places(lines) == ["A1 103", "A2 103", "A4 101"].map { "\($0): never comes to this station" })
    #expect(lines.allSatisfy { $0.session == exam.session.name })
    let lead = try exam.store.appoint("bmurphy")
    try exam.write { transaction in
      try Rulings.waive(
        check: ClosingReport.Code.missedStation.rawValue, line: lines[0].id,
        on: .init(station: lines[0].station, candidate: lines[0].candidate), signing: nil, for: nil,
        reason: "accepted by the board", by: lead, transaction)
      try Rulings.make(
        .excuse, on: .init(station: "A2", candidate: "103"), reason: "fire alarm", by: lead, transaction)
    }
    #expect(try places(missed(exam)) == ["A4 101: never comes to this station"])
    try exam.swap(101, 103, 3)
    #expect(try missed(exam).isEmpty)
  }

  @Test("closing lists the other stations of a candidate who was added at one alone, and none of an extra candidate")
  func addedAtOne() throws {
    let exam = try HallExam()
    let newcomer = Newcomer.new(number: "998", forename: "Zoë", surname: "Late")
    try exam.write { transaction in
      try ExtraCandidates.add(newcomer, slot: 4, from: 3, in: exam.session, transaction)
      try AdditionalCandidate.add(number: "999", names: ["Ann", "Late"], timetable: 22, round: nil, in: transaction)
    }
    #expect(try missed(exam).map { "\($0.station ?? "") \($0.candidate ?? "")" } == ["A1 999", "A4 999", "A5 999"])
  }

  @Test("neither closing nor the results list who never came at all and changed places on paper") func noShow() throws {
    let exam = try HallExam()
    _ = try exam.write { try HallAttendance.absent(103, from: 1, in: exam.session, $0) }
    try exam.swap(101, 103, 3)
    #expect(try places(missed(exam)) == ["A4 101: never comes to this station"])
    let lines = try results(exam)
    #expect(lines.contains("1 candidate has fewer stations: 101 without A4"), "\(lines)")
    let entry = try exam.entry(103, 2).key
    try exam.write { _ = try RerunQueue.add(entry: entry, reason: nil, $0) }
    #expect(try missed(exam).contains { $0.candidate == "103" })
  }

  @Test("closing asks who is planned in another session only for the stations at which they were added")
  func addedGuest() throws {
    let exam = try HallExam()
    try exam.write { _ = try AdditionalCandidate.add(number: "1001", timetable: 22, round: nil, in: $0) }
    #expect(try missed(exam).isEmpty)
  }

  @Test("closing lists nobody else where rosters of one round have somebody added in a later one") func addedLate()
    throws
  {
    let exam = try HallExam()
    let later = try exam.board().placed.map(\.entry).filter { $0.round != 1 }
    try exam.write { transaction in
      for entry in later { try transaction.delete(Stored.TimetableAttendanceLog.self, entry.key) }
      _ = try AdditionalCandidate.add(number: "999", timetable: 24, round: 5, in: transaction)
    }
    #expect(try missed(exam).isEmpty)
  }

  @Test("the results say who has fewer stations after it, and which are missing")
  func fewerStations() throws {
    let exam = try HallExam()
    #expect(try !results(exam).contains("fewer stations"))
    try exam.swap(101, 103, 3)
    #expect(try results(exam).contains("2 candidates have fewer stations: 101 without A4, 103 without A1 A2"))
  }

  @Test("the results ask nobody for a station of another circuit at which one of their circuit was added")
  func resultsOfGuest() throws {
    let exam = try HallExam()
    try exam.write { _ = try AdditionalCandidate.add(number: "1001", timetable: 22, round: nil, in: $0) }
    let lines = try results(exam)
    #expect(!lines.contains("fewer stations"), "\(lines)")
  }

  @Test("a candidate who was added at an earlier circuit lacks stations as before")
  func resultsOfGuestBefore() throws {
    let exam = try HallExam()
    try exam.swap(101, 103, 3)
    try exam.write { _ = try AdditionalCandidate.add(number: "101", timetable: 1, round: nil, in: $0) }
    let lines = try results(exam)
    #expect(lines.contains("2 candidates have fewer stations: 101 without A4, 103 without A1 A2"), "\(lines)")
  }

  @Test("is refused for one candidate twice, a stranger, and a round that is not there")
  func arguments() throws {
    let exam = try HallExam()
    #expect(try refusal(exam, 101, 101, 2).contains("themselves"))
    #expect(try refusal(exam, 101, 11, 2).contains("on no roster"))
    #expect(try refusal(exam, 101, 102, 0).contains("1 to 5"))
    #expect(try refusal(exam, 101, 102, 6).contains("1 to 5"))
  }

  @Test("is refused over marks, a signed sheet and a passed identity step, and says from when it is possible")
  func marked() throws {
    let exam = try HallExam()
    let sheet = try exam.mark(102, 3)
    #expect(try refusal(exam, 101, 102, 2) == "round 3: C102 has marks at A4; swap from round 4 on, or move the sheet")
    func first(_ one: Int, _ other: Int, _ round: Int) throws -> Int {
      try exam.store.read { try SlotChanges.firstRound(one, other, from: round, in: exam.session, in: $0) }
    }
    #expect(try [first(101, 102, 1), first(102, 101, 5), first(101, 103, 1)] == [4, 5, 1])
    _ = try exam.swap(101, 102, 4)
    #expect(try exam.entry(102, 3).sheets.map(\.key) == [sheet])
    let entry = try exam.entry(105, 5)
    _ = try exam.write { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0) }
    #expect(
      try refusal(exam, 105, 103, 1) == "round 5: C105 has passed the identity step at A4; move the sheet")
  }

  @Test("the undo of a swap is refused where somebody is bound to a place since, and so is doing it again")
  func undone() throws {
    let exam = try HallExam()
    try exam.swap(101, 102, 2)
    func takeBack() throws {
      let action = try exam.store.read { try HallActions.newest(in: $0) }!
      try exam.write { try action.takeBack($0) }
    }
    func refusal() throws -> String {
      let before = try exam.store.lastSequence()
      let error = #expect(throws: SlotSwapRefusal.self) { try takeBack() }
      #expect(try exam.store.lastSequence() == before)
      return error.map { "\($0)" } ?? ""
    }
    // What an earlier round holds binds nobody, nor what another candidate has.
    try exam.mark(101, 1)
    try exam.mark(105, 5)
    try takeBack()
    #expect(try exam.who(2, 2) == [101])
    let checked = try exam.entry(102, 2)
    _ = try exam.write { try Attendance.passIdentityStep(entry: checked, seat: .lead, in: $0) }
    #expect(
      try refusal() == "round 2: C102 has passed the identity step at A3; swap from round 3 on, or move the sheet")
    let passed = try exam.entry(102, 2)
    try exam.write { try Attendance.record(nil, for: passed, in: $0) }
    try takeBack()
    #expect(try exam.who(2, 2) == [102])
    let sheet = try exam.mark(101, 3)
    #expect(try refusal() == "round 3: C101 has marks at A4; swap from round 4 on, or move the sheet")
    #expect(try exam.entry(101, 3).sheets.map(\.key) == [sheet])
  }

  @Test("what was meant for one candidate is not recorded for another after a swap that the screen has not seen")
  func stale() throws {
    let exam = try HallExam()
    let seen = try exam.entry(101, 2)
    try exam.swap(101, 102, 2)
    #expect(throws: RosterRefusal.slotsChanged) {
      try exam.write { try Attendance.passIdentityStep(entry: seen, seat: .lead, in: $0) }
    }
    #expect(throws: RosterRefusal.slotsChanged) { try exam.write { try Attendance.record(false, for: seen, in: $0) } }
    #expect(try exam.entry(102, 2).isPresent == nil && exam.entry(102, 2).sheets.isEmpty)
  }

  @Test("attendance goes with the person")
  func attendance() throws {
    let exam = try HallExam()
    try exam.write { _ = try HallAttendance.absent(101, from: 2, in: exam.session, $0) }
    _ = try exam.swap(101, 102, 4)
    func presence(_ student: Int) throws -> [Bool?] { try (1...5).map { try exam.entry(student, $0).isPresent } }
    #expect(try presence(101) == [nil, false, false, false, false])
    #expect(try presence(102) == [nil, nil, nil, nil, nil])
  }

  @Test("any number of swaps in any order of rounds gives what doing them one after another on paper gives")
  func property() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = Seeded(seed: seed)
    for _ in 0..<3000 {
      let (people, rounds) = (Int.random(in: 2...7, using: &random), Int.random(in: 1...9, using: &random))
      // On paper: for each round, who stands where the candidate of that column was planned.
      var paper = Array(repeating: Array(0..<people), count: rounds)
      var changes: [SlotChange] = []
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let (first, second) = (Int.random(in: 0..<people, using: &random), Int.random(in: 0..<people, using: &random))
        if first == second { continue }
        let round = Int.random(in: 1...rounds, using: &random)
        for row in (round - 1)..<rounds {
          let (one, other) = (paper[row].firstIndex(of: first)!, paper[row].firstIndex(of: second)!)
          paper[row].swapAt(one, other)
        }
        changes = SlotChange.adding(swapOf: first, and: second, from: round, to: changes)
      }
      #expect(Set(changes.map { [$0.planned, $0.round] }).count == changes.count, "seed \(seed)")
      for round in 1...rounds {
        let comes = (0..<people).map { SlotChange.candidate(planned: $0, round: round, changes) }
        guard comes == paper[round - 1] else {
          Issue.record("round \(round): \(comes) is not \(paper[round - 1]); seed \(seed)")
          return
        }
      }
    }
  }

  @Test("the rosters read what the swaps say, and nobody is at two stations in a round")
  func stored() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = Seeded(seed: seed)
    let exam = try HallExam(slots: [101, 102, 103, 104, 105])
    var slots = Array(repeating: [101, 102, 103, 104, 105], count: 5)
    for _ in 0..<12 {
      let pair = [101, 102, 103, 104, 105].shuffled(using: &random).prefix(2)
      let round = Int.random(in: 1...5, using: &random)
      _ = try exam.swap(pair[0], pair[1], round)
      for row in (round - 1)..<5 {
        slots[row].swapAt(slots[row].firstIndex(of: pair[0])!, slots[row].firstIndex(of: pair[1])!)
      }
      let board = try exam.board()
      for round in 1...5 {
        for slot in 1...5 {
          let timetable = board.timetable(slot: slot, round: round)!
          let who = board.entries(station: timetable, round: round).map { $0.candidate?.id }
          #expect(who == [slots[round - 1][slot - 1]], "seed \(seed)")
        }
      }
    }
  }

  @Test("no file gives what is recorded for a candidate to another by slots, rounds, or another start of the session")
  func filesAndSlots() throws {
    func refused(_ exam: HallExam, _ rows: [ImportRow]) throws -> String? {
      do { _ = try exam.store.write(.program) { try BundleImport.apply(rows, in: $0) } } catch let refusal
        as ImportRefusal
      { return refusal.description }
      return nil
    }
    let exam = try HallExam()
    try exam.swap(101, 102, 1)
    try exam.mark(102, 1)
    let marked = try exam.entry(102, 1)
    let sessions = (21...25).map { SmallExam.row("Timetable", "\($0)", ["startTime": .text("10:30")]) }
    #expect(try refused(exam, sessions)?.hasPrefix("what is recorded for 102 at station A1 would be") == true)
    #expect(try exam.entry(102, 1).key == marked.key)
    let later = try HallExam()
    try later.swap(101, 102, 2)
    try later.mark(102, 2)
    let round = ImportRow(
      RowKey(entity: "TimetableAttendanceLog", id: try later.entry(102, 2).key), ["order": .integer(1)])
    #expect(try refused(later, [round])?.hasPrefix("what is recorded for 102 at station A2 would be") == true)
    let plain = try HallExam()
    try plain.mark(101, 1)
    let table: [String: Value] = [
      "circuit": .integer(2), "date": .text(plain.session.date), "startTime": .text(plain.session.startTime),
      "places": .text(#"[{"comes":102,"planned":101,"round":1},{"comes":101,"planned":102,"round":1}]"#),
    ]
    #expect(try refused(plain, [SmallExam.row("SlotTable", "s", table)])?.hasPrefix("what is recorded for 101") == true)
    #expect(try refused(plain, sessions) == nil)
  }

  @Test("once the clock was started no file moves what is recorded for a candidate to another round")
  func filesAndRounds() throws {
    let exam = try HallExam()
    try exam.mark(101, 1)
    let (marked, unseen) = (try exam.entry(101, 1).key, try exam.entry(102, 1).key)
    func move(_ entry: String, to round: Int64) throws -> Int {
      let row = ImportRow(RowKey(entity: "TimetableAttendanceLog", id: entry), ["order": .integer(round)])
      return try exam.store.write(.program) { try BundleImport.apply([row], in: $0) }.changed
    }
    #expect(try move(marked, to: 2) == 1)
    #expect(try move(marked, to: 1) == 1)
    try exam.clock(.start, at: 0)
    let refusal = try #require(throws: ImportRefusal.self) { try move(marked, to: 3) }
    #expect(refusal == .otherRound(number: "101", station: "A1", round: 1))
    #expect(
      refusal.description
        == "what is recorded for 101 at station A1 in round 1 would come to another round; nothing was imported: "
        + "leave out changes of slots, stations and rounds of that session")
    #expect(try exam.entry(101, 1).key == marked)
    #expect(try move(unseen, to: 6) == 1)
    let start = try #require(try exam.store.read { try Run.all(of: exam.session, in: $0) }.first?.events.first)
    try exam.clock(.annul(target: start.id), at: 1)
    #expect(try move(marked, to: 3) == 1)
  }
}
