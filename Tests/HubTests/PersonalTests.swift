import ExamStore
import Foundation
import Journal
import Sync
import Testing

@testable import Hub

@Suite("Candidates' data at a hub") struct PersonalTests {
  /// Two candidates at station 12, one of whom another entry at station 13 names too.
  static func examine(_ hub: TestHub, days: Int64? = nil) async throws -> TestDevice {
    let office = try await hub.plan()
    var operations = [
      office.make(
        RowKey(entity: "Student", id: "-17"),
        ["studentNumber": .text("C17"), "surname": .text("Quillfeather"), "consent": .text("filmed, 2026-10-01")],
        kind: .create),
      office.make(
        RowKey(entity: "Student", id: "-18"), ["studentNumber": .text("C18"), "surname": .text("Other")], kind: .create),
    ]
    if let days { operations.append(office.make(RowKey(entity: "Config", id: "1"), ["retentionDays": .integer(days)])) }
    for (entry, student) in [("entry-12", -17), ("entry-13", -18)] {
      operations.append(
        office.make(RowKey(entity: "TimetableAttendanceLog", id: entry), ["student": .integer(Int64(student))]))
    }
    for (key, entry) in [("form-a", "entry-12"), ("form-b", "entry-13")] {
      operations += [
        office.make(
          RowKey(entity: "DataForm", id: key), ["attendanceLog": .text(entry), "seat": .text("lead")], kind: .create),
        office.make(
          RowKey(entity: "DataSection", id: key + "-s"), ["dataForm": .text(key), "name": .text("Station")],
          kind: .create),
        office.make(
          RowKey(entity: "RatingQuestion", id: key + "-i"),
          ["dataSection": .text(key + "-s"), "rating": .integer(2_500_000)],
          kind: .create),
      ]
    }
    #expect(Set(try await office.sync(operations).said) == ["applied"])
    let feedback = office.make(
      RowKey(entity: "RatingQuestion", id: "form-a-i"), ["feedback": .text("too quiet for Quillfeather")],
      reason: "asked again")
    #expect(Set(try await office.sync([feedback]).said) == ["applied"])
    return office
  }

