import Characters
import Dispatch
import GRDB
import Journal
import Synchronization

/// Holds each device's chain against its hashes and the store's note of its end, and works out which operations apply.
package struct JournalCheck {
  /// What became of each operation.
  private(set) var fates = OperationFates()
  /// What the operations that apply make of each row.
  private(set) var rows = ReplayedRows()
  /// Why each operation that is refused is.
  private(set) var refusals: [OperationID: Journal.Refusal] = [:]
  /// The numbers of the order of arrival that operations have: how many, and the greatest.
  private(set) var numbers: (count: Int64, last: Int64) = (0, 0)
  /// The store's own identity in the journal; nil where it has none yet.
  private(set) var ownDevice: UUIDBytes?
  /// Whether the journal could be read to its end.
  package private(set) var isWhole = true

  private(set) var barred: [OperationID: String] = [:]
  private(set) var waiting: [TransactionKey: [OpenedOperation]] = [:]
  /// The operations whose content a hub had destroyed: in a store that was never enrolled there are none.
  private var erasedByHub: Set<OperationID> = []
  /// Operations, by their hashes, that count for nothing because a hub has others under their identifiers.
  private var outvoted: Set<[UInt8]> = []
  /// Whether all that is here was met: what is named and was not met then is not here.
  private var hasMetAll = false
  private var aside: Set<OperationID> = []
  /// Transactions of which something is kept aside: they may contradict themselves, and are decided once all is here.
  private var asideTransactions: Set<TransactionKey> = []
  private var refused = Problems()
  private var refusedAside = 0
  /// The operations of this device whose content gave way to what others sent, and is kept.
  private var laidAside: Set<OperationID> = []
  private var destroyed: [(id: OperationID, device: UUIDBytes, number: Int64)] = []
  private var erased: Set<OperationID> = []
  /// How many operations are without content for a reason that is noted, by reason.
  private var contentless: [AbsentContent: Int] = [:]
  private var authors: Set<Author> = []
  private var lastAuthor: Author?

  /// Who made operations, and in which sitting: looked up once each.
  private struct Author: Hashable, Comparable {
    let isOwn: Bool
    var staff: Int64?
    var sitting: UUIDBytes?

    static func < (left: Author, right: Author) -> Bool {
      let (one, other) = (left.staff ?? .min, right.staff ?? .min)
      let none = UUIDBytes(high: 0, low: 0)
      return one != other ? one < other : left.sitting ?? none < right.sitting ?? none
    }
  }

  /// Whether a hub has another operation under the identifier of the one with this hash.
  func isOutvoted(_ hash: [UInt8]) -> Bool { outvoted.contains(hash) }

  /// Whether an operation counts.
  func isApplied(_ id: OperationID) -> Bool { if case .applied = fates[id] { true } else { false } }

  /// - Parameter since: ends of chains that were noted before: are they there still?
  package static func run(
    _ db: Database, since: [ChainHash] = [], progress: CheckProgress = .silent, _ diagnosis: inout Diagnosis
  ) throws -> JournalCheck {
    var check = JournalCheck()
    try check.reserve(db)
    try check.readBarred(db)
    var walk = ChainWalk(
      ownDevice: check.ownDevice, wanted: since, hub: try HubCheck(db, ownDevice: check.ownDevice))
    do {
      try check.goThrough(db, &walk, progress)
      try walk.compareEnds(in: db)
    } catch {
      walk.breakOff(Diagnosis.reason(of: error))
      check.isWhole = false
    }
    check.numbers = (walk.numbered, walk.lastNumber)
    walk.report(&diagnosis)
    check.hasMetAll = true
    check.settle()
    try check.report(db, &diagnosis)
    return check
  }

  /// Judges every operation that is here and takes it, also those that were read before something could not be.
  private mutating func goThrough(_ db: Database, _ walk: inout ChainWalk, _ progress: CheckProgress) throws {
    var openings = Openings()
    defer { for opening in openings.rest() { take(opening, &walk) } }
    try RawRow.forEach(db, try ChainWalk.query(db)) { row in
      walk.count += 1
      progress.report("operations", walk.count)
      guard let (operation, isAside) = walk.read(row) else { return }
      if isAside { aside.insert(operation.id) }
      try walk.judge(
        row, operation, isAside: isAside, barred: barred[operation.id], isOutvoted: isOutvoted(operation.hash), in: db)
      if let opening = openings.add(operation, isAside: isAside) { take(opening, &walk) }
    }
  }

  private mutating func report(_ db: Database, _ diagnosis: inout Diagnosis) throws {
    for key in waiting.keys.sorted(by: { $0.tx < $1.tx }) where key.device == ownDevice {
      refused.add("transaction \(key.tx) of this device waits for operations: an own one never does")
    }
    diagnosis.add("operations", problems: refused, sound: "all are well-formed and follow what they name")
    compareErasures(&diagnosis)
    try lookUpAuthors(in: db, &diagnosis)
    if refusedAside > 0 {
      diagnosis.add("refused", .warning, "\(refusedAside) operations are kept, but count for nothing")
    }
    let parked = waiting.reduce(0) { $0 + ($1.key.device == ownDevice ? 0 : $1.value.count) }
    let setAside = try RefusedEntry.count(db)
    if setAside > 0 {
      diagnosis.add(
        "entries", .warning,
        "\(Plural.count(setAside, "entry was", "entries were")) set aside as they came, and change nothing")
    }
    if parked > 0 {
      diagnosis.add("parked", .warning, "\(parked) operations wait for others that have not arrived")
    }
  }

  /// Makes room at once for what a sound journal holds.
  private mutating func reserve(_ db: Database) throws {
    let last = try Int.fetchOne(db, sql: "SELECT max(seq) FROM operation") ?? 0
    let size = try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    // A number may be damaged; no operation is as small as this.
    let count = min(max(last, 0), size / 256)
    fates.reserve(count)
    rows.reserve(count)
  }

  private mutating func readBarred(_ db: Database) throws {
    laidAside = try WithheldContent.operations(db)
    ownDevice = try String.fetchOne(db, sql: "SELECT value FROM storeInfo WHERE key = 'device'")
      .flatMap { UUIDBytes($0) }
    if try db.holdsTable("hub"), try Enrolment.exists(db) { erasedByHub = try ErasedOperations.all(db) }
    guard try db.holdsTable("barred") else { return }
    var barred: [OperationID: String] = [:]
    try RawRow.forEach(db, "SELECT id, why FROM barred") { row in
      if let id = row.id(0) { barred[id] = row.text(1) ?? "" }
    }
    self.barred = barred
    for id in barred.keys { _ = fates.note(id, .void) }
    var aside: Set<OperationID> = []
    var transactions: Set<TransactionKey> = []
    try RawRow.forEach(db, "SELECT id, device, tx, hash, state, why FROM pending") { row in
      if let id = row.id(0) { aside.insert(id) }
      if let device = row.id(1), let tx = row.id(2) { transactions.insert(TransactionKey(device: device, tx: tx)) }
      let isOther =
        row.text(4) == PendingOperations.State.refused.rawValue && row.text(5) == Journal.Refusal.twoVersions.code
      if isOther, let id = row.id(0), barred[id] == nil, let hash = row.bytes(3) { outvoted.insert(hash) }
    }
    (self.aside, asideTransactions) = (aside, transactions)
  }

  /// Whether the content of an operation never was here, or was destroyed because a hub said so.
  private func isWithheld(_ operation: Operation) -> Bool {
    switch operation.absent {
    case .withheld: operation.device != ownDevice || laidAside.contains(operation.id)
    case .scope, .damaged: operation.device != ownDevice
    case .erased: erasedByHub.contains(operation.id)
    case nil: false
    }
  }

  // MARK: What applies

  /// Takes the next operations of all chains.
  private mutating func take(_ opening: Opening, _ walk: inout ChainWalk) {
    for (found, isAside) in zip(opening.found(), opening.areAside) {
      let operation = found.opened.operation
      let isContradicted = barred[operation.id] == Journal.Refusal.twoVersions.code || isOutvoted(operation.hash)
      if isAside && isContradicted {
        walk.noteUnproven(operation)
      } else {
        walk.follow(operation, damage: found.damage)
      }
      take(found.opened, isAside: isAside)
    }
  }

  private mutating func take(_ opened: OpenedOperation, isAside: Bool) {
    let operation = opened.operation
    let key = TransactionKey(operation)
    // What is barred applies in no version.
    if barred[operation.id] == nil, !isOutvoted(operation.hash) { fates.meet(operation.id) }
    // It counts for nothing yet, or never: what is in the tables does not follow from it.
    if isAside { rows.distrust(operation.row) }
    // What others keep to themselves was never here; what this device made was.
    if case .destroyed = opened.content {
      if let absent = operation.absent, isWithheld(operation) {
        contentless[absent, default: 0] += 1
      } else {
        destroyed.append((operation.id, operation.device, operation.deviceSeq))
      }
    }
    if operation.kind == .erase, let named = opened.body?.replaces[OperationBody.erased] { erased.formUnion(named) }
    if operation.staff != nil || operation.sitting != nil {
      let author = Author(isOwn: operation.device == ownDevice, staff: operation.staff, sitting: operation.sitting)
      if author != lastAuthor {
        authors.insert(author)
        lastAuthor = author
      }
    }
    waiting[key, default: []].append(opened)
    guard let members = waiting[key], members.count >= members[0].operation.txSize, !asideTransactions.contains(key)
    else { return }
    _ = decide(key)
  }

  /// Decides what waits, over and over, until nothing more can be decided.
  private mutating func settle() {
    var isMoving = true
    while isMoving {
      isMoving = false
      for key in waiting.keys.sorted(by: { $0.tx < $1.tx }) where decide(key) { isMoving = true }
    }
  }

  /// What the rules say of a transaction as far as it is here.
  func verdict(on key: TransactionKey, _ members: [OpenedOperation]) -> Admission {
    let own = Set(members.map(\.operation.id))
    let lost = lost(among: members)
    // A hub decided on it with all that it names: what this device was not given is simply not there.
    let isDecided =
      hasMetAll
      && members.contains { opened in
        opened.operation.hubSeq != nil && ["applied", "conflict"].contains(opened.operation.result)
      }
    return Admission.decide(
      members,
      check: {
        let isOwn = $0.operation.device == ownDevice
        return isOwn ? nil : EntryCheck.refusal(of: $0, countsHere: !aside.contains($0.operation.id))
      },
      fate: { id in
        if lost.contains(id) { return .void }
        if own.contains(id) && barred[id] == nil { return nil }
        let isAbsent = isDecided && fates.place(of: id) == nil && !aside.contains(id)
        return isAbsent ? .void : fates[id]
      })
  }

  private func lost(among members: [OpenedOperation]) -> Set<OperationID> {
    outvoted.isEmpty ? [] : Set(members.map(\.operation).filter { isOutvoted($0.hash) }.map(\.id))
  }

  private mutating func decide(_ key: TransactionKey) -> Bool {
    guard let members = waiting[key] else { return false }
    let lost = lost(among: members)
    switch verdict(on: key, members) {
    case .wait: return false
    case .refuse(let found):
      for (id, refusal) in found.sorted(by: { $0.key < $1.key }) {
        if lost.contains(id) {
          // It says nothing of the one that has its identifier.
          refusedAside += 1
          continue
        }
        _ = fates.note(id, .void)
        refusals[id] = refusal
        if aside.contains(id) {
          refusedAside += 1
        } else {
          refused.add("operation \(id) is refused: \(refusal)")
        }
      }
    case .apply(let inOrder):
      for opened in inOrder {
        let isDestroyed = if case .destroyed = opened.content { true } else { false }
        let place = fates.note(opened.operation.id, isDestroyed ? .void : .applied(opened.operation.hlc))
        if opened.operation.row.entity != Ruling.entity { rows.apply(opened, at: place, fates) }
      }
    }
    waiting[key] = nil
    return true
  }

  // MARK: What else must be said of it

  /// Content that is gone must be named by an operation that says so: destroying it breaks no hash.
  private func compareErasures(_ diagnosis: inout Diagnosis) {
    var problems = Problems()
    for (id, device, number) in destroyed where !erased.contains(id) {
      problems.add(
        "the content of operation \(id) (device \(device), number \(number)) is gone, and no erasure names it")
    }
    var reasons = AbsentContent.allCases.compactMap { absent in
      contentless[absent].map { "\($0) \(JournalCheck.text(for: absent))" }
    }
    if !destroyed.isEmpty { reasons.append("\(destroyed.count) named by an erasure in the journal") }
    if reasons.isEmpty { return }
    let count = destroyed.count + contentless.values.reduce(0, +)
    diagnosis.add(
      "erasures", problems: problems,
      sound: "\(Plural.count(count, "operation is", "operations are")) without content: "
        + reasons.joined(separator: ", "))
  }

  private static func text(for absent: AbsentContent) -> String {
    switch absent {
    case .withheld: "kept by the device that made them"
    case .erased: "erased because the hub said so"
    case .scope: "outside this device's part of the exam"
    case .damaged: "lost by the device that made them"
    }
  }

  private func lookUpAuthors(in db: Database, _ diagnosis: inout Diagnosis) throws {
    var problems = Problems()
    var strangers = Problems()
    let staff = try db.makeStatement(sql: "SELECT EXISTS (SELECT 1 FROM user WHERE dsid = ? AND entity = 'Staff')")
    let sitting = try db.makeStatement(sql: "SELECT EXISTS (SELECT 1 FROM sitting WHERE uuid = ?)")
    func note(_ author: Author, _ line: String) {
      if author.isOwn { problems.add(line) } else { strangers.add(line) }
    }
    for author in Set(authors.map { Author(isOwn: $0.isOwn, staff: $0.staff) }).sorted() {
      guard let key = author.staff, try Bool.fetchOne(staff, arguments: [key]) != true else { continue }
      note(author, "staff \(key) made operations and is nobody in this exam")
    }
    for author in Set(authors.map { Author(isOwn: $0.isOwn, sitting: $0.sitting) }).sorted() {
      guard let key = author.sitting, try Bool.fetchOne(sitting, arguments: [key.description]) != true else { continue }
      strangers.add("operations were made in the sitting \(key), of which nothing is known")
    }
    diagnosis.add("authors", problems: problems, sound: "everybody who made an operation here is known")
    // Who made what other devices sent may not have arrived, or not be for this store.
    if !strangers.isEmpty { diagnosis.add("other authors", problems: strangers, otherwise: .warning, sound: "") }
  }
}

