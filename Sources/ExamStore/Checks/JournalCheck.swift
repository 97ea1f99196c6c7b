import GRDB
import Journal

/// Holds each device's chain against its hashes and the store's note of its end, and works out which operations apply.
package struct JournalCheck {
  /// What became of each operation.
  private(set) var fates: [OperationID: Fate] = [:]

  private var refusals = Problems()
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
    var verifier = ChainVerifier()
    var times: [UUIDBytes: HybridTime] = [:]
    var problems = Problems()
    var count = 0
    try OperationTable.forEach(in: db) { operation in
      count += 1
      progress.report("operations", count)
      if let problem = verifier.feed(operation) { problems.add(problem.line) }
      times[operation.device] = max(times[operation.device] ?? operation.hlc, operation.hlc)
      check.take(operation)
    }
    try compareEnds(verifier.tips, times, in: db, &problems)
    diagnosis.add(
      "chains", problems: problems,
      sound:
        "\(count) operations of \(verifier.tips.count) device\(verifier.tips.count == 1 ? "" : "s"), no gap, no change")
    check.settle()
    diagnosis.add("operations", problems: check.refusals, sound: "all are well-formed and follow what they name")
    if !check.waiting.isEmpty {
      let parked = check.waiting.values.reduce(0) { $0 + $1.count }
      diagnosis.add("parked", .warning, "\(parked) operations wait for others that have not arrived")
    }
    return check
  }

  private static func compareEnds(
    _ tips: [UUIDBytes: ChainTip], _ times: [UUIDBytes: HybridTime], in db: Database, _ problems: inout Problems
  ) throws {
    var noted: Set<UUIDBytes> = []
    for text in try String.fetchAll(db, sql: "SELECT device FROM chain") {
      guard let device = UUIDBytes(text) else {
        problems.add("a chain is noted for \(text), which is no device")
        continue
      }
      noted.insert(device)
      let end = try ChainEnd.read(db, device: device)
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
    switch Admission.decide(members, fate: { fates[$0] }) {
    case .wait: return false
    case .refuse(let found):
      for (id, refusal) in found.sorted(by: { $0.key < $1.key }) {
        fates[id] = .void
        refusals.add("operation \(id) is refused: \(refusal)")
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
