import Journal
import Sync

extension Hub {
  /// The exams, in the order in which they were made.
  public func exams() async throws -> [ExamSummary] {
    try await database.read { connection in
      try connection.rows(
        """
        SELECT exam, name, head, filling, importing,
          (SELECT count(*) FROM device d WHERE d.exam = e.exam) FROM exam e ORDER BY made, exam
        """
      ).map {
        ExamSummary(
          id: try $0.id(0), name: try $0.text(1), head: try $0.integer(2), devices: try $0.integer(5),
          isFilling: try $0.flag(3), isImporting: try $0.integer(ifAny: 4) != nil)
      }
    }
  }

  /// The devices of an exam.
  public func devices(of exam: UUIDBytes) async throws -> DeviceList {
    try await database.read { connection in
      DeviceList(devices: try DeviceTable(connection: connection, exam: exam).all().map(\.listed))
    }
  }

  /// The number of the log's last entry that says what was erased; nil where nothing was. A device that holds less of the
  /// log may still have it.
  public func lastErasure(of exam: UUIDBytes) async throws -> Int64? {
    try await database.read { connection in
      try connection.row("SELECT max(seq) FROM log WHERE exam = ? AND type = 'erase'", [HubValue(exam)])?
        .integer(ifAny: 0)
    }
  }

  /// Hands over an exam's log as lines: each entry with the log's hash after it. Two databases that hold the same log
  /// give the same bytes.
  public func export(_ exam: UUIDBytes, _ write: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
    var after: Int64 = 0
    while true {
      let start = after
      let (lines, last) = try await database.read { [clock] connection in
        let log = try ExamLog(exam, in: connection, at: clock.now(), forChange: false)
        return try LogExport(log: log).lines(after: start)
      }
      if lines.isEmpty { return }
      try write(lines)
      after = last
    }
  }

  /// What was done to an exam at the hub, in its order.
  public func audit(of exam: UUIDBytes) async throws -> [AuditEntry] {
    try await database.read { connection in
      var entries: [AuditEntry] = []
      try Audit(connection: connection, exam: exam).forEach { entry, _ in entries.append(entry) }
      return entries
    }
  }

  /// Notes in the audit of exams that what the hub holds of them is handed over.
  /// - Parameter what: `log`, or `file` for everything.
  public func noteExport(of exams: [UUIDBytes], _ what: String) async throws {
    let now = clock.now()
    for exam in exams {
      try await database.write(weight: 1) { connection in
        let log = try ExamLog(exam, in: connection, at: now, forChange: true)
        try log.audit(.export, what)
      }
    }
  }

  /// What is wrong with an exam's log and audit: their hashes, each operation, each device's chain, which values stand.
  /// Nothing: they are sound. That an audit's last entries were taken away cannot be seen.
  public func examine(_ exam: UUIDBytes) async throws -> [String] {
    try await database.read { [clock] connection in
      let log = try ExamLog(exam, in: connection, at: clock.now(), forChange: false)
      return try LogExamination(log).faults()
    }
  }
}
