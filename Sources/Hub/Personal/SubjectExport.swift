import Catalogue
import ExamStore
import Journal
import Sync
import Timer

extension Hub {
  /// All that the hub holds of one candidate: their rows as they stand, and each row's history, also what does not count.
  /// - Parameter number: the candidate's number.
  /// - Returns: a JSON document.
  /// - Throws: `HubRefusal` where nobody has the number.
  public func subjectExport(of number: String, in exam: UUIDBytes) async throws -> [UInt8] {
    let now = clock.now()
    // Noted first: no export goes out of which nothing is known.
    let candidate = try await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      let candidate = try SubjectRows(log).candidate(number)
      try log.audit(.subjectExport, "\(candidate)")
      return candidate
    }
    return try await database.read { connection in
      try SubjectExport(ExamLog(exam, in: connection, at: now, forChange: false)).document(about: candidate)
    }
  }
}

/// Writes what an exam holds of one candidate.
private struct SubjectExport {
  private let log: ExamLog
  private let subject: SubjectRows
  private let operations: OperationStore

  init(_ log: ExamLog) {
    self.log = log
    subject = SubjectRows(log)
    operations = OperationStore(log: log)
  }

  func document(about candidate: RowKey) throws -> [UInt8] {
    let rows = try subject.all(of: candidate)
    var out = WireWriter()
    out.add("exam", log.exam)
    out.add("name", log.name)
    out.add("candidate", try subject.rows.text(SubjectRows.number, of: candidate))
    out.add("at", Timestamp.text(Instant(stored: log.now)))
    let documents = try rows.map { try part(of: $0) }
    out.add("rows", each: documents) { $1.append(contentsOf: $0) }
    return out.document
  }

  private func part(of row: RowKey) throws -> [UInt8] {
    var out = WireWriter()
    out.add("entity", row.entity)
    out.add("key", row.id)
    out.add("removed", try subject.rows.isGone(row))
    out.add("fields", document: Self.values(of: try subject.rows.fields(of: row), in: row.entity))
    let history = try operations.history(of: row).map { stored -> [UInt8] in
      let opened = OpenedOperation(stored.operation)
      let operation = opened.operation
      var out = WireWriter()
      out.add("id", operation.id)
      out.add("kind", operation.kind.rawValue)
      out.add("made", Timestamp.text(Instant(stored: operation.wallTime)))
      out.add("device", operation.device)
      out.add("staff", operation.staff)
      out.add("result", stored.fate.text)
      out.add("reason", opened.reason)
      out.add("absent", operation.absent?.rawValue)
      out.add("fields", document: Self.values(of: opened.body?.fields ?? [:], in: row.entity))
      return out.document
    }
    out.add("history", each: history) { $1.append(contentsOf: $0) }
    return out.document
  }

  /// Values as people read them: numbers with their decimals, instants in UTC.
  private static func values(of fields: [String: Value], in entity: String) -> [UInt8] {
    let entity = Catalogue.standard[entity]
    var out = WireWriter()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      let type = entity.flatMap { Catalogue.standard.attribute(name, of: $0) }?.type
      switch value {
      case .null: out.add(name, nil as String?)
      case .bool(let flag): out.add(name, flag)
      case .text(let text): out.add(name, text)
      case .integer(let integer):
        switch type {
        case .double: out.add(name, document: Array(decimal(integer).utf8))
        case .date: out.add(name, Timestamp.text(Instant(stored: integer)))
        default: out.add(name, integer)
        }
      }
    }
    return out.document
  }

  private static func decimal(_ scaled: Int64) -> String {
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(Scaled.unit))
    var text = (scaled < 0 ? "-" : "") + String(whole)
    if rest > 0 {
      let digits = String(rest)
      text += "." + String(repeating: "0", count: 6 - digits.count) + digits
      while text.last == "0" { text.removeLast() }
    }
    return text
  }
}
