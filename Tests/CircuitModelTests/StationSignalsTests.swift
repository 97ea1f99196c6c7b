import Glibc
import Journal
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore

@Suite("Who is at a station", .serialized)
struct StationSignalsTests {
  /// Signs somebody in.
  /// - Parameters:
  ///   - timetable: the station; nil: the desk.
  ///   - isHere: whether it is a terminal of this machine.
  ///   - process: the terminal's program.
  private func sit(_ exam: HallExam, at timetable: Int?, isHere: Bool = true, process: Int32 = getpid()) throws {
    let own = exam.store.device
    try exam.store.write(exam.author) { transaction in
      let device = isHere ? own : UUIDBytes.random()
      if !isHere { try transaction.create("Device", device.description, ["name": .text("laptop 2")]) }
      let staff = try #require(try StaffMember.active(transaction.db).first)
      var place = TerminalInfo.here
      if process != place.process { (place.process, place.processStart) = (process, nil) }
      _ = try SignIn.begin(staff, timetable: timetable, device: device, from: place, in: transaction)
    }
  }

  private func signedIn(_ exam: HallExam) throws -> Set<Int> {
    let now = exam.store.clock.now
    return try exam.store.read {
      try StationSignals.read(HallView.read(exam.session, at: now, in: $0), entries: [], in: $0).signedIn
    }
  }

  @Test("a terminal that was killed is signed in no more; one of another machine is until its day is over")
  func signedInStations() throws {
    let exam = try HallExam()
    #expect(try signedIn(exam).isEmpty)
    try sit(exam, at: 21)
    try sit(exam, at: 22, process: Int32.max)
    try sit(exam, at: 24, isHere: false, process: Int32.max)
    #expect(try signedIn(exam) == [21, 24])
    exam.test.time.pass(86_400_000 + 1000)
    #expect(try signedIn(exam) == [21, 24], "nobody has signed in since")
    try sit(exam, at: 25)
    #expect(try signedIn(exam) == [21, 25])
  }

  @Test("calls are answered for the desk where nobody sits there, and where its program was killed")
  func standIn() throws {
    for (process, answered) in [(Int32.max, 1), (getpid(), 0)] {
      let exam = try HallExam()
      let station = try exam.store.read { try StationSession.find(21, in: $0) }
      try exam.store.write(exam.author) { _ = try HelpCalls.request("a chair is broken", at: station, in: $0) }
      try sit(exam, at: nil, process: process)
      exam.test.time.pass(10_000)
      #expect(try StandInInvigilator.attend(exam.store) == answered)
    }
  }
}
