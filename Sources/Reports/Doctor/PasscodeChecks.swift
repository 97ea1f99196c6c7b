import CircuitModel
import ExamStore
import GRDB

/// Looks whether those whose word moves clocks and signed sheets have to prove that they are who they say.
///
/// A warning, not a failure: an exam among few may do without, and its lead decides that.
struct PasscodeChecks {
  let db: Database

  func run(_ diagnosis: inout Diagnosis) throws {
    let people = try StaffMember.ofTheHall(db)
    if people.isEmpty {
      return diagnosis.add("passcodes", .ok, "the exam names no lead and no invigilator who would need one")
    }
    var problems = Problems()
    for member in people {
      let kept = try String.fetchOne(db, sql: "SELECT passcodeHash FROM user WHERE dsid = ?", arguments: [member.id])
      let name = "\(member.name) (\(member.username))"
      if let kept {
        if !Passcode.isUsable(kept) {
          problems.add("\(name): the passcode kept cannot be used; set it again by an import")
        }
      } else {
        problems.add("\(name): no passcode; anybody can sign in as this lead or invigilator")
      }
    }
    diagnosis.add(
      "passcodes", problems: problems, otherwise: .warning,
      sound: "all \(people.count) leads and invigilators have one")
  }
}
