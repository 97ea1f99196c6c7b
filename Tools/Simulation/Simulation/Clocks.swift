import CircuitModel
import ExamStore
import Hub
import Journal
import Timer

/// The clocks of the hall: who starts and stops them, and what must hold of them.
extension History {
  private static let sessions = Slot.starts.map { Session(circuit: 1, date: Slot.day, startTime: $0) }

  /// How old an event may be that any device gives, and how long ago the hub may have told the time where one is given,
  /// in milliseconds, as the protocol says.
  private static let (patience, contact): (Int64, Int64) = (20_000, 15_000)

  /// The hub tells a terminal the time.
  func tellTime() throws {
    guard let terminal = alive.randomElement(using: &random) else { return }
    try tellTime(terminal)
  }

  private func tellTime(_ terminal: SimulatedTerminal) throws {
    if try terminal.store.exchangeStanding() == nil || hub.database.isDead { return }
    if deliveries.cutUntil[terminal.index].map({ $0 > stage.time }) ?? false { return }
    let trip = Int64(pick(2..<200))
    let boot = terminal.store.clock.boot
    let hubTime = Instant(milliseconds: Slot.start + stage.time - Int64(pick(0..<Int(trip))))
    let sample = TimeSample(
      sentAt: boot - trip, receivedByHub: hubTime, answeredByHub: hubTime, receivedAt: boot)
    do {
      try terminal.store.write(.program) { try HubTime.take(sample, in: $0) }
    } catch is StoreError { return }
    _ = try terminal.store.dataVersion()
    terminal.toldTime = stage.time
    note("time told", "t\(terminal.index)")
  }

  /// A lead does something to a clock.
  func pressClock() async throws {
    guard let terminal = alive.filter({ $0.role == .lead }).randomElement(using: &random) else { return }
    if chance(70) { try tellTime(terminal) }
    let session = Self.sessions[pick(0..<Self.sessions.count)]
    let kind = pick(0..<12)
    let store = terminal.store
    let now = store.clock.now
    let (run, host) = try store.read { db in
      let run = try Run.current(of: session, at: now, in: db)
      return (run, try run.flatMap { try RunHost.of(run: $0.key, in: db) })
    }
    let action: ClockAction
    switch kind {
    case 0..<3: action = .start
    case 3, 4: action = .pause
    case 5, 6: action = .resume
    case 7: action = .extend(seconds: Int64(pick(1..<200)))
    case 8: action = .skip
    case 9: action = run.map { $0.events.map(\.id).sorted() }?.last.map { .annul(target: $0) } ?? .start
    case 10: action = .stop
    default:
      try press(terminal, "takes \(session.name)") { try RunHost.take(session, in: $0) }
      return
    }
    // An event may be set for later, never for before: that is another matter than one that comes late.
    let instant = now + Int64(chance(10) ? pick(1..<60_000) : 0)
    let isGiven = try press(terminal, "\(action) \(session.name)") {
      _ = try ClockLog.append(action, to: session, at: instant, in: $0)
    }
    guard isGiven else { return }
    if let run, let host, !host.isHere, stage.time - (terminal.toldTime ?? -Self.contact) >= Self.contact {
      let name = host.name ?? "another terminal"
      throw Finding(.partitioned, "t\(terminal.index) gave \(action) for \(run.key), which \(name) has")
    }
    if chance(80) { try await noteCommit(terminal) }
  }

  /// A lead who is in contact changes a clock that another has, and is parted from the hub before that goes there.
  func beParted() throws {
    for terminal in alive where terminal.role == .lead && deliveries.cutUntil[terminal.index] == nil {
      let (store, session) = (terminal.store, Self.sessions[pick(0..<Self.sessions.count)])
      let now = store.clock.now
      let host = try store.read { db in
        try Run.current(of: session, at: now, in: db).flatMap { try RunHost.of(run: $0.key, in: db) }
      }
      guard let host, !host.isHere else { continue }
      try tellTime(terminal)
      let isGiven = try press(terminal, "extends \(session.name), parted") {
        _ = try ClockLog.append(.extend(seconds: 30), to: session, at: store.clock.now, in: $0)
      }
      if isGiven { deliveries.cutUntil[terminal.index] = stage.time + 2 * Self.patience }
    }
  }

