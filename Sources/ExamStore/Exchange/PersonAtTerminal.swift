import Journal

/// Somebody who sits at a terminal of a store, as the terminal says it to the store's uploader, which signs them in at the
/// hub: over the `UploaderPipe`.
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

  /// Says it to the store's uploader.
  /// - Returns: false where none listens; it is said again then.
  @discardableResult public func tell(uploaderOf location: StoreLocation) -> Bool {
    UploaderPipe.send(document, to: location)
  }

  private var document: CanonicalJSON.Node {
    .object([
      CanonicalJSON.Member("gone", .integer(hasGone ? 1 : 0)), CanonicalJSON.Member("passcode", .text(passcode)),
      CanonicalJSON.Member("sitting", .text(sitting.description)),
      CanonicalJSON.Member("timetable", timetable.map { .integer($0) } ?? .null),
      CanonicalJSON.Member("username", .text(username)),
    ])
  }
}
