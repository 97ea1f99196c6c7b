import Journal

/// What terminals did not bring to a hub that was filled from them.
public struct FillingReport: Sendable {
  /// The chains with a hole, and the number that is missing in each.
  public let holes: [(device: UUIDBytes, missing: Int64)]
  /// How many rows are known by their keys alone, as every change of them came without its content.
  public let emptyRows: Int
}
