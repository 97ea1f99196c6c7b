import ExamStore
import Foundation
import GRDB
import Journal
import SeededNumbers
import Sync
import Testing

@testable import CircuitModel
@testable import Hub
@testable import Reports
@testable import StoreSync

@Suite("Stores that meet at a hub") struct EndToEndTests {
  private func hall(_ seed: UInt64 = 1) async throws -> Hall {
    let hall = try await Hall(seed: seed)
    try await hall.importExam()
    return hall
  }

  /// Whether each of them exchanges everything, one after another.
  private func all(_ terminals: Terminal..., tries: Int = 1) async -> Bool {
    for terminal in terminals where await !terminal.sync(tries: tries) { return false }
    return true
  }

  private func areSound(_ terminals: [Terminal], besides expected: String? = nil) throws {
    for terminal in terminals {
      let diagnosis = try Doctor(terminal.store.location, program: "test").examine()
      let failed = diagnosis.checks.filter { $0.result == .failed && $0.name != expected }.map {
        "\($0.name): \($0.detail) \($0.problems)"
      }
      #expect(failed == [])
    }
  }

  @Test("get the plan, and see what each other makes") func meet() async throws {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    #expect(await all(a, b))
    #expect(try a.content().contains { $0.hasPrefix("activityType 3") })
    try a.comment("c1", "late")
    #expect(try a.waiting() > 0)
    #expect(await all(a, b))
    #expect(try a.waiting() == 0)
    #expect(try a.content() == b.content())
    try b.change("c1", to: "very late")
    #expect(await all(b, a))
    #expect(try a.content() == b.content() && a.content().contains { $0.contains("very late") })
    try areSound([a, b])
  }

  @Test(
    "are equal in the end however the way loses, doubles and spoils what goes over it, and everything is there once")
  func badRoads() async throws {
    let seed = Seeded.seed
    var random = Seeded(seed: seed)
    let hall = try await hall(seed)
    var terminals: [Terminal] = []
    for name in ["a", "b", "c"] { terminals.append(try await hall.terminal(name)) }
    hall.road.set(.init(lost: 15, unanswered: 15, twice: 10, spoilt: 10))
    for number in 0..<60 {
      let terminal = try #require(terminals.randomElement(using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0: try terminal.comment("c\(number)", "text \(number)")
      case 1:
        let known = try terminal.store.read { try String.fetchAll($0, sql: "SELECT uuid FROM commentMetaStation") }
        if let key = known.randomElement(using: &random) { try terminal.change(key, to: "changed \(number)") }
      default: await terminal.sync(tries: 3)
      }
    }
    hall.road.set(.init())
    for _ in 0..<2 {
      for terminal in terminals { #expect(await terminal.sync(tries: 3), "OSCE_SEED=\(seed)") }
    }
    for terminal in terminals {
      let (here, there) = (try terminal.content(), try terminals[0].content())
      #expect(Set(here).symmetricDifference(there) == [], "OSCE_SEED=\(seed)")
      #expect(try terminal.waiting() == 0, "OSCE_SEED=\(seed)")
    }
    try areSound(terminals)
  }

