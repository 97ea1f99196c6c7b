import GRDB
import Journal

/// Holds what is noted of a hub and of its answers against what a hub can give: a store that was never enrolled holds
/// no number of one, and what is marked as staying here is only what its direction keeps here, so that nothing can be
/// kept from a hub unnoticed.
struct HubCheck {
  private let ownDevice: UUIDBytes?
  private var enrolment: Enrolment?
  private let isEnrolled: Bool
  private let rule: SendRule
  private var problems = Problems()
  /// Whether an own operation without a number was met, and the last number before.
  private var hasUnsent = false
  private var lastNumber: Int64 = 0
  /// What was sealed again in this chain: a hub that has it in the former one says by which number it knows it there.
  private let sealedAgain: Set<String>
  /// What was imported here, is kept from the hub, and is right there only if the hub has it.
  private var keptImports: [Operation] = []

  /// What is read of an operation beside its own columns.
  private enum Place {
    static let sends = 0
    static let answeredAt = 1
    static let absent = 2
    static let verdict = 3
  }

  init(_ db: Database, ownDevice: UUIDBytes?) throws {
    self.ownDevice = ownDevice
    let exists = try db.holdsTable("hub") && Enrolment.exists(db)
    isEnrolled = exists
    do { enrolment = exists ? try Enrolment.read(db) : nil } catch let error as StoreError {
      problems.add(error.description)
    }
    sealedAgain =
      try db.holdsTable("formerOperation") ? String.fetchSet(db, sql: "SELECT id FROM formerOperation") : []
    rule = SendRule(role: exists ? enrolment?.role ?? .station : nil)
  }

  /// What `judge` needs, in the order of `Place`: nothing where an older program made the table.
  static func columns(of table: String, _ db: Database) throws -> String {
    let present = Set(try db.columns(in: table).map(\.name))
    return ["sends", "answeredAt", "absent", "verdict"].map { present.contains($0) ? $0 : "NULL" }
      .joined(separator: ", ")
  }

  /// Why the content of an operation is said not to be here, where `columns` were read from a place on.
  static func absent(_ row: RawRow, from place: Int) -> AbsentContent? {
    row.text(place + Place.absent).flatMap { AbsentContent(rawValue: $0) }
  }

  /// - Parameter isOutvoted: whether the operation counts for nothing because the hub has another with its identifier.
  mutating func judge(
    _ row: RawRow, from place: Int, _ operation: Operation, isAside: Bool, barred: String?, isOutvoted: Bool
  ) {
    let isRuled = !row.isNull(place + Place.verdict)
    judgeAnswer(operation, isAside: isAside, barred: barred, isSettled: isRuled || isOutvoted)
    if !isAside { judgeSending(row, place, operation) }
    if isRuled, row.text(place + Place.verdict).flatMap({ Verdict(rawValue: $0) }) == nil {
      problems.add("operation \(operation.id): its verdict is \(row.cell(place + Place.verdict).shown), which is none")
    }
    let absent = place + Place.absent
    if !row.isNull(absent), operation.sealedBody != nil {
      problems.add("operation \(operation.id) is noted as one without content, and has it")
    } else if !row.isNull(absent), operation.absent == nil {
      problems.add("operation \(operation.id): its content is absent for \(row.cell(absent).shown), which is no reason")
    }
    let answered = place + Place.answeredAt
    if !row.isNull(answered), row.integer(answered) == nil || operation.result == nil {
      problems.add("operation \(operation.id) is noted as answered without an answer, or at no time")
    }
  }

  private mutating func judgeAnswer(_ operation: Operation, isAside: Bool, barred: String?, isSettled: Bool) {
    let id = operation.id
    let isBarred = [Journal.Refusal.rejected.code, Journal.Refusal.quarantined.code].contains(barred)
    let answer = operation.result.flatMap { HubResult($0) }
    if operation.hubSeq != nil && !isEnrolled {
      return problems.add("operation \(id) is noted as taken by a hub, but this exam was never at one")
    }
    if let result = operation.result, answer == nil, !(isBarred && result == barred) {
      return problems.add("operation \(id) has '\(result)' for an answer, which no hub gives")
    }
    if let number = operation.hubSeq {
      if number < 1 { problems.add("operation \(id) has the number \(number) at the hub, which is none") }
      if answer == nil { problems.add("operation \(id) has a number at the hub and no answer") }
    } else if operation.result != nil && !isBarred {
      problems.add("operation \(id) has an answer of a hub that never took it")
    }
    if isAside { return }
    if !isSettled, (answer?.refusal != nil) != isBarred, operation.result != barred {
      problems.add(
        isBarred
          ? "operation \(id) was refused by a hub, and its answer does not say so"
          : "operation \(id) was refused by a hub and still counts")
    }
    if operation.device == ownDevice { judgeOrder(operation) }
  }

