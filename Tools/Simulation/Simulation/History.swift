import CSeededSystem
import CircuitModel
import ExamStore
import GRDB
import Glibc
import Hub
import Journal
import SeededNumbers
import StoreSync
import Sync

/// One history: terminals that edit and exchange, a hub, and everything that can go wrong between them, all decided by a
/// seed. Time is virtual, and only one of them runs at any moment.
public final class History {
  static let entity = "CommentMetaStation"

  /// What a history met, so that a run of many can say what it was about.
  public struct Counts: Sendable {
    /// How often each kind of thing happened.
    public var events: [String: Int] = [:]

    /// None yet.
    public init() {}

    /// Adds another history's.
    public mutating func add(_ other: Counts) { events.merge(other.events) { $0 + $1 } }
  }

  /// A request on its way.
  struct Flight {
    let key: Int64
    var state: State
    enum State {
      case answered(Stage.Answer, due: Int64)
      case listening(until: Int64)
      case stalled
    }
  }

  let slot: Slot
  let stage = Stage()
  let sabotage: Sabotage?
  var random: Seeded
  var hub: SimulatedHub
  var terminals: [Int: SimulatedTerminal] = [:]
  private var flights: [Int: Flight] = [:]
  private var nextNumber = 0
  private var lastWatch: Int64 = 0
  private(set) var isCalm = false
  var cutUntil: [Int: Int64] = [:]
  private var ghosts: [WireRequest] = []
  private var hubCopy: StoreImage?
  private var copies: [Int: StoreImage] = [:]
  private var hostile: HostileDevice
  /// The sizes of the transactions that make rows which nobody changes.
  private(set) var groups: [String: Int] = [:]
  private var written = 0
  /// By what the hub knows the candidates who were erased, by their numbers.
  var pseudonyms: [String: Set<String>] = [:]
  /// The run of its log in which the hub goes on from a copy without knowing: nobody has it write before a terminal has
  /// shown it that it was restored.
  private var unawareIn: HubValue?
  var wasRestored = false
  var wasFilled = false
  /// What the hub answered for in the run of its log that is served now, by number.
  var ledger: [Int64: OperationID] = [:]
  /// The terminals of which it is looked at whether what their cursor has passed is here.
  var pendingCursorChecks: Set<Int> = []
  private(set) var counts = Counts()
  private(set) var trace: [String] = []
  private let isTraced: Bool

  /// Whether a store has a copy, or was one.
  private var wasCopied = false

  /// Whether the hub can be restored; else terminals can be. A device that writes a second history under numbers which
  /// the hub has lost meanwhile is another case.
  private let restoresHub: Bool

  /// What of the exam the terminal is given that is not given all of it; nil where there is no such terminal.
  var part: CodeScope?

  private init(_ seed: UInt64, in slot: Slot, _ sabotage: Sabotage?, isTraced: Bool) throws {
    (self.slot, self.sabotage, self.isTraced) = (slot, sabotage, isTraced)
    random = Seeded(seed: seed)
    let isOfHub = random.chance(50)
    switch sabotage?.expected {
    case .restored: restoresHub = true
    case .once, .fork, .filled: restoresHub = false
    default: restoresHub = isOfHub
    }
    try slot.hubImage.write(to: slot.hubPath)
    hub = try SimulatedHub(path: slot.hubPath, exam: slot.exam, stage: stage, lead: 0, sabotage)
    hostile = HostileDevice(seed: seed)
    // Of its own randomness: a history without such a terminal is the same as before there were any.
    var other = Seeded(seed: seed ^ 0x9A27)
    if sabotage?.expected == .parts || other.chance(30) { part = CodeScope() }
  }

  /// Runs a history.
  /// - Returns: what was found, and what happened; `trace` only where it is asked for.
  public static func run(
    seed: UInt64, in slot: Slot, sabotage: Sabotage? = nil, steps: Int = 220, isTraced: Bool = false
  ) async throws -> (finding: Finding?, counts: Counts, trace: [String]) {
    seeded_system_begin(seed ^ 0x5EED)
    defer { seeded_system_end() }
    let history = try History(seed, in: slot, sabotage, isTraced: isTraced)
    var finding: Finding?
    do {
      try await history.play(steps)
    } catch let found as Finding { finding = found }
    for (_, terminal) in history.terminals.sorted(by: { $0.key < $1.key }) { _ = await terminal.end() }
    try history.hub.database.close()
    return (finding, history.counts, history.trace)
  }

