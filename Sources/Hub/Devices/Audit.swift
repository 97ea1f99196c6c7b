import Journal
import Sync

/// What was done to an exam at the hub, each entry hashed with the one before.
struct Audit {
  let connection: any HubConnection
  let exam: UUIDBytes

  /// What was done, by the word that is kept.
  struct Action {
    let word: String

    // An exam as a whole.
    static let make = Action(word: "make")
    static let `import` = Action(word: "import")
    static let export = Action(word: "export")
    static let fill = Action(word: "fill")
    static let restore = Action(word: "restore")

    // Its devices and the people at them.
    static let code = Action(word: "code")
    static let enrol = Action(word: "enrol")
    static let device = Action(word: "device")
    static let revoke = Action(word: "revoke")
    static let session = Action(word: "session")
    static let sessionFailure = Action(word: "session failure")

    // What devices bring.
    static let fork = Action(word: "fork")
    static let rewind = Action(word: "rewind")
    static let relay = Action(word: "relay")

    /// A ruling, by what kind of operation it is.
    static func ruling(_ kind: OperationKind) -> Action { Action(word: kind.rawValue) }

    // Its candidates.
    static let retain = Action(word: "retain")
    static let subjectExport = Action(word: "subject-export")
    static let erase = Action(word: "erase")
  }

  /// Who acts where a command at the hub does.
  static let `operator` = "operator"

  /// Appends an entry.
  /// - Parameters:
  ///   - actor: the device, or `operator` for a command at the hub.
  ///   - detail: identifiers and numbers, never names or texts of people.
  func note(_ action: Action, by actor: String, _ detail: String, at now: Int64) throws {
    let last = try connection.row("SELECT n, hash FROM audit WHERE exam = ? ORDER BY n DESC LIMIT 1", [HubValue(exam)])
    let n = try (last?.integer(0) ?? 0) + 1
    let entry = AuditEntry(n: n, time: now, actor: actor, action: action.word, detail: detail)
    let hash = entry.hash(after: try last?.bytes(1) ?? start)
    try connection.run(
      "INSERT INTO audit (exam, n, time, actor, action, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [HubValue(exam), .integer(n), .integer(now), .text(actor), .text(action.word), .text(detail), .bytes(hash)])
  }

  private var start: [UInt8] { StreamDigest.of(Array("osce-hub-audit/1\n\(exam)".utf8)) }

  /// Hands over the entries in their order.
  /// - Parameter isSound: whether the entry, and its place after the one before, are what was noted.
  func forEach(_ body: (_ entry: AuditEntry, _ isSound: Bool) -> Void) throws {
    var (last, hash) = (Int64(0), start)
    try connection.forEach(
      "SELECT n, time, actor, action, detail, hash FROM audit WHERE exam = ? ORDER BY n", [HubValue(exam)]
    ) { row in
      let entry = AuditEntry(
        n: try row.integer(0), time: try row.integer(1), actor: try row.text(2), action: try row.text(3),
        detail: try row.text(4))
      let noted = try row.bytes(5)
      body(entry, entry.n == last + 1 && noted == entry.hash(after: hash))
      (last, hash) = (entry.n, noted)
      return true
    }
  }
}

extension ExamLog {
  /// Notes in the exam's audit what is done to it now.
  func audit(_ action: Audit.Action, by actor: String = Audit.operator, _ detail: String) throws {
    try Audit(connection: beside, exam: exam).note(action, by: actor, detail, at: now)
  }
}

/// What was done to an exam at the hub.
public struct AuditEntry: Equatable, Sendable {
  /// Its number, from 1.
  public let n: Int64
  /// When, in milliseconds since 1970-01-01T00:00:00Z.
  public let time: Int64
  /// The device, or `operator` for a command at the hub.
  public let actor: String
  /// What, in a word.
  public let action: String
  /// To what.
  public let detail: String

  fileprivate func hash(after before: [UInt8]) -> [UInt8] {
    StreamDigest.of(before + Array("\(n)\n\(time)\n\(actor)\n\(action)\n\(detail)".utf8))
  }
}