  @Test("say what an exam lead at a terminal rules on what the hub keeps back: it counts everywhere, or nowhere")
  func ruled() async throws {
    let hall = try await Hall()
    try await hall.importExam { transaction in
      try transaction.create("Staff", "2", ["surname": .text("Dubois"), "username": .text("dubois")])
      try transaction.create(
        "Config", "1", ["settings": .text(#"{"roles":{"adeyemi":"invigilator","dubois":"lead"}}"#)])
    }
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    let lead = try await hall.terminal("lead", as: .lead)
    #expect(await all(a, b, lead))
    // An invigilator writes to the hall at a station's terminal, where nobody signed in.
    for (key, text) in [("m1", "fire alarm"), ("m2", "a joke"), ("m3", "out of the building")] {
      try a.store.write(Author(staff: 1)) { try $0.create("HallMessage", key, ["text": .text(text)]) }
    }
    #expect(await all(a, b, lead))
    func messages(_ terminal: Terminal) throws -> [String] {
      try terminal.store.read { try String.fetchAll($0, sql: "SELECT uuid FROM hallMessage ORDER BY uuid") }
    }
    #expect(try messages(b).isEmpty && messages(lead).isEmpty)
    let word = try lead.store.read { try ExamLead.authorise(try ExamLead.find(username: "dubois", in: $0), by: nil) }
    func rule(_ keys: String..., admits: Bool, reason: String) throws {
      try lead.store.write(Author(staff: word.member.id)) {
        let changes = try KeptChange.named(keys, in: $0.db)
        try KeptChanges.rule(on: changes, admits: admits, reason: reason, by: word, $0)
      }
    }
    #expect(throws: RulingRefusal.self) { try rule("m1", admits: true, reason: "no") }
    // Where one of them is unknown, nothing is ruled on.
    #expect(throws: StoreError.self) { try rule("m1", "m4", admits: true, reason: "there is no such message") }
    #expect(await all(lead, a, b))
    #expect(try messages(lead).isEmpty)
    try rule("m3", "m1", admits: true, reason: "there was an alarm")
    try rule("m2", admits: false, reason: "nobody is to see it")
    #expect(await all(lead, a, b))
    for terminal in [a, b, lead] {
      #expect(try messages(terminal) == ["m1", "m3"])
      let open = try terminal.store.read { try Outbox.attention($0, at: terminal.store.clock.now) }
      #expect(open.refused == 0)
    }
    try areSound([a, b, lead])
  }

  @Test("know the hub's time after one exchange, as a command makes it") func time() async throws {
    let hall = try await hall()
    let a = try await hall.terminal("a")
    #expect(a.store.clock.hub == nil)
    await ClockFollower(a.store, over: hall.road).runOnce()
    #expect(a.store.clock.hub?.heldDifference == nil && a.store.clock.hub != nil)
  }

  @Test("bring again what a hub lost that was restored, also where it has given the same numbers anew") func restored()
    async throws
  {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    #expect(await all(a, b))
    let yesterday = try hall.copyHub()
    try a.comment("c1", "only in the lost log")
    #expect(await all(a, b))
    try await hall.restoreHub(from: yesterday)
    // The restored hub gives the lost entry's number to another before the others come.
    let c = try await hall.terminal("c")
    try c.comment("c2", "after the restore")
    #expect(await all(c, tries: 2))
    #expect(await all(b, a, c, b, tries: 2))
    for terminal in [a, b, c] {
      let content = try terminal.content()
      #expect(content == (try a.content()))
      #expect(content.contains { $0.contains("only in the lost log") } && content.contains { $0.contains("after the") })
    }
    try areSound([a, b, c])
  }

  @Test("go on under a new device where they were moved with their token, and say it where it stayed behind")
  func moved() async throws {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    #expect(await all(a, b))
    try a.comment("c1", "before the move")
    let moved = Terminal(store: try hall.copyStore(of: a, named: "moved"), hall: hall)
    let bare = Terminal(store: try hall.copyStore(of: a, named: "bare", with: []), hall: hall)
    for terminal in [moved, bare] { try terminal.comment("c2", "after the move") }
    #expect(moved.store.device != a.store.device)
    #expect(await all(moved, b))
    #expect(try moved.waiting() == 0)
    let content = try b.content()
    #expect(content == (try moved.content()))
    #expect(content.contains { $0.contains("before the move") } && content.contains { $0.contains("after the move") })
    try areSound([moved, b])
    #expect(await !bare.sync())
    let state = try bare.store.read { try SyncState.read($0) }
    #expect(state?.state == SyncState.Work.none && state?.trouble == EnrolledStore.missingPlace)
  }

  @Test("get content that came to the hub without it at first, as part of their own scope or not at all")
  func contentLater() async throws {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    #expect(await all(a, b))
    try a.comment("c1", "not sent whole by another")
    // Somebody who was not given the content passes the chain on first.
    let stubs = try a.store.ownChain().map { WireOperation($0.withoutBody(because: .scope)) }
    let standing = try #require(try EnrolledStore(b.store).standing())
    let request = SyncRequest(
      device: standing.device, cursor: standing.cursor, hash: standing.hash, marks: [], tip: standing.tip,
      operations: stubs, isRelay: true, limit: 0, held: 0)
    #expect(
      await hall.hub.answer(WireRequest(.post, "/v1/sync", token: standing.token, body: request.encoded)).status == 200)
    #expect(await all(b, a, b))
    #expect(try a.content() == b.content() && b.content().contains { $0.contains("not sent whole") })
    #expect(try a.waiting() == 0)
    try areSound([a, b])
  }

  @Test("let a lead admit what the hub kept back, and its author take back what does not count yet") func rulings()
    async throws
  {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    let lead = try await hall.terminal("lead", as: .lead)
    #expect(await all(a, b, lead))
    // A change that comes from a device that was revoked is kept for a person.
    try a.comment("c1", "kept back")
    try await hall.hub.revoke(a.store.device, in: hall.exam)
    let owed = try a.store.ownChain().suffix(1).map { WireOperation($0) }
    let standing = try #require(try EnrolledStore(b.store).standing())
    let start = try a.store.ownChain().dropLast().map { WireOperation($0) }
    for operations in [start, owed] where !operations.isEmpty {
      let request = SyncRequest(
        device: standing.device, cursor: standing.cursor, hash: standing.hash, marks: [], tip: standing.tip,
        operations: operations, isRelay: true, limit: 0, held: 0)
      let response = await hall.hub.answer(
        WireRequest(.post, "/v1/sync", token: standing.token, body: request.encoded))
      #expect(response.status == 200)
    }
    let kept = try #require(owed.first).operation.id
    #expect(await all(lead, b))
    #expect(try !b.content().contains { $0.contains("kept back") })
    try lead.store.write(Author(staff: 1)) { try $0.rule(.applied, on: kept, reason: "seen in the hall") }
    #expect(await all(lead))
    let asks = try #require(try EnrolledStore(b.store).standing())
    let asked = SyncRequest(
      device: asks.device, cursor: asks.cursor, hash: asks.hash, marks: [], tip: asks.tip, operations: [], limit: 1000,
      held: 0)
    let answer = await hall.hub.answer(WireRequest(.post, "/v1/sync", token: asks.token, body: asked.encoded))
    try EnrolledStore(b.store).take(try SyncAnswer.decode(answer.body))
    #expect(try b.waiting() == 0, "what the hub hands on with a ruling is at the hub")
    #expect(await all(lead, b))
    #expect(
      try lead.content().contains { $0.contains("kept back") } && b.content().contains { $0.contains("kept back") })
    try areSound([b, lead])
  }

  @Test("hear that what they hold out of a file counts for nothing, also where the hub can only say so later")
  func heldByOthers() async throws {
    let hall = try await hall()
    let (a, lead) = (try await hall.terminal("a"), try await hall.terminal("lead", as: .lead))
    #expect(await all(a, lead))
    let gone = try hall.makeStore("gone")
    try gone.write(.program) { try $0.create("CommentMetaStation", "c1", ["text": .text("before")]) }
    try gone.write(.program) { try $0.create("HallMessage", "m1", ["text": .text("by nobody who may")]) }
    let chain = try gone.ownChain()
    let last = try #require(chain.last)
    func messages() throws -> Int? {
      try a.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM hallMessage") }
    }
    // A station has what no station may do, and not what comes before it.
    try a.store.ingest { try $0.take(.operation(last), bytes: []) }
    try lead.store.ingest { ingest in
      for operation in chain.dropLast() { try ingest.take(.operation(operation), bytes: []) }
    }
    #expect(try messages() == 1)
    // One that runs on does not pass on again what it has.
    let client = SyncClient(
      store: EnrolledStore(a.store), transport: hall.road, clock: QuickClock(), random: Seeded(seed: 1))
    _ = await client.runOnce()
    #expect(await all(lead))
    await client.retry()
    #expect(await client.runOnce())
    #expect(try messages() == 0 && a.waiting() == 0)
    try areSound([a, lead], besides: "outbox")
  }

  @Test("keep back at every terminal what was made without knowing of a lock, until a person lets it in") func locked()
    async throws
  {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    let lead = try await hall.terminal("lead", as: .lead)
    #expect(await all(a, b, lead))
    try lead.store.write(Author(staff: 1)) {
      try $0.create("ExamLock", "lock", ["lockedAt": .integer(1), "amendment": .integer(0), "content": .text("{}")])
    }
    #expect(await all(lead))
    // This terminal has not heard of it.
    let late = try a.store.write(Author(staff: 1)) { try $0.create("DataForm", "sheet", ["seat": .text("late")]) }
    let sheets = { (terminal: Terminal) in
      try terminal.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM dataForm WHERE seat = 'late'") }
    }
    #expect(try sheets(a) == 1)
    #expect(await all(a, b, lead))
    #expect(try sheets(a) == 0 && sheets(b) == 0 && sheets(lead) == 0)
    #expect(try a.store.read { try Outbox.attention($0, at: a.store.clock.now).refused } == 1)
    #expect(try lead.store.read { try PendingOperation.all(in: $0) }.map(\.operation.id) == [late])
    #expect(throws: LockRefusal.self) {
      try a.store.write(Author(staff: 1)) { try $0.create("DataForm", "other", ["seat": .text("late")]) }
    }
    let admitted = try #require(late)
    try lead.store.write(Author(staff: 1)) { try $0.rule(.applied, on: admitted, reason: "both saw the paper") }
    #expect(await all(lead, a, b))
    #expect(try sheets(a) == 1 && sheets(b) == 1 && sheets(lead) == 1)
    try areSound([a, b, lead])
  }

