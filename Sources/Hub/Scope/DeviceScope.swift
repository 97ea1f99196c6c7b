import ExamStore
import Journal

/// What devices of one exam are and were given. Every change has a version of the device's scope, and a device's cursor
/// says up to which it has what was gained and has given up what was lost: so nobody keeps in mind who was sent what.
struct DeviceScope {
  let connection: any HubConnection
  let exam: UUIDBytes

  /// What a device is given now.
  func current(of device: UUIDBytes) throws -> [String] {
    try connection.rows(
      "SELECT DISTINCT atom FROM device_atom WHERE exam = ? AND device = ? AND until IS NULL ORDER BY atom",
      [HubValue(exam), HubValue(device)]
    ).map { try $0.text(0) }
  }

  /// What a device was given at a version of its scope.
  func held(by device: UUIDBytes, at version: Int64) throws -> HeldAtoms {
    HeldAtoms(
      try connection.rows(
        "SELECT atom FROM device_atom WHERE exam = ? AND device = ? AND since <= ? AND (until IS NULL OR until > ?)",
        [HubValue(exam), HubValue(device), .integer(version), .integer(version)]
      ).map { try $0.text(0) })
  }

  /// Gives a new device its place's part.
  func begin(_ device: inout DeviceRecord, _ atoms: Set<String>, at now: Int64) throws {
    for atom in atoms.sorted() { try insert(atom, device.id, since: device.scopeVersion, at: now) }
    device.atoms = try current(of: device.id)
  }

  /// Gives a device that takes another's place all that the other was given, and lost, at the same versions: its store is
  /// the other's, and so are what it holds and its cursor.
  func inherit(_ device: inout DeviceRecord, from former: DeviceRecord) throws {
    let rows = try connection.rows(
      """
      SELECT n, atom, since, until, began, ended, expires, session FROM device_atom
      WHERE exam = ? AND device = ? ORDER BY n
      """, [HubValue(exam), HubValue(former.id)])
    for row in rows {
      try connection.run(
        """
        INSERT INTO device_atom (exam, device, n, atom, since, until, began, ended, expires, session)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          HubValue(exam), HubValue(device.id), .integer(try row.integer(0)), .text(try row.text(1)),
          .integer(try row.integer(2)), HubValue(try row.integer(ifAny: 3)), .integer(try row.integer(4)),
          HubValue(try row.integer(ifAny: 5)), HubValue(try row.integer(ifAny: 6)), HubValue(try row.bytes(ifAny: 7)),
        ])
    }
    device.scopeVersion = former.scopeVersion
    try saveVersion(of: device)
    device.atoms = try current(of: device.id)
  }

  /// Gives a device the part of another place than before.
  func replace(_ device: inout DeviceRecord, _ atoms: Set<String>, at now: Int64) throws {
    try change(&device) { device, version in
      let here = Set(
        try connection.rows(
          "SELECT atom FROM device_atom WHERE exam = ? AND device = ? AND until IS NULL AND session IS NULL",
          [HubValue(exam), HubValue(device)]
        ).map { try $0.text(0) })
      for atom in here.subtracting(atoms).sorted() {
        try connection.run(
          """
          UPDATE device_atom SET until = ?, ended = ?
          WHERE exam = ? AND device = ? AND atom = ? AND until IS NULL AND session IS NULL
          """, [.integer(version), .integer(now), HubValue(exam), HubValue(device), .text(atom)])
      }
      for atom in atoms.subtracting(here).sorted() { try insert(atom, device, since: version, at: now) }
    }
  }

  /// Gives a device more for as long as a person's session is open on it.
  func grant(_ device: inout DeviceRecord, _ atoms: Set<String>, session: [UInt8], until expires: Int64, at now: Int64)
    throws
  {
    try change(&device) { device, version in
      for atom in atoms.sorted() {
        try insert(atom, device, since: version, at: now, session: session, expires: expires)
      }
    }
  }

  /// Ends what a session gave.
  func end(_ device: inout DeviceRecord, session: [UInt8], at now: Int64) throws {
    try change(&device) { device, version in
      try connection.run(
        "UPDATE device_atom SET until = ?, ended = ? WHERE exam = ? AND device = ? AND session = ? AND until IS NULL",
        [.integer(version), .integer(now), HubValue(exam), HubValue(device), .bytes(session)])
    }
  }

  /// Ends what is over by the clock.
  func tidy(_ device: inout DeviceRecord, at now: Int64) throws {
    let isOver =
      try connection.row(
        "SELECT 1 FROM device_atom WHERE exam = ? AND device = ? AND until IS NULL AND expires <= ? LIMIT 1",
        [HubValue(exam), HubValue(device.id), .integer(now)]) != nil
    guard isOver else { return }
    try change(&device) { device, version in
      try connection.run(
        """
        UPDATE device_atom SET until = ?, ended = expires
        WHERE exam = ? AND device = ? AND until IS NULL AND expires <= ?
        """, [.integer(version), HubValue(exam), HubValue(device), .integer(now)])
    }
  }

  /// A part of the exam that a device has or had.
  struct Part {
    let atoms: HeldAtoms
    let began: Int64
    /// Nil while it has it.
    let ended: Int64?
  }

  /// All parts of the exam that a device has or had.
  func parts(of device: UUIDBytes) throws -> [Part] {
    try connection.rows(
      "SELECT atom, began, ended FROM device_atom WHERE exam = ? AND device = ?", [HubValue(exam), HubValue(device)]
    ).map { Part(atoms: HeldAtoms([try $0.text(0)]), began: try $0.integer(1), ended: try $0.integer(ifAny: 2)) }
  }

  /// Whether a device had lost an operation's part of the exam when it made it. What it was never given is not lost:
  /// whose station it is, the rules ask.
  static func hadLost(_ atoms: String, among parts: [Part], at instant: Int64) -> Bool {
    var isLost = false
    for part in parts where part.atoms.see(atoms, at: .max) {
      guard let ended = part.ended else { return false }
      if part.began - HubTimeSource.slack <= instant, instant <= ended + HubTimeSource.slack { return false }
      if instant > ended { isLost = true }
    }
    return isLost
  }

  /// Runs a change of a device's scope; its version rises if the device is given other things afterwards.
  private func change(_ device: inout DeviceRecord, _ body: (UUIDBytes, Int64) throws -> Void) throws {
    let before = try current(of: device.id)
    try body(device.id, device.scopeVersion + 1)
    device.atoms = try current(of: device.id)
    // A version that changes nothing costs a look at the log and sends nothing.
    guard device.atoms != before else { return }
    device.scopeVersion += 1
    try saveVersion(of: device)
  }

  private func saveVersion(of device: DeviceRecord) throws {
    try connection.run(
      "UPDATE device SET scopeVersion = ? WHERE exam = ? AND device = ?",
      [.integer(device.scopeVersion), HubValue(exam), HubValue(device.id)])
  }

  private func insert(
    _ atom: String, _ device: UUIDBytes, since: Int64, at now: Int64, session: [UInt8]? = nil, expires: Int64? = nil
  ) throws {
    try connection.run(
      """
      INSERT INTO device_atom (exam, device, n, atom, since, until, began, ended, expires, session)
      VALUES (?, ?, (SELECT coalesce(max(n), 0) + 1 FROM device_atom WHERE exam = ? AND device = ?), ?, ?, NULL, ?, NULL,
        ?, ?)
      """,
      [
        HubValue(exam), HubValue(device), HubValue(exam), HubValue(device), .text(atom), .integer(since),
        .integer(now), HubValue(expires), HubValue(session),
      ])
  }
}