  func note(_ kind: String, _ text: @autoclosure () -> String = "") {
    counts.events[kind, default: 0] += 1
    if isTraced { trace.append("\(stage.time) \(kind) \(text())") }
  }

  func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  func chance(_ percent: Int) -> Bool { random.chance(percent) }
  var alive: [SimulatedTerminal] { terminals.sorted { $0.key < $1.key }.map(\.value) }
  /// Those that are given the whole exam.
  var whole: [SimulatedTerminal] { alive.filter { $0.index != Slot.guest } }
  /// What of the exam a terminal is given.
  func scope(of terminal: SimulatedTerminal) -> CodeScope { terminal.index == Slot.guest ? part ?? .whole : .whole }

  // MARK: The course

  private func play(_ steps: Int) async throws {
    for index in 0..<4 { try await begin(index, from: slot.images[index], as: Slot.roles[index] ?? .station) }
    try await hostile.enrol(at: hub.hub, of: slot.exam)
    try await beginPart()
    let forced = Int.random(in: 20..<100, using: &random)
    for step in 0..<steps {
      if step == forced { try await force() }
      stage.advance(Int64(pick(1..<200)))
      try await act()
      try await fire()
      try await checkCursors()
      try checkStep()
    }
    try await becomeQuiet()
    if sabotage == .deleteOnReject {
      let exam = slot.exam
      try await hub.database.real.write(weight: 1) {
        _ = try $0.run("DELETE FROM op WHERE exam = ? AND result LIKE 'rejected%'", [.text(exam.description)])
      }
    }
    try await checkQuiet()
    try await eraseForGood()
    if !pseudonyms.isEmpty || chance(10) {
      try checkSound()
      try await checkQuiet()
    }
    if sabotage?.expected == .filled || (sabotage == nil && chance(12)) {
      try await loseHub()
      try await checkQuiet()
      try await eraseForGood()
    }
  }

  /// What a sabotage needs to be seen at all happens for certain.
  private func force() async throws {
    switch sabotage?.expected {
    case .once, .fork: try await makeTwin()
    case .restored: hubCopy = hub.image()
    default: break
    }
  }

  private func act() async throws {
    if part != nil, chance(3) { return try await changePart() }
    if sabotage?.expected == .partitioned, chance(10) { return try beParted() }
    if sabotage?.expected == .restored, hubCopy != nil, chance(3) { return try await restoreHub() }
    switch pick(0..<1000) {
    case 0..<420: try await deliverAny()
    case 420..<650: try await edit()
    case 650..<665: try tellTime()
    case 665..<690: try await pressClock()
    case 690..<820: advanceToNext()
    case 820..<850: try await crashTerminal()
    case 850..<864: try await crashHub()
    case 864..<878:
      hubCopy = hub.image()
      note("hub copied")
    case 878..<886: try await restoreHub()
    case 886..<904:
      if let terminal = alive.randomElement(using: &random) {
        copies[terminal.index] = StoreImage(of: terminal.path, besides: [".hub"])
        note("store copied", "t\(terminal.index)")
      }
    case 904..<914: try await rollBack()
    case 914..<920: try await makeTwin()
    case 920..<926: try await enrolNewcomer()
    case 926..<944: try await pushHostile()
    case 944..<954:
      if let ghost = ghosts.randomElement(using: &random) {
        note("late repetition", ghost.path)
        _ = await hub.hub.answer(ghost)
        try await reviveHub()
      }
    case 954..<962:
      if let terminal = alive.randomElement(using: &random) {
        await terminal.client.retry()
        await stage.settle(terminal.number)
      }
    case 962..<976: try await rule()
    case 976..<980: try await erase()
    default:
      if let terminal = alive.randomElement(using: &random) {
        cutUntil[terminal.index] = stage.time + Int64(pick(1000..<120_000))
        note("cut", "t\(terminal.index)")
      }
    }
  }

  // MARK: Processes