  @Test("of which one is a copy: each keeps what it wrote, one of them under a new device") func cloned() async throws {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    #expect(await all(a, b))
    // The whole machine was copied, so that the copy is bound to the same device and holds the token.
    try a.store.read { db in try db.execute(sql: "SELECT 1") }
    let copy = try hall.copy(of: a, named: "twin")
    try a.comment("c1", "at the first")
    try copy.comment("c2", "at the copy")
    #expect(a.store.device == copy.store.device)
    #expect(await all(a, tries: 2))
    #expect(await all(copy, tries: 4))
    #expect(a.store.device != copy.store.device)
    #expect(await all(a, b, tries: 2))
    #expect(try a.content() == b.content() && copy.content() == b.content())
    #expect(try b.content().filter { $0.hasPrefix("comment") }.count == 2)
    try areSound([a, b, copy])
  }

  @Test("of which a copy was made with changes that waited: both hold the hub's numbers for them, and are sound")
  func clonedWaiting() async throws {
    let hall = try await hall()
    let a = try await hall.terminal("a")
    #expect(await all(a))
    try a.comment("c1", "waits in both")
    let copy = try hall.copy(of: a, named: "twin")
    try a.comment("c2", "at the first")
    #expect(await all(a, tries: 2))
    try copy.comment("c3", "at the copy")
    #expect(await all(copy, tries: 4))
    #expect(a.store.device != copy.store.device)
    #expect(await all(a, copy, tries: 2))
    #expect(try a.content() == copy.content())
    try areSound([a, copy])
  }

