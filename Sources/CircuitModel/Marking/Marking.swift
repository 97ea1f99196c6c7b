import Characters
import ExamStore
import GRDB
import Journal

/// What an assessor does to a sheet. Each call is one operation on one item, in the caller's transaction.
public struct Marking {
  private let transaction: JournalTransaction
  private let judge: Int?
  private let source: Source

  /// What is judged; the other fields of an item say who and when.
  private static let judged: Set<Stored.RatingQuestion.Field> = [
    .rating, .unable, .descriptor, .feedback, .times, .difficulty, .note, .tags, .completedCase, .recommended,
  ]

  /// What a mark was typed from.
  public enum Source: String, Sendable {
    /// Given at this terminal.
    case screen
    /// Given on paper, typed later.
    case paper
  }

  /// What an item is answered with by one key.
  public enum Answer: Equatable, Sendable {
    /// One of its levels.
    case level(Level)
    /// It could not be assessed.
    case unable
    /// Nothing: the answer is cleared.
    case blank
  }

  /// - Parameter judge: who judged, where that is not the person who types.
  public init(_ transaction: JournalTransaction, judge: Int? = nil, source: Source = .screen) {
    self.transaction = transaction
    self.judge = judge ?? transaction.author.staff
    self.source = source
  }

  /// Marks that stand on paper and are typed in now.
  /// - Throws: `MarkingRefusal` if nobody is signed in to type, or the judge is no active member of staff.
  public init(_ transaction: JournalTransaction, paper: PaperEntry) throws {
    guard transaction.author.staff != nil else { throw MarkingRefusal.nobodyTypes }
    let isKnown = try Bool.fetchOne(
      transaction.db.cachedStatement(
        sql: "SELECT 1 FROM user WHERE dsid = ? AND entity = 'Staff' AND active = 1 AND dsDeleted = 0"),
      arguments: [paper.judge])
    if isKnown != true { throw MarkingRefusal.unknownJudge(paper.judge) }
    self.init(transaction, judge: paper.judge, source: .paper)
  }

  /// Gives an item an answer, unless it has that one already: a repetition is no change to undo, and no later mark.
  /// - Returns: the operation; nil, with nothing changed, where the answer stands as these people gave it.
  @discardableResult public func give(_ answer: Answer, to item: SheetItem) throws -> OperationID? {
    if try stands(answer, on: item) { return nil }
    return switch answer {
    case .level(let level): try mark(item, level: level)
    case .unable: try markUnable(item)
    case .blank: try clear(item)
    }
  }

  /// Whether an item has an answer in the store, from the same people and source, and no person is needed to say what
  /// counts: whatever the screen shows.
  private func stands(_ answer: Answer, on item: SheetItem) throws -> Bool {
    try transaction.refuseIfSigned(RowKey(entity: item.entity, id: item.key))
    guard let now = try SheetItem.read(item, in: transaction.db) else { return false }
    let kind = item.template.kind
    switch answer {
    case .blank:
      let isWritten = kind.isWritten || kind.recordsWork
      guard now.rating == nil, !now.isUnable, !isWritten || now.feedback.isEmpty,
        !kind.recordsWork || now.work == WorkFacts()
      else { return false }
    case .unable:
      guard now.isUnable, now.rating == nil, try isOwn(now) else { return false }
    case .level(let level):
      guard now.rating == level.value, !now.isUnable, !kind.hasDescriptors || now.descriptor == level.descriptor,
        try isOwn(now)
      else { return false }
    }
    var places = SheetPlaces()
    places.note(try places.look(at: now, in: transaction.db))
    return places.place(of: now) != .attention
  }

  /// Whether an answer was judged and typed by the same people, from the same source.
  private func isOwn(_ item: SheetItem) throws -> Bool {
    let statement = try transaction.db.cachedStatement(sql: "SELECT source FROM dataQuestion WHERE uuid = ?")
    return try item.judge == judge && item.enteredBy == transaction.author.staff
      && String.fetchOne(statement, arguments: [item.key]) == source.rawValue
  }

  /// Gives an item one of its levels.
  /// - Returns: the operation.
  @discardableResult public func mark(_ item: SheetItem, level: Level) throws -> OperationID {
    try rate(item, [.rating(level.value), .unable(false)], level: level)
  }

