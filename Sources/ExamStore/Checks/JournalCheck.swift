import GRDB
import Journal

/// Holds each device's chain against its hashes and the store's note of its end, and works out which operations apply.
package struct JournalCheck {
  /// What became of each operation.
  private(set) var fates: [OperationID: Fate] = [:]

  private var barred: [OperationID: String] = [:]
  private var ownDevice: UUIDBytes?
  private var aside: Set<OperationID> = []
  private var refusals = Problems()
  private var refusedAside = 0
  private var waiting: [TransactionKey: [OpenedOperation]] = [:]

  private struct TransactionKey: Hashable {
    let device: UUIDBytes
    let tx: UUIDBytes
  }

  /// Whether an operation counts.
  func isApplied(_ id: OperationID) -> Bool { if case .applied = fates[id] { true } else { false } }

  package static func run(
    _ db: Database, progress: CheckProgress = .silent, _ diagnosis: inout Diagnosis
  ) throws -> JournalCheck {
    var check = JournalCheck()
    try check.readBarred(db)
    var verifier = ChainVerifier()
    var times: [UUIDBytes: HybridTime] = [:]
    var problems = Problems()
    var count = 0
    var gaps = 0
    var unproven: [UUIDBytes: Int64] = [:]
    try OperationTable.forEachByChain(in: db) { operation, isAside in
      count += 1
      progress.report("operations", count)
      if isAside { check.aside.insert(operation.id) }
      if isAside && check.barred[operation.id] == Journal.Refusal.twoVersions.code {
        // Of two versions of one operation neither is known to be the chain's.
        unproven[operation.device] = max(unproven[operation.device] ?? 0, operation.deviceSeq)
      } else if let problem = verifier.feed(operation) {
        if case .gap = problem.kind, operation.device != check.ownDevice {
          gaps += 1
        } else {
          problems.add(problem.line)
        }
      }
      times[operation.device] = max(times[operation.device] ?? operation.hlc, operation.hlc)
      check.take(operation)
    }
    try compareEnds(verifier.tips, times, unproven, in: db, &problems)
    diagnosis.add(
      "chains", problems: problems,
      sound:
        "\(count) operations of \(verifier.tips.count) device\(verifier.tips.count == 1 ? "" : "s"), no gap, no change")
    if gaps > 0 {
      diagnosis.add("other devices", .warning, "operations have not arrived, at \(gaps) places in their chains")
    }
    check.settle()
    diagnosis.add("operations", problems: check.refusals, sound: "all are well-formed and follow what they name")
    if check.refusedAside > 0 {
      diagnosis.add("refused", .warning, "\(check.refusedAside) operations are kept, but count for nothing")
    }
    if !check.waiting.isEmpty {
      let parked = check.waiting.values.reduce(0) { $0 + $1.count }
      diagnosis.add("parked", .warning, "\(parked) operations wait for others that have not arrived")
    }
    return check
  }

  private mutating func readBarred(_ db: Database) throws {
    ownDevice = try String.fetchOne(db, sql: "SELECT value FROM storeInfo WHERE key = 'device'")
      .flatMap { UUIDBytes($0) }
    guard try db.tableExists("barred") else { return }
    for row in try Row.fetchAll(db, sql: "SELECT id, why FROM barred") {
      guard let id = OperationID(row[0]) else { continue }
      barred[id] = row[1]
      fates[id] = .void
    }
    for text in try String.fetchAll(db, sql: "SELECT DISTINCT id FROM pending") {
      if let id = OperationID(text) { aside.insert(id) }
    }
  }

  private static func compareEnds(
    _ tips: [UUIDBytes: ChainTip], _ times: [UUIDBytes: HybridTime], _ unproven: [UUIDBytes: Int64], in db: Database,
    _ problems: inout Problems
  ) throws {
    var noted: Set<UUIDBytes> = []
    for text in try String.fetchAll(db, sql: "SELECT device FROM chain") {
      guard let device = UUIDBytes(text) else {
        problems.add("a chain is noted for \(text), which is no device")
        continue
      }
      noted.insert(device)
      let end = try ChainEnd.read(db, device: device)
      if end.sequence == unproven[device], end.sequence > tips[device]?.deviceSeq ?? 0 { continue }
      guard let tip = tips[device] else {
        problems.add("device \(device): \(end.sequence) operations are noted, none are there")
        continue
      }
      if tip.deviceSeq != end.sequence {
        problems.add(
          "device \(device): the last operation noted is \(end.sequence), the last one there is \(tip.deviceSeq)")
      } else if tip.hash != end.hash || times[device] != end.time {
        problems.add("device \(device): the end that is noted is not that of the chain")
      }
    }
    for device in tips.keys.sorted() where !noted.contains(device) {
      problems.add("device \(device): its chain has no noted end")
    }
  }

  // MARK: What applies

  private mutating func take(_ operation: Operation) {
    let key = TransactionKey(device: operation.device, tx: operation.tx)
    waiting[key, default: []].append(OpenedOperation(operation))
    guard let members = waiting[key], members.count >= members[0].operation.txSize else { return }
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

  private mutating func decide(_ key: TransactionKey) -> Bool {
    guard let members = waiting[key] else { return false }
    let own = Set(members.map(\.operation.id))
    let verdict = Admission.decide(
      members, check: { $0.operation.device == ownDevice ? nil : EntryCheck.refusal(of: $0) },
      fate: { own.contains($0) && barred[$0] == nil ? nil : fates[$0] })
    switch verdict {
    case .wait: return false
    case .refuse(let found):
      for (id, refusal) in found.sorted(by: { $0.key < $1.key }) {
        fates[id] = .void
        if aside.contains(id) {
          refusedAside += 1
        } else {
          refusals.add("operation \(id) is refused: \(refusal)")
        }
      }
    case .apply(let inOrder):
      for opened in inOrder {
        fates[opened.operation.id] = opened.content == .destroyed ? .void : .applied(opened.operation.hlc)
      }
    }
    waiting[key] = nil
    return true
  }
}

extension ChainProblem {
  /// The problem in words.
  fileprivate var line: String {
    let what =
      switch kind {
      case .gap(let expected): "operations are missing from number \(expected) on"
      case .fork: "it contradicts another of this number"
      case .bodyHash: "its content was changed"
      case .hash: "its header was changed"
      case .otherDevice: "it is of another device"
      }
    return "device \(device), number \(deviceSeq): \(what)"
  }
}