  @Test("of which a copy wrote more before the hub could tell it apart: it has what the first sent meanwhile")
  func clonedLate() async throws {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    #expect(await all(a, b))
    let copy = try hall.copy(of: a, named: "twin")
    try a.comment("c1", "at the first")
    #expect(await all(a, b, tries: 2))
    try b.change("c1", to: "seen by another")
    #expect(await all(b, tries: 2))
    for key in ["c2", "c3"] { try copy.comment(key, "at the copy") }
    // Its chain is longer than what the hub has: it pulls as the device that both are, and finds out as it pushes.
    #expect(await all(copy, tries: 4))
    #expect(a.store.device != copy.store.device)
    #expect(await all(a, b, tries: 2))
    #expect(try copy.content() == a.content() && copy.content() == b.content())
    #expect(try copy.content().filter { $0.hasPrefix("comment") }.count == 3)
    #expect(try copy.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fork") } == 0)
    try areSound([a, b, copy])
  }

  @Test("of which an old copy takes a place with a new code: it goes on as a new device, with all it has")
  func copyEnrolled() async throws {
    let hall = try await hall()
    let a = try await hall.terminal("a")
    #expect(await all(a))
    let copy = try hall.copy(of: a, named: "put back")
    try a.comment("c1", "after the copy was made")
    #expect(await all(a))
    try copy.comment("c2", "at the copy, never sent")
    try await copy.enrol(.station, isSameExam: true)
    #expect(a.store.device != copy.store.device)
    #expect(await all(copy, a, tries: 2))
    #expect(try copy.content() == a.content() && a.content().filter { $0.hasPrefix("comment") }.count == 2)
    try areSound([a, copy])
  }

