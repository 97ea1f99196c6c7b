// Generated from the catalogue by script/generate; edit the catalogue, not this file.
import GRDB

/// A stored row of TypeQuestion. An item of a mark sheet template.
public struct TypeQuestionRecord: FetchableRecord, TableRecord, Equatable, Sendable {
  /// The table that holds the rows.
  public static let databaseTableName = "typeQuestion"
  /// The entity's name in the catalogue.
  public static let entityName = "TypeQuestion"
  /// The columns that a record reads.
  public static let columnNames: [String] = [
    "dsid", "text", "questionType", "information", "mandatory", "defaultState", "binaryLow", "binaryHigh",
    "binaryLowText", "binaryHighText", "numberOfOptions", "includesUnknownRating", "threshold", "lowerThreshold",
    "lowest", "step", "key", "tags", "dsDeleted",
  ]

  /// The row's key.
  public var dsid: Int

  /// TypeQuestion.text.
  public var text: String

  /// TypeQuestion.questionType. binary, rating, text, marking_matrix, boolean, free_text, feedback, record or
  /// procedure. A rating where a row leaves it out: the other defaults then give a complete scale of 1 to 5.
  public var questionType: String

  /// TypeQuestion.information.
  public var information: String?

  /// TypeQuestion.mandatory.
  public var mandatory: Bool

  /// TypeQuestion.defaultState. True suggests the high level; the item stays blank until it is confirmed.
  public var defaultState: Bool

  /// TypeQuestion.binaryLow.
  public var binaryLow: Double

  /// TypeQuestion.binaryHigh.
  public var binaryHigh: Double

  /// TypeQuestion.binaryLowText.
  public var binaryLowText: String

  /// TypeQuestion.binaryHighText.
  public var binaryHighText: String

  /// TypeQuestion.numberOfOptions. The number of levels of a rating.
  public var numberOfOptions: Int

  /// TypeQuestion.includesUnknownRating. Whether the item offers unable to assess.
  public var includesUnknownRating: Bool

  /// TypeQuestion.threshold.
  public var threshold: Double?

  /// TypeQuestion.lowerThreshold.
  public var lowerThreshold: Double?

  /// TypeQuestion.lowest. The first level of a rating. The levels are lowest, lowest + step, …, numberOfOptions of
  /// them: 0 to 4 is lowest 0 with 5 options, a mark out of 20 is lowest 0 with 21.
  public var lowest: Double

  /// TypeQuestion.step. The distance between two levels of a rating, over 0.
  public var step: Double

  /// TypeQuestion.key. The item's natural key within its template.
  public var key: String?

  /// JSON. The tags that an item offers, a list of texts.
  public var tags: String?

  /// TypeQuestion.dsDeleted. Soft delete. Not indexed: nearly every row holds the same value.
  public var dsDeleted: Bool

  /// Reads a row.
  ///
  /// - Throws: `RowDecodingError` where a column holds no value, or one of another type.
  public init(row: Row) throws {
    dsid = try row.decode(forColumn: "dsid")
    text = try row.decode(forColumn: "text")
    questionType = try row.decode(forColumn: "questionType")
    information = try row.decode(forColumn: "information")
    mandatory = try row.decode(forColumn: "mandatory")
    defaultState = try row.decode(forColumn: "defaultState")
    binaryLow = try row.decode(forColumn: "binaryLow")
    binaryHigh = try row.decode(forColumn: "binaryHigh")
    binaryLowText = try row.decode(forColumn: "binaryLowText")
    binaryHighText = try row.decode(forColumn: "binaryHighText")
    numberOfOptions = try row.decode(forColumn: "numberOfOptions")
    includesUnknownRating = try row.decode(forColumn: "includesUnknownRating")
    threshold = try row.decode(forColumn: "threshold")
    lowerThreshold = try row.decode(forColumn: "lowerThreshold")
    lowest = try row.decode(forColumn: "lowest")
    step = try row.decode(forColumn: "step")
    key = try row.decode(forColumn: "key")
    tags = try row.decode(forColumn: "tags")
    dsDeleted = try row.decode(forColumn: "dsDeleted")
  }
}
