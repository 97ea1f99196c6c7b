import Foundation
import GRDB
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

@Suite("Go or no-go", .serialized) struct ReadinessTests {
  private static let process: Int32 = 4242

  /// - Parameter before: how long before the session's start it is, in minutes.
  private func exam(minutesBefore: Int64 = 0) throws -> MarkedExam {
    let exam = try MarkedExam()
    exam.test.time.pass(-minutesBefore * 60_000)
    return exam
  }

  private func signIn(
    _ exam: MarkedExam, _ username: String = "adavies", timetable: Int? = 1, process: Int32 = Self.process,
    version: String = "test"
  ) throws -> SignIn {
    let member = try exam.store.read { db in try StaffMember.find(username: username, in: db) }
    let device = exam.store.device
    return try exam.store.write(.program) {
      try SignIn.begin(
        member, timetable: timetable, device: device, from: TerminalInfo(process: process, version: version), in: $0)
    }
  }

  private func read(
    _ exam: MarkedExam, _ change: (inout MachineSurroundings) -> Void = { _ in }
  ) throws -> Diagnosis {
    var surroundings = MachineSurroundings(system: exam.test.time.system, freeBytes: { _ in 1 << 40 })
    surroundings.isAlive = { process, _ in process == Self.process }
    surroundings.isClockSynchronised = { true }
    change(&surroundings)
    return try Readiness.read(exam.store, program: "test", surroundings: surroundings)
  }

  private func detail(_ diagnosis: Diagnosis, _ name: String) -> String? {
    diagnosis.checks.first { $0.name == name }?.detail
  }

  @Test("a terminal with its assessor at every marked station is ready; a rest station needs none") func ready() throws
  {
    let exam = try exam(minutesBefore: 30)
    let before = try read(exam)
    #expect(before.result("terminals") == .failed)
    #expect(detail(before, "terminals") == "Blue H: no terminal")
    #expect(detail(before, "signed in") == "Blue H: Dr Davies is not signed in")
    _ = try signIn(exam)
    let after = try read(exam)
    #expect(after.failures == [])
    #expect(after.result("terminals") == .ok && after.result("signed in") == .ok)
    #expect(after.checks.filter { $0.result == .warning }.map(\.name) == ["second copy"])
  }

  @Test("a hub that refuses the terminal is a failure, one that does not answer a warning") func hubContact() throws {
    let exam = try exam()
    #expect(detail(try read(exam), "hub contact") == nil)
    try exam.store.enrol()
    #expect(try read(exam).result("hub contact") == .warning)
    let now = exam.store.clock.now
    func said(_ state: SyncState.Work, _ trouble: String? = nil, at contact: Instant? = now) throws -> Diagnosis {
      try exam.store.note(SyncState(attemptAt: contact, contactAt: contact, state: state, trouble: trouble))
      return try read(exam)
    }
    #expect(try said(.wait).result("hub contact") == .ok)
    for state in [SyncState.Work.blocked, .none] {
      let refused = try said(state, "this device was revoked at the hub")
      #expect(refused.result("hub contact") == .failed)
      #expect(detail(refused, "hub contact") == "this device was revoked at the hub")
    }
    #expect(try said(.backoff, "no contact with the hub").result("hub contact") == .warning)
    #expect(try said(.wait, at: now - 101_000).result("hub contact") == .warning)
  }

