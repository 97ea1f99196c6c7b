import Characters
import GRDB
import Journal

/// What an examination of a store found.
public struct Diagnosis: Sendable {
  /// The checks in the order in which they were made.
  public internal(set) var checks: [Check] = []
  /// Where each device's chain ends; empty if the journal could not be read.
  public internal(set) var chainEnds: [ChainEnd] = []

  package init() {}

  /// The end of a device's chain: noted elsewhere, it shows later whether a file is older.
  public struct ChainEnd: Equatable, Sendable {
    /// The device.
    public let device: UUIDBytes
    /// Whether this store writes as it.
    public let isOwn: Bool
    /// How many of its operations are here.
    public let operations: Int64
    /// The hash of the last one.
    public let hash: ChainHash
  }

  /// One check.
  public struct Check: Equatable, Sendable {
    /// What was looked at.
    public let name: String
    /// What came of it.
    public let result: Result
    /// What was found, in one line.
    public let detail: String
    /// Every problem, where the line names the first few only; empty if it names all.
    public var problems: [String] = []
  }

  /// What came of a check.
  public enum Result: String, Sendable {
    /// As it should be.
    case ok
    /// Worth a look; nothing is lost.
    case warning
    /// Damage, or a danger to what is stored.
    case failed
  }

  /// Whether no check failed.
  public var isSound: Bool { !checks.contains { $0.result == .failed } }

  /// Whether a check was made and found nothing.
  package func isOK(_ name: String) -> Bool { checks.contains { $0.name == name && $0.result == .ok } }

  /// The first line: `sound`, or `NOT SOUND:` and the names of the checks that failed.
  public var verdict: String {
    let failed = checks.filter { $0.result == .failed }.map(\.name)
    if !failed.isEmpty { return "NOT SOUND: " + failed.joined(separator: ", ") }
    let warnings = checks.count { $0.result == .warning }
    return warnings == 0 ? "sound" : "sound, with \(Plural.count(warnings, "warning"))"
  }

  /// Go or no-go, and what speaks against it.
  public var goNoGo: String {
    let failed = checks.filter { $0.result == .failed }.map(\.name)
    if !failed.isEmpty { return "NO GO: " + failed.joined(separator: ", ") }
    let warnings = checks.filter { $0.result == .warning }.map(\.name)
    return warnings.isEmpty ? "GO" : "GO; to look at: " + warnings.joined(separator: ", ")
  }

  /// The same with what failed first, then the warnings, each in the order in which they were made.
  public var redFirst: Diagnosis {
    var sorted = Diagnosis()
    sorted.chainEnds = chainEnds
    for result in [Result.failed, .warning, .ok] { sorted.checks += checks.filter { $0.result == result } }
    return sorted
  }

  /// Notes a check that is put in the place of one that was noted when it began.
  mutating func replace(at index: Int, with found: (inout Diagnosis) -> Void) {
    var one = Diagnosis()
    found(&one)
    checks.replaceSubrange(index...index, with: one.checks)
  }

  /// Makes a check. One that cannot be made has failed, in words of this program: what a damaged file makes a read say
  /// is nobody's to understand.
  /// - Returns: what `body` returns; nil if it could not be made.
  package mutating func attempt<T>(_ name: String, _ body: (inout Diagnosis) throws -> T) -> T? {
    do { return try body(&self) } catch {
      add(name, .failed, Diagnosis.reason(of: error))
      return nil
    }
  }

  /// Why a part of a store could not be looked at.
  package static func reason(of error: any Error) -> String {
    switch error {
    case let error as StoreError: return error.description
    case let error as any RuleRefusal: return "\(error)"
    case let error as DatabaseError:
      switch error.resultCode {
      case .SQLITE_CORRUPT:
        return "cannot be read to its end: the file is damaged; put a backup back: osce restore FILE"
      case .SQLITE_NOTADB: return "the file is not an exam store, or its beginning is damaged"
      case .SQLITE_BUSY, .SQLITE_LOCKED: return "in use by a program that does not take turns; try again"
      case .SQLITE_IOERR: return "the disk failed while it was read"
      case .SQLITE_CANTOPEN: return "cannot be opened; check the folder's owner and permissions"
      default: return "cannot be read: \(StoreError.reason(error))"
      }
    default: return "cannot be read: it holds what this program never writes"
    }
  }

  package mutating func add(_ name: String, _ result: Result, _ detail: String) {
    checks.append(Check(name: name, result: result, detail: detail))
  }

  /// Notes a check that fails if there are problems, and names the first few of them.
  /// - Parameter otherwise: what it comes to if there are any.
  package mutating func add(_ name: String, problems: Problems, otherwise: Result = .failed, sound: String) {
    if problems.isEmpty { return add(name, .ok, sound) }
    checks.append(
      Check(name: name, result: otherwise, detail: problems.summary, problems: problems.isCut ? problems.all : []))
  }
}

/// Problems of one kind: all are counted, the first few stand in the line, and so many as can be read are kept.
package struct Problems {
  private static let kept = 3
  /// The most that are listed: a damaged store has as many as it has rows.
  private static let listed = 200
  private var count = 0
  private(set) var all: [String] = []

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Whether the summary leaves some out.
  var isCut: Bool { count > Problems.kept }

  package mutating func add(_ text: @autoclosure () -> String) {
    count += 1
    if all.count < Problems.listed { all.append(text()) }
  }

  /// Notes other problems after these.
  mutating func add(_ others: Problems) {
    count += others.count
    all += others.all.prefix(max(0, Problems.listed - all.count))
  }

  package var summary: String {
    let first = all.prefix(Problems.kept)
    let more = count - first.count
    return first.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }
}
