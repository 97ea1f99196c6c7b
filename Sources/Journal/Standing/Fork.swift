/// A field whose heads differ in value: both are kept until a person rules.
public struct Fork: Hashable, Sendable {
  /// The row.
  public let row: RowKey
  /// The field.
  public let field: String
  /// The heads, the standing one last.
  public let heads: [Head]

  /// Lists a forked field.
  public init(row: RowKey, field: String, heads: [Head]) {
    self.row = row
    self.field = field
    self.heads = heads
  }
}