  @Test("that imported the exam themselves owe the hub nothing of it, and have their own marks there")
  func importedHere() async throws {
    func plan(_ transaction: JournalTransaction) throws {
      let source = OperationBody.imported
      try transaction.create(
        "Timetable", "5", ["activityType": .integer(1), "date": .text("2026-11-24")], source: source)
      try transaction.create(
        "TimetableAttendanceLog", "e1", ["timetable": .integer(5), "student": .integer(11)], source: source)
    }
    let hall = try await Hall()
    try await hall.importExam(plan)
    let store = try hall.makeStore("a")
    try hall.load(store)
    try store.write(.program) { try plan($0) }
    try store.write(Author(staff: 1)) { try $0.set("TimetableAttendanceLog", "e1", ["present": .bool(true)]) }
    let a = Terminal(store: store, hall: hall)
    try await a.enrol(.station)
    let lead = try await hall.terminal("lead", as: .lead)
    #expect(await all(a, lead, tries: 2))
    for terminal in [a, lead] {
      let (attention, waiting, isPresent) = try terminal.store.read { db in
        (
          try Outbox.attention(db, at: terminal.store.clock.now).count, try Outbox.waiting(db),
          try Bool.fetchOne(db, sql: "SELECT present FROM timetableAttendanceLog WHERE uuid = 'e1'")
        )
      }
      #expect(attention == 0 && waiting == 0 && isPresent == true)
    }
    try areSound([a, lead])
  }

  @Test(
    "that imported the exam themselves are sound, and send versions of its templates only where sheets are made",
    arguments: [DeviceRole.station, .desk, .auditor, .display, .lead], ["History", "History, corrected"])
  func importedTemplates(role: DeviceRole, name: String) async throws {
    func plan(_ name: String) -> (JournalTransaction) throws -> Void {
      { transaction in
        let form = ImportRow(RowKey(entity: "TypeForm", id: "1"), ["name": .text(name), "code": .text("H")])
        _ = try BundleImport.apply([form], in: transaction)
      }
    }
    let hall = try await Hall()
    try await hall.importExam(plan("History"))
    let store = try hall.makeStore("a")
    try hall.load(store)
    try store.write(.program) { try plan(name)($0) }
    let a = Terminal(store: store, hall: hall)
    try await a.enrol(role)
    let b = try await hall.terminal("b")
    #expect(await all(a, b, tries: 3))
    for terminal in [a, b] {
      let (attention, waiting, versions) = try terminal.store.read { db in
        (
          try Outbox.attention(db, at: terminal.store.clock.now), try Outbox.waiting(db),
          try Int.fetchOne(db, sql: "SELECT count(*) FROM formVersion")
        )
      }
      #expect(attention.refused == 0 && attention.deferred == 0 && waiting == 0)
      let isSent = [.station, .lead].contains(role)
      #expect(versions == (name != "History" && (isSent || terminal === a) ? 2 : 1))
    }
    try areSound([a, b])
  }

  @Test(
    "have one value of a passcode that each imported with a salt of its own", arguments: [DeviceRole.station, .lead])
  func importedPasscodes(role: DeviceRole) async throws {
    // A few more than one batch holds, so that the hub says of the first only later what came of it.
    func plan(_ hash: String) -> (JournalTransaction) throws -> Void {
      { transaction in
        for number in 100..<610 {
          try transaction.create(
            "Staff", "\(number)", ["username": .text("u\(number)"), "passcodeHash": .text("\(hash)\(number)")],
            source: OperationBody.imported)
        }
      }
    }
    let hall = try await Hall()
    try await hall.importExam(plan("hub"))
    let store = try hall.makeStore("a")
    try hall.load(store)
    try store.write(.program) { try plan("here")($0) }
    let a = Terminal(store: store, hall: hall)
    try await a.enrol(role)
    let b = try await hall.terminal("b")
    #expect(await all(a, b, tries: 3))
    for terminal in [a, b] {
      let (forks, first) = try terminal.store.read { db in
        (
          try Outbox.attention(db, at: terminal.store.clock.now).forks,
          try String.fetchOne(db, sql: "SELECT passcodeHash FROM user WHERE dsid = 100")
        )
      }
      #expect(forks == 0 && first == "hub100")
    }
    try areSound([a, b])
  }

