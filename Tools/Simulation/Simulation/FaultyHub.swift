import ExamStore
import Glibc
import Hub
import Journal
import Sync
import Synchronization

/// That a process of the simulation was ended at this point.
struct Crash: Error {}

/// The hub's database, whose process can end at any point of a change.
final class FaultyDatabase: HubDatabase {
  /// Where the process ends in the next change.
  enum End: CaseIterable { case before, inside, afterCommit }

  private struct State {
    var isMistaken: Bool
    var end: End?
    var isDead = false
    var isCommitLate = false
  }

  let real: SQLiteDatabase
  private let sabotage: Sabotage?
  private let state: Mutex<State>
  /// A change that was answered and is not written yet.
  private let late = Mutex<(@Sendable (any HubConnection) throws -> Void)?>(nil)

  init(_ real: SQLiteDatabase, _ sabotage: Sabotage?) {
    self.real = real
    self.sabotage = sabotage
    state = Mutex(State(isMistaken: sabotage != .dropDedupe))
  }

  var isDead: Bool { state.withLock { $0.isDead } }
  /// Whether it makes the mistake that is made on purpose: not where something else would break by it first.
  var isMistaken: Bool {
    get { state.withLock { $0.isMistaken } }
    set { state.withLock { $0.isMistaken = newValue } }
  }
  func plan(_ end: End?) { state.withLock { $0.end = end } }

  private func die() -> Crash {
    state.withLock { $0.isDead = true }
    return Crash()
  }

  func read<T: Sendable>(_ body: @escaping @Sendable (any HubConnection) throws -> T) async throws -> T {
    if isDead { throw Crash() }
    let sabotage = sabotage
    return try await real.read { try body(MistakenConnection.over($0, sabotage)) }
  }

  func write<T: Sendable>(
    weight: Int, _ body: @escaping @Sendable (any HubConnection) throws -> T
  ) async throws -> T {
    if isDead { throw Crash() }
    let end = state.withLock { state in
      defer { state.end = nil }
      return state.end
    }
    if end == .before { throw die() }
    let sabotage = isMistaken ? sabotage : nil
    let pending = late.withLock { late in
      defer { late = nil }
      return late
    }
    if sabotage == .answerBeforeCommit, weight > 0 {
      let outcome = Mutex<T?>(nil)
      do {
        try await real.write(weight: weight) { connection in
          try pending?(connection)
          if pending != nil { return }
        }
        try await real.write(weight: weight) { connection in
          let result = try body(connection)
          outcome.withLock { $0 = result }
          throw Crash()
        }
      } catch is Crash {}
      if let result = outcome.withLock({ $0 }) {
        late.withLock { $0 = { _ = try body($0) } }
        return result
      }
    }
    do {
      let result = try await real.write(weight: weight) { connection in
        let result = try body(MistakenConnection.over(connection, sabotage))
        try MistakenConnection.after(connection, sabotage)
        if end == .inside { throw Crash() }
        return result
      }
      if end == .afterCommit { throw die() }
      return result
    } catch let crash as Crash {
      _ = die()
      throw crash
    }
  }

  func scrub() async throws -> Bool { try await real.scrub() }
  var clock: HubTimeSource { real.clock }
  var freeShare: Double? { nil }
  func close() throws { try real.close() }
}

/// A connection that makes one of the mistakes that a check has to find.
private struct MistakenConnection: HubConnection {
  let real: any HubConnection
  let sabotage: Sabotage
  private let arrivals = Arrivals()

  /// What a push has brought.
  private final class Arrivals {
    /// The operations that were looked up by their place in a chain: those that are sent a second time.
    var again: Set<[UInt8]> = []
    /// Whether it was asked by now who waits for what came: what is looked up after that is what others are.
    var areKnown = false
  }

  private init(real: any HubConnection, sabotage: Sabotage) { (self.real, self.sabotage) = (real, sabotage) }

  static func over(_ real: any HubConnection, _ sabotage: Sabotage?) -> any HubConnection {
    switch sabotage {
    case .dropDedupe?, .numberOutsideCommit?, .wakeFirstWaiter?, .anyHost?:
      MistakenConnection(real: real, sabotage: sabotage!)
    default: real
    }
  }

  /// What a mistaken hub does at the end of a change.
  static func after(_ connection: any HubConnection, _ sabotage: Sabotage?) throws {
    switch sabotage {
    case .headsByArrival:
      try connection.run(
        """
        DELETE FROM head WHERE EXISTS (
          SELECT 1 FROM head other JOIN op mine ON mine.id = head.id JOIN op o ON o.id = other.id
          WHERE other.exam = head.exam AND other.entity = head.entity AND other.entityID = head.entityID
            AND other.field = head.field AND o.seq > mine.seq)
        """, [])
    default: break
    }
  }

  var waitsForStandby: Bool { get throws { try real.waitsForStandby } }
  var lockingClause: String { real.lockingClause }
  func hold(_ exam: UUIDBytes) throws { try real.hold(exam) }
  func run(_ sql: String, _ arguments: [HubValue]) throws -> Int { try real.run(sql, arguments) }

