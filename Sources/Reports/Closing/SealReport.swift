import CircuitModel
import ExamStore
import Foundation
import GRDB
import Journal
import Timer

/// Whether a copy of a locked exam is what two people locked.
public struct SealReport: Equatable, Sendable {
  /// Whether every operation is in its chain, and the chains still hold what they ended with when it was locked.
  public let chains: Bool
  /// Whether every row is what the journal says.
  public let values: Bool
  /// Whether there is a lock, and its record has the hash that it was given.
  public let lock: Bool
  /// Whether the marks come to the results that were locked.
  public let results: Bool
  /// The final hash of the copy; nil where nothing is locked.
  public let hash: String?
  /// The hash that it is held against; nil where none was given.
  public let expected: String?
  /// The first difference, in words; nil where there is none.
  public let first: String?

  /// Whether all of it holds.
  public var isVerified: Bool { first == nil }

  /// - Parameters:
  ///   - examined: what the doctor found in the copy.
  ///   - expected: the hash as it was printed, spaces and all; nil: none.
  public static func read(_ examined: Diagnosis, expected: String?, in db: Database, at now: Instant) throws
    -> SealReport
  {
    var problems: [String] = []
    func note(_ holds: Bool, _ problem: @autoclosure () -> String) -> Bool {
      if !holds { problems.append(problem()) }
      return holds
    }
    func detail(_ name: String) -> String {
      examined.checks.first { $0.name == name && $0.result == .failed }.map { "\(name): \($0.detail)" }
        ?? "\(name): could not be examined"
    }
    let standing = try ExamLock.standing(in: db)
    // Where the exam is not locked, its parts can be: each has to hold.
    let scopes = Dictionary(grouping: standing, by: \.scope)
    let sealed = scopes[.init()].map { [$0] } ?? scopes.values.sorted { $0[0].key < $1[0].key }
    let lasts = sealed.compactMap(\.last)
    let contents = lasts.map { ($0.scope, Content($0.content)) }
    let isWhole = note(examined.isOK("chains"), detail("chains"))
    let missing = try contents.flatMap { $0.1?.heads ?? [] }.first { try !isInChain($0, in: db) }
    let holdsHeads = note(missing == nil, "the chain of device \(missing?.device ?? "") has not what it ended with")
    let values = note(examined.isOK("rows"), detail("rows"))
    let isRecorded = note(
      !lasts.isEmpty && lasts.allSatisfy { LockContent.hash(of: $0.content) == $0.hash },
      lasts.isEmpty ? "nothing is locked in it" : "the record of the lock has another hash")
    let results = note(
      try !contents.isEmpty
        && contents.allSatisfy { scope, content in try content?.results == LockContent.digest(scope, at: now, in: db) },
      "the marks come to other results than were locked")
    let expected = expected.map { $0.lowercased().filter { !$0.isWhitespace && $0 != "-" } }
    let isExpected = expected.map { lasts.map(\.hash).contains($0) } ?? true
    _ = note(
      isExpected,
      standing.map(\.hash).contains(expected ?? "")
        ? "it was amended since that hash was printed" : "its final hash is another one")
    return SealReport(
      chains: isWhole && holdsHeads, values: values, lock: isRecorded, results: results,
      hash: lasts.first { $0.hash == expected }?.hash ?? lasts.last?.hash,
      expected: expected, first: problems.first)
  }

  private static func isInChain(_ head: Content.Head, in db: Database) throws -> Bool {
    // A chain that had no operation yet has nothing to hold.
    if head.seq == 0 { return true }
    return try Bool.fetchOne(
      db,
      sql: "SELECT EXISTS (SELECT 1 FROM operation WHERE device = ? AND deviceSeq = ? AND lower(hex(hash)) = ?)",
      arguments: [head.device, head.seq, head.hash]) ?? false
  }

  /// What a lock's record says.
  private struct Content: Decodable {
    struct Head: Decodable {
      let device: String
      let hash: String
      let seq: Int64
    }

    let heads: [Head]
    let results: String

    init?(_ text: String) {
      guard let made = try? JSONDecoder().decode(Content.self, from: Data(text.utf8)) else { return nil }
      self = made
    }
  }

  /// `{"verified","chains","values","lock","results","hash","expected","first"}`.
  public var json: JSONDocument {
    .object([
      ("verified", .bool(isVerified)), ("chains", .bool(chains)), ("values", .bool(values)), ("lock", .bool(lock)),
      ("results", .bool(results)), ("hash", .optional(hash)), ("expected", .optional(expected)),
      ("first", .optional(first)),
    ])
  }
}
