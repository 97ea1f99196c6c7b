/// Tables on their way from one program of the product to another, through a pipe.
///
/// A cell is its kind, and for texts and numbers what it holds as UTF-8 with a zero byte behind, so that a reader in C
/// takes it as it lies. A table begins with its name, its first row has the names of the columns, and the stream ends
/// with a byte of its own: what was cut off is known as such.
public enum RowStream {
  /// Begins a table; its name follows.
  public static let table = UInt8(ascii: "S")
  /// A cell without a value.
  public static let empty = UInt8(ascii: "E")
  /// A cell of text.
  public static let text = UInt8(ascii: "T")
  /// A cell with a number in decimal digits.
  public static let number = UInt8(ascii: "N")
  /// A cell that is true.
  public static let yes = UInt8(ascii: "Y")
  /// A cell that is false.
  public static let no = UInt8(ascii: "F")
  /// Ends a row.
  public static let rowEnd = UInt8(ascii: "\n")
  /// Ends the stream.
  public static let end = UInt8(ascii: ".")
}