  func begin(_ index: Int, from image: StoreImage, as role: DeviceRole) async throws {
    try image.write(to: slot.path(index))
    nextNumber += 1
    let skew = [0, 0, pick(-2000..<2000), pick(-86_400_000..<86_400_000)][pick(0..<4)]
    let clock = Slot.system(skew: Int64(skew), stage: stage, boot: "boot-\(nextNumber)")
    let terminal = try SimulatedTerminal(
      index, at: slot.path(index), as: role, clock: clock, number: nextNumber, seed: random.next(), stage: stage,
      sabotage)
    terminals[index] = terminal
    await terminal.begin()
  }

  private func restart(_ terminal: SimulatedTerminal, from image: StoreImage? = nil) async throws {
    flights[terminal.number] = nil
    let left = await terminal.end()
    try await begin(terminal.index, from: image ?? left, as: terminal.role)
    if let again = terminals[terminal.index] { try checkCursor(again) }
  }

  private func crashTerminal() async throws {
    guard let terminal = alive.randomElement(using: &random) else { return }
    note("terminal killed", "t\(terminal.index)")
    if chance(50) {
      try await restart(terminal)
    } else {
      terminal.faulty.plan(FaultyStore.End.allCases[pick(0..<2)])
    }
  }

  private func rollBack() async throws {
    guard !restoresHub, let terminal = alive.randomElement(using: &random), let copy = copies[terminal.index] else {
      return
    }
    note("store restored", "t\(terminal.index)")
    wasCopied = true
    try await restart(terminal, from: copy)
  }

  /// A copy of a whole machine: the same device, with its token.
  private func makeTwin() async throws {
    guard !restoresHub, terminals[Slot.twin] == nil, let terminal = terminals[pick(0..<3)] else { return }
    note("store cloned", "t\(terminal.index)")
    wasCopied = true
    let path = slot.path(Slot.twin)
    try StoreImage(of: terminal.path, besides: [".hub"]).write(to: path)
    try Self.place(path, at: slot.twinPlace)
    try await begin(Slot.twin, from: StoreImage(of: path, besides: [".hub"]), as: terminal.role)
  }

  /// Lets a store believe that it was always where it lies now.
  private static func place(_ path: String, at place: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE storeInfo SET value = ? WHERE key = 'place'", arguments: [place]) }
    try queue.close()
  }

  private func enrolNewcomer() async throws {
    guard terminals[Slot.newcomer] == nil else { return }
    note("enrolled")
    hub.database.plan(nil)
    try await begin(Slot.newcomer, from: slot.images[Slot.newcomer], as: .station)
    guard let terminal = terminals[Slot.newcomer] else { return }
    if chance(50) { try write(terminal, "c9") { try $0.create(Self.entity, "c9", ["text": .text("before")]) } }
    try await Slot.enrol(terminal.store, .station, at: hub.hub, of: slot.exam, isSameExam: false)
    await terminal.client.retry()
    await stage.settle(terminal.number)
  }

  private func crashHub() async throws {
    note("hub killed")
    if chance(40) {
      try hub.restart()
      dropFlights()
    } else {
      hub.database.plan(FaultyDatabase.End.allCases[pick(0..<3)])
    }
    try await checkLedger()
  }

  private func restoreHub() async throws {
    guard restoresHub, let copy = hubCopy else { return }
    let isKnown = sabotage != nil || chance(70)
    note("hub restored", isKnown ? "" : "without a word")
    try hub.restart(from: copy)
    dropFlights()
    hubCopy = nil
    wasRestored = true
    if isKnown { try await hub.hub.beginAnew(slot.exam) }
    unawareIn = isKnown ? nil : try await epoch()
    let head = try await hub.rows("SELECT head FROM exam WHERE exam = ?")
    if case .integer(let last)? = head.first?.values.first { ledger = ledger.filter { $0.key <= last } }
    try await rereadLedger()
    try await hostile.begin(at: hub.hub)
  }

  private func epoch() async throws -> HubValue? {
    try await hub.rows("SELECT epoch FROM exam WHERE exam = ?").first?.values.first
  }

  /// Whether the hub goes on from a copy and does not know it.
  func isUnaware() async throws -> Bool {
    guard let unawareIn else { return false }
    return try await epoch() == unawareIn
  }

  /// Begins another process where the hub's has ended.
  /// - Returns: whether it had.
  @discardableResult func reviveHub() async throws -> Bool {
    guard hub.database.isDead else { return false }
    try hub.restart()
    dropFlights()
    try await checkLedger()
    return true
  }

