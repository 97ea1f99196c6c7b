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

/// How long a person's next sign-in at the hub waits, counted where every process of the hub sees it.
struct AttemptTable {
  let connection: any HubConnection
  let exam: UUIDBytes

  /// For how long after its wait a wrong passcode counts, in milliseconds.
  private static let memory: Int64 = 900_000
  /// The longest wait, in seconds.
  private static let most: Int64 = 300

  /// Counts a sign-in before the passcode is looked at, so that many at once wait as one after another do.
  /// - Throws: `HubError.busy` while the time to wait is not over; it is not counted then.
  func begin(_ username: String, at now: Int64) throws {
    try connection.run(
      "DELETE FROM attempt WHERE exam = ? AND until <= ?", [HubValue(exam), .integer(now - Self.memory)])
    let row = try connection.row(
      "SELECT count, until FROM attempt WHERE exam = ? AND username = ?", [HubValue(exam), HubValue(key: username)])
    let (count, until) = (try row?.integer(0) ?? 0, try row?.integer(1) ?? 0)
    if until > now { throw HubError.busy(after: (until - now + 999) / 1000) }
    let wait = min(Self.most, Int64(1) << min(count, 20))
    try connection.run(
      """
      INSERT INTO attempt (exam, username, count, until) VALUES (?, ?, ?, ?)
      ON CONFLICT (exam, username) DO UPDATE SET count = excluded.count, until = excluded.until
      """, [HubValue(exam), HubValue(key: username), .integer(count + 1), .integer(now + wait * 1000)])
  }

  /// Forgets the wrong ones: the passcode was right.
  func forget(_ username: String) throws {
    try connection.run(
      "DELETE FROM attempt WHERE exam = ? AND username = ?", [HubValue(exam), HubValue(key: username)])
  }
}
