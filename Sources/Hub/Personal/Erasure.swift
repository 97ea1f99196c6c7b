import Catalogue
import Characters
import Journal
import Sync

/// What an erasure takes, before or after it was done.
public struct ErasureReport: Sendable, Equatable {
  /// The candidate's row.
  public let candidate: RowKey
  /// The number by which the candidate is known afterwards.
  public let pseudonym: String
  /// How many rows tell of the candidate.
  public let rows: Int
  /// How many changes have texts that tell of the candidate: their content goes.
  public let changes: Int
  /// How many of them count for nothing yet: they wait for others, or for a person. Their marks go with their texts.
  public let undecided: Int
  /// In how many fields two values contradict each other: the one that stands is kept.
  public let contradictions: Int
  /// The last day on which the exam says that it keeps them; nil where it does not say.
  public let until: String?
  /// Whether that day is over.
  public let isPast: Bool
  /// The number of the log's entry that says so; nil before it was done.
  public let entry: Int64?

  /// Why an erasure would take more than texts.
  public var openMatters: String {
    let waiting = Plural.count(undecided, "change of this candidate is", "changes of this candidate are")
    let forked = Plural.count(contradictions, "field holds", "fields hold")
    let found = [
      undecided > 0 ? "\(waiting) undecided and would be lost (osce-hub quarantined)" : nil,
      contradictions > 0 ? "\(forked) two values, of which one would be kept (osce outbox)" : nil,
    ]
    return found.compactMap { $0 }.joined(separator: "; ") + "; settle that first, or erase with --undecided"
  }
}

extension Hub {
  /// What an erasure of a candidate would take.
  /// - Throws: `HubRefusal` where nobody has the number, or nothing can be erased now.
  public func plannedErasure(of number: String, in exam: UUIDBytes) async throws -> ErasureReport {
    try await database.read { [clock] connection in
      try Erasure(ExamLog(exam, in: connection, at: clock.now(), forChange: false), of: number).report(entry: nil)
    }
  }

  /// Destroys what tells who a candidate is, here and, as they next exchange, at every device: names, number, texts.
  /// Marks and times stay, under a number that says nothing.
  ///
  /// It is one change: rows get their blanks, the content of the changes that had the texts is destroyed, and the log says
  /// which. Chains and log stay as they are hashed.
  /// - Parameters:
  ///   - reason: why, without names: the audit keeps it.
  ///   - settles: whether also where something of the candidate is undecided or contradicts itself, which ends with it.
  /// - Throws: `HubRefusal` where nobody has the number, something is undecided, or the exam is being filled.
  public func erase(
    _ number: String, in exam: UUIDBytes, reason: String, settles: Bool = false
  ) async throws -> ErasureReport {
    let now = clock.now()
    let report = try await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      let erasure = try Erasure(log, of: number)
      let open = try erasure.report(entry: nil)
      if !settles, open.undecided + open.contradictions > 0 { throw HubRefusal(open.openMatters) }
      let entry = try erasure.carryOut()
      let report = try erasure.report(entry: entry)
      try log.audit(.erase, "\(report.candidate) \(report.changes) changes: \(reason)")
      return report
    }
    if let entry = report.entry { ring(exam, head: entry) }
    return report
  }

  /// Takes what was erased out of the database's own files, as far as a hub can.
  /// - Returns: whether it is out of them; otherwise somebody else reads, or the database is a server's.
  public func scrub() async throws -> Bool { try await database.scrub() }
}

/// An erasure of one candidate's data from one exam.
private struct Erasure {
  private let log: ExamLog
  private let subject: SubjectRows
  private let operations: OperationStore
  private let heads: HeadTable
  private let candidate: RowKey
  private let key: UUIDBytes
  private let rows: [Row]
  private let retention: (until: String?, isPast: Bool)

  /// A row, its history, and what of that has texts that tell of the candidate.
  private struct Row {
    let key: RowKey
    /// The operations that stand under their identifiers.
    let history: [StoredOperation]
    /// Those of them that have such texts, or of which a version has.
    let telling: Set<OperationID>
    /// Operations with such texts that have the identifier of another's change: the log's entry cannot name them
    /// without destroying that, too.
    let strays: [Journal.Operation]
    /// Operations that came without their content because an erasure had destroyed it, of a log that was lost since: no
    /// entry of this one names them, and who missed that has it still.
    let unnamed: [OperationID]

