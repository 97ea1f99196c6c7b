import Glibc
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Sheets open at terminals")
struct OpenSheetsTests {
  private func sit(_ exam: MarkedExam, _ username: String) throws -> SignIn {
    let staff = try exam.store.read { try StaffMember.find(username: username, in: $0) }
    return try exam.store.write(exam.author) {
      try SignIn.begin(staff, timetable: 1, device: exam.store.device, in: $0)
    }
  }

  private func others(_ exam: MarkedExam, _ sheet: Sheet, _ sitting: SignIn, alive: Bool = true) throws
    -> [OpenSheets.OtherTerminal]
  {
    try exam.store.read {
      try OpenSheets.others(sheet.key, not: sitting.id, device: exam.store.device, in: $0) { _, _ in alive }
    }
  }

  @Test("a sheet that is open elsewhere is named with who has it since when; a dead terminal has none open")
  func elsewhere() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let (first, second) = (try sit(exam, "adavies"), try sit(exam, "bmurphy"))
    #expect(try others(exam, sheet, second).isEmpty)
    exam.test.time.pass(5000)
    try exam.store.write(exam.author) { try first.open(sheet.key, in: $0) }
    let since = exam.store.clock.now
    exam.test.time.pass(5000)
    let found = try others(exam, sheet, second)
    #expect(found.map(\.name) == ["Dr Davies"] && found.map(\.since) == [since])
    #expect(found.allSatisfy { !$0.place.isEmpty })
    #expect(try others(exam, sheet, first).isEmpty)
    #expect(try others(exam, sheet, second, alive: false).isEmpty)
    #expect(OpenSheets.isAlive(1, startedAt: nil))
    #expect(!OpenSheets.isAlive(Int32.max, startedAt: nil))
  }

  @Test("a process that has ended is not alive, though its parent has not heard of it") func ended() throws {
    var child: pid_t = 0
    var arguments = [strdup("true"), nil]
    defer { free(arguments[0]) }
    #expect(posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil) == 0)
    var ended = siginfo_t()
    #expect(waitid(P_PID, id_t(child), &ended, WEXITED | WNOWAIT) == 0)
    #expect(kill(child, 0) == 0 && !OpenSheets.isAlive(child, startedAt: nil))
    #expect(!OpenSheets.isAlive(child, startedAt: ProcessStart.text(of: child)))
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
  }

  @Test("a process that has only the number of a dead terminal has nothing open")
  func reusedNumber() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let staff = try exam.store.read { try StaffMember.find(username: "adavies", in: $0) }
    let here = TerminalInfo.here
    #expect(here.processStart != nil && ProcessStart.text(of: getpid()) == here.processStart)
    #expect(ProcessStart.text(of: 1) != here.processStart && ProcessStart.text(of: Int32.max) == nil)
    let second = try sit(exam, "bmurphy")
    for (start, count) in [(here.processStart, 1), ("another-boot 12345", 0), (nil, 1)] as [(String?, Int)] {
      var place = here
      place.processStart = start
      let (device, from) = (exam.store.device, place)
      let first = try exam.store.write(exam.author) {
        try SignIn.begin(staff, timetable: 1, device: device, from: from, in: $0)
      }
      try exam.store.write(exam.author) { try first.open(sheet.key, in: $0) }
      let found = try exam.store.read { try OpenSheets.others(sheet.key, not: second.id, device: device, in: $0) }
      #expect(found.count == count, "\(start ?? "not recorded")")
      try exam.store.write(exam.author) { try first.end(in: $0) }
    }
  }

  @Test("opening what is open writes nothing; leaving and signing out end it")
  func leaving() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let (first, second) = (try sit(exam, "adavies"), try sit(exam, "bmurphy"))
    try exam.store.write(exam.author) { try first.open(sheet.key, in: $0) }
    let sequence = try exam.store.lastSequence()
    try exam.store.write(exam.author) { try first.open(sheet.key, in: $0) }
    #expect(try exam.store.lastSequence() == sequence)
    try exam.store.write(exam.author) { try first.open(nil, in: $0) }
    #expect(try others(exam, sheet, second).isEmpty)
    try exam.store.write(exam.author) { try first.open(sheet.key, in: $0) }
    try exam.store.write(exam.author) { try first.end(in: $0) }
    #expect(try others(exam, sheet, second).isEmpty)
  }

  @Test("the newer terminal takes a sheet over, and the older can tell")
  func takeOver() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    let (first, second) = (try sit(exam, "adavies"), try sit(exam, "bmurphy"))
    try exam.store.write(exam.author) { try first.open(sheet.key, in: $0) }
    let taken = try exam.store.write(exam.author) {
      try OpenSheets.takeOver(sheet.key, by: second, device: exam.store.device, in: $0) { _, _ in true }
    }
    #expect(taken.map(\.sitting) == [first.id])
    #expect(try exam.store.read { try first.hasOpen(sheet.key, in: $0) } == false)
    #expect(try exam.store.read { try second.hasOpen(sheet.key, in: $0) })
  }

  @Test("a cover assessor goes on with a half-marked sheet, and each mark keeps who gave it")
  func cover() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.mark(sheet.key, item: 0, level: 1)
    try exam.store.write(Author(staff: 2)) { try Attendance.cover(1, by: 2, in: $0) }
    let session = try exam.store.read { try StationSession.find(1, in: $0) }
    #expect(session.seat(of: 2) == .lead && session.seat(of: 1) == nil)
    let entry = try exam.entry(1)
    let keys = try exam.store.write(Author(staff: 2)) {
      try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)
    }
    #expect(keys == [sheet.key])
    try exam.store.write(Author(staff: 2)) {
      _ = try Marking($0).mark(sheet.items[1], level: sheet.items[1].template.levels[1])
    }
    let judges = try exam.rows(.marks).filter { $0["student_number"] == .text("1001") && $0["item"] != .integer(3) }
    #expect(judges.map { $0["assessor"] } == [.text("adavies"), .text("bmurphy")])
  }
}
