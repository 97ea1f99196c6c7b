import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

@Suite("What of an exam a hub gives a device") struct ScopeTests {
  /// Makes a sheet at a station session: form, section, item.
  private func sheet(_ device: TestDevice, _ name: String, at station: Int, seat: String? = nil)
    -> [Journal.Operation]
  {
    let tx = UUIDBytes.random(using: &device.generator)
    var form: [String: Value] = ["attendanceLog": .text("entry-\(station)")]
    if let seat { form["seat"] = .text(seat) }
    let rows: [(RowKey, [String: Value])] = [
      (RowKey(entity: "DataForm", id: "form-\(name)"), form),
      (RowKey(entity: "DataSection", id: "section-\(name)"), ["dataForm": .text("form-\(name)"), "name": .text("A")]),
      (
        RowKey(entity: "RatingQuestion", id: "item-\(name)"),
        ["dataSection": .text("section-\(name)"), "rating": .integer(1)]
      ),
    ]
    return rows.enumerated().map { device.make($1.0, $1.1, tx: tx, place: ($0, rows.count)) }
  }

  /// The rows of which entries bring the content.
  private func rows(_ entries: [LogEntry]) -> Set<String> {
    Set(
      entries.compactMap { entry in
        guard case .operation(let wire, _, _) = entry.content, wire.operation.sealedBody != nil else { return nil }
        return "\(wire.operation.row)"
      })
  }

  private func text(_ entity: String, _ id: String) -> String { "\(RowKey(entity: entity, id: id))" }

  @Test(
    "a station's terminal has the plan, and a station's roster and sheets while somebody is signed in there",
    arguments: Storage.installed)
  func session(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let author = try await hub.enrol(.station, seed: 1)
    #expect(try await author.sync(sheet(author, "a", at: 12)).said == ["applied", "applied", "applied"])
    #expect(try await author.sync(sheet(author, "b", at: 13)).said == ["applied", "applied", "applied"])
    #expect(
      try await author.sync(sheet(author, "c", at: 12, seat: "besides")).said == ["applied", "applied", "applied"])
    let other = try await hub.enrol(.station, seed: 2, scope: CodeScope())
    let before = rows(try await other.pullAll())
    #expect(before.contains(text("ClinicGroup", "1")) && before.contains(text("Timetable", "12")))
    #expect(!before.contains { $0.contains("entry-") || $0.contains("form-") || $0.contains("item-") })

