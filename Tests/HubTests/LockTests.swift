import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

@Suite("A lock at a hub") struct LockTests {
  /// Locks as two people do, at a lead's terminal.
  private func lock(
    _ lead: TestDevice, session: String? = nil, knowing ends: [(TestDevice, Int64)] = []
  ) -> Journal.Operation {
    let heads = ends.map { "{\"device\":\"\($0.0.id)\",\"hash\":\"\",\"seq\":\($0.1)}" }.joined(separator: ",")
    var fields: [String: Value] = [
      "lockedAt": .integer(TestHub.start), "amendment": .integer(0), "staff": .integer(3), "secondStaff": .integer(4),
      "content": .text("{\"heads\":[\(heads)]}"),
    ]
    if let session {
      fields["session"] = .text(session)
      fields["circuit"] = .text("Circuit A")
    }
    return lead.make(RowKey(entity: "ExamLock", id: "lock-\(lead.chain.count)"), fields, staff: 3)
  }

  private func sheet(_ device: TestDevice, _ key: String, at station: Int = 12) -> Journal.Operation {
    device.make(RowKey(entity: "DataForm", id: key), ["attendanceLog": .text("entry-\(station)")], staff: 1)
  }

  @Test(
    "keeps for a person what comes after it without knowing of it, lists it, and lets through what goes on after a lock",
    arguments: Storage.installed) func late(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    #expect(try await a.sync([sheet(a, "f1")]).said == ["applied"])
    #expect(try await lead.sync([lock(lead)]).said == ["applied"])
    let late = sheet(a, "f2")
    #expect(try await a.sync([late]).said == ["quarantined:locked"])
    #expect(try await hub.hub.keptOperations(of: hub.exam).map(\.id) == [late.id])
    #expect(try await hub.hub.keptOperations(of: hub.exam).map(\.what) == ["attendanceLog"])
    let goesOn = [
      a.make(RowKey(entity: "Sitting", id: "s1"), ["ended": .integer(TestHub.start)], staff: 1),
      a.make(RowKey(entity: "Jot", id: "j1"), ["text": .text("x"), "attendanceLog": .text("entry-12")], staff: 1),
      a.make(RowKey(entity: "AssistanceRequested", id: "h1"), ["text": .text("chair")], staff: 1),
    ]
    #expect(try await a.sync(goesOn).said == Array(repeating: "applied", count: 3))
    let answer = lead.make(
      RowKey(entity: "ExamRuling", id: "r1"),
      ["kind": .text("answer"), "reason": .text("seen"), "staff": .integer(3)], staff: 3)
    let excuse = lead.make(
      RowKey(entity: "ExamRuling", id: "r2"),
      ["kind": .text("excuse"), "reason": .text("seen"), "staff": .integer(3)], staff: 3)
    #expect(try await lead.sync([answer, excuse]).said == ["applied", "quarantined:locked"])
    #expect(try await hub.hub.rule(.applied, on: late.id, in: hub.exam, reason: "both leads saw it") == "applied")
    #expect(try await hub.hub.examine(hub.exam).isEmpty)
  }

  @Test(
    "lets through what belongs to what was locked, what two people change, and everything once it is opened again",
    arguments: Storage.installed) func known(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    // Locked at a terminal that has the mark from a file; the hub gets the mark after the lock.
    let (first, second) = (sheet(a, "f1"), sheet(a, "f2"))
    let standing = lock(lead, knowing: [(a, 1)])
    #expect(try await lead.sync([standing]).said == ["applied"])
    #expect(try await a.sync([first, second]).said == ["applied", "quarantined:locked"])
    let tx = UUIDBytes(high: 4, low: 4)
    let amendment = [
      lead.make(
        RowKey(entity: "DataForm", id: "f1"), ["signedAt": .null], kind: .reopen, reason: "amended: tape", staff: 3,
        tx: tx,
        place: (0, 2)),
      lead.make(
        RowKey(entity: "ExamRuling", id: "r1"),
        ["kind": .text("amendment"), "reason": .text("tape"), "staff": .integer(3)], staff: 3, tx: tx, place: (1, 2)),
    ]
    #expect(try await lead.sync(amendment).said == ["applied", "applied"])
    let opened = lead.make(
      standing.row, ["reopenedAt": .integer(TestHub.start + 1), "reopenReason": .text("re-run")], staff: 3)
    #expect(try await lead.sync([opened]).said == ["applied"])
    #expect(try await a.sync([sheet(a, "f3")]).said == ["applied"])
  }

  @Test("holds for what comes with its last part", arguments: Storage.installed) func completed(on storage: Storage)
    async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let lead = try await hub.enrol(.lead, seed: 2)
    let tx = UUIDBytes(high: 4, low: 4)
    let parts = [
      lead.make(
        RowKey(entity: "ExamLock", id: "lock-1"),
        [
          "lockedAt": .integer(TestHub.start), "amendment": .integer(0), "staff": .integer(3),
          "secondStaff": .integer(4), "content": .text("{\"heads\":[]}"),
        ], staff: 3, tx: tx, place: (0, 2)),
      lead.make(
        RowKey(entity: "Jot", id: "j1"), ["text": .text("x"), "attendanceLog": .text("entry-12")],
        reason: "on paper", staff: 3, tx: tx, place: (1, 2)),
    ]
    let late = lead.make(
      RowKey(entity: "DataForm", id: "f1"), ["attendanceLog": .text("entry-12")], reason: "on paper", staff: 3)
    #expect(try await lead.sync([parts[0]]).said == ["deferred:tx_incomplete"])
    #expect(try await lead.sync([parts[1], late]).said == ["applied", "quarantined:locked"])
  }

  @Test("of one session leaves the others open", arguments: Storage.installed) func session(on storage: Storage)
    async throws
  {
    let hub = try await TestHub(on: storage)
    let office = try await hub.plan()
    try await office.sync([
      office.make(
        RowKey(entity: "Timetable", id: "14"),
        ["activityType": .integer(12), "date": .text("2026-11-25"), "startTime": .text("08:30"), "staff": .integer(1)]),
      office.make(RowKey(entity: "TimetableAttendanceLog", id: "entry-14"), ["timetable": .integer(14)]),
    ])
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    #expect(try await lead.sync([lock(lead, session: "2026-11-24 08:30")]).said == ["applied"])
    #expect(
      try await a.sync([sheet(a, "f1"), sheet(a, "f2", at: 14)]).said == ["quarantined:locked", "applied"])
  }

  @Test("of one session keeps the name of its circuit, by which it goes", arguments: Storage.installed) func renamed(
    on storage: Storage
  ) async throws {
    let hub = try await TestHub(on: storage)
    let office = try await hub.plan()
    let (a, lead) = (try await hub.enrol(seed: 1), try await hub.enrol(.lead, seed: 2))
    #expect(try await lead.sync([lock(lead, session: "2026-11-24 08:30")]).said == ["applied"])
    let circuit = RowKey(entity: "ClinicGroup", id: "1")
    let (code, name) = (office.make(circuit, ["code": .text("A")]), office.make(circuit, ["name": .text("Circuit B")]))
    #expect(try await office.sync([code, name]).said == ["applied", "quarantined:locked"])
    #expect(try await a.sync([sheet(a, "f1")]).said == ["quarantined:locked"])
  }
}
