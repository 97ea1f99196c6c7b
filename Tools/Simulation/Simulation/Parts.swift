import ExamStore
import GRDB
import Hub
import Journal
import StoreSync
import Sync

/// A terminal that is given a part of the exam, now this one and now that, and what must hold of it.
extension History {
  /// The parts: the plan and the clocks; a station's roster besides; its mark sheets and comments too.
  private static let parts: [CodeScope] = {
    var (roster, sheets) = (CodeScope(), CodeScope())
    roster.stations = [1]
    (sheets.stations, sheets.seat) = ([1], "lead")
    return [CodeScope(), roster, sheets, sheets]
  }()

  /// The terminal begins, where there is one.
  func beginPart() async throws {
    guard let part else { return }
    try await begin(Slot.guest, from: slot.images[Slot.guest], as: .station)
    guard let terminal = terminals[Slot.guest] else { return }
    try await Slot.enrol(terminal.store, .station, at: hub.hub, of: slot.exam, isSameExam: false, scope: part)
    await terminal.client.retry()
    await stage.settle(terminal.number)
  }

  /// The office gives the terminal another part: it keeps what it has, and is told at the next contact.
  func changePart() async throws {
    guard let terminal = terminals[Slot.guest] else { return }
    let next = Self.parts[pick(0..<Self.parts.count)]
    let code = "CODE\(UUIDBytes.random())"
    hub.database.plan(nil)
    try await hub.hub.keep(code: code, for: .station, in: slot.exam, scope: next)
    let store = terminal.store
    let asked = EnrolRequest(code: code, device: store.device, name: "guest", tip: try store.chainTip(), schema: 2)
    let response = await hub.hub.answer(WireRequest(.post, .enrol, body: asked.encoded))
    note("part changed", "\(next.stations) \(next.seat ?? "") \(response.status)")
    guard response.status == 201, let answer = try? EnrolAnswer.decode(response.body) else { return }
    part = next
    let credential = HubCredential(url: "http://127.0.0.1:1", pin: nil, tokens: [store.device: answer.token])
    try credential.write(of: store.location)
    ring()
    await terminal.client.retry()
    await stage.settle(terminal.number)
  }

  /// What the terminal holds at quiet is what its part has, and what it made itself.
  func checkPart() async throws {
    guard let terminal = terminals[Slot.guest], try terminal.store.exchangeStanding() != nil else { return }
    let device = terminal.store.device.description
    let own = try await lineages()[device] ?? [device]
    let atoms = Set(
      try await hub.rows(
        "SELECT atom FROM device_atom WHERE exam = ? AND device = ? AND until IS NULL", [.text(device)]
      ).compactMap { row in if case .text(let atom) = row.values[0] { atom } else { nil } })
    // What was erased stays so, though a hub that was restored has it again until it is erased there too.
    let (held, erased, shown) = try terminal.store.read { db in
      (
        Set(
          try String.fetchAll(
            db,
            sql: "SELECT id FROM operation WHERE body IS NOT NULL UNION SELECT id FROM pending WHERE body IS NOT NULL")),
        Set(try String.fetchAll(db, sql: "SELECT id FROM operation WHERE absent = 'erased'")), try Self.comments(db)
      )
    }
    var (given, keys): (Set<String>, Set<String>) = ([], [])
    var first: Set<String> = []
    for row in try await hub.rows(
      "SELECT id, device, atoms, result, sealed IS NULL, entity, entityID FROM op WHERE exam = ? ORDER BY seq")
    {
      guard case .text(let id) = row.values[0], case .text(let author) = row.values[1],
        case .text(let words) = row.values[2], case .text(let result) = row.values[3],
        case .text(let key) = row.values[6]
      else { continue }
      guard own.contains(author) || Self.isNamed(words, among: atoms) else {
        first.insert(id)
        continue
      }
      given.insert(id)
      if row.values[5] == .text(Self.candidateComment) { keys.insert(key) }
      guard first.insert(id).inserted, row.values[4] == .integer(0), result == "applied" || result == "conflict",
        !held.contains(id), !erased.contains(id)
      else { continue }
      throw Finding(.parts, "t\(terminal.index) has \(atoms.sorted()) and lacks \(id), called \(words)")
    }
    // A hub that was restored, or filled, may have lost that the terminal had more than it has now.
    let isKnown = !outages.wasRestored && !outages.wasFilled
    if isKnown, let id = held.subtracting(given).sorted().first {
      throw Finding(.parts, "t\(terminal.index) has \(atoms.sorted()) and holds \(id), which is of no part of it")
    }
    let all = try whole.first { try $0.store.exchangeStanding() != nil }?.store.read { try Self.comments($0) } ?? [:]
    for (key, text) in shown.sorted(by: { $0.key < $1.key })
    where keys.contains(key) ? all[key] != text : isKnown {
      throw Finding(.parts, "t\(terminal.index) shows \(key): \(text); others \(all[key] ?? "nothing")")
    }
  }

  /// Whether one of an operation's words is among the parts of the exam that a device has.
  private static func isNamed(_ words: String, among atoms: Set<String>) -> Bool {
    words.split(separator: " ").contains { word in
      let name = String(word.prefix { $0 != "@" })
      let kind = name.prefix { $0 != ":" }
      return atoms.contains(name) || atoms.contains("\(kind):*")
    }
  }

  private static func comments(_ db: Database) throws -> [String: String] {
    var comments: [String: String] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT uuid, text, dsDeleted FROM commentMetaStationCandidate") {
      comments[row[0]] = "\(row[1] as String? ?? "") \(row[2] as Bool)"
    }
    return comments
  }
}