    let signedIn = try await other.signIn("cover", "right", timetable: 12)
    #expect(signedIn.scope.atoms.contains("station:12") && signedIn.scope.version == 2)
    let gained = try await other.pullAll()
    #expect(gained.allSatisfy { $0.isBack })
    #expect(
      rows(gained) == [
        text("TimetableAttendanceLog", "entry-12"), text("DataForm", "form-a"), text("DataSection", "section-a"),
        text("RatingQuestion", "item-a"),
      ], "neither another station's nor another seat's sheets")
    #expect(try await other.pullAll().isEmpty, "once")

    let out = WireRequest(.delete, "/v1/session", token: other.token, session: signedIn.session)
    #expect(await hub.hub.answer(out).status == 204)
    let lost = try await other.pullAll()
    #expect(!lost.isEmpty && rows(lost).isEmpty, "what is lost is named, without content")
    other.time = TestHub.start + 3_600_000
    hub.advance(3_600_000)
    let late = sheet(other, "d", at: 12)
    #expect(try await other.sync(late).said == Array(repeating: "quarantined:scope", count: 3))
  }

  @Test("of what is passed on together each device is asked what it had lost itself", arguments: Storage.installed)
  func passedOn(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let never = try await hub.enrol(.station, seed: 1, scope: CodeScope())
    let former = try await hub.enrol(.station, seed: 2, scope: CodeScope())
    let relayer = try await hub.enrol(.station, seed: 3)
    let signedIn = try await former.signIn("cover", "right", timetable: 12)
    let out = WireRequest(.delete, "/v1/session", token: former.token, session: signedIn.session)
    #expect(await hub.hub.answer(out).status == 204)
    hub.advance(3_600_000)
    for device in [never, former] { device.time = TestHub.start + 3_600_000 }
    let sheets = sheet(never, "a", at: 12) + sheet(former, "b", at: 12)
    let kept = Array(repeating: "quarantined:scope", count: 3)
    #expect(try await relayer.sync(sheets, relay: true).said == ["applied", "applied", "applied"] + kept)
  }

  @Test(
    "a terminal that takes another place and reads the log from its begin is told what it holds of the former one",
    arguments: Storage.installed)
  func anotherPlace(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let author = try await hub.enrol(.station, seed: 1)
    #expect(try await author.sync(sheet(author, "a", at: 12)).said == ["applied", "applied", "applied"])
    let other = try await hub.enrol(.station, seed: 2, scope: CodeScope())
    _ = try await other.pullAll()
    let signedIn = try await other.signIn("cover", "right", timetable: 12)
    #expect(rows(try await other.pullAll()).contains(text("DataForm", "form-a")))
    let out = WireRequest(.delete, "/v1/session", token: other.token, session: signedIn.session)
    #expect(await hub.hub.answer(out).status == 204)
    hub.advance(1000)
    #expect(try await author.sync(sheet(author, "b", at: 12)).said == ["applied", "applied", "applied"])
    other.mark = LogHash.start(of: hub.exam)
    let again = try await other.pullAll()
    let stubs = Set(
      again.compactMap { entry -> String? in
        guard case .operation(let wire, _, _) = entry.content, wire.operation.absent == .scope else { return nil }
        return "\(wire.operation.row)"
      })
    #expect(!rows(again).contains(text("DataForm", "form-a")) && stubs.contains(text("DataForm", "form-a")))
    #expect(!stubs.contains(text("DataForm", "form-b")), "it came after the part was lost")
  }

  @Test("a candidate who comes to a station later is given with what was there before", arguments: Storage.installed)
  func lateRows(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let office = try await hub.plan()
    let desk = try await hub.enrol(.desk, seed: 1, scope: CodeScope())
    let student = RowKey(entity: "Student", id: "70")
    #expect(try await office.sync([office.make(student, ["forename": .text("Ada")])]).said == ["applied"])
    let before = rows(try await desk.pullAll())
    #expect(!before.contains("\(student)"))
    let placed = office.make(RowKey(entity: "TimetableAttendanceLog", id: "entry-12"), ["student": .integer(70)])
    #expect(try await office.sync([placed]).said == ["applied"])
    let entries = try await desk.pullAll()
    #expect(rows(entries).contains("\(student)") && entries.first?.isBack == true)
  }

  @Test(
    "many candidates who come to a station with one import come page by page, each once, and what else is in it once",
    arguments: Storage.installed) func lateImport(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let office = try await hub.plan()
    let desk = try await hub.enrol(.desk, seed: 1, scope: CodeScope())
    _ = try await desk.pullAll()
    // Two sets of candidates in two transactions; only those of the first come to a station.
    func students(_ keys: Range<Int>) -> [Journal.Operation] {
      let tx = UUIDBytes.random(using: &office.generator)
      return keys.map {
        office.make(
          RowKey(entity: "Student", id: "\($0)"), ["forename": .text("Ada")], tx: tx,
          place: ($0 - keys.lowerBound, keys.count))
      }
    }
    try await office.sync(students(100..<400))
    try await office.sync(students(400..<500))
    #expect(try await desk.pullAll().isEmpty, "nobody at a station yet")
    let tx = UUIDBytes.random(using: &office.generator)
    let entries = (100..<250).map { key in
      office.make(
        RowKey(entity: "TimetableAttendanceLog", id: "late-\(key)"),
        ["timetable": .integer(12), "student": .integer(Int64(key))], tx: tx, place: (key - 100, 150))
    }
    #expect(try await office.sync(entries).said == Array(repeating: "applied", count: 150))
    let pages = try await desk.pullPages(limit: 40)
    let all = pages.flatMap { $0 }
    #expect(pages.allSatisfy { $0.count <= 40 }, "\(pages.map(\.count))")
    #expect(
      all.count == 300 + 149 + 150,
      "their import without content as the first of them comes, then each of them whole, and the roster")
    #expect(rows(all).filter { $0.contains("Student") }.count == 150)
    #expect(rows(all).filter { $0.contains("late-") }.count == 150)
  }
}
