import Characters
import GRDB
import Journal

/// The hash of an operation, as somebody noted it to prove later that the operation is still there.
public struct ChainHash: Hashable, Sendable, CustomStringConvertible {
  /// Its 32 bytes.
  let bytes: [UInt8]

  /// Takes a hash as it was stored.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads 64 hexadecimal digits of either case; nil for anything else.
  public init?(_ text: String) {
    guard let bytes = Hexadecimal.hash(text.lowercased()) else { return nil }
    self.bytes = bytes
  }

  /// 64 lowercase hexadecimal digits.
  public var description: String { Hexadecimal.text(bytes) }
}

/// Goes through the operations chain by chain: their cells, their hashes, their places, and what the hub said.
struct ChainWalk {
  /// How many operations were met.
  var count = 0
  /// How many of them have a number in the order of arrival, and the greatest.
  private(set) var numbered: Int64 = 0
  private(set) var lastNumber: Int64 = 0

  private let ownDevice: UUIDBytes?
  private let wanted: Set<ChainHash>
  private var verifier = ChainVerifier()
  private var times: [UUIDBytes: HybridTime] = [:]
  private var counts: [UUIDBytes: Int64] = [:]
  private var unproven: [UUIDBytes: Int64] = [:]
  private var found: [ChainHash: (device: UUIDBytes, number: Int64)] = [:]
  private var problems = Problems()
  private var hub: HubCheck
  private var gaps = 0
  /// The device whose chain is gone through, and its last number in the order of arrival.
  private var arrival: (device: UUIDBytes, number: Int64)?

  private enum Place {
    static let aside = 23
    static let number = 24
    static let heads = 25
    static let exchange = 26
  }

  init(ownDevice: UUIDBytes?, wanted: [ChainHash], hub: HubCheck) {
    self.ownDevice = ownDevice
    self.hub = hub
    self.wanted = Set(wanted)
  }

  /// Every operation that is here, chain by chain; one that is kept aside whole, and not in the journal, says so.
  static func query(_ db: Database) throws -> String {
    let columns = OperationTable.sealedColumns
    let aside =
      try db.holdsTable("pending")
      ? """
      UNION ALL SELECT \(columns), 1, NULL, '', \(try HubCheck.columns(of: "pending", db)) FROM pending p
      WHERE \(OperationTable.isAsideAlone("p"))
      """ : ""
    return
      """
      SELECT \(columns), 0 AS aside, seq, heads, \(try HubCheck.columns(of: "operation", db)) FROM operation \(aside)
      ORDER BY device, deviceSeq, aside
      """
  }

  /// Reads an operation. One with a cell that this program never writes is named and passed over.
  mutating func read(_ row: RawRow) -> (Operation, isAside: Bool)? {
    let isAside = row.integer(Place.aside) == 1
    if let number = row.integer(Place.number) {
      numbered += 1
      lastNumber = max(lastNumber, number)
    }
    do {
      var operation = try OperationTable.exactly(row)
      operation.absent = HubCheck.absent(row, from: Place.exchange)
      return (operation, isAside)
    } catch {
      let name =
        row.integer(Place.number).map { "operation \($0) in the order of arrival" } ?? "an operation kept aside"
      problems.add("\(name) cannot be read: \(error)")
      return nil
    }
  }

  /// Of two versions of one operation neither is known to be the chain's.
  mutating func noteUnproven(_ operation: Operation) {
    unproven[operation.device] = max(unproven[operation.device] ?? 0, operation.deviceSeq)
    note(operation)
  }

  /// - Parameter damage: what is wrong with the operation alone.
  mutating func follow(_ operation: Operation, damage: ChainProblem.Kind?) {
    if let problem = verifier.feed(operation, damage: damage) {
      if case .gap = problem.kind, operation.device != ownDevice {
        gaps += 1
      } else {
        problems.add(problem.line)
      }
    }
    if !wanted.isEmpty {
      let hash = ChainHash(bytes: operation.hash)
      if wanted.contains(hash) { found[hash] = (operation.device, operation.deviceSeq) }
    }
    note(operation)
  }

  private mutating func note(_ operation: Operation) {
    // A chain begins at 0, whatever its operations say.
    times[operation.device] = max(times[operation.device] ?? HybridTime(raw: 0), operation.hlc)
    counts[operation.device, default: 0] += 1
  }