  /// A hub takes a device's operations in the order of its chain.
  private mutating func judgeOrder(_ operation: Operation) {
    if sealedAgain.contains(operation.id.description) { return }
    guard let number = operation.hubSeq else {
      hasUnsent = true
      return
    }
    if hasUnsent || number <= lastNumber {
      problems.add("operation \(operation.id) is noted as taken by the hub before one of its chain that is older")
    }
    lastNumber = number
  }

  private mutating func judgeSending(_ row: RawRow, _ place: Int, _ operation: Operation) {
    let column = place + Place.sends
    let sends = row.integer(column)
    guard row.isNull(column) || sends == 0 || sends == 1 else {
      return problems.add("operation \(operation.id): whether it is sent is noted as \(row.cell(column).shown)")
    }
    if sends == 0 {
      guard operation.sealedBody != nil, rule.owes(operation) == true else { return }
      if SendRule.isImported(operation) { keptImports.append(operation) } else { addKept(operation) }
    } else if operation.device == ownDevice, operation.sealedBody != nil, operation.hubSeq == nil,
      rule.owes(operation) == false
    {
      problems.add("operation \(operation.id) is to be sent, though its direction keeps it here")
    } else if (sends == 1) != isEnrolled {
      problems.add(
        isEnrolled
          ? "operation \(operation.id) is not noted as one to be sent"
          : "operation \(operation.id) is noted as one to be sent, and there is no hub")
    } else if operation.device == ownDevice, operation.result == HubResult.withheld.description,
      rule.owes(operation) == true, SendRule.isImported(operation)
    {
      // It went there in a role that keeps it here, and a hub takes no content for it later.
      problems.add(
        "operation \(operation.id) is at the hub without its content, though its role sends it: "
          + "import its folder there: osce-hub import")
    }
  }

  private mutating func addKept(_ operation: Operation) {
    problems.add("operation \(operation.id) is kept from the hub, though its direction sends it")
  }

  /// What was imported here gives way to the hub's import, also where the role sends the plan: as far as both are the
  /// same.
  private mutating func compareImports(in db: Database) throws {
    for (row, operations) in Dictionary(grouping: keptImports, by: \.row).sorted(by: { $0.key < $1.key }) {
      let history = try OperationTable.history(of: row, in: db)
      for (_, ofDevice) in Dictionary(grouping: operations, by: \.device).sorted(by: { $0.key < $1.key })
      where !WithheldContent.areAtHub(ofDevice, in: history) {
        for operation in ofDevice { addKept(operation) }
      }
    }
  }

  /// Looks at what only the whole store tells.
  mutating func compareWhole(in db: Database) throws {
    try compareImports(in: db)
    guard try db.holdsTable("hub") else { return }
    if isEnrolled {
      let twice = "SELECT hubSeq FROM operation WHERE hubSeq IS NOT NULL GROUP BY hubSeq HAVING count(*) > 1"
      try RawRow.forEach(db, twice) { problems.add("the number \($0.cell(0).shown) at the hub is there twice") }
    }
    if let enrolment, !enrolment.url.contains("://") {
      problems.add("the hub's address is none")
    }
    if let enrolment, !enrolment.cursor.hasPrefix("\(enrolment.epoch):") || enrolment.cursorHash.count != 32 {
      problems.add("how far the hub's log is here is noted with what is no place in it")
    }
    try RawRow.forEach(db, "SELECT seq, hash FROM hubMark") { row in
      if !isEnrolled || row.integer(0) ?? -1 < 0 || row.bytes(1)?.count != 32 {
        problems.add("a place in a hub's log is noted that cannot be")
      }
    }
  }

  func report(_ diagnosis: inout Diagnosis) {
    if let enrolment {
      diagnosis.add("hub", problems: problems, sound: "enrolled at \(enrolment.url) as \(enrolment.role.rawValue)")
    } else if !problems.isEmpty {
      diagnosis.add("hub", problems: problems, sound: "")
    }
  }
}
