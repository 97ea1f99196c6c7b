import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore

@Suite("What each person does next")
struct StaffDutyTests {
  @Test("the session that began last counts until half an hour before the next; who has none has a role")
  func next() throws {
    let exam = try HallExam()
    try exam.store.write(.program) {
      try $0.set("Config", "1", ["settings": .text(#"{"roles":{"adavies":"lead","bmurphy":"office"}}"#)])
    }
    let start = try #require(exam.session.plannedStart)
    for (minutesBefore, begins) in [(31, "09:00"), (30, "10:00"), (0, "10:00")] {
      let now = start - Int64(minutesBefore) * 60_000
      try exam.store.read { db in
        let duties = try StaffDuty.next(of: StaffMember.active(db), at: now, in: db)
        guard case .station(let place, as: .assessor, isRunning: false) = duties[1] else {
          Issue.record("\(minutesBefore): \(String(describing: duties[1]))")
          return
        }
        #expect(place.session.startTime == begins, "\(minutesBefore)")
        #expect(exam.session.minutesToStart(at: now) == (minutesBefore == 30 ? 30 : nil), "\(minutesBefore)")
        guard case .role(.office) = duties[2] else {
          Issue.record("\(String(describing: duties[2]))")
          return
        }
      }
    }
  }
}
