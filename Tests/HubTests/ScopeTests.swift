import ExamStore
import Journal
import Sync
import Testing

@testable import Hub

@Suite("What of an exam a hub gives a device") struct ScopeTests {
  /// Makes a sheet at a station session: form, section, item.
  private func sheet(
    _ device: TestDevice, _ name: String, at station: Int, seat: String? = nil, by staff: Int64? = nil
  ) -> [Journal.Operation] {
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
    return rows.enumerated().map { device.make($1.0, $1.1, staff: staff, tx: tx, place: ($0, rows.count)) }
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

  @Test("a code takes a seat of its station alone, and says which there are", arguments: Storage.installed)
  func seats(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let office = try await hub.plan()
    let codes = [("12", "CHEST"), ("13", "ABDO")].map { key, code in
      office.make(RowKey(entity: "ActivityType", id: key), ["code": .text(code)])
    }
    #expect(try await office.sync(codes).said == ["applied", "applied"])
    func choice(_ station: String, _ seat: String) async throws -> CodeScope {
      try await hub.hub.choice(of: hub.exam, circuits: [], stations: [station], seat: seat)
    }
    #expect(try await choice("CHEST", "besides").seat == "besides")
    #expect(try await choice("ABDO", "lead").seat == "lead")
    let error = await #expect(throws: HubRefusal.self) { _ = try await choice("ABDO", "besides") }
    #expect(error?.description == "ABDO has no seat 'besides', but: lead; nothing was changed")
  }

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

  @Test("who names an earlier version of its part is given no content that it has lost", arguments: Storage.installed)
  func earlierVersion(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let author = try await hub.enrol(.station, seed: 1)
    try await author.sync(sheet(author, "a", at: 12))
    let other = try await hub.enrol(.station, seed: 2, scope: CodeScope())
    let signedIn = try await other.signIn("cover", "right", timetable: 12)
    #expect(rows(try await other.pullAll()).contains(text("RatingQuestion", "item-a")))
    let out = WireRequest(.delete, "/v1/session", token: other.token, session: signedIn.session)
    #expect(await hub.hub.answer(out).status == 204)
    _ = try await other.pullAll()
    try await author.sync(sheet(author, "b", at: 12))

    let head = try await other.sync().cursor.seq ?? 0
    hub.advance(1000)
    let page = WireRequest(
      .get, "/v1/snapshot", query: ["history": "1", "page": "\(other.epoch).\(head).0.\(signedIn.scope.version)"],
      token: other.token)
    let given = try SnapshotPage.decode(await hub.hub.answer(page).body).entries
    #expect(rows(given).contains(text("ClinicGroup", "1")))
    #expect(!rows(given).contains { $0.contains("form-") || $0.contains("item-") || $0.contains("entry-") })
    for words in ["\(head).0.\(signedIn.scope.version).0", "\(head).\(signedIn.scope.version)", "\(head).0"] {
      other.place = LogCursor("\(other.epoch):\(words)")
      let given = rows(try await other.pullAll())
      #expect(!given.contains { $0.contains("form-") || $0.contains("item-") || $0.contains("entry-") }, "\(words)")
    }
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
    let sheets = sheet(never, "a", at: 12, by: 6) + sheet(former, "b", at: 12, by: 6)
    let kept = Array(repeating: "quarantined:scope", count: 3)
    #expect(try await relayer.sync(sheets, relay: true).said == ["applied", "applied", "applied"] + kept)
  }

  @Test(
    "a station's terminal marks at another station for a person who may do it there, and for nobody else",
    arguments: Storage.installed)
  func atAnotherStation(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let office = try await hub.plan()
    var station = CodeScope()
    (station.stations, station.seat) = ([12], "lead")
    let device = try await hub.enrol(.station, seed: 1, scope: station)
    let applied = Array(repeating: "applied", count: 3)
    let kept = Array(repeating: "quarantined:scope", count: 3)
    #expect(try await device.sync(sheet(device, "a", at: 12)).said == applied, "the device's own part")
    #expect(try await device.sync(sheet(device, "b", at: 12, by: 999)).said == applied)
    #expect(try await device.sync(sheet(device, "c", at: 13)).said == kept, "nobody")
    #expect(try await device.sync(sheet(device, "d", at: 13, by: 999)).said == kept, "somebody who is not known")
    #expect(try await device.sync(sheet(device, "e", at: 13, by: 9)).said == kept, "somebody without a role")
    #expect(try await device.sync(sheet(device, "f", at: 13, by: 6)).said == applied, "the one who is planned there")
    let refused = Array(repeating: "rejected:role", count: 3)
    #expect(try await device.sync(sheet(device, "g", at: 13, by: 1)).said == refused)
    let covers = office.make(RowKey(entity: "Timetable", id: "13"), ["coverStaff": .integer(9)])
    #expect(try await office.sync([covers]).said == ["applied"])
    #expect(try await device.sync(sheet(device, "h", at: 13, by: 9)).said == applied, "a cover without a role")
    station.seat = nil
    let other = try await hub.enrol(.station, seed: 2, scope: station)
    #expect(try await other.sync(sheet(other, "i", at: 12)).said == applied, "it is at the station, whatever the seat")
    #expect(try await other.sync(sheet(other, "j", at: 13)).said == kept)
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
    let stubs = stubs(again)
    #expect(!rows(again).contains(text("DataForm", "form-a")) && stubs.contains(text("DataForm", "form-a")))
    #expect(!stubs.contains(text("DataForm", "form-b")), "it came after the part was lost")
  }

  /// The rows of which entries take the content back.
  private func stubs(_ entries: [LogEntry]) -> Set<String> {
    Set(
      entries.compactMap { entry in
        guard case .operation(let wire, _, _) = entry.content, wire.operation.absent == .scope else { return nil }
        return "\(wire.operation.row)"
      })
  }

  private let sheetOfA: [(String, String)] = [
    ("DataForm", "form-a"), ("DataSection", "section-a"), ("RatingQuestion", "item-a"),
  ]

  @Test(
    "who goes back and does not know any more what it has is given its part again, and told what it lost",
    arguments: Storage.installed)
  func unknownPart(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let author = try await hub.enrol(.station, seed: 1)
    #expect(try await author.sync(sheet(author, "a", at: 12)).said == ["applied", "applied", "applied"])
    let other = try await hub.enrol(.station, seed: 2, scope: CodeScope())
    _ = try await other.pullAll()
    let signedIn = try await other.signIn("cover", "right", timetable: 12)
    _ = try await other.pullAll()
    let out = WireRequest(.delete, "/v1/session", token: other.token, session: signedIn.session)
    #expect(await hub.hub.answer(out).status == 204)
    let went = other.mark
    other.place = LogCursor("\(other.epoch):\(went.seq).0")
    let entries = try await other.pullAll(limit: 7)
    #expect(entries.allSatisfy { $0.isBack })
    #expect(rows(entries).contains(text("ClinicGroup", "1")) && rows(entries).contains(text("Timetable", "12")))
    #expect(sheetOfA.allSatisfy { stubs(entries).contains(text($0.0, $0.1)) })
    #expect(!stubs(entries).contains(text("TimetableAttendanceLog", "entry-13")), "it never had that")
    #expect(try await other.pullAll().isEmpty, "once")
  }

  @Test("a device that takes another's place gives up what the other lost", arguments: Storage.installed)
  func continuedPart(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let author = try await hub.enrol(.station, seed: 1)
    #expect(try await author.sync(sheet(author, "a", at: 12)).said == ["applied", "applied", "applied"])
    let former = try await hub.enrol(.station, seed: 2, scope: CodeScope())
    _ = try await former.pullAll()
    let first = try await former.signIn("cover", "right", timetable: 12)
    _ = try await former.pullAll()
    let out = WireRequest(.delete, "/v1/session", token: former.token, session: first.session)
    #expect(await hub.hub.answer(out).status == 204)
    _ = try await former.signIn("cover", "right", timetable: 13)
    let next = try await former.continued(seed: 3)
    next.mark = former.mark
    next.place = former.place
    let entries = try await next.pullAll()
    #expect(sheetOfA.allSatisfy { stubs(entries).contains(text($0.0, $0.1)) })
    #expect(rows(entries).contains(text("TimetableAttendanceLog", "entry-13")), "the other's person is still there")
    // From the begin of the log it is the same.
    next.mark = LogHash.start(of: hub.exam)
    let again = try await next.pullAll()
    #expect(sheetOfA.allSatisfy { stubs(again).contains(text($0.0, $0.1)) })
    hub.advance(13 * 3_600_000)
    #expect(
      stubs(try await next.pullAll()).contains(text("TimetableAttendanceLog", "entry-13")),
      "nobody is signed in for ever")
  }

