import ExamStore
import GRDB
import Hub
import Journal
import Sync

/// The checks of a history. Those after a step look at what the step could have broken; those at quiet look at everything.
extension History {
  // MARK: After each step

  /// What waits is one number everywhere, and is tried in time.
  func checkStep() throws {
    for terminal in alive {
      if terminal.faulty.isDead { continue }
      if terminal.wasWritten() { terminal.waiting = try counted(terminal) }
      let age = stage.time - terminal.lastAttempt
      if terminal.waiting > 0, age > 115_000 {
        throw Finding(.alive, "t\(terminal.index): \(terminal.waiting) wait, the last attempt was \(age) ms ago")
      }
    }
  }

  /// How many changes wait at a terminal, as everybody counts them.
  private func counted(_ terminal: SimulatedTerminal) throws -> Int {
    guard let standing = try? terminal.faulty.standing() else { return 0 }
    let (outbox, counted) = try terminal.store.read { db in
      let all = try db.cachedStatement(
        sql: """
          SELECT (SELECT count(*) FROM operation WHERE hubSeq IS NULL AND sends IS NOT 0)
            + (SELECT count(*) FROM pending p WHERE hubSeq IS NULL AND body IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.id = p.id AND o.hash = p.hash))
          """)
      return (try Outbox.waiting(db), try Int.fetchOne(all) ?? 0)
    }
    if standing.waiting != Int64(outbox) || outbox != counted {
      throw Finding(.counted, "t\(terminal.index): \(standing.waiting), \(outbox) and \(counted) wait")
    }
    return outbox
  }

  /// An answer is true: what it says was taken is at the hub, and its page lacks nothing.
  func checkAnswer(
    _ response: WireResponse, to request: WireRequest, of terminal: SimulatedTerminal, _ epoch: HubValue?
  ) async throws {
    guard let asked = try? SyncRequest.decode(request.body), let answer = try? SyncAnswer.decode(response.body) else {
      return
    }
    for (sent, result) in zip(asked.operations, answer.results) {
      guard let seq = result.hubSeq else { continue }
      let operation = sent.operation
      let row = try await hub.rows(
        "SELECT hash, seq FROM op WHERE exam = ? AND device = ? AND deviceSeq = ?",
        [.text(operation.device.description), .integer(operation.deviceSeq)]
      ).first
      if row == nil { throw Finding(.acknowledged, "\(operation.id) was answered for and is not at the hub") }
      if row?.values.first != .bytes(operation.hash) {
        throw Finding(.fork, "\(operation.id): the hub has another operation in its place, and said it had this one")
      }
      ledger[seq] = operation.id
    }
    guard terminal.index != Slot.guest, asked.limit > 0, epoch == .text(asked.cursor.epoch.description),
      let start = asked.cursor.seq, let end = answer.cursor.seq, end > start
    else { return }
    let given = Set(answer.entries.map(\.seq))
    for seq in try await visible(to: terminal, device: asked.device, after: start, upTo: end)
    where !given.contains(seq) {
      throw Finding(.gapless, "t\(terminal.index) was given \(start) to \(end) without \(seq)")
    }
  }

  /// The numbers of the log that a device is given.
  private func visible(
    to terminal: SimulatedTerminal, device: UUIDBytes, after start: Int64, upTo end: Int64
  ) async throws -> [Int64] {
    try await hub.rows(
      """
      SELECT l.seq, l.result, o.device, o.result, (SELECT v.result FROM log v WHERE v.exam = l.exam
        AND v.seq > l.seq AND v.seq <= ?3 AND v.type = 'verdict' AND v.subject = o.id ORDER BY v.seq DESC LIMIT 1)
      FROM log l JOIN op o ON o.exam = l.exam AND o.seq = l.seq
      WHERE l.exam = ?1 AND l.seq > ?2 AND l.seq <= ?3 AND l.type = 'op'
      """, [.integer(start), .integer(end)]
    ).compactMap { row in
      guard case .integer(let seq) = row.values[0], case .text(let result) = row.values[1],
        case .text(let now) = row.values[3]
      else { return nil }
      if row.values[2] == .text(device.description) { return nil }
      // A snapshot leaves out what counts no more, or not then.
      var said = [result, now]
      if case .text(let then) = row.values[4] { said.append(then) }
      let isRefused = said.contains { HubResult($0)?.refusal != nil || $0 == "withdrawn" }
      return isRefused && terminal.role != .lead ? nil : seq
    }
  }