  /// - Returns: whether it was done.
  @discardableResult private func press(
    _ terminal: SimulatedTerminal, _ text: String, _ body: (JournalTransaction) throws -> Void
  ) throws -> Bool {
    var isDone = false
    try write(terminal, text, by: .program) {
      try body($0)
      isDone = true
    }
    if isDone { note("clock pressed") }
    return isDone
  }

  /// What a device gave late, for a run that is another's, counts nowhere, and every clock shows the same everywhere.
  func checkClocks() async throws {
    try await checkLate()
    var known: (index: Int, texts: [String])?
    for terminal in alive where try terminal.store.exchangeStanding() != nil {
      let texts = try terminal.store.read { db in
        try Self.sessions.flatMap { session in
          try Run.all(of: session, in: db).flatMap { run in
            [Int64(0), 60_000, 600_000].map {
              "\(run.key) \(run.state(at: Instant(milliseconds: Slot.start + stage.time + $0)))"
            }
          }
        }
      }
      if let known, known.texts != texts {
        let difference = zip(known.texts, texts).first { $0 != $1 }
        throw Finding(
          .partitioned, "t\(known.index) and t\(terminal.index) show other clocks: \(difference.map { "\($0)" } ?? "")")
      }
      known = known ?? (terminal.index, texts)
    }
  }

  private func checkLate() async throws {
    let rows = try await hub.rows(
      """
      SELECT o.seq, l.time, o.header, o.sealed, o.device, o.entityID, o.result, o.id, o.entity, e.epoch
      FROM op o JOIN log l ON l.exam = o.exam AND l.seq = o.seq JOIN exam e ON e.exam = o.exam
      WHERE o.exam = ? AND o.entity IN ('CircuitRun', 'ClockEvent') AND o.sealed IS NOT NULL ORDER BY o.seq
      """)
    let ruled = Set(
      try await hub.rows("SELECT entityID FROM op WHERE exam = ? AND entity = 'Operation'").map { $0.values[0] })
    let lineages = try await lineages()
    var makers: [String: String] = [:]
    var first: Set<HubValue> = []
    var named: [String: Set<String>] = [:]
    for row in rows where first.insert(row.values[7]).inserted {
      guard case .integer(let seq) = row.values[0], case .integer(let arrived) = row.values[1],
        case .bytes(let sealed) = row.values[3], case .text(let device) = row.values[4],
        case .text(let key) = row.values[5], case .text(let text) = row.values[6],
        case .text(let epoch) = row.values[9], let epoch = UUIDBytes(epoch),
        let body = try? OperationBody.decode(sealed: sealed)
      else { continue }
      let counts = HubResult(text)?.counts == true
      if row.values[8] == .text("CircuitRun") {
        guard counts else { continue }
        makers[key] = makers[key] ?? device
        if case .text(let host)? = body.fields["host"] { named[key, default: []].insert(host) }
        continue
      }
      guard counts, !ruled.contains(row.values[7]), case .integer(let at)? = body.fields["at"],
        case .text(let run)? = body.fields["run"], let maker = makers[run]
      else { continue }
      // What is older than this run of the log was judged by the one before.
      let began = Int64(epoch.high >> 16)
      guard at < arrived - Self.patience, at >= began else { continue }
      let hosts = named[run] ?? [maker]
      if lineages[device, default: [device]].isDisjoint(with: hosts) {
        let text = "entry \(seq) counts, \(arrived - at) ms late, of \(device) for \(run), which \(hosts.sorted()) has"
        throw Finding(.partitioned, text)
      }
    }
  }

  /// Each device with those in whose place it goes on.
  func lineages() async throws -> [String: Set<String>] {
    var before: [String: String] = [:]
    for row in try await hub.rows("SELECT device, continues FROM device WHERE exam = ? AND continues IS NOT NULL") {
      if case .text(let device) = row.values[0], case .text(let former) = row.values[1] { before[device] = former }
    }
    var lineages: [String: Set<String>] = [:]
    for device in before.keys {
      var (lineage, next) = (Set([device]), before[device])
      while let former = next, lineage.insert(former).inserted { next = before[former] }
      lineages[device] = lineage
    }
    return lineages
  }
}
