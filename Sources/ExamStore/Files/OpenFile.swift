import Glibc

/// An open file, pipe or folder. Its only owner closes it, once: also where an initialiser fails that had it already.
public struct OpenFile: ~Copyable, Sendable {
  /// The descriptor, for as long as this is there.
  public let descriptor: Int32

  /// Takes a descriptor that nobody else closes; nil where opening had failed.
  public init?(_ descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