  /// What was answered for in this run of the log is there, after the hub's process ended.
  func checkLedger() async throws {
    let here = try await numbers()
    for (seq, id) in ledger.sorted(by: { $0.key < $1.key }) where here[seq] != id {
      throw Finding(.acknowledged, "entry \(seq), \(id), was answered for and is gone")
    }
  }

  /// A hub that was restored answers for what it has.
  func rereadLedger() async throws {
    let here = try await numbers()
    ledger = ledger.filter { here[$0.key] == $0.value }
  }

  private func numbers() async throws -> [Int64: OperationID] {
    var numbers: [Int64: OperationID] = [:]
    for row in try await hub.rows("SELECT seq, id FROM op WHERE exam = ?") {
      if case .integer(let seq) = row.values[0], case .text(let text) = row.values[1] {
        numbers[seq] = OperationID(text)
      }
    }
    return numbers
  }

  /// Rows that one transaction makes are there together.
  func checkWhole(_ terminal: SimulatedTerminal) throws {
    let keys = try terminal.store.read {
      try String.fetchAll($0, sql: "SELECT uuid FROM commentMetaStation WHERE uuid LIKE 'g%'")
    }
    var seen: [String: Int] = [:]
    for key in keys { seen[String(key.prefix { $0 != "." }), default: 0] += 1 }
    for (group, count) in seen.sorted(by: { $0.key < $1.key }) where edits.groups[group] != count {
      throw Finding(.whole, "t\(terminal.index) shows \(count) of the \(edits.groups[group] ?? 0) rows of \(group)")
    }
  }

  /// What the cursor has passed is here.
  func checkCursor(_ terminal: SimulatedTerminal) throws {
    pendingCursorChecks.insert(terminal.index)
  }

  /// Carries out what was put off: it asks the hub.
  func checkCursors() async throws {
    // A hub that compares less leaves gaps behind cursors, too: the check of what it lacks is to see it.
    if sabotage == .compareCursorNotHash { pendingCursorChecks = [] }
    for index in pendingCursorChecks.sorted() {
      guard index != Slot.guest, let terminal = terminals[index], let standing = try terminal.store.exchangeStanding(),
        let cursor = LogCursor(standing.enrolment.cursor), let seq = cursor.seq,
        try await hub.rows("SELECT epoch FROM exam WHERE exam = ?").first?.values.first
          == .text(cursor.epoch.description)
      else { continue }
      let row = try await hub.rows("SELECT hash FROM log WHERE exam = ? AND seq = ?", [.integer(seq)]).first
      guard row?.values.first == .bytes(standing.enrolment.cursorHash) else { continue }
      let here = try terminal.operations()
      let numbers = try await numbers()
      for number in try await visible(to: terminal, device: standing.tip.device, after: 0, upTo: seq) {
        if let id = numbers[number], !here.contains(id) {
          throw Finding(.cursor, "t\(index) stands at \(seq) and lacks \(number), \(id)")
        }
      }
    }
    pendingCursorChecks = []
  }

  // MARK: At quiet

  /// Everything that must hold once nothing is under way.
  func checkQuiet() async throws {
    try await checkCursors()
    try await checkLog()
    try await checkHeld()
    try await checkOnce()
    try await checkWaiting()
    try await checkRecomputed()
    try await checkClocks()
    for terminal in alive { try checkWhole(terminal) }
    try await checkEqual()
    try await checkPart()
  }

  private func checkLog() async throws {
    let faults = try await hub.hub.examine(slot.exam)
    // What nobody had when the hub was filled is a hole that was let in; which values stand has checks of its own.
    let fault = faults.first { (!outages.wasFilled || !$0.contains("gap(")) && !$0.hasPrefix("row ") }
    if let fault { throw Finding(.listed, fault) }
    let early = try await hub.rows(
      "SELECT o.id FROM op o WHERE exam = ? AND result = 'rejected:not_after' AND staff(header) = 1".replacing(
        "staff(header) = 1", with: "instr(CAST(header AS TEXT), '\"staff\":1,') > 0"))
    if let row = early.first { throw Finding(.causal, "\(row.values[0]) was rejected as too early") }
  }