  func fetch(_ sql: String, _ arguments: [HubValue]) throws -> [HubRow] {
    let rows = try real.fetch(sql, arguments)
    if sabotage == .dropDedupe {
      if sql.hasSuffix("FROM op WHERE exam = ? AND device = ? AND deviceSeq = ?") {
        for case .bytes(let hash) in rows.flatMap(\.values) { arrivals.again.insert(hash) }
      } else if sql.contains("FROM parked") {
        arrivals.areKnown = true
      } else if !arrivals.areKnown, sql.hasSuffix("FROM op WHERE exam = ? AND id = ?") {
        let isAgain = rows.contains { row in
          row.values.contains { if case .bytes(let hash) = $0 { arrivals.again.contains(hash) } else { false } }
        }
        if !isAgain { return [] }
      }
    }
    // A run that nobody is known to have made is everybody's.
    let isOfRun = arguments.contains(.text("CircuitRun"))
    if sabotage == .anyHost, isOfRun, sql.hasSuffix("FROM op WHERE exam = ? AND entity = ? AND entityID = ?") {
      return []
    }
    if sabotage == .anyHost, isOfRun, sql.contains("FROM head WHERE") {
      return rows.filter { !$0.values.contains(.text("host")) }
    }
    if sabotage == .wakeFirstWaiter, sql.contains("FROM parked"), rows.count > 1 { return [rows[0]] }
    return rows
  }

  func forEach(_ sql: String, _ arguments: [HubValue], _ body: (HubRow) throws -> Bool) throws {
    var held: Int64?
    if sabotage == .numberOutsideCommit, sql.contains("FROM log l LEFT JOIN op o"), sql.contains("txIndex") {
      // The number before the last was given, and its change is not visible yet.
      let row = try real.fetch("SELECT max(seq) FROM log WHERE exam = ?", [arguments[0]]).first
      if case .integer(let last)? = row?.values.first { held = last - 1 }
    }
    try real.forEach(sql, arguments) { row in
      if let held, row.values.first == .integer(held) { return true }
      return try body(row)
    }
  }
}

/// A hub process of the simulation.
final class SimulatedHub {
  let path: String
  let exam: UUIDBytes
  private(set) var database: FaultyDatabase
  private(set) var hub: Hub
  private let stage: Stage
  private let sabotage: Sabotage?
  private let lead: Int64

  init(path: String, exam: UUIDBytes, stage: Stage, lead: Int64, _ sabotage: Sabotage?) throws {
    (self.path, self.exam, self.stage, self.sabotage, self.lead) = (path, exam, stage, sabotage, lead)
    (database, hub) = try Self.open(path, stage, lead, sabotage)
  }

  private static func open(
    _ path: String, _ stage: Stage, _ lead: Int64, _ sabotage: Sabotage?
  ) throws -> (FaultyDatabase, Hub) {
    let database = FaultyDatabase(try SQLiteDatabase(path: path), sabotage)
    let clock = HubTimeSource(now: { Slot.start + stage.time + lead }, steady: { stage.time })
    return (database, Hub(database, version: "simulation", clock: clock, limitsRates: false))
  }

  /// What the disk holds at this moment: what was committed, and nothing else.
  func image() -> StoreImage { StoreImage(of: path) }

  /// The process ends without a word, and another one begins with what the disk holds.
  func restart() throws { try restart(from: image()) }

  /// Another process begins with what a copy holds.
  func restart(from image: StoreImage) throws {
    try database.close()
    try image.write(to: path)
    (database, hub) = try Self.open(path, stage, lead, sabotage)
  }

  func rows(_ sql: String, _ arguments: [HubValue] = []) async throws -> [HubRow] {
    let (exam, sql) = (exam, sql)
    return try await database.real.read { try $0.fetch(sql, [.text(exam.description)] + arguments) }
  }
}

/// The bytes of a database as a power cut would leave them: the file and its log.
struct StoreImage: Sendable {
  private var files: [(end: String, bytes: [UInt8]?)]

  /// Reads what lies at a path.
  /// - Parameter besides: what else belongs to it.
  init(of path: String, besides: [String] = []) {
    files = (["", "-wal"] + besides).map { ($0, Self.read(path + $0)) }
  }

  /// Puts the bytes in place; the file at the path stays the same file.
  func write(to path: String) throws {
    for (end, bytes) in files {
      guard let bytes else {
        unlink(path + end)
        continue
      }
      let descriptor = open(path + end, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw StoreError("cannot write \(path + end)") }
      defer { close(descriptor) }
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written) }
        guard count > 0 else { throw StoreError("cannot write \(path + end)") }
        written += count
      }
    }
    unlink(path + "-shm")
  }

  /// Where a text lies, with what follows it; nil where it does not.
  func place(of text: String) -> String? {
    for (end, bytes) in files {
      guard let bytes else { continue }
      let found = bytes.withUnsafeBytes { Self.find(Array(text.utf8), in: $0) }
      if let found { return "at \(found) of the file\(end)" }
    }
    return nil
  }

  private static func find(_ text: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var start = 0
    while start + text.count <= bytes.count {
      guard let next = memchr(base + start, Int32(text[0]), bytes.count - text.count - start + 1) else { return nil }
      if memcmp(next, text, text.count) == 0 { return UnsafeRawPointer(next) - base }
      start = UnsafeRawPointer(next) - base + 1
    }
    return nil
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = Glibc.read(descriptor, buffer.baseAddress! + count, size - count)
        if got <= 0 { return }
        count += got
      }
    }
  }
}