    var changes: Int { telling.count + strays.count + unnamed.count }

    /// How many of the operations that have such texts are not decided yet.
    var undecided: Int {
      history.count { stored in
        guard telling.contains(stored.operation.id) else { return false }
        if case .result(.quarantined) = stored.fate { return true }
        return stored.fate.isDeferred
      }
    }
  }

  init(_ log: ExamLog, of number: String) throws {
    self.log = log
    if log.isFilling { throw HubRefusal("the exam is being filled; end that first: osce-hub fill EXAM --close") }
    let operations = OperationStore(log: log)
    self.operations = operations
    heads = HeadTable(log: log, operations: operations)
    subject = SubjectRows(log)
    candidate = try subject.candidate(number)
    key = .random()
    let number = try subject.rows.text(SubjectRows.number, of: candidate) ?? ""
    pseudonym = Self.isPseudonym(number) ? number : Self.mark + String(key.description.suffix(12))
    retention = try RetentionReader(log).retention(of: candidate)
    let named = try log.erased()
    rows = try subject.all(of: candidate).map { row in
      let versions = try operations.everyVersion(on: row)
      let history = try versions.filter { try operations.isFirst($0) }
      let standing = Set(history.map(\.operation.id))
      let telling = versions.map(\.operation).filter { Self.tells($0) }
      return Row(
        key: row, history: history, telling: standing.intersection(telling.map(\.id)),
        strays: telling.filter { !standing.contains($0.id) },
        unnamed: history.map(\.operation).filter { $0.absent == .erased && !named.contains($0.id) }.map(\.id))
    }
  }

  /// A number that says nothing, and is nobody else's: rulings go on to be about the same candidate.
  private let pseudonym: String

  private static let mark = "erased-"

  private static func isPseudonym(_ text: String) -> Bool {
    text.hasPrefix(mark) && text.utf8.count == mark.utf8.count + 12
      && text.utf8.dropFirst(mark.utf8.count).allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }

  func report(entry: Int64?) throws -> ErasureReport {
    ErasureReport(
      candidate: candidate, pseudonym: pseudonym, rows: rows.count, changes: rows.reduce(0) { $0 + $1.changes },
      undecided: rows.reduce(0) { $0 + $1.undecided },
      contradictions: try rows.reduce(0) { $0 + (try contradictions($1)) },
      until: retention.until, isPast: retention.isPast, entry: entry)
  }

  // MARK: What tells

  /// Whether an operation has a text that tells of a person, or content that nobody can read.
  private static func tells(_ operation: Journal.Operation) -> Bool {
    guard operation.sealedBody != nil else { return false }
    guard let body = OpenedOperation(operation).body else { return true }
    if body.reason != nil { return true }
    return body.fields.contains { field, value in
      guard case .text(let text) = value, !text.isEmpty else { return false }
      // What an erasure before this one wrote tells nothing.
      return isPersonal(field, in: operation.row.entity) && text != blank && !isPseudonym(text)
    }
  }

  /// A field that is not declared is looked at as if it told of the person.
  private static func isPersonal(_ field: String, in entity: String) -> Bool {
    let catalogue = Catalogue.standard
    guard let entity = catalogue[entity] else { return true }
    if let attribute = catalogue.attribute(field, of: entity) { return attribute.impersonal == nil }
    return catalogue.relationship(field, of: entity) == nil
  }

  private static let blank = "erased"

  /// What stands in the place of a text: a number by which nobody is known, else nothing where the row can do without.
  private func blank(_ field: String, in entity: String) -> Value {
    guard let declared = Catalogue.standard[entity] else { return .null }
    if entity == SubjectRows.entity && field == SubjectRows.number { return .text(pseudonym) }
    if SubjectRows.isNumber(field, in: entity) { return .text(pseudonym) }
    return Catalogue.standard.attribute(field, of: declared)?.isRequired == true ? .text(Self.blank) : .null
  }

  /// In how many fields that an erasure would write over two values stand.
  private func contradictions(_ row: Row) throws -> Int {
    let lost = row.history.filter { $0.fate.counts && row.telling.contains($0.operation.id) }
    let fields = Set(lost.flatMap { OpenedOperation($0.operation).body?.fields.keys.map { $0 } ?? [] })
    return try fields.count { try heads.isForked($0, of: row.key) }
  }