  /// The hub has what anybody has.
  private func checkHeld() async throws {
    let here = Set(try await numbers().values)
    for terminal in alive where try terminal.store.exchangeStanding() != nil {
      for id in try terminal.operations().sorted() where !here.contains(id) {
        throw Finding(
          outages.wasFilled ? .filled : outages.wasRestored ? .restored : .acknowledged,
          "t\(terminal.index) has \(id), the hub has not"
        )
      }
    }
  }

  private func checkOnce() async throws {
    let twice = try await hub.rows(
      """
      SELECT id FROM op WHERE exam = ? AND result IN \(HubResult.countingList)
        AND (untilSeq IS NULL OR untilSeq > seq) GROUP BY id HAVING count(*) > 1
      """)
    if let row = twice.first { throw Finding(.once, "\(row.values[0]) counts twice") }
  }

  /// What waits at the hub lacks something, and waits everywhere.
  private func checkWaiting() async throws {
    let late = try await hub.rows(
      """
      SELECT p.cause FROM parked p JOIN op o ON o.exam = p.exam AND o.id = p.cause
      WHERE p.exam = ? AND o.result NOT LIKE 'deferred%'
      """)
    if let row = late.first { throw Finding(.woken, "something waits for \(row.values[0]), which is decided") }
    let open = Set(
      try await hub.rows("SELECT id FROM op WHERE exam = ? AND result LIKE 'deferred%'").map { $0.values[0] })
    let waiting = try await hub.rows(
      """
      SELECT o.id FROM op o WHERE o.exam = ? AND o.result = 'deferred:cause_missing'
        AND NOT EXISTS (SELECT 1 FROM parked p WHERE p.exam = o.exam AND p.tx = o.tx)
      """)
    if let row = waiting.first { throw Finding(.woken, "\(row.values[0]) waits, and nothing will wake it") }
    for terminal in alive where try terminal.store.exchangeStanding() != nil {
      let parked = try terminal.store.read {
        try String.fetchAll(
          $0, sql: "SELECT id FROM pending WHERE state = 'parked' AND id NOT IN (SELECT id FROM barred) ORDER BY id")
      }
      for id in parked where !open.contains(.text(id)) {
        throw Finding(.woken, "t\(terminal.index) waits for \(id), which the hub has decided")
      }
    }
  }

  private func headsAtHub() async throws -> [String: Set<String>] {
    var heads: [String: Set<String>] = [:]
    for row in try await hub.rows("SELECT entity, entityID, field, id FROM head WHERE exam = ?") {
      let texts = row.values.map { if case .text(let text) = $0 { text } else { "" } }
      // What a lead let in that terminals do not know counts at the hub alone, for newer ones.
      if texts[0] == "Nonsense" || texts[2] == "nonsense" { continue }
      heads["\(texts[0]) \(texts[1])", default: []].insert("\(texts[3]) \(texts[2])")
    }
    return heads
  }

