/// Where a mark is.
public enum MarkPlace: String, Sendable, CaseIterable {
  /// It was not given.
  case empty
  /// On this machine's disk.
  case disk
  /// At the hub too.
  case hub
  /// Contradicted by another, or refused by the hub: a person must look.
  case attention
}