/// Operations as they are read, of which those before are opened meanwhile: a third of the time.
private struct Openings {
  private var read: [Operation] = []
  private var areAside: [Bool] = []
  private var underWay: Opening?

  /// Adds the next.
  /// - Returns: those that were opened meanwhile, where it is their turn.
  mutating func add(_ operation: Operation, isAside: Bool) -> Opening? {
    read.append(operation)
    areAside.append(isAside)
    return read.count == Opening.size ? goOn() : nil
  }

  /// All that were added and not returned yet.
  mutating func rest() -> [Opening] { [goOn(), goOn()].compactMap { $0 } }

  private mutating func goOn() -> Opening? {
    defer {
      underWay = Opening(read, areAside)
      read.removeAll(keepingCapacity: true)
      areAside.removeAll(keepingCapacity: true)
    }
    return underWay
  }
}

/// Operations that are decoded and hashed on another thread, while those behind them are read.
private final class Opening: Sendable {
  /// How many there are in one, as a rule.
  static let size = 512

  let areAside: [Bool]
  private let outcome = Mutex<[(opened: OpenedOperation, damage: ChainProblem.Kind?)]>([])
  private let ended = DispatchSemaphore(value: 0)
  private static let queue = DispatchQueue(label: "osce.opening")

  init(_ operations: [Operation], _ areAside: [Bool]) {
    self.areAside = areAside
    Opening.queue.async { [self] in
      let found = OpenedOperation.open(operations)
      outcome.withLock { $0 = found }
      ended.signal()
    }
  }

  /// Waits for them.
  func found() -> [(opened: OpenedOperation, damage: ChainProblem.Kind?)] {
    ended.wait()
    ended.signal()
    return outcome.withLock { outcome in
      defer { outcome = [] }
      return outcome
    }
  }
}
