import CircuitModel
import ExamStore
import Foundation
import GRDB
import Testing
import Timer

@testable import ExamFiles
@testable import Reports

@Suite("The hall of the year 3 exam", .serialized) struct HallOfYear3Tests {
  /// The exam in a store of its own, its first circuit running since its planned start.
  private func exam() throws -> (store: ExamStore, session: Session, start: Instant, folder: Scratch) {
    let folder = Scratch()
    chmod(folder.path, 0o700)
    let store = try ExamStore(StoreLocation(path: folder.path + "/exam.sqlite"), .createIfMissing)
    #expect(try ExamImport.load([Fixtures.path("year3-osce")], into: store).report != nil)
    let session = try store.read { db in try Session.all(of: Circuit.all(at: store.clock.now, db)[0].id, in: db)[0] }
    let start = try #require(session.plannedStart)
    try store.write(.program) { transaction in
      try ClockLog.append(.start, to: session, at: start, in: transaction)
      try ClockLog.append(.pause, to: session, at: start + 150_000, in: transaction)
      try ClockLog.append(.resume, to: session, at: start + 180_000, in: transaction)
    }
    return (store, session, start, folder)
  }

  @Test("every candidate of the session has a ledger of every round, each at another station, and one pause")
  func ledgers()
    throws
  {
    let (store, session, start, folder) = try exam()
    defer { withExtendedLifetime(folder) { _ = store.close() } }
    let students = try store.read { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT DISTINCT e.studentID FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
          JOIN activityType a ON a.dsid = t.activityTypeID
          WHERE a.clinicGroupID = ? AND t.date = ? AND t.startTime = ? AND e.studentID IS NOT NULL
          """, arguments: [session.circuit, session.date, session.startTime])
    }
    #expect(students.count > 4)
    let ledgers = try store.read { db in
      try students.map { try CandidateLedger.read($0, session: session, at: start + 86_400_000, in: db) }
    }
    for ledger in ledgers {
      #expect(ledger.lines.map(\.round) == Array(1...8))
      #expect(Set(ledger.lines.map(\.stationCode)).count == 8)
      #expect(ledger.lines.map(\.lostSeconds).reduce(0, +) == 30)
      #expect(ledger.text().count == 9)
    }
    let firsts = ledgers.compactMap { $0.lines.first?.stationCode }
    #expect(Set(firsts).count == firsts.count)
  }

  @Test("nothing is clear before a sheet is signed, but the rest station; terminals are looked for at the others")
  func clearanceAndReadiness() throws {
    let (store, session, _, folder) = try exam()
    defer { withExtendedLifetime(folder) { _ = store.close() } }
    let stations = try store.read { db in try StationClearance.read(session, in: db) }
    #expect(stations.count == 8)
    #expect(stations.allSatisfy { $0.open.isEmpty == $0.station.isRest })
    #expect(stations.count { $0.open.isEmpty } == 1)
    let names = try Readiness.read(store).checks.map(\.name)
    #expect(
      Set(names)
        == [
          "sessions", "candidates", "assessors", "mark sheets", "passcodes", "terminals", "terminal versions",
          "signed in", "clock",
          "time service", "second copy", "disk space",
        ])
  }
}