  @Test("leads and invigilators without a passcode are named, as a warning; assessors are not") func passcodes() throws
  {
    let exam = try exam()
    #expect(try read(exam).result("passcodes") == .ok)
    try exam.store.write(.program) {
      let roles = #"{"roles":{"adavies":"lead","bmurphy":"invigilator"}}"#
      try $0.set("Config", "1", ["settings": .text(roles)])
    }
    let open = try read(exam)
    #expect(open.result("passcodes") == .warning)
    let named = try #require(detail(open, "passcodes"))
    #expect(named.contains("Dr Davies (adavies): no passcode") && named.contains("Murphy (bmurphy): no passcode"))
    try exam.store.write(.program) {
      try $0.set("Staff", "1", ["passcodeHash": .text(try Passcode.hash("4711", rounds: 16))])
      try $0.set("Staff", "2", ["passcodeHash": .text(PasscodeAttemptTests.unusable[0])])
    }
    #expect(
      detail(try read(exam), "passcodes")?.hasPrefix("Murphy (bmurphy): the passcode kept cannot be used") == true)
    try exam.store.write(.program) {
      try $0.set("Config", "1", ["settings": .text(#"{"roles":{"adavies":"lead","bmurphy":"assessor"}}"#)])
    }
    #expect(try read(exam).result("passcodes") == .ok)
  }

  @Test("long before the session what is missing is a warning, and nothing once it is over") func early() throws {
    let exam = try exam(minutesBefore: 61)
    #expect(try read(exam).result("terminals") == .warning)
    exam.test.time.pass(120_000)
    #expect(try read(exam).result("terminals") == .failed)
    try exam.clock(.start)
    #expect(try read(exam).result("terminals") == .failed)
    exam.test.time.pass(1000)
    try exam.clock(.stop)
    #expect(try read(exam).result("terminals") == .ok)
  }

  @Test("a terminal whose process is gone, who signed out, or that sat there before a reboot, is not there")
  func gone() throws {
    let exam = try exam()
    _ = try signIn(exam, process: 1)
    #expect(try read(exam).result("terminals") == .failed)
    let sitting = try signIn(exam)
    #expect(try read(exam).result("terminals") == .ok)
    #expect(try read(exam) { $0.isAlive = { _, _ in false } }.result("terminals") == .failed)
    exam.test.time.pass(60_000)
    exam.test.time.reboot()
    let again = try exam.test.reopened()
    defer { again.close() }
    #expect(try read(exam).result("terminals") == .failed)
    try exam.store.write(exam.author) { try sitting.end(in: $0) }
    #expect(try read(exam).result("terminals") == .failed)
  }

  @Test("somebody else at the station is a terminal, but not the assessor; the desk is no station") func others() throws
  {
    let exam = try exam()
    _ = try signIn(exam, "bmurphy", timetable: nil)
    #expect(try read(exam).result("terminals") == .failed)
    _ = try signIn(exam, "bmurphy")
    let diagnosis = try read(exam)
    #expect(diagnosis.result("terminals") == .ok)
    #expect(diagnosis.result("signed in") == .failed)
  }

  @Test("a terminal of another version is a failure") func versions() throws {
    let exam = try exam()
    _ = try signIn(exam, version: "0.0.1")
    let diagnosis = try read(exam)
    #expect(diagnosis.result("terminal versions") == .failed)
    #expect(detail(diagnosis, "terminal versions") == "Blue H: process 4242 is osce 0.0.1")
  }

  @Test(
    "the wall clock may stand a second from the exam's, and half a minute with a warning",
    arguments: [
      (Int64(1000), Diagnosis.Result.ok), (-1000, .ok), (1001, .warning), (-30_000, .warning), (30_001, .failed),
    ])
  func clock(lead: Int64, result: Diagnosis.Result) throws {
    let exam = try exam()
    exam.test.time.setWall(TestClock.start + lead)
    #expect(try read(exam).result("clock") == result)
  }

  @Test("a clock that no time service keeps right is a warning") func synchronised() throws {
    let exam = try exam()
    #expect(try read(exam) { $0.isClockSynchronised = { false } }.result("time service") == .warning)
    #expect(try read(exam) { $0.isClockSynchronised = { nil } }.result("time service") == .warning)
    #expect(try read(exam).result("time service") == .ok)
  }

  @Test("a second copy older than two intervals, or from the future, is a failure just before an exam")
  func backup() throws {
    let exam = try exam()
    let path = exam.test.folder + "/copy.sqlite"
    let choice = BackupChoice(path: path, minutes: 5)
    func result(_ age: Double) throws -> Diagnosis.Result? {
      let changed = Date(timeIntervalSince1970: Double(TestClock.start) / 1000 - age)
      try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: path)
      return try read(exam) { $0.backup = choice }.result("second copy")
    }
    #expect(try read(exam) { $0.backup = choice }.result("second copy") == .failed)
    _ = try exam.store.backup(to: path)
    #expect(try result(600) == .ok)
    #expect(try result(601) == .failed)
    #expect(try result(-60) == .ok)
    #expect(try result(-61) == .failed)
    let ahead = try exam.examine { $0.backup = choice }.checks.first { $0.name == "backup" }
    #expect(ahead?.result == .warning && ahead?.detail.hasSuffix(", dated in the future: its age is not known") == true)
    exam.test.time.pass(-2 * 3_600_000)
    #expect(try read(exam) { $0.backup = BackupChoice(path: "/nowhere") }.result("second copy") == .warning)
  }

  @Test("a young file that is no backup of this exam is no second copy") func otherFile() throws {
    let exam = try exam()
    let path = exam.test.folder + "/copy.sqlite"
    let choice = BackupChoice(path: path, minutes: 5)
    try Data().write(to: URL(fileURLWithPath: path))
    let young = Date(timeIntervalSince1970: Double(TestClock.start) / 1000)
    try FileManager.default.setAttributes([.modificationDate: young], ofItemAtPath: path)
    let seen = try [read(exam) { $0.backup = choice }, exam.examine(before: true) { $0.backup = choice }]
    for diagnosis in seen {
      #expect(diagnosis.result("second copy") == .failed)
      #expect(detail(diagnosis, "second copy")?.contains("is no backup of this exam") == true)
    }
  }

  @Test("red lines come first, then warnings, also in JSON, and only before an exam") func redFirst() throws {
    let exam = try exam()
    let diagnosis = try exam.examine(before: true) { $0.freeBytes = { _ in 1 << 20 } }
    let results = diagnosis.checks.map(\.result)
    #expect(results.filter { $0 == .failed }.count >= 2 && results.contains(.warning))
    #expect(results == results.sorted { rank($0) < rank($1) })
    let json = diagnosis.json.text
    let failed = try #require(json.range(of: "failed", options: .backwards))
    let warning = try #require(json.range(of: "\"warning\""))
    #expect(failed.upperBound < warning.lowerBound)
    #expect(
      diagnosis.checks.count { $0.name == "clock" } == 1 && diagnosis.checks.count { $0.name == "disk space" } == 1)
    #expect(try read(exam) { $0.freeBytes = { _ in 1 << 20 } }.checks.contains { $0.name == "disk space" })
  }

