import Testing

@testable import CircuitModel
@testable import ExamStore

@Suite("Roles in an exam")
struct ExamRoleTests {
  @Test("a role that this version does not know is shown as it is, and allows nothing")
  func unknown() throws {
    let exam = try MarkedExam()
    try exam.store.write(.program) {
      try $0.set("Staff", "1", ["passcodeHash": .text(try Passcode.hash("4711", rounds: 16))])
      try $0.set("Config", "1", ["settings": .text(#"{"roles":{"adavies":"lead","bmurphy":"Lead"}}"#)])
    }
    try exam.store.read { db in
      let member = try #require(try StaffMember.active(db).first { $0.username == "bmurphy" })
      #expect(try member.role(in: db) == .unknown("Lead") && member.roleAwayFromTheHall(db)?.name == "Lead")
      #expect(try StaffMember.ofTheHall(db).map(\.username) == ["adavies"])
      #expect(try ExamLead.all(in: db).map(\.username) == ["adavies"])
      #expect(throws: GuardRefusal.self) { try GuardedTask.clocks.check(member, in: db) }
    }
  }

  @Test("each role is stored by its word")
  func words() {
    #expect(ExamRole.allCases.map { ExamRole(stored: $0.name) } == ExamRole.allCases)
    #expect(ExamRole.allCases.map(\.name) == ["assessor", "invigilator", "lead", "office", "auditor", "display"])
  }
}
