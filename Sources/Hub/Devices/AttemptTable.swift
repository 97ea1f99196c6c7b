import Journal
import Sync

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