  private func rank(_ result: Diagnosis.Result) -> Int {
    switch result {
    case .failed: 0
    case .warning: 1
    case .ok: 2
    }
  }

  @Test("a sitting keeps the program's version and where the person sits; the desk has one without a station")
  func sitting() throws {
    let exam = try exam()
    let member = try exam.store.read { db in try StaffMember.find(username: "adavies", in: db) }
    let device = exam.store.device
    var place = TerminalInfo(process: 7)
    place.host = TerminalInfo.host(sshConnection: "2001:db8::1 50000 2001:db8::2 22")
    let from = place
    let sitting = try exam.store.write(.program) {
      try SignIn.begin(member, timetable: nil, device: device, from: from, in: $0)
    }
    let record = try exam.store.read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM sitting WHERE uuid = ?", arguments: [sitting.id.description])
    }
    #expect(record?["version"] == ProgramVersion.text && record?["host"] == "2001:db8::1")
    #expect(record?["timetableID"] as Int? == nil)
    #expect(try exam.rows(.signins).isEmpty)
  }

  @Test(
    "a host that cannot be an address is not kept",
    arguments: [
      (String?.none, String?.none), ("", nil), ("10.0.0.7 1 2 22", "10.0.0.7"), ("fe80::1%eth0 1", "fe80::1%eth0"),
      ("\u{1B}[31m 1 2 3", nil), ("a/b 1", nil), (String(repeating: "1", count: 65), nil),
    ])
  func host(connection: String?, host: String?) { #expect(TerminalInfo.host(sshConnection: connection) == host) }
}