  @Test("have a passcode that a lead's folder has and the hub's has not") func passcodeOfOne() async throws {
    func plan(_ hash: String?) -> (JournalTransaction) throws -> Void {
      { transaction in
        var fields: [String: Value] = ["username": .text("nokafor")]
        if let hash { fields["passcodeHash"] = .text(hash) }
        try transaction.create("Staff", "100", fields, source: OperationBody.imported)
      }
    }
    let hall = try await Hall()
    try await hall.importExam(plan(nil))
    let store = try hall.makeStore("a")
    try hall.load(store)
    try store.write(.program) { try plan("here")($0) }
    let a = Terminal(store: store, hall: hall)
    try await a.enrol(.lead)
    let b = try await hall.terminal("b")
    #expect(await all(a, b, tries: 3))
    for terminal in [a, b] {
      let (forks, hash) = try terminal.store.read { db in
        (
          try Outbox.attention(db, at: terminal.store.clock.now).forks,
          try String.fetchOne(db, sql: "SELECT passcodeHash FROM user WHERE dsid = 100")
        )
      }
      #expect(forks == 0 && hash == "here")
    }
    try areSound([a, b])
  }

  @Test(
    "have both values of what a folder corrects whose role sends the plan; of another the hub's stands, and is told",
    arguments: [DeviceRole.station, .lead, .office])
  func correctedFolder(role: DeviceRole) async throws {
    func plan(_ name: String, _ hash: String) -> (JournalTransaction) throws -> Void {
      { transaction in
        let source = OperationBody.imported
        try transaction.create(
          "ActivityType", "50", ["name": .text(name), "clinicGroup": .integer(1)], source: source)
        try transaction.create(
          "Staff", "100", ["username": .text("nokafor"), "passcodeHash": .text(hash)], source: source)
        try transaction.create(
          "Staff", "101",
          ["username": .text("lindqvist"), "surname": .text(name), "passcodeHash": .text(hash)], source: source)
      }
    }
    let hall = try await Hall()
    try await hall.importExam(plan("Chest pain", "hub"))
    let store = try hall.makeStore("a")
    try hall.load(store)
    try store.write(.program) { try plan("Chest pain history", "here")($0) }
    let a = Terminal(store: store, hall: hall)
    try await a.enrol(role)
    let b = try await hall.terminal("b")
    #expect(await all(a, b, tries: 3))
    for terminal in [a, b] {
      let (forks, name, hashes) = try terminal.store.read { db in
        (
          try Outbox.attention(db, at: terminal.store.clock.now).forks,
          try String.fetchOne(db, sql: "SELECT name FROM activityType WHERE dsid = 50"),
          try String.fetchAll(db, sql: "SELECT passcodeHash FROM user WHERE dsid IN (100, 101)")
        )
      }
      #expect(forks == (role.sendsDown ? 2 : 0) && hashes == ["hub", "hub"])
      #expect(name == (role.sendsDown ? "Chest pain history" : "Chest pain"))
    }
    let differences = try store.read { try ImportDifferences.read($0) }
    #expect(differences.differing.map(\.id).sorted() == (role.sendsDown ? [] : ["101", "50"]))
    #expect(differences.passcodes.map(\.id).sorted() == ["100", "101"])
    #expect(differences.onlyHere.isEmpty && differences.hasConflict == role.sendsDown)
    try await a.enrol(role, isSameExam: true)
    #expect(await all(a, b, tries: 3))
    let later = try store.read { try ImportDifferences.read($0) }.since(differences)
    #expect(later.differing.isEmpty && later.onlyHere.isEmpty && later.passcodes.isEmpty)
    try areSound([a, b])
  }

