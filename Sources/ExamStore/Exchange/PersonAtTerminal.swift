import Glibc
import Journal

/// Somebody who sits at a terminal of a store, as the terminal says it to the store's uploader, which signs them in at the
/// hub: over a pipe beside the store that its owner alone can open, never on a disk.
public struct PersonAtTerminal: Hashable, Sendable {
  /// The sitting.
  public var sitting: UUIDBytes
  /// The person's username.
  public var username: String
  /// The passcode, as it was typed and found right here.
  public var passcode: String
  /// The station session; nil at a desk.
  public var timetable: Int64?
  /// Whether the person has gone.
  public var hasGone: Bool

  /// Somebody who sits there.
  public init(sitting: UUIDBytes, username: String, passcode: String, timetable: Int64?, hasGone: Bool = false) {
    self.sitting = sitting
    self.username = username
    self.passcode = passcode
    self.timetable = timetable
    self.hasGone = hasGone
  }

  /// How often a terminal says it again, in milliseconds: an uploader that is started later hears it, too.
  public static let interval: Int64 = 5000

  /// The pipe of a store.
  public static func path(of location: StoreLocation) -> String { location.path + ".people" }

  /// Says it to the store's uploader, in one piece. Waits for nobody.
  /// - Returns: false where none listens; it is said again then.
  @discardableResult public func tell(uploaderOf location: StoreLocation) -> Bool {
    let descriptor = open(Self.path(of: location), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let line = encoded
    // What is no longer than this arrives whole, or not at all.
    guard Self.isOwnPipe(descriptor), line.count <= Int(PIPE_BUF) else { return false }
    return write(descriptor, line, line.count) == line.count
  }

  /// Whether a descriptor is of a pipe that nobody else can open.
  public static func isOwnPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  private var encoded: [UInt8] {
    CanonicalJSON.encode(
      .object([
        CanonicalJSON.Member("gone", .integer(hasGone ? 1 : 0)), CanonicalJSON.Member("passcode", .text(passcode)),
        CanonicalJSON.Member("sitting", .text(sitting.description)),
        CanonicalJSON.Member("timetable", timetable.map { .integer($0) } ?? .null),
        CanonicalJSON.Member("username", .text(username)),
      ])) + [UInt8(ascii: "\n")]
  }
}
