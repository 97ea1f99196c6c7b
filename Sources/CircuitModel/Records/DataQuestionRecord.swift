// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of DataQuestion. An item of a mark sheet; the parent of RatingQuestion, and itself an item of free text.
public struct DataQuestionRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "dataQuestion"
  /// The entity's name in the catalogue.
  public static let entityName = "DataQuestion"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "entity", "uuid", "caption", "feedback", "order", "completedCase", "recommended", "unable", "tags", "markedAt",
    "source", "times", "difficulty", "note", "dsDeleted", "typeID", "dataSectionID", "descriptorID", "itemLinkID",
    "judgedByID", "enteredByID",
  ]

  /// The entity that the row is of: DataQuestion or one that inherits from it.
  public var entity: String

  /// The row's key.
  public var uuid: String

  /// DataQuestion.caption. The item's text when the sheet was made.
  public var caption: String?

  /// DataQuestion.feedback. Feedback on any item; the answer on an item of free text.
  public var feedback: String?

  /// DataQuestion.order.
  public var order: Int

  /// DataQuestion.completedCase.
  public var completedCase: Bool

  /// DataQuestion.recommended.
  public var recommended: Bool

  /// DataQuestion.unable. Unable to assess, which is not zero: the item leaves score and maximum.
  public var unable: Bool

  /// JSON. The chosen tags, a list of texts; synchronised here, mirrored in AttributesSelected.
  public var tags: String?

  /// Milliseconds since 1970-01-01T00:00:00Z. When the mark that stands was given.
  public var markedAt: Int64?

  /// DataQuestion.source. screen or paper: what the mark was typed from; no value: not marked.
  public var source: String?

  /// DataQuestion.times. How often it was done: record and procedure items.
  public var times: Int?

  /// DataQuestion.difficulty. At which difficulty it was done: record and procedure items.
  public var difficulty: Int?

  /// DataQuestion.note. The supervisor's note: record and procedure items.
  public var note: String?

  /// DataQuestion.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// The key of type, a TypeQuestion.
  public var typeID: Int?

  /// The key of dataSection, a DataSection.
  public var dataSectionID: String

  /// The key of descriptor, a MarkingDescriptor. The chosen level of a marking matrix: two levels may share a value.
  public var descriptorID: Int?

  /// The key of itemLink, a QuestionToSection. The link that the item was made from; its key derives from section
  /// and link.
  public var itemLinkID: Int?

  /// The key of judgedBy, a Staff. Who judged.
  public var judgedByID: Int?

  /// The key of enteredBy, a Staff. Who typed, which may be another person.
  public var enteredByID: Int?

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    entity = try row.decode(forColumn: "entity")
    uuid = try row.decode(forColumn: "uuid")
    caption = try row.decode(forColumn: "caption")
    feedback = try row.decode(forColumn: "feedback")
    order = try row.decode(forColumn: "order")
    completedCase = try row.decode(forColumn: "completedCase")
    recommended = try row.decode(forColumn: "recommended")
    unable = try row.decode(forColumn: "unable")
    tags = try row.decode(forColumn: "tags")
    markedAt = try row.decode(forColumn: "markedAt")
    source = try row.decode(forColumn: "source")
    times = try row.decode(forColumn: "times")
    difficulty = try row.decode(forColumn: "difficulty")
    note = try row.decode(forColumn: "note")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
    typeID = try row.decode(forColumn: "typeID")
    dataSectionID = try row.decode(forColumn: "dataSectionID")
    descriptorID = try row.decode(forColumn: "descriptorID")
    itemLinkID = try row.decode(forColumn: "itemLinkID")
    judgedByID = try row.decode(forColumn: "judgedByID")
    enteredByID = try row.decode(forColumn: "enteredByID")
  }
}
