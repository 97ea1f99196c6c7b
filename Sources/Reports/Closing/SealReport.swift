import CircuitModel
import ExamStore
import GRDB
import Timer

/// Whether a copy of a locked exam is what two people locked.
public struct SealReport: Equatable, Sendable {
  /// Whether every operation is in its chain, and the chains still hold what they ended with when it was locked.
  public let chains: Bool
  /// Whether every row is what the journal says; nil where the copy has no rows.
  public let values: Bool?
  /// Whether there is a lock, and its record has the hash that it was given.
  public let lock: Bool
  /// Whether the marks come to the results that were locked; nil where they cannot be computed from the copy.
  public let results: Bool?
  /// The final hash of the copy; nil where nothing is locked.
  public let hash: String?
  /// The hash that it is held against; nil where none was given.
  public let expected: String?
  /// The first difference, in words; nil where there is none.
  public let first: String?

  /// Whether all of it holds.
  public var isVerified: Bool { first == nil }

  /// Computes a store again.
  /// - Parameters:
  ///   - examined: what the doctor found in the copy.
  ///   - expected: the hash as it was printed, spaces and all; nil: none.
  public static func read(_ examined: Diagnosis, expected: String?, in db: Database, at now: Instant) throws
    -> SealReport
  {
    func failure(_ names: String...) -> String? {
      examined.checks.first { names.contains($0.name) && $0.result == .failed }.map { "\($0.name): \($0.detail)" }
    }
    func problem(_ name: String) -> String? {
      if examined.isOK(name) { return nil }
      // Without its tables nothing of a copy is looked at.
      return failure(name) ?? failure("database", "tables") ?? "\(name): could not be examined"
    }
    let all = try ExamLock.all(in: db)
    let locks = all.filter { $0.reopening == nil }
    let standing = locks.map(SealRecord.init)
    let missing = try SealRecord.lasts(of: standing).flatMap { $0.sealed?.heads ?? [] }.first {
      try !isInChain($0, in: db)
    }
    let areLocked = try !locks.isEmpty && SealRecord.differing(among: locks, at: now, in: db).isEmpty
    return SealReport(
      standing, reopened: all.filter { $0.reopening != nil }.map(\.hash),
      chains: Finding(
        problem("chains") ?? missing.map { "the chain of device \($0.device) has not what it ended with" }),
      values: Finding(problem("rows")),
      results: Finding(areLocked ? nil : "the marks come to other results than were locked"), expected: expected)
  }

  /// What was found of one thing that a copy has to hold.
  enum Finding {
    case holds
    case differs(String)
    /// The copy has nothing of it.
    case unknown

    /// - Parameter difference: nil where it holds.
    init(_ difference: String?) { self = difference.map { .differs($0) } ?? .holds }

    fileprivate var difference: String? { if case .differs(let what) = self { what } else { nil } }
    fileprivate var flag: Bool? { if case .unknown = self { nil } else { difference == nil } }
  }

  /// - Parameters:
  ///   - standing: the locks and amendments that hold, in order.
  ///   - reopened: the hashes of those that two people opened again.
  ///   - expected: the hash as it was printed; nil: none.
  init(
    _ standing: [SealRecord], reopened: [String], chains: Finding, values: Finding = .unknown,
    results: Finding = .unknown, expected: String?
  ) {
    let lasts = SealRecord.lasts(of: standing)
    let isRecorded = !lasts.isEmpty && lasts.allSatisfy(\.isAsHashed)
    let record = lasts.isEmpty ? "nothing is locked in it" : "the record of the lock has another hash"
    let wanted = expected.map { $0.lowercased().filter { !$0.isWhitespace && $0 != "-" } }
    let isExpected = wanted.map { lasts.map(\.hash).contains($0) } ?? true
    let other =
      if standing.contains(where: { $0.hash == wanted }) {
        "it was amended since that hash was printed"
      } else if reopened.contains(where: { $0 == wanted }) {
        "it was opened again since that hash was printed, and has another lock"
      } else {
        "its final hash is another one"
      }
    self.chains = chains.difference == nil
    self.values = values.flag
    lock = isRecorded
    self.results = results.flag
    hash = lasts.first { $0.hash == wanted }?.hash ?? lasts.last?.hash
    self.expected = wanted
    first =
      chains.difference ?? values.difference ?? (isRecorded ? nil : record) ?? results.difference
      ?? (isExpected ? nil : other)
  }

  private static func isInChain(_ head: LockHead, in db: Database) throws -> Bool {
    // A chain that had no operation yet has nothing to hold.
    if head.seq == 0 { return true }
    // What came late of what is locked is in its chain too, where nobody has ruled on it yet.
    return try Shelf.tables.contains { table in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE device = ? AND deviceSeq = ? AND lower(hex(hash)) = ?)",
        arguments: [head.device, head.seq, head.hash]) ?? false
    }
  }

  /// `{"verified","chains","values","lock","results","hash","expected","first"}`.
  public var json: JSONDocument {
    .object([
      ("verified", .bool(isVerified)), ("chains", .bool(chains)), ("values", .flag(values)), ("lock", .bool(lock)),
      ("results", .flag(results)), ("hash", .optional(hash)), ("expected", .optional(expected)),
      ("first", .optional(first)),
    ])
  }
}
