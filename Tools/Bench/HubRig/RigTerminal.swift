import ExamStore
import Glibc
import Rig
import Sync
import Timer

/// A store with a place at a hub, and its uploader as a process of its own.
public final class RigTerminal: RigProcess {
  /// The store.
  public let path: String
  /// The hub's address for it.
  public let url: String
  private var kept: ExamStore?

  /// Enrols a new store.
  /// - Throws: `RigError` if the hub does not take it.
  public init(_ path: String, at url: String, code: String, programs: String = ProcessFacts.ownFolder) throws {
    (self.path, self.url) = (path, url)
    let program = programs + "/osce-sync"
    super.init {
      try Child(
        onPipe: "/bin/sh", ["-c", "exec \"$0\" \"$@\" >>\"$3.log\" 2>&1", program, "run", "--store", path])
    }
    let enrolling = try Child(
      onPipe: "/bin/sh",
      ["-c", "exec \"$0\" \"$@\" 2>&1", program, "enrol", url, Self.groups(code), "--store", path])
    let lines = enrolling.remainingLines()
    guard enrolling.wait() == 0 else { throw RigError("no place at the hub: \(lines.last ?? "")") }
  }

  /// A code as people type it.
  public static func groups(_ code: String) -> String {
    stride(from: 0, to: 12, by: 4).map { String(code.dropFirst($0).prefix(4)) }.joined(separator: "-")
  }

  /// The store, as a terminal has it open.
  public func store() throws -> ExamStore {
    if let kept { return kept }
    let opened = try ExamStore(StoreLocation(path: path))
    kept = opened
    return opened
  }

  /// Whether nothing waits here, and all up to an entry of the hub's log is here.
  public func has(_ head: Int64) throws -> Bool {
    guard let standing = try store().exchangeStanding() else { return false }
    guard let seq = LogCursor(standing.enrolment.cursor)?.seq else {
      throw RigError("no number in the cursor \(standing.enrolment.cursor)")
    }
    return standing.waiting == 0 && seq >= head
  }

  /// How many changes wait.
  public func waiting() throws -> Int { try store().exchangeStanding()?.waiting ?? 0 }

  /// How far it is: a text that changes with every page and every answer.
  public func progress() throws -> String {
    guard let standing = try store().exchangeStanding() else { return "" }
    return "\(standing.waiting) waiting, at \(standing.enrolment.cursor)"
  }

  /// What its uploader last said that it does, and for how long it has run.
  public func errand() throws -> String {
    let store = try store()
    guard let said = try store.read({ try SyncState.read($0) }) else { return "nothing said" }
    func before(_ instant: Instant?) -> String {
      instant.map { decimal(Double(store.clock.now.milliseconds - $0.milliseconds) / 1e3, 1) + " s before" } ?? "never"
    }
    let used = ProcessFacts.processorTime(of: process)
    return (said.trouble.map { $0 + "; " } ?? "")
      + "\(said.state), last attempt \(before(said.attemptAt)), last answer \(before(said.contactAt)), "
      + "uploader begun \(decimal(age, 1)) s before, with \(decimal(Double(used) / 1e9, 1)) s of a processor"
  }

  /// Ends all of it.
  public func close() {
    kill()
    kept?.close()
    kept = nil
  }
}