  // MARK: Doing it

  /// - Returns: the number of the log's entry.
  func carryOut() throws -> Int64 {
    if rows.allSatisfy({ $0.changes == 0 }) { throw HubRefusal("nothing tells of this candidate any more") }
    var device = try DeviceTable.own(of: log)
    var written: [Journal.Operation] = []
    // Each goes on where the one before ends; the device itself does so once they are taken.
    var writer = device
    for row in rows {
      guard let body = try replacement(for: row) else { continue }
      let latest = row.history.filter(\.fate.counts).map(\.operation.hlc).max() ?? writer.lastTime
      let time = HybridTime.next(after: max(writer.lastTime, latest), wall: log.now)
      let operation = writer.seal(.set, row.key, body, hlc: time, at: log.now)
      written.append(operation)
      (writer.last, writer.lastTime) = (operation.tip, time)
    }
    for result in try Push(log).take(written.map { OpenedOperation($0) }, of: &device) {
      // Without what the hub writes over them the rows would lose their marks with the texts: nothing is erased then.
      guard case .stored(let said) = result.outcome, said.counts else {
        throw HubRefusal(
          "what is to stand in the place of the texts would not count (\(result.said)): a change of this "
            + "candidate is dated far ahead of the hub's clock; dismiss it, or erase when that time has come")
      }
    }
    let bodies = rows.flatMap { Array($0.telling) + $0.unnamed }.sorted()
    try operations.erase(bodies, and: rows.flatMap(\.strays))
    for row in rows where !row.telling.isEmpty { try heads.rebuild(row.key) }
    try destroyLoose()
    let entry = log.append(.erase(subject: key, bodies: bodies))
    try log.close()
    return entry
  }

  /// What the hub writes over a row, so that all stands as it did but for the texts; nil: nothing of it is touched.
  ///
  /// Every field that the destroyed operations set is set again, in the place of all that was ever set there: without
  /// those operations what they had replaced would stand again.
  private func replacement(for row: Row) throws -> OperationBody? {
    let counting = row.history.filter(\.fate.counts).map { OpenedOperation($0.operation) }
    let lost = counting.filter { row.telling.contains($0.operation.id) }
    var fields: [String: Value] = [:]
    for field in Set(lost.flatMap { $0.body?.fields.keys.map { $0 } ?? [] }) {
      guard let standing = try heads.standing(field, of: row.key) else { continue }
      let isText = if case .text = standing.value { true } else { false }
      fields[field] =
        isText && Self.isPersonal(field, in: row.key.entity) ? blank(field, in: row.key.entity) : standing.value
    }
    if lost.contains(where: { $0.operation.kind == .delete }), try subject.rows.isGone(row.key) {
      fields["dsDeleted"] = .bool(true)
    }
    if fields.isEmpty { return nil }
    var replaces: [String: [OperationID]] = [:]
    for field in fields.keys {
      let earlier = counting.filter { $0.body?.fields[field] != nil }.map(\.operation.id)
      if !earlier.isEmpty { replaces[field] = earlier }
    }
    return OperationBody(fields: fields, replaces: replaces)
  }

  /// Takes the content from what is kept aside because something before it is missing.
  private func destroyLoose() throws {
    let keys = Set(rows.map(\.key))
    let kept = try log.connection.rows(
      "SELECT device, deviceSeq, hash, op FROM loose WHERE exam = ?", [HubValue(log.exam)])
    for row in kept {
      guard let operation = try? WireOperation.decode(row.bytes(3)), keys.contains(operation.row),
        Self.tells(operation)
      else { continue }
      try log.connection.run(
        "UPDATE loose SET op = ? WHERE exam = ? AND device = ? AND deviceSeq = ? AND hash = ?",
        [
          .bytes(WireOperation(received: operation.withoutBody()).encoded()), HubValue(log.exam),
          HubValue(try row.id(0)), .integer(try row.integer(1)), .bytes(try row.bytes(2)),
        ])
    }
  }
}

extension SyncAnswer.Result {
  fileprivate var said: String { if case .stored(let result) = outcome { result.description } else { "hole" } }
}