  /// The rules of the journal say of the hub's operations and rulings what the hub says.
  private func checkRecomputed() async throws {
    var replica = Replica(check: { EntryCheck.refusal(of: $0) })
    let rows = try await hub.rows(
      "SELECT header, bodyHash, hash, sealed, absent, result, id, tx, device FROM op WHERE exam = ? ORDER BY seq")
    var first: Set<HubValue> = []
    var barred: [OperationID] = []
    var devices: [HubValue: Set<HubValue>] = [:]
    let parts = Dictionary(grouping: rows) { $0.values[7] }.mapValues { Set($0.map { $0.values[6] }).count }
    for row in rows where first.insert(row.values[6]).inserted {
      devices[row.values[7], default: []].insert(row.values[8])
      guard let operation = row.operation, case .text(let result) = row.values[5] else { continue }
      replica.receive(operation)
      switch HubResult(result) {
      case .rejected(let why)?:
        switch why {
        // Where a chain goes on after a part of a transaction is for the hub to say.
        case .transactionForm? where parts[row.values[7], default: 0] < operation.txSize: barred.append(operation.id)
        case .notAfter?, .unreadableBody?, .deleteSetsFields?, .transactionForm?, .withTransaction?, .valueType?: break
        default: barred.append(operation.id)
        }
      case .quarantined?, nil: barred.append(operation.id)
      default: break
      }
    }
    // A transaction whose members came first in two chains of one device is whole at the hub alone.
    if devices.values.contains(where: { $0.count > 1 }) { return note("split transaction") }
    replica.reject(barred)
    var heads: [String: Set<String>] = [:]
    for (row, state) in replica.rows {
      for (field, ids) in state.heads where !ids.isEmpty {
        heads["\(row.entity) \(row.id)", default: []].formUnion(ids.map { "\($0) \(field)" })
      }
    }
    let kept = try await headsAtHub()
    for key in Set(heads.keys).union(kept.keys).sorted() where heads[key] != kept[key] && !key.hasPrefix("Operation ") {
      throw Finding(
        .recomputed, "\(key.prefix(60)): heads \(kept[key] ?? []) at the hub, \(heads[key] ?? []) by its operations")
    }
  }

  /// Rows, heads and forks are the same at all terminals and at the hub.
  private func checkEqual() async throws {
    let tables = [
      "commentMetaStation", "activityType", "clinicGroup", "circuitRun", "clockEvent", "commentMetaStationCandidate",
      "user",
    ]
    let kept = try await headsAtHub()
    var known: (index: Int, lines: [String])?
    for terminal in whole where try terminal.store.exchangeStanding() != nil {
      let lines = try terminal.store.read { db in
        var lines: [String] = []
        for table in tables {
          for row in try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1") {
            lines.append(table + " " + row.map { "\($0.0)=\($0.1)" }.joined(separator: " "))
          }
        }
        for row in try Row.fetchAll(db, sql: "SELECT entity, entityID, field FROM fork ORDER BY 1, 2, 3") {
          lines.append("fork \(row[0] as String) \(row[1] as String) \(row[2] as String)")
        }
        return lines
      }
      if let known, known.lines != lines {
        let difference = Set(known.lines).symmetricDifference(lines).sorted().prefix(4)
        throw Finding(.equal, "t\(known.index) and t\(terminal.index) differ: \(difference.joined(separator: " | "))")
      }
      known = known ?? (terminal.index, lines)
      let heads = try terminal.store.read { db in
        try Row.fetchAll(db, sql: "SELECT uuid, heads FROM commentMetaStation ORDER BY uuid").map {
          ($0[0] as String, HeadsColumn(text: $0[1]))
        }
      }
      for (key, column) in heads {
        let here = Set(column.operations.flatMap { field, ids in ids.map { "\($0) \(field)" } })
        let there = kept["\(Self.entity) \(key)"] ?? []
        if here != there { throw Finding(.equal, "t\(terminal.index) \(key): heads \(here), at the hub \(there)") }
      }
    }
  }
}

extension SimulatedTerminal {
  /// Every operation that lies in the store, whether it counts or not.
  func operations() throws -> Set<OperationID> {
    let ids = try store.read {
      try String.fetchAll(
        $0,
        sql:
          "SELECT id FROM operation UNION SELECT id FROM pending UNION SELECT operation FROM refusedEntry WHERE operation <> ''"
      )
    }
    return Set(ids.compactMap { OperationID($0) })
  }
}

extension HubRow {
  /// The operation of a row that begins as the hub keeps one.
  fileprivate var operation: Journal.Operation? {
    guard case .bytes(let header) = values[0], case .bytes(let bodyHash) = values[1], case .bytes(let hash) = values[2]
    else { return nil }
    var (sealed, absent): ([UInt8]?, AbsentContent?) = (nil, nil)
    if case .bytes(let bytes) = values[3] { sealed = bytes }
    if case .text(let text) = values[4] { absent = AbsentContent(rawValue: text) }
    return try? WireOperation.Parts(
      header: header, bodyHash: bodyHash, hash: hash, sealedBody: sealed, absent: absent
    ).operation()
  }
}