  @Test(
    "what counted and counts for nothing now is given up with its part as well, and what a lead was shown",
    arguments: Storage.installed)
  func refusedPart(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    try await hub.plan()
    let author = try await hub.enrol(.station, seed: 1)
    let made = sheet(author, "a", at: 12)
    #expect(try await author.sync(made).said == ["applied", "applied", "applied"])
    let other = try await hub.enrol(.station, seed: 2, scope: CodeScope())
    let lead = try await hub.enrol(.lead, seed: 3)
    _ = try await other.pullAll()
    let signedIn = try await other.signIn("cover", "right", timetable: 12)
    _ = try await other.pullAll()
    #expect(try await hub.hub.rule(.rejected, on: made[2].id, in: hub.exam, reason: "not theirs") == "rejected")
    // What never counted is shown to a lead, and not at a station.
    let early = author.make(
      RowKey(entity: "DataForm", id: "form-b"), ["attendanceLog": .text("entry-12")],
      hlc: TestHub.start + 26 * 3_600_000)
    #expect(try await author.sync([early]).said == ["quarantined:clock_ahead"])
    #expect(rows(try await lead.pullAll()).contains(text("DataForm", "form-b")))
    _ = try await other.pullAll()
    let out = WireRequest(.delete, "/v1/session", token: other.token, session: signedIn.session)
    #expect(await hub.hub.answer(out).status == 204)
    let lost = try await other.pullAll()
    #expect(sheetOfA.allSatisfy { stubs(lost).contains(text($0.0, $0.1)) })
    #expect(!stubs(lost).contains(text("DataForm", "form-b")))
    other.mark = LogHash.start(of: hub.exam)
    #expect(stubs(try await other.pullAll()).contains(text("RatingQuestion", "item-a")))
    #expect(stubs(try await snapshot(of: other)).contains(text("RatingQuestion", "item-a")))

    // The lead's terminal becomes a station's.
    try await hub.hub.keep(code: "STATION", for: .station, in: hub.exam, scope: CodeScope())
    try await lead.enrol("STATION")
    let given = stubs(try await lead.pullAll())
    #expect(given.contains(text("DataForm", "form-b")) && given.contains(text("RatingQuestion", "item-a")))
    #expect(stubs(try await snapshot(of: lead)).contains(text("DataForm", "form-b")))
    lead.mark = LogHash.start(of: hub.exam)
    #expect(stubs(try await lead.pullAll()).contains(text("DataForm", "form-b")))
  }

  private func snapshot(of device: TestDevice) async throws -> [LogEntry] {
    device.hub.advance(1000)
    let request = WireRequest(.get, "/v1/snapshot", query: ["history": "1"], token: device.token)
    return try SnapshotPage.decode(await device.hub.hub.answer(request).body).entries
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
