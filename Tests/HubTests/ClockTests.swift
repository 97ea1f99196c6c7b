import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

@Suite("Clock events at a hub") struct ClockTests {
  private let run = RowKey(entity: "CircuitRun", id: "run")

  private func event(_ device: TestDevice, _ key: String, at instant: Int64) -> Journal.Operation {
    device.make(
      RowKey(entity: "ClockEvent", id: key),
      ["run": .text(run.id), "kind": .text("pause"), "at": .integer(instant)], kind: .clock, staff: 2)
  }

  @Test(
    "count however late from the device that has the run; from another only while they are fresh, or in time to come",
    arguments: Storage.installed) func late(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    hub.advance(3_600_000)
    let (a, b) = (try await hub.enrol(.desk, seed: 1), try await hub.enrol(.desk, seed: 2))
    let start = a.make(
      run, ["circuit": .integer(1), "date": .text("2026-11-24"), "startTime": .text("08:30")], staff: 2)
    #expect(try await a.sync([start]).said == ["applied"])
    let now = hub.hub.clock.now
    // An exchange takes a second by the tests' clock.
    #expect(try await b.sync([event(b, "fresh", at: now() + 1000 - ClockCheck.patience)]).said == ["applied"])
    #expect(
      try await b.sync([event(b, "late", at: now() + 999 - ClockCheck.patience)]).said == [
        "quarantined:clock_partition"
      ])
    #expect(try await b.sync([event(b, "ahead", at: now() + 60_000)]).said == ["applied"])
    #expect(try await a.sync([event(a, "own", at: now() - 600_000)]).said == ["applied"])
    let why = b.make(RowKey(entity: "ClockEvent", id: "fresh"), ["reason": .text("alarm")], staff: 2)
    #expect(try await b.sync([why]).said == ["applied"], "a reason is no event")
  }

  @Test("follow the run to the device that is named as its host", arguments: Storage.installed) func moved(
    on storage: Storage
  ) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    hub.advance(3_600_000)
    let (a, b) = (try await hub.enrol(.desk, seed: 1), try await hub.enrol(.desk, seed: 2))
    let late = TestHub.start + 600_000
    let start = a.make(run, ["circuit": .integer(1)], staff: 2)
    #expect(try await a.sync([start, event(a, "first", at: late)]).said == ["applied", "applied"])
    let takes = b.make(run, ["host": .text(b.id.description)], staff: 2)
    #expect(try await b.sync([takes, event(b, "second", at: late)]).said == ["applied", "applied"])
    #expect(try await a.sync([event(a, "third", at: late)]).said == ["quarantined:clock_partition"])
    let bystander = try await hub.enrol(.lead, seed: 3)
    let new = bystander.make(
      RowKey(entity: "ClockEvent", id: "fourth"),
      ["run": .text("unknown run"), "kind": .text("start"), "at": .integer(late)], kind: .clock, staff: 3)
    #expect(try await bystander.sync([new]).said == ["applied"], "of a run that nobody else has")
  }

  @Test(
    "come again after a restore as they were: what is older than this run of the log is not judged anew",
    arguments: Storage.installed)
  func restored(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let (a, b) = (try await hub.enrol(.desk, seed: 1), try await hub.enrol(.desk, seed: 2))
    #expect(try await a.sync([a.make(run, ["circuit": .integer(1)], staff: 2)]).said == ["applied"])
    let backup = try await TestHub(on: .sqlite, from: hub, isMoved: true)
    let pressed = event(b, "pressed", at: hub.hub.clock.now() + 1000)
    #expect(try await b.sync([pressed]).said == ["applied"])
    hub.advance(3_600_000)
    let restored = try await TestHub(on: storage, from: backup, isMoved: false)
    try await b.goOn(at: restored)
    let began = hub.hub.clock.now()
    #expect(try await b.sync([pressed]).said == ["applied"])
    restored.advance(60_000)
    #expect(try await b.sync([event(b, "late", at: began + 1)]).said == ["quarantined:clock_partition"])
  }
}