  /// Says that an item could not be assessed: it leaves score and maximum.
  @discardableResult public func markUnable(_ item: SheetItem) throws -> OperationID {
    try rate(item, [.rating(nil), .unable(true)], level: nil)
  }

  /// Takes an item's answer back.
  @discardableResult public func clear(_ item: SheetItem) throws -> OperationID {
    let kind = item.template.kind
    if kind.isWritten {
      var changes: [FieldChange<Stored.DataQuestion>] = stamp() + [.feedback("")]
      if kind.recordsWork { changes += WorkFacts().changes() }
      return try set(item, changes)
    }
    var changes: [FieldChange<Stored.RatingQuestion>] = [.rating(nil), .unable(false)]
    if kind.recordsWork { changes += WorkFacts().changes() + [.feedback("")] }
    return try rate(item, changes, level: nil)
  }

  private func rate(
    _ item: SheetItem, _ changes: [FieldChange<Stored.RatingQuestion>], level: Level?
  ) throws -> OperationID {
    var changes = stamp() + changes
    if item.template.kind.hasDescriptors { changes.append(.descriptor(level?.descriptor)) }
    return try set(item, changes)
  }

  /// Writes the answer of a written item, or feedback on any other.
  @discardableResult public func write(_ item: SheetItem, _ text: String) throws -> OperationID {
    let stamp: [FieldChange<Stored.DataQuestion>] = item.template.kind.isWritten ? stamp() : paperStamp(of: item)
    return try set(item, stamp + [.feedback(text)])
  }

  /// Who and when, for a field that is judged.
  func stamp<Item: Stored.DataQuestionFamily>() -> [FieldChange<Item>] {
    [.markedAt(transaction.clock.now)] + origin()
  }

  private func origin<Item: Stored.DataQuestionFamily>() -> [FieldChange<Item>] {
    var changes: [FieldChange<Item>] = [.source(source.rawValue)]
    if let judge { changes.append(.judgedBy(judge)) }
    if let staff = transaction.author.staff { changes.append(.enteredBy(staff)) }
    return changes
  }

  /// Who said what is said beside a mark, where that stands on paper: another person than who types. An answer that is
  /// there already keeps its author.
  func paperStamp(of item: SheetItem) -> [FieldChange<Stored.DataQuestion>] {
    source == .paper && item.isBlank ? origin() : []
  }

  /// Sets fields of an item of a sheet that is not signed.
  /// - Throws: `MarkingRefusal` if it is signed, or for an item of a kind that this version does not know.
  func set<Item: Stored.DataQuestionFamily>(_ item: SheetItem, _ changes: [FieldChange<Item>]) throws -> OperationID {
    if case .unknown(let kind) = item.template.kind { throw MarkingRefusal.unknownKind(kind) }
    let row = RowKey(entity: item.entity, id: item.key)
    try transaction.refuseIfSigned(row)
    return try transaction.set(row, changes, shown: item.shown.limited(to: Marking.judged))
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
    guard row.isItem || row.isSection else { return }
    let section = row.isSection ? "?" : "SELECT dataSectionID FROM dataQuestion WHERE uuid = ?"
    let statement = try db.cachedStatement(
      sql: """
        SELECT 1 FROM dataSection s JOIN dataForm f ON f.uuid = s.dataFormID
        WHERE s.uuid = (\(section)) AND f.signedAt IS NOT NULL
        """)
    if try Int.fetchOne(statement, arguments: [row.id]) != nil {
      throw MarkingRefusal.signed
    }
  }
}

/// Signing and reopening sheets.
public enum Signing {
  /// Signs a sheet as it stands, blanks included: the caller has named them.
  public static func sign(_ sheet: Sheet, in transaction: JournalTransaction) throws {
    var changes: [FieldChange<Stored.DataForm>] = [.signedAt(transaction.clock.now)]
    if let staff = transaction.author.staff { changes.append(.signedBy(staff)) }
    try transaction.set(Stored.DataForm.self, sheet.key, changes, kind: .sign)
  }

  /// Opens a signed sheet again.
  /// - Throws: `MarkingRefusal` without a reason.
  public static func reopen(_ sheet: Sheet, in transaction: JournalTransaction) throws {
    guard let reason = transaction.author.reason, reason.hasWords else {
      throw MarkingRefusal.reopenedWithoutReason
    }
    try transaction.set(Stored.DataForm.self, sheet.key, [.signedAt(nil), .signedBy(nil)], kind: .reopen)
  }
}