  @Test("are sound though they were sent a change of nothing, and stubs of what each derives itself") func nothing()
    async throws
  {
    let hall = try await Hall()
    let desk = try hall.makeStore("import")
    try hall.load(desk)
    try desk.write(.program) {
      try $0.create("LastUpdate", "Student", ["last_update": .text("2026-11-28 07:00:00")])
    }
    var generator = Seeded(seed: 5)
    let (chain, tip) = (try hall.chain(of: desk), try desk.chainTip())
    let empty = Journal.Operation.seal(
      id: .v7(milliseconds: 1_795_222_800_000, using: &generator), device: desk.device, deviceSeq: tip.deviceSeq + 1,
      tx: .random(using: &generator), txIndex: 0, txSize: 1, kind: .set,
      row: RowKey(entity: "ClinicGroup", id: "999"),
      body: OperationBody(fields: [:], replaces: [:], covers: [:], reason: nil),
      hlc: HybridTime(raw: 1_795_222_800_000 << 16), wallTime: 1_795_222_800_000, staff: nil, schema: 2,
      prevHash: tip.hash, salt: .drawn(using: &generator))
    try await hall.hub.makeExam(hall.exam, named: "Year 3", device: desk.device)
    let sent = chain.map { $0.row.entity == "LastUpdate" ? $0.withoutBody(because: .withheld) : $0 }
    try await hall.hub.adopt(sent + [empty], from: desk.device, in: hall.exam)
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b", as: .lead))
    #expect(await all(a, b))
    try areSound([a, b])
  }

  @Test("fill a new hub, with what those hold that did not come") func filled() async throws {
    let hall = try await hall()
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    #expect(await all(a, b))
    try a.comment("c1", "made at a")
    #expect(await all(a, b))
    try b.comment("c2", "made at b, never sent")
    // The hub's machine is gone, and terminal a with it.
    let next = try await Hall()
    try await next.hub.makeExam(next.exam, named: "Year 3", device: .random(), isFilling: true)
    let moved = Terminal(store: b.store, hall: next)
    try await moved.enrol(.lead, isSameExam: true)
    _ = await moved.sync(tries: 3)
    try await next.hub.endFilling(next.exam)
    #expect(await all(moved, tries: 3))
    let c = try await next.terminal("c")
    #expect(await all(c, tries: 2))
    #expect(try c.content() == b.content())
    #expect(try c.content().contains { $0.contains("made at a") } && c.content().contains { $0.contains("never sent") })
    try areSound([b, c])
  }

  @Test("fill a new hub that goes on refusing what the lost one had refused") func filledWithRefusals() async throws {
    let hall = try await hall()
    let display = try await hall.terminal("display", as: .display)
    #expect(await display.sync())
    try display.comment("c1", "refused")
    #expect(await display.sync())
    #expect(try said(of: "c1", at: display) == ["rejected:role"])
    let next = try await Hall()
    try await next.hub.makeExam(next.exam, named: "Year 3", device: .random(), isFilling: true)
    // As a lead's it would be taken.
    let moved = Terminal(store: display.store, hall: next)
    try await moved.enrol(.lead, isSameExam: true)
    #expect(try said(of: "c1", at: moved) == ["rejected:role"])
    try areSound([moved], besides: "outbox")
    _ = await moved.sync(tries: 3)
    try await next.hub.endFilling(next.exam)
    #expect(await all(moved, tries: 3))
    #expect(try said(of: "c1", at: moved) == ["rejected:role"])
    let c = try await next.terminal("c")
    #expect(await all(c, tries: 2))
    #expect(try c.content().filter { $0.contains("refused") } == [])
    try areSound([moved, c], besides: "outbox")
  }

  /// What the hub said of the changes on a comment, as a terminal has it.
  private func said(of comment: String, at terminal: Terminal) throws -> [String?] {
    try terminal.store.read {
      try String?.fetchAll($0, sql: "SELECT result FROM operation WHERE entityID = ?", arguments: [comment])
    }
  }

  @Test("forget a candidate whom the hub erased, down to the bytes of their files, also who comes late") func erased()
    async throws
  {
    let hall = try await hall()
    let office = try await hall.terminal("office", as: .office)
    let (a, b) = (try await hall.terminal("a"), try await hall.terminal("b"))
    #expect(await office.sync())
    try office.store.write(.program) {
      try $0.set("Student", "11", ["surname": .text("Quillfeather"), "access": .text("Quillfeather needs a chair")])
    }
    #expect(await all(office, a, b))
    #expect(try holders(in: hall) == ["a", "b", "hub", "office"])
    let report = try await hall.hub.erase("1001", in: hall.exam, reason: "asked for")
    #expect(try await hall.hub.scrub())
    #expect(await all(office, a))
    #expect(try holders(in: hall) == ["b"])
    #expect(await all(b))
    #expect(try holders(in: hall) == [])
    for terminal in [office, a, b] {
      let row = try terminal.store.read {
        try Row.fetchOne($0, sql: "SELECT studentNumber, surname, access FROM user WHERE dsid = 11")
      }
      #expect(row == ["studentNumber": report.pseudonym, "surname": nil, "access": nil])
    }
    #expect(try await hall.hub.examine(hall.exam) == [])
    try areSound([office, a, b])
  }