  /// Looks at what stands beside an operation and is under no hash.
  mutating func judge(
    _ row: RawRow, _ operation: Operation, isAside: Bool, barred: String?, isOutvoted: Bool, in db: Database
  ) throws {
    if !row.holdsText([], at: Place.heads) {
      problems.add("operation \(operation.id) names operations that stand on it")
    }
    hub.judge(
      row, from: Place.exchange, operation, isAside: isAside, barred: barred, isOutvoted: isOutvoted)
    guard !isAside, let number = row.integer(Place.number) else { return }
    if let arrival, arrival.device == operation.device, number < arrival.number {
      // Only what came from elsewhere may come in another order than that of its chain.
      if try operation.device == ownDevice || !isMerged(operation, in: db) {
        problems.add("operation \(operation.id) stands before one of its chain that is older")
      }
    }
    arrival = (operation.device, number)
  }

  private func isMerged(_ operation: Operation, in db: Database) throws -> Bool {
    guard try db.holdsTable("merged") else { return false }
    return try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM merged WHERE device = ? AND tx = ?)"),
      arguments: [operation.device.description, operation.tx.description]) ?? false
  }

  /// The journal cannot be read on.
  mutating func breakOff(_ reason: String) { problems.add(reason) }

  // MARK: The ends

  mutating func compareEnds(in db: Database) throws {
    try hub.compareWhole(in: db)
    let tips = verifier.tips
    var noted: Set<UUIDBytes> = []
    var problems = Problems()
    try RawRow.forEach(db, "SELECT device, lastSeq, lastHash, lastTime FROM chain ORDER BY device") { row in
      guard let device = row.id(0), let sequence = row.integer(1), let hash = row.bytes(2), let time = row.integer(3)
      else { return problems.add("the end of a chain is noted with what is no device, number, hash or time") }
      noted.insert(device)
      if sequence == unproven[device], sequence > tips[device]?.deviceSeq ?? 0 { return }
      guard let tip = tips[device] else {
        return problems.add("device \(device): \(sequence) operations are noted, none are there")
      }
      if tip.deviceSeq != sequence {
        problems.add(
          "device \(device): the last operation noted is \(sequence), the last one there is \(tip.deviceSeq)")
      } else if tip.hash != hash || times[device] != HybridTime(raw: time) {
        problems.add("device \(device): the end that is noted is not that of the chain")
      }
    }
    for device in tips.keys.sorted() where !noted.contains(device) {
      problems.add("device \(device): its chain has no noted end")
    }
    self.problems.add(problems)
  }

  func report(_ diagnosis: inout Diagnosis) {
    let tips = verifier.tips
    diagnosis.add(
      "chains", problems: problems,
      sound: "\(Plural.count(count, "operation")) of \(Plural.count(tips.count, "device")), no gap, no change")
    diagnosis.chainEnds = tips.values.sorted { $0.device < $1.device }.map {
      Diagnosis.ChainEnd(
        device: $0.device, isOwn: $0.device == ownDevice, operations: counts[$0.device] ?? 0,
        hash: ChainHash(bytes: $0.hash))
    }
    for end in diagnosis.chainEnds where end.isOwn || diagnosis.chainEnds.count == 1 {
      diagnosis.add("chain end", .ok, "\(end.hash) after \(Plural.count(end.operations, "operation"))")
    }
    compareWanted(tips, &diagnosis)
    hub.report(&diagnosis)
    if gaps > 0 {
      diagnosis.add("other devices", .warning, "operations have not arrived, at \(gaps) places in their chains")
    }
  }

  private func compareWanted(_ tips: [UUIDBytes: ChainTip], _ diagnosis: inout Diagnosis) {
    if wanted.isEmpty { return }
    var problems = Problems()
    var lines: [String] = []
    for hash in wanted.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      guard let place = found[hash] else {
        problems.add("\(hash) is not in the chain: this file is older than that, or of another exam")
        continue
      }
      let later = (tips[place.device]?.deviceSeq ?? place.number) - place.number
      lines.append("\(hash) is number \(place.number) of its chain, \(later) came after it")
    }
    diagnosis.add("since", problems: problems, sound: lines.joined(separator: "; "))
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
