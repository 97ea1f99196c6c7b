import ExamStore
import Journal
import Sync

/// One-time codes by which devices get a place at an exam. The hub keeps their hashes.
public struct CodeTable {
  let connection: any HubConnection

  /// How long a code lives, in milliseconds.
  public static let life: Int64 = 10 * 60_000

  /// A code that is known.
  struct Entry {
    let exam: UUIDBytes
    let role: DeviceRole
    /// What of the exam its devices are given.
    let atoms: Set<String>
    /// How many devices may still use it.
    let uses: Int64
    let expires: Int64
    /// The last device that used it.
    let device: UUIDBytes?
  }

  /// Keeps a code.
  func insert(
    _ code: String, exam: UUIDBytes, role: DeviceRole, atoms: Set<String>, uses: Int64, expires: Int64
  ) throws {
    try connection.run(
      "INSERT INTO code (hash, exam, role, atoms, uses, expires, device) VALUES (?, ?, ?, ?, ?, ?, NULL)",
      [
        .bytes(Self.hash(code)), HubValue(exam), .text(role.rawValue),
        .text(atoms.sorted().joined(separator: " ")), .integer(uses), .integer(expires),
      ])
  }

  /// Uses a code for a device. The one that used it last may do so again while it lives: it may not have got the answer.
  /// - Throws: `HubError.code` where it is wrong, used or too old: which, is not said.
  func use(_ code: String, by device: UUIDBytes, at now: Int64) throws -> Entry {
    let hash = Self.hash(code)
    let row = try connection.row(
      "SELECT exam, role, uses, expires, device, atoms FROM code WHERE hash = ?\(connection.lockingClause)",
      [.bytes(hash)])
    guard let row, let role = DeviceRole(rawValue: try row.text(1)) else { throw HubError.code }
    let words = try row.text(5).split(separator: " ").map(String.init)
    let entry = Entry(
      exam: try row.id(0), role: role, atoms: words.isEmpty ? ScopeAtom.base(of: role, CodeScope()) : Set(words),
      uses: try row.integer(2), expires: try row.integer(3),
      device: try row.text(ifAny: 4).flatMap { UUIDBytes($0) })
    guard entry.expires > now, entry.uses > 0 || entry.device == device else { throw HubError.code }
    if entry.device != device {
      try connection.run(
        "UPDATE code SET uses = uses - 1, device = ? WHERE hash = ?", [HubValue(device), .bytes(hash)])
    }
    return entry
  }

  /// Forgets an exam's codes that are too old.
  func tidy(_ exam: UUIDBytes, at now: Int64) throws {
    try connection.run("DELETE FROM code WHERE exam = ? AND expires <= ?", [HubValue(exam), .integer(now)])
  }

  /// Of the code as `EnrolmentCode` reads it: what it says of the pin is for the device to compare.
  private static func hash(_ code: String) -> [UInt8] {
    StreamDigest.of(Array((EnrolmentCode(code)?.code ?? code).utf8))
  }
}