  /// A hall in which the hub, the office and a terminal have a candidate's name.
  private func hallThatKnows() async throws -> (hall: Hall, office: Terminal, b: Terminal) {
    let hall = try await hall()
    let (office, b) = (try await hall.terminal("office", as: .office), try await hall.terminal("b"))
    #expect(await office.sync())
    try office.store.write(.program) { try $0.set("Student", "11", ["surname": .text("Quillfeather")]) }
    #expect(await all(office, b))
    #expect(try holders(in: hall) == ["b", "hub", "office"])
    return (hall, office, b)
  }

  @Test("forget a candidate also where what told of them was given up with a part of the exam before")
  func erasedAfterPart() async throws {
    let (hall, office, b) = try await hallThatKnows()
    try await b.enrol(.station, scope: CodeScope(), isSameExam: true)
    #expect(await b.sync())
    #expect(try surnames(b) == [])
    _ = try await hall.hub.erase("1001", in: hall.exam, reason: "asked for")
    #expect(try await hall.hub.scrub())
    #expect(await all(office, b))
    #expect(try holders(in: hall) == [])
    try areSound([office, b])
  }

  @Test("forget a candidate also where they take their place again after the erasure") func erasedBeforePlace()
    async throws
  {
    let (hall, office, b) = try await hallThatKnows()
    _ = try await hall.hub.erase("1001", in: hall.exam, reason: "asked for")
    #expect(try await hall.hub.scrub())
    #expect(await office.sync())
    try await b.enrol(.station, isSameExam: true)
    #expect(await b.sync())
    #expect(try holders(in: hall) == [])
    try areSound([office, b])
  }

  @Test("have a part of the exam whole that a restored hub gives them again, or that a code gives to a copy")
  func partAgain() async throws {
    let hall = try await Hall()
    try await hall.importExam { transaction in
      try transaction.create("Timetable", "5", ["activityType": .integer(1), "date": .text("2026-11-24")])
      try transaction.create("TimetableAttendanceLog", "e1", ["timetable": .integer(5), "student": .integer(11)])
    }
    var station = CodeScope()
    station.stations = [1]
    let guest = try await hall.terminal("guest", scope: station)
    #expect(await guest.sync())
    #expect(try surnames(guest) == ["Okoro"])
    let (copy, credential) = (try hall.copyHub(), URL(fileURLWithPath: guest.store.location.hubCredentialPath))
    let token = try Data(contentsOf: credential)
    // The office gives the terminal a part without the station.
    try FileManager.default.removeItem(at: credential)
    try await guest.enrol(.station, scope: CodeScope())
    #expect(await guest.sync())
    #expect(try surnames(guest) == [])
    // Where its store is copied to another machine, that takes the station.
    let other = Terminal(store: try hall.copyStore(of: guest, named: "other", with: []), hall: hall)
    try await other.enrol(.station, scope: station)
    #expect(await other.sync())
    #expect(try surnames(other) == ["Okoro"])
    // A hub that is restored to before that gives the terminal the station as it did then.
    try await hall.restoreHub(from: copy)
    try token.write(to: credential)
    #expect(await guest.sync())
    #expect(try surnames(guest) == ["Okoro"])
    try areSound([guest, other])
  }

  /// The candidates whom a terminal knows.
  private func surnames(_ terminal: Terminal) throws -> [String] {
    try terminal.store.read {
      try String.fetchAll(
        $0, sql: "SELECT surname FROM user WHERE dsid BETWEEN 11 AND 13 AND surname IS NOT NULL ORDER BY dsid")
    }
  }

  /// Whose files hold a name, in whatever page.
  private func holders(in hall: Hall) throws -> [String] {
    let name = Data("Quillfeather".utf8)
    var found: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: hall.folder) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: hall.folder + "/" + file))
      if bytes.range(of: name) != nil { found.insert(String(file.prefix { $0 != "." })) }
    }
    return found.sorted()
  }
}