  /// Connections to a hub that has ended are reset.
  private func dropFlights() {
    for (number, flight) in flights {
      if case .listening = flight.state {
        flights[number]?.state = .answered(.failure(.broken("reset")), due: stage.time + 50)
      }
    }
  }

  // MARK: Time

  /// The next moment at which anything happens by itself.
  private func nextDue() -> Int64? {
    var due: [Int64] = []
    for terminal in alive {
      guard let parked = stage.parked(terminal.number) else { continue }
      switch parked.waiting {
      case .sleep(let until, _): due.append(until)
      case .request:
        guard let flight = flights[terminal.number], flight.key == parked.key else { continue }
        switch flight.state {
        case .answered(_, let at), .listening(let at): due.append(at)
        case .stalled: break
        }
      }
    }
    return due.min()
  }

  private func advanceToNext() {
    let now = stage.time
    let next = nextDue().map { max($0, now) } ?? now + 5_000
    stage.advance(min(5_000, next - now))
  }

  /// Lets everybody go on whose time has come.
  private func fire() async throws {
    for terminal in alive {
      guard let parked = stage.parked(terminal.number) else { continue }
      switch parked.waiting {
      case .sleep(let until, _): if until <= stage.time { try await resume(terminal, nil) }
      case .request:
        terminal.lastAttempt = max(terminal.lastAttempt, parked.since)
        guard let flight = flights[terminal.number], flight.key == parked.key else { continue }
        switch flight.state {
        case .answered(let answer, let due): if due <= stage.time { try await resume(terminal, answer) }
        case .listening(let until):
          if until <= stage.time { try await resume(terminal, .success(WireResponse(status: 204))) }
        case .stalled: break
        }
      }
    }
    if stage.time - lastWatch >= 5_000 {
      lastWatch = stage.time
      if sabotage == .noWatchdog { return }
      for terminal in alive {
        await terminal.client.watch()
        await stage.settle(terminal.number)
      }
    }
  }

  private func resume(_ terminal: SimulatedTerminal, _ answer: Stage.Answer?) async throws {
    if answer != nil {
      flights[terminal.number] = nil
      terminal.lastAttempt = stage.time
    }
    await stage.resume(terminal.number, answer)
    if terminal.faulty.isDead { return try await restart(terminal) }
    if terminal.faulty.took != terminal.tookBefore {
      terminal.tookBefore = terminal.faulty.took
      try checkWhole(terminal)
      try checkCursor(terminal)
    }
  }

  // MARK: The way

  private func undelivered() -> [SimulatedTerminal] {
    alive.filter { terminal in
      guard let parked = stage.parked(terminal.number), case .request = parked.waiting else { return false }
      return flights[terminal.number]?.key != parked.key
    }
  }

  private func deliverAny() async throws {
    let ready = undelivered()
    guard let terminal = ready.randomElement(using: &random) else { return advanceToNext() }
    try await deliver(terminal)
  }