  @Test(
    "all that leads to a candidate is given to who asks for it, with its history, and nothing of another candidate's")
  func exports() async throws {
    for storage in Storage.installed {
      let hub = try await TestHub(on: storage)
      _ = try await Self.examine(hub)
      let text = String(decoding: try await hub.hub.subjectExport(of: "c17", in: hub.exam), as: UTF8.self)
      let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(document["candidate"] as? String == "C17")
      let rows = try #require(document["rows"] as? [[String: Any]])
      #expect(
        rows.compactMap { row in row["key"] as? String } == ["form-a", "form-a-s", "form-a-i", "-17", "entry-12"],
        "\(storage)")
      let item = try #require(rows.first { $0["key"] as? String == "form-a-i" })
      let fields = try #require(item["fields"] as? [String: Any])
      #expect(fields["feedback"] as? String == "too quiet for Quillfeather" && fields["rating"] as? Double == 2.5)
      let history = try #require(item["history"] as? [[String: Any]])
      #expect(history.map { $0["reason"] as? String } == [nil, "asked again"])
      #expect(history.map { $0["result"] as? String } == ["applied", "applied"])
      #expect(text.contains("filmed, 2026-10-01") && !text.contains("Other") && !text.contains("form-b"))
      let audit = try await hub.rows("SELECT action, detail FROM audit WHERE exam = ? ORDER BY n DESC LIMIT 1")
      #expect(audit.map(\.values) == [[.text("subject-export"), .text("Student/-17")]])
      await #expect(throws: HubRefusal.self) { _ = try await hub.hub.subjectExport(of: "C99", in: hub.exam) }
    }
  }

  @Test("a sheet that was moved to another candidate is that one's", arguments: Storage.installed)
  func moved(on storage: Storage) async throws {
    let hub = try await TestHub(on: storage)
    let office = try await Self.examine(hub)
    let entry = RowKey(entity: "TimetableAttendanceLog", id: "entry-12")
    let heads = office.chain.last { $0.row == entry }.map(\.id)
    let move = office.make(entry, ["student": .integer(-18)], replacing: ["student": [try #require(heads)]])
    #expect(try await office.sync([move]).said == ["applied"])
    let text = String(decoding: try await hub.hub.subjectExport(of: "C17", in: hub.exam), as: UTF8.self)
    #expect(!text.contains("form-a") && text.contains("Student"))
    #expect(
      String(decoding: try await hub.hub.subjectExport(of: "C18", in: hub.exam), as: UTF8.self).contains("form-a"))
  }

  @Test(
    "who was kept for as long as the exam says is listed once the day is over everywhere, and nobody before",
    arguments: Storage.installed) func retention(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    _ = try await Self.examine(hub)
    #expect(try await hub.hub.retention(of: hub.exam).days == nil)
    let other = try await TestHub(on: storage)
    _ = try await Self.examine(other, days: 30)
    let before = try await other.hub.retention(of: other.exam)
    #expect(before.days == 30 && before.last == "2026-11-24" && before.until == "2026-12-24")
    #expect(!before.isPast && before.past.isEmpty)
    // Noon of the 25th in UTC, when the 24th ends in the last time zone.
    let end = try #require(Timestamp.parse("2026-12-25T12:00:00Z")).milliseconds
    let now = other.hub.clock.now()
    other.advance(end - now - 1)
    #expect(try await other.hub.retention(of: other.exam).past.isEmpty)
    other.advance(1)
    let after = try await other.hub.retention(of: other.exam)
    #expect(after.isPast)
    #expect(
      after.past == ["C17", "C18"].map { .init(number: $0, last: "2026-11-24", until: "2026-12-24") })
    let audit = try await other.rows("SELECT action, detail FROM audit WHERE exam = ? ORDER BY n DESC LIMIT 1")
    #expect(audit.map(\.values) == [[.text("retain"), .text("2 past")]])
  }

  @Test(
    "a candidate who is erased leaves marks and times and no text, in no entry, at no device; chains and log verify",
    arguments: Storage.installed) func erased(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let office = try await Self.examine(hub, days: 30)
    let lead = try await hub.enrol(.lead, seed: 5)
    let ruling = lead.make(
      RowKey(entity: "ExamRuling", id: "r1"),
      [
        "kind": .text("excuse"), "candidate": .text("C17"), "reason": .text("Quillfeather was ill"),
        "staff": .integer(3),
      ],
      staff: 3)
    #expect(try await lead.sync([ruling]).said == ["applied"])
    let removed = office.make(
      RowKey(entity: "Jot", id: "j1"), ["text": .text("Quillfeather nods"), "attendanceLog": .text("entry-12")])
    let deletion = office.make(
      RowKey(entity: "Jot", id: "j1"), kind: .delete,
      covers: [removed.row: ["text": [removed.id], "attendanceLog": [removed.id]]], reason: "of C17")
    #expect(try await office.sync([removed, deletion]).said == ["applied", "applied"])
    let planned = try await hub.hub.plannedErasure(of: "C17", in: hub.exam)
    #expect(planned.candidate.id == "-17" && planned.rows == 7 && !planned.isPast && planned.until == "2026-12-24")

    let done = try await hub.hub.erase("C17", in: hub.exam, reason: "asked for")
    #expect(done.changes == planned.changes && done.changes == 6)
    #expect(try await hub.hub.lastErasure(of: hub.exam) == done.entry)
    #expect(try await hub.hub.examine(hub.exam) == [])
    let told = ["Quillfeather", "C17", "too quiet", "asked again", "filmed"]
    func tells(_ bytes: [UInt8]) -> [String] {
      let text = String(decoding: bytes, as: UTF8.self)
      // As words: three signs stand in the random bytes of a key by chance.
      return told.filter { text.firstRange(of: try! Regex("\\b\($0)\\b")) != nil }
    }
    #expect(tells(try await hub.exported()) == [])
    let subject = try await hub.hub.subjectExport(of: done.pseudonym, in: hub.exam)
    let text = String(decoding: subject, as: UTF8.self)
    #expect(tells(subject) == [] && text.contains("\"rating\":2.5") && text.contains("\"feedback\":null"))
    // A ruling is about the same candidate as before, and about nobody else; what was removed stays removed.
    #expect(text.contains("\"candidate\":\"\(done.pseudonym)\"") && text.contains("\"key\":\"r1\""))
    #expect(text.contains("\"key\":\"j1\",\"removed\":true"))
    await #expect(throws: HubRefusal.self) {
      _ = try await hub.hub.erase(done.pseudonym, in: hub.exam, reason: "again")
    }

    let late = try await hub.enrol(.office, seed: 77)
    let entries = try await late.pullAll()
    var bytes: [UInt8] = []
    for entry in entries { entry.write(to: &bytes) }
    #expect(tells(bytes) == [] && entries.last?.short == "erase")
    #expect(String(decoding: bytes, as: UTF8.self).contains("Other"))
    #expect(try await office.pullAll().last?.short == "erase")

    // What a device writes that has not met it yet is erased by the number that says nothing.
    let after = office.make(RowKey(entity: "RatingQuestion", id: "form-a-i"), ["feedback": .text("Quillfeather again")])
    #expect(try await office.sync([after]).said == ["conflict"])
    await #expect(throws: HubRefusal.self, "a contradiction is not settled without a word") {
      _ = try await hub.hub.erase(done.pseudonym, in: hub.exam, reason: "came late")
    }
    let again = try await hub.hub.erase(done.pseudonym, in: hub.exam, reason: "came late", settles: true)
    #expect(again.pseudonym == done.pseudonym)
    #expect(tells(try await hub.exported()) == [])
    #expect(try await hub.hub.examine(hub.exam) == [])
    let audit = try await hub.rows("SELECT action, detail FROM audit WHERE exam = ? ORDER BY n DESC LIMIT 1")
    #expect(audit.map(\.values) == [[.text("erase"), .text("Student/-17 1 changes: came late")]])
  }

  @Test(
    "a ruling on a sheet of a candidate who is erased says no more why, nor does what withdrew it",
    arguments: Storage.installed) func rulingOnSheet(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    _ = try await Self.examine(hub)
    let lead = try await hub.enrol(.lead, seed: 5)
    func fields(_ sheet: String, _ reason: String) -> [String: Value] {
      ["kind": .text("exclusion"), "sheet": .text(sheet), "reason": .text(reason), "staff": .integer(3)]
    }
    let made = fields("form-a", "Quillfeather left")
    let ruling = lead.make(RowKey(entity: "ExamRuling", id: "r2"), made, staff: 3)
    let withdrawal = lead.make(
      ruling.row, kind: .delete, covers: [ruling.row: made.mapValues { _ in [ruling.id] }],
      reason: "Quillfeather came back", staff: 3)
    let other = lead.make(RowKey(entity: "ExamRuling", id: "r3"), fields("form-b", "kit failed"), staff: 3)
    #expect(try await lead.sync([ruling, withdrawal, other]).said == ["applied", "applied", "applied"])
    let done = try await hub.hub.erase("C17", in: hub.exam, reason: "asked for")
    #expect(!String(decoding: try await hub.exported(), as: UTF8.self).contains("Quillfeather"))
    let subject = String(decoding: try await hub.hub.subjectExport(of: done.pseudonym, in: hub.exam), as: UTF8.self)
    #expect(subject.contains("\"key\":\"r2\"") && !subject.contains("\"key\":\"r3\""))
    #expect(!subject.contains("Quillfeather"))
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test(
    "an erasure beside a change that waits for a person is refused, and takes no marks where it is asked for",
    arguments: Storage.installed) func undecided(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let office = try await Self.examine(hub)
    let ahead = office.make(
      RowKey(entity: "RatingQuestion", id: "form-a-i"), ["feedback": .text("Quillfeather tomorrow")],
      hlc: TestHub.start + 26 * 3_600_000)
    #expect(try await office.sync([ahead]).said == ["quarantined:clock_ahead"])
    let before = try await hub.exported()
    #expect(try await hub.hub.plannedErasure(of: "C17", in: hub.exam).undecided == 1)
    await #expect(throws: HubRefusal.self) {
      _ = try await hub.hub.erase("C17", in: hub.exam, reason: "asked for")
    }
    #expect(try await hub.exported() == before)
    let done = try await hub.hub.erase("C17", in: hub.exam, reason: "asked for", settles: true)
    let subject = try await hub.hub.subjectExport(of: done.pseudonym, in: hub.exam)
    #expect(String(decoding: subject, as: UTF8.self).contains("\"rating\":2.5"))
    #expect(!String(decoding: try await hub.exported(), as: UTF8.self).contains("Quillfeather"))
    #expect(try await hub.hub.examine(hub.exam) == [])
    let late = try await hub.enrol(.office, seed: 78)
    #expect(try await late.sync([late.make(Rows.item(3), ["rating": .integer(1)])]).said == ["applied"])
  }

  @Test(
    "what a store that went on as a new device brings again does not bring an erased text back",
    arguments: Storage.installed) func broughtAgain(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let office = try await Self.examine(hub)
    _ = try await hub.hub.erase("C17", in: hub.exam, reason: "asked for")
    let next = try await office.continued(seed: 5)
    let told = try #require(office.chain.last)
    next.make(
      told.row, ["feedback": .text("too quiet for Quillfeather")], reason: "asked again", id: told.id,
      hlc: told.hlc.milliseconds, tx: told.tx)
    #expect(try await next.sync(next.chain).said == ["duplicate of applied"])
    #expect(!String(decoding: try await hub.exported(), as: UTF8.self).contains("Quillfeather"))
    #expect(try await hub.hub.examine(hub.exam) == [])
  }

  @Test(
    "what comes without content to a hub whose log has lost the erasure is named by the next one, for those who missed it",
    arguments: Storage.installed) func lostErasure(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let office = try await Self.examine(hub)
    let backup = try await TestHub(on: .sqlite, from: hub, isMoved: true)
    let text = office.make(RowKey(entity: "RatingQuestion", id: "form-a-i"), ["feedback": .text("Quillfeather hums")])
    try await office.sync([text])
    _ = try await hub.hub.erase("C17", in: hub.exam, reason: "asked for", settles: true)
    let restored = try await TestHub(on: storage, from: backup, isMoved: false)
    try await office.goOn(at: restored)
    #expect(try await office.sync([text.withoutBody()]).said == ["withheld"])
    let pseudonym = try await restored.hub.erase("C17", in: hub.exam, reason: "asked for", settles: true).pseudonym
    let entry = try #require(
      try await restored.rows("SELECT detail FROM log WHERE exam = ? AND type = 'erase'").first?.text(0))
    #expect(entry.contains(text.id.description))
    await #expect(throws: HubRefusal.self) {
      _ = try await restored.hub.erase(pseudonym, in: hub.exam, reason: "asked for", settles: true)
    }
  }

  @Test(
    "a hub that is filled has nothing of what one store has as erased and another whole, and has the others erase it",
    arguments: Storage.installed, [true, false]) func filled(on storage: Storage, isWholeFirst: Bool) async throws
  {
    let hub = try await TestHub(on: storage, isFilling: true)
    let (late, told) = (try await hub.enrol(seed: 1), try await hub.enrol(seed: 2))
    let desk = TestDevice(seed: 9, hub: hub)
    let row = RowKey(entity: "RatingQuestion", id: "form-a-i")
    let mark = desk.make(row, ["rating": .integer(1)], kind: .create)
    let texts = ["hums", "sings"].map { desk.make(row, ["feedback": .text("Quillfeather " + $0)]) }
    let stores = [(late, [mark] + texts), (told, [mark] + texts.map { $0.withoutBody(because: .erased) })]
    let order = isWholeFirst ? stores : stores.reversed()
    // The last change comes before what it follows, and is kept aside.
    for (device, chain) in order {
      #expect(try await device.send(device.request([chain[2]], limit: 0, relay: true)).said == ["hole"])
    }
    for (device, chain) in order {
      _ = try await device.send(device.request(Array(chain[..<2]), limit: 0, relay: true))
    }
    #expect(try await hub.hub.endFilling(hub.exam).holes.isEmpty)
    #expect(!String(decoding: try await hub.exported(), as: UTF8.self).contains("Quillfeather"))
    let whole = try await hub.rows("SELECT id FROM op WHERE exam = ? AND sealed IS NOT NULL")
    #expect(try whole.map { try $0.text(0) } == [mark.id.description])
    let named = try await hub.rows("SELECT detail FROM log WHERE exam = ? AND type = 'erase'")
    #expect(try named.map { try $0.text(0) } == [texts.map(\.id).sorted().map(\.description).joined(separator: " ")])
    #expect(try await hub.hub.examine(hub.exam) == [])
    late.epoch = try await hub.epoch()
    #expect(try await late.pullAll().map(\.short).contains("erase"))
  }

  @Test(
    "an erasure destroys no mark of another candidate whose identifier somebody has used for a text of this one",
    arguments: Storage.installed) func borrowedIdentifier(on storage: Storage) async throws
  {
    let hub = try await TestHub(on: storage)
    let office = try await Self.examine(hub)
    let other = try #require(office.chain.first { $0.row.id == "form-b-i" })
    let thief = try await hub.enrol(seed: 9)
    let forged = thief.make(
      RowKey(entity: "RatingQuestion", id: "form-a-i"), ["feedback": .text("Quillfeather hums")], id: other.id)
    #expect(try await thief.sync([forged]).said == ["rejected:two_versions"])
    _ = try await hub.hub.erase("C17", in: hub.exam, reason: "asked for")
    let log = String(decoding: try await hub.exported(), as: UTF8.self)
    #expect(!log.contains("Quillfeather"))
    let late = try await hub.enrol(.office, seed: 79)
    let held = try await late.pullAll().compactMap { entry -> Journal.Operation? in
      if case .operation(let operation, _, _) = entry.content { operation.operation } else { nil }
    }
    #expect(held.contains { $0.hash == other.hash && $0.sealedBody != nil })
    #expect(try await hub.hub.examine(hub.exam) == [])
  }
}
