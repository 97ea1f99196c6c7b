import ExamStore
import GRDB
import Journal

/// What an assessor does to a sheet. Each call is one operation on one item, in the caller's transaction.
public struct Marking {
  private let transaction: JournalTransaction
  private let judge: Int?
  private let source: Source

  /// What is judged; the other fields of an item say who and when.
  private static let judged: Set<String> = [
    "rating", "unable", "descriptor", "feedback", "times", "difficulty", "note", "tags", "completedCase", "recommended",
  ]

  /// What a mark was typed from.
  public enum Source: String, Sendable {
    /// Given at this terminal.
    case screen
    /// Given on paper, typed later.
    case paper
  }

  /// - Parameter judge: who judged, where that is not the person who types.
  public init(_ transaction: JournalTransaction, judge: Int? = nil, source: Source = .screen) {
    self.transaction = transaction
    self.judge = judge ?? transaction.author.staff
    self.source = source
  }

  /// Marks that stand on paper and are typed in now.
  /// - Throws: `StoreError` if nobody is signed in to type, or the judge is no active member of staff.
  public init(_ transaction: JournalTransaction, paper: PaperEntry) throws {
    guard transaction.author.staff != nil else { throw StoreError("sign in to type marks from paper") }
    let isKnown = try Bool.fetchOne(
      transaction.db.cachedStatement(
        sql: "SELECT 1 FROM user WHERE dsid = ? AND entity = 'Staff' AND active = 1 AND dsDeleted = 0"),
      arguments: [paper.judge])
    if isKnown != true { throw StoreError("there is no active member of staff \(paper.judge): who judged?") }
    self.init(transaction, judge: paper.judge, source: .paper)
  }

  /// Gives an item one of its levels.
  /// - Returns: the operation.
  @discardableResult public func mark(_ item: SheetItem, level: Level) throws -> OperationID {
    var fields = stamp()
    fields["rating"] = .integer(level.value.scaled)
    fields["unable"] = .bool(false)
    if item.template.kind.hasDescriptors {
      fields["descriptor"] = level.descriptor.map { .integer(Int64($0)) } ?? .null
    }
    return try set(item, fields)
  }

  /// Says that an item could not be assessed: it leaves score and maximum.
  @discardableResult public func markUnable(_ item: SheetItem) throws -> OperationID {
    var fields = stamp()
    fields["rating"] = .null
    fields["unable"] = .bool(true)
    if item.template.kind.hasDescriptors { fields["descriptor"] = .null }
    return try set(item, fields)
  }

  /// Takes an item's answer back.
  @discardableResult public func clear(_ item: SheetItem) throws -> OperationID {
    var fields = stamp()
    if item.template.kind.recordsWork { fields.merge(WorkFacts().fields) { $1 } }
    if item.template.kind.isWritten || item.template.kind.recordsWork { fields["feedback"] = .text("") }
    if item.template.kind.isWritten { return try set(item, fields) }
    fields["rating"] = .null
    fields["unable"] = .bool(false)
    if item.template.kind.hasDescriptors { fields["descriptor"] = .null }
    return try set(item, fields)
  }

  /// Writes the answer of a written item, or feedback on any other.
  @discardableResult public func write(_ item: SheetItem, _ text: String) throws -> OperationID {
    var fields: [String: Value] = item.template.kind.isWritten ? stamp() : paperStamp(of: item)
    fields["feedback"] = .text(text)
    return try set(item, fields)
  }

  /// Who and when, for a field that is judged.
  func stamp() -> [String: Value] {
    var fields: [String: Value] = [
      "markedAt": .integer(transaction.clock.now.milliseconds), "source": .text(source.rawValue),
    ]
    if let judge { fields["judgedBy"] = .integer(Int64(judge)) }
    if let staff = transaction.author.staff { fields["enteredBy"] = .integer(Int64(staff)) }
    return fields
  }

  /// Who said what is said beside a mark, where that stands on paper: another person than who types. An answer that is
  /// there already keeps whoever gave it.
  func paperStamp(of item: SheetItem) -> [String: Value] {
    guard source == .paper, item.isBlank else { return [:] }
    return stamp().filter { $0.key != "markedAt" }
  }

  /// Sets fields of an item of a sheet that is not signed.
  func set(_ item: SheetItem, _ fields: [String: Value]) throws -> OperationID {
    try transaction.refuseIfSigned(RowKey(entity: item.entity, id: item.key))
    return try transaction.set(item.entity, item.key, fields, shown: item.shown.limited(to: Marking.judged))
  }
}

/// A sheet that was marked on paper: while it is typed in, every mark names who judged beside who types.
public struct PaperEntry: Hashable, Sendable {
  /// The key of who judged.
  public let judge: Int

  /// - Parameter judge: the key of who judged.
  public init(judge: Int) { self.judge = judge }
}

extension JournalTransaction {
  /// A signed sheet's items and sections are changed only after it is reopened; any other row is no matter of signing.
  func refuseIfSigned(_ row: RowKey) throws {
    let section: String
    switch row.entity {
    case "DataQuestion", "RatingQuestion": section = "SELECT dataSectionID FROM dataQuestion WHERE uuid = ?"
    case "DataSection": section = "?"
    default: return
    }
    let statement = try db.cachedStatement(
      sql: """
        SELECT 1 FROM dataSection s JOIN dataForm f ON f.uuid = s.dataFormID
        WHERE s.uuid = (\(section)) AND f.signedAt IS NOT NULL
        """)
    if try Int.fetchOne(statement, arguments: [row.id]) != nil {
      throw StoreError("the sheet is signed: reopen it with s and a reason first")
    }
  }
}

/// Signing and reopening sheets.
public enum Signing {
  /// Signs a sheet as it stands, blanks included: the caller has named them.
  public static func sign(_ sheet: Sheet, in transaction: JournalTransaction) throws {
    var fields: [String: Value] = ["signedAt": .integer(transaction.clock.now.milliseconds)]
    if let staff = transaction.author.staff { fields["signedBy"] = .integer(Int64(staff)) }
    try transaction.set("DataForm", sheet.key, fields, kind: .sign)
  }

  /// Opens a signed sheet again.
  /// - Throws: `StoreError` without a reason.
  public static func reopen(_ sheet: Sheet, in transaction: JournalTransaction) throws {
    guard let reason = transaction.author.reason, reason.contains(where: { !$0.isWhitespace }) else {
      throw StoreError("a signed sheet is reopened with a reason")
    }
    try transaction.set("DataForm", sheet.key, ["signedAt": .null, "signedBy": .null], kind: .reopen)
  }
}
