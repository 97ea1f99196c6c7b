import Glibc
import Journal

/// The pipe beside a store over which its terminals speak to its uploader. Its owner alone can open it, and nothing that
/// is said is on a disk.
public enum UploaderPipe {
  /// What a terminal says to have an exchange at once.
  public static let exchangeNow = "exchange"

  /// The pipe of a store.
  public static func path(of location: StoreLocation) -> String { location.uploaderPipePath }

  /// Asks the store's uploader to try now.
  /// - Returns: false where none listens.
  public static func askToExchange(_ location: StoreLocation) -> Bool {
    send(.object([CanonicalJSON.Member(exchangeNow, .integer(1))]), to: location)
  }

  /// Says something in one line, which arrives whole or not at all. Waits for nobody.
  static func send(_ document: CanonicalJSON.Node, to location: StoreLocation) -> Bool {
    let descriptor = open(path(of: location), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let line = CanonicalJSON.encode(document) + [UInt8(ascii: "\n")]
    guard isOwn(descriptor), line.count <= Int(PIPE_BUF) else { return false }
    return write(descriptor, line, line.count) == line.count
  }

  /// Whether a descriptor is of a pipe that nobody else can open.
  public static func isOwn(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }
}