  private func deliver(_ terminal: SimulatedTerminal) async throws {
    guard let parked = stage.parked(terminal.number), case .request(var request, let wait, _) = parked.waiting else {
      return
    }
    func answer(_ answer: Stage.Answer, after delay: Int) {
      flights[terminal.number] = Flight(key: parked.key, state: .answered(answer, due: stage.time + Int64(delay)))
    }
    let now = stage.time
    if !isCalm, let until = cutUntil[terminal.index] {
      if now < until { return answer(.failure(.unreachable("cut")), after: pick(1..<3000)) }
      cutUntil[terminal.index] = nil
    }
    let dice = isCalm ? 1000 : pick(0..<1000)
    switch dice {
    case 0..<60:
      note("request lost")
      return answer(.failure(.timeout), after: 10_000)
    case 60..<75:
      note("busy")
      return answer(.success(HubError.busy(after: Int64(pick(1..<20))).response), after: 20)
    case 75..<85 where (try? SyncRequest.decode(request.body))?.operations.count ?? 0 > 1:
      note("too large")
      return answer(.success(HubError.tooLarge(limit: 1).response), after: 20)
    case 85..<95:
      note("stalled")
      flights[terminal.number] = Flight(key: parked.key, state: .stalled)
      return
    case 95..<105:
      note("other page")
      return answer(.success(WireResponse(status: 200, content: nil, body: Array("<html>sign in".utf8))), after: 20)
    default: break
    }
    if request.path == "/v1/wait" {
      request.query["t"] = "0"
      let response = await hub.hub.answer(request)
      if response.status == 204 {
        flights[terminal.number] = Flight(key: parked.key, state: .listening(until: parked.since + wait * 1000))
        return
      }
      return answer(.success(response), after: pick(1..<80))
    }
    if request.path == "/v1/sync" {
      if !isCalm, chance(sabotage == .membersAsTheyCome ? 60 : 25), var asked = try? SyncRequest.decode(request.body),
        asked.limit > 0
      {
        asked.limit = Int64(pick(1..<6))
        request.body = asked.encoded
      }
      let brought = (try? SyncRequest.decode(request.body))?.operations ?? []
      // Who is said to have a run is written where that is known.
      hub.database.isMistaken = sabotage != .anyHost || !brought.contains { $0.operation.row.entity == "CircuitRun" }
      if let mistaken = try await mistake(&request) { return answer(.success(mistaken), after: 20) }
    }
    if ghosts.count < 12, request.path == "/v1/sync" { ghosts.append(request) }
    let epoch = try await epoch()
    var response = await hub.hub.answer(request)
    // What the hub itself writes, and what is hostile, is no change that comes again.
    hub.database.isMistaken = sabotage != .dropDedupe
    note("\(request.path) \(response.status)", "t\(terminal.index)")
    if try await reviveHub() { return answer(.failure(.broken("reset")), after: pick(1..<50)) }
    if 105..<125 ~= dice {
      note("delivered twice")
      response = await hub.hub.answer(request)
      if try await reviveHub() { return answer(.failure(.broken("reset")), after: pick(1..<50)) }
    }
    if !wasCopied, !wasRestored, !wasFilled, response.status == 409, case .fork = HubError(response) {
      throw Finding(.fork, "t\(terminal.index) is told that a copy of it has written, and there is none")
    }
    if request.path == "/v1/sync", response.status == 200 {
      try await checkAnswer(response, to: request, of: terminal, epoch)
    }
    ring()
    switch dice {
    case 125..<190:
      note("answer lost")
      return answer(.failure(.timeout), after: pick(100..<30_000))
    case 190..<220:
      note("answer cut")
      response.body = Array(response.body.prefix(pick(0..<max(1, response.body.count))))
    case 220..<240:
      note("bad gateway")
      response = WireResponse(status: 502, content: nil, body: Array("<html>bad gateway".utf8))
    case 240..<260 where request.path == "/v1/sync":
      if let answer = try? SyncAnswer.decode(response.body) {
        note("spoilt entry")
        let spoilt = Array(#"{"op":{"header":"{}"},"seq":1,"time":0,"type":"op"}"#.utf8)
        var entries = answer.entries.map { entry -> [UInt8] in
          var bytes: [UInt8] = []
          entry.write(to: &bytes)
          return bytes
        }
        entries.insert(spoilt, at: pick(0..<entries.count + 1))
        response.body = answer.encoded(entries: entries)
      }
    default: break
    }
    answer(.success(response), after: isCalm ? 5 : pick(1..<400))
  }

  /// Everybody who listens asks again.
  func ring() {
    for (number, flight) in flights { if case .listening = flight.state { flights[number] = nil } }
  }

  /// A hub that compares less than it should.
  /// - Returns: its answer, where it does not even look.
  private func mistake(_ request: inout WireRequest) async throws -> WireResponse? {
    guard sabotage == .compareCursorNotHash || sabotage == .compareNumberNotHash,
      var asked = try? SyncRequest.decode(request.body)
    else { return nil }
    if sabotage == .compareCursorNotHash {
      let exam = try await hub.rows("SELECT epoch, head FROM exam WHERE exam = ?").first?.values
      guard case .text(let text)? = exam?[0], let epoch = UUIDBytes(text), case .integer(let head)? = exam?[1] else {
        return nil
      }
      let seq = min(asked.cursor.seq ?? 0, head)
      let row = try await hub.rows("SELECT hash FROM log WHERE exam = ? AND seq = ?", [.integer(seq)]).first
      if case .bytes(let hash)? = row?.values.first { asked.hash = hash }
      asked.cursor = LogCursor(epoch: epoch, seq: seq)
      request.body = asked.encoded
      return nil
    }
    let row = try await hub.rows(
      "SELECT last, lastHash FROM device WHERE exam = ? AND device = ?", [.text(asked.device.description)]
    ).first?.values
    guard case .integer(let last)? = row?[0], case .bytes(let hash)? = row?[1] else { return nil }
    if asked.tip.deviceSeq <= last { asked.tip = ChainTip(device: asked.device, deviceSeq: last, hash: hash) }
    guard !asked.isRelay, let end = asked.operations.last?.operation, end.deviceSeq <= last else {
      request.body = asked.encoded
      return nil
    }
    let results = asked.operations.map {
      SyncAnswer.Result(
        id: $0.operation.id, deviceSeq: $0.operation.deviceSeq, hubSeq: 1, outcome: .stored(.applied), isDuplicate: true
      )
    }
    let body = SyncAnswer(
      results: results, entries: [], cursor: asked.cursor, hash: asked.hash, more: false,
      scope: SyncScope(version: 1, atoms: ["all"]), last: end.deviceSeq, lastHash: end.hash, time: 0)
    let response = WireResponse(status: 200, content: .json, body: body.encoded)
    if let terminal = alive.first(where: { $0.store.device == asked.device }) {
      try await checkAnswer(response, to: request, of: terminal, nil)
    }
    return response
  }

  // MARK: People

  func write(
    _ terminal: SimulatedTerminal, _ text: String, by author: Author = Author(staff: 1),
    _ body: (JournalTransaction) throws -> Void
  ) throws {
    do {
      try terminal.store.write(author, body)
      note("edit", "t\(terminal.index) \(text)")
    } catch is any RuleRefusal {} catch is StoreError {}
  }

  private func edit() async throws {
    guard let terminal = whole.randomElement(using: &random) else { return }
    written += 1
    let (key, text) = ("c\(pick(0..<6))", "text \(written)")
    if chance(15) {
      try writeAbout(terminal, Slot.numbers[pick(0..<Slot.numbers.count)])
      if chance(80) { try await noteCommit(terminal) }
      return
    }
    if chance(10) {
      let (store, entity) = (terminal.store, Self.entity)
      terminal.faulty.plan { try? store.write(Author(staff: 1)) { _ = try $0.set(entity, key, ["text": .text(text)]) } }
      return note("edit while it asks", "t\(terminal.index) \(key) \(text)")
    }
    let kind = pick(0..<10)
    let count = pick(2..<4)
    let group = "g\(written)"
    if kind >= 8 { groups[group] = count }
    try write(terminal, "\(kind) \(key) \(text)") { transaction in
      switch kind {
      case 0..<2: try transaction.create(Self.entity, key, ["text": .text(text)])
      case 2..<7: _ = try transaction.set(Self.entity, key, ["text": .text(text)])
      case 7: _ = try transaction.delete(Self.entity, key)
      default:
        for index in 0..<count { try transaction.create(Self.entity, "\(group).\(index)", ["text": .text(text)]) }
      }
    }
    if chance(80) { try await noteCommit(terminal) }
  }

  func noteCommit(_ terminal: SimulatedTerminal) async throws {
    await terminal.client.noteCommit()
    await stage.settle(terminal.number)
  }

  /// A lead rules on what counts for nothing, or its author takes it back.
  private func rule() async throws {
    guard let terminal = whole.randomElement(using: &random),
      let kept = try terminal.store.pendingOperations().randomElement(using: &random)
    else { return }
    let verdict: Journal.Verdict = terminal.role == .lead ? (chance(60) ? .applied : .rejected) : .withdrawn
    try write(terminal, "rules \(verdict)") { try $0.rule(verdict, on: kept.operation.id, reason: "seen") }
  }

  private func pushHostile() async throws {
    let known = try await hub.rows("SELECT id FROM op WHERE exam = ? ORDER BY seq").compactMap { row -> OperationID? in
      if case .text(let text)? = row.values.first { OperationID(text) } else { nil }
    }
    let response = await hostile.push(
      at: hub.hub, knowing: known, ownTime: sabotage == .timeOfOwnChain, at: Slot.start + stage.time)
    note("hostile \(response.status)")
    try await reviveHub()
    ring()
  }

  // MARK: Quiet

  /// Nothing goes wrong any more: everybody exchanges until nothing is left.
  func becomeQuiet() async throws {
    isCalm = true
    cutUntil = [:]
    hub.database.plan(nil)
    try await reviveHub()
    for terminal in alive {
      await terminal.client.noteCommit()
      await stage.settle(terminal.number)
    }
    for _ in 0..<600 {
      for terminal in undelivered() { try await deliver(terminal) }
      try await enrolUnknown()
      if try await isQuiet() { return }
      advanceToNext()
      try await fire()
      try checkStep()
    }
    var lines: [String] = []
    var isOfStore = false
    for terminal in alive {
      let (phase, trouble) = (await terminal.client.phase, await terminal.client.trouble)
      if trouble == .store { isOfStore = true }
      let standing = try terminal.store.exchangeStanding()
      lines.append(
        "t\(terminal.index) \(phase) \(trouble?.text ?? "") waiting \(standing?.waiting ?? -1)"
          + " at \(standing?.enrolment.cursor ?? "")")
    }
    throw Finding(isOfStore ? .hostile : .alive, "does not become quiet: " + lines.joined(separator: "; "))
  }

  /// A person gives a new code to each terminal that the hub does not know: one that came after the hub's backup was made.
  private func enrolUnknown() async throws {
    for terminal in alive {
      guard case .sleep? = stage.parked(terminal.number)?.waiting,
        case .token? = await terminal.client.trouble?.refusal
      else { continue }
      note("enrolled again", "t\(terminal.index)")
      hub.database.plan(nil)
      try await Slot.enrol(
        terminal.store, terminal.role, at: hub.hub, of: slot.exam, isSameExam: true, scope: scope(of: terminal))
      await terminal.client.retry()
      await stage.settle(terminal.number)
    }
  }

  private func isQuiet() async throws -> Bool {
    let row = try await hub.rows("SELECT epoch, head, filling FROM exam WHERE exam = ?").first?.values
    guard case .text(let epoch)? = row?[0], case .integer(let head)? = row?[1], case .integer(let filling)? = row?[2]
    else { return false }
    for terminal in alive {
      guard let parked = stage.parked(terminal.number) else { return false }
      guard let standing = try terminal.store.exchangeStanding() else { continue }
      if filling == 1 {
        guard case .filling? = await terminal.client.trouble?.refusal else { return false }
        continue
      }
      guard case .request(let request, _, _) = parked.waiting, request.path == "/v1/wait",
        standing.waiting == 0 || sabotage == .noRelay,
        // After a dot stands what of the exam the device is given, where that has changed.
        standing.enrolment.cursor.prefix(while: { $0 != "." }) == "\(epoch):\(head)"
      else { return false }
    }
    return true
  }

  /// The hub's machine is gone, and one terminal with it: a new hub is filled from the others.
  private func loseHub() async throws {
    note("hub lost")
    wasFilled = true
    // Of a store and a copy that nothing has told apart yet, each would void the other's token in turn.
    let copy = terminals[Slot.twin].flatMap { twin in
      alive.contains { $0.index != twin.index && $0.store.device == twin.store.device } ? twin : nil
    }
    if let lost = copy ?? alive.filter({ $0.role != .lead }).randomElement(using: &random) {
      _ = await lost.end()
      terminals[lost.index] = nil
    }
    try hub.database.close()
    for end in ["", "-wal", "-shm"] { unlink(slot.hubPath + end) }
    hub = try SimulatedHub(path: slot.hubPath, exam: slot.exam, stage: stage, lead: 0, sabotage)
    ledger = [:]
    flights = [:]
    try await hub.hub.makeExam(slot.exam, named: "Year 3", device: .random(), isFilling: true)
    for terminal in alive {
      try await Slot.enrol(
        terminal.store, terminal.role, at: hub.hub, of: slot.exam, isSameExam: true, scope: scope(of: terminal))
      try await restart(terminal)
    }
    try await becomeQuiet()
    try await hub.hub.endFilling(slot.exam)
    try await becomeQuiet()
  }
}

extension SyncTrouble {
  fileprivate var refusal: HubError? { if case .refused(let error) = self { error } else { nil } }
}
