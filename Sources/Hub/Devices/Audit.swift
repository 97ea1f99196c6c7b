import Journal
import Sync

/// What was done to an exam at the hub, each entry hashed with the one before.
struct Audit {
  let connection: any HubConnection
  let exam: UUIDBytes

  /// Who acts where a command at the hub does.
  static let `operator` = "operator"

  /// Appends an entry.
  /// - Parameters:
  ///   - actor: the device, or `operator` for a command at the hub.
  ///   - detail: identifiers and numbers, never names or texts of people.
  func note(_ action: String, by actor: String, _ detail: String, at now: Int64) throws {
    let last = try connection.row("SELECT n, hash FROM audit WHERE exam = ? ORDER BY n DESC LIMIT 1", [HubValue(exam)])
    let n = try (last?.integer(0) ?? 0) + 1
    let before = try last?.bytes(1) ?? StreamDigest.of(Array("osce-hub-audit/1\n\(exam)".utf8))
    let hash = StreamDigest.of(before + Array("\(n)\n\(now)\n\(actor)\n\(action)\n\(detail)".utf8))
    try connection.run(
      "INSERT INTO audit (exam, n, time, actor, action, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [HubValue(exam), .integer(n), .integer(now), .text(actor), .text(action), .text(detail), .bytes(hash)])
  }
}
