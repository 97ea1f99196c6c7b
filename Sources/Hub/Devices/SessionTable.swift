import Journal
import Sync

/// The sessions of people on an exam's devices. The hub keeps the hashes of what they show.
struct SessionTable {
  let connection: any HubConnection
  let exam: UUIDBytes

  func insert(_ token: SessionToken, device: UUIDBytes, staff: Int64, role: PersonRole, at now: Int64) throws {
    try connection.run(
      "INSERT INTO session (hash, exam, device, staff, role, since, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .bytes(token.hash), HubValue(exam), HubValue(device), .integer(staff), .text(role.rawValue), .integer(now),
        .integer(now + SessionAnswer.life),
      ])
  }

  /// - Throws: `HubError.session` where a session is not open on the device.
  func check(_ token: SessionToken, device: UUIDBytes, at now: Int64) throws {
    let row = try connection.row(
      "SELECT device, expires FROM session WHERE exam = ? AND hash = ?", [HubValue(exam), .bytes(token.hash)])
    guard let row, try row.id(0) == device, try row.integer(1) > now else { throw HubError.session }
  }

  /// Ends a session; it is kept, for what was made in it may come later.
  func end(_ token: SessionToken, at now: Int64) throws {
    try connection.run(
      "UPDATE session SET expires = ? WHERE exam = ? AND hash = ? AND expires > ?",
      [.integer(now), HubValue(exam), .bytes(token.hash), .integer(now)])
  }

  /// Whether somebody with one of these roles has a session open on a device.
  func isOpen(on device: UUIDBytes, as roles: Set<PersonRole>, at now: Int64) throws -> Bool {
    try connection.rows(
      "SELECT role FROM session WHERE exam = ? AND device = ? AND expires > ?",
      [HubValue(exam), HubValue(device), .integer(now)]
    ).contains { try PersonRole(rawValue: $0.text(0)).map { roles.contains($0) } ?? false }
  }

  /// From when to when a session was or is open, by the hub's clock.
  struct Span {
    let since: Int64
    let expires: Int64

    /// Whether it was open at an instant of its device's clock.
    func holds(_ instant: Int64) -> Bool {
      since <= instant + HubTimeSource.slack && expires >= instant - HubTimeSource.slack
    }
  }

  /// When a person had a session open on one of some devices.
  func spans(of staff: Int64, on devices: [UUIDBytes]) throws -> [Span] {
    try devices.flatMap { device in
      try connection.rows(
        "SELECT since, expires FROM session WHERE exam = ? AND device = ? AND staff = ?",
        [HubValue(exam), HubValue(device), .integer(staff)]
      ).map { Span(since: try $0.integer(0), expires: try $0.integer(1)) }
    }
  }
}
