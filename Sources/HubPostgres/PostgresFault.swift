import Hub
import Sync

/// Why PostgreSQL did not do what it was asked: one line.
public struct PostgresFault: StorageFailure {
  /// What kind of failure it is, as far as a hub can do anything about it.
  enum Kind: Sendable {
    /// There is no connection; what was being committed is there or is not.
    case lost
    /// Somebody else held what it needs for too long: nothing was done.
    case busy
    /// The server only reads: it is a standby, or became one.
    case standby
    /// The server has no room.
    case full
    /// It is told what it does not take.
    case refused
  }

  let kind: Kind
  /// One line, never with the password of an address.
  public let description: String

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    description = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }
      .joined(separator: "; ")
  }

  /// What a server said.
  init(state: String, message: String) {
    let kind: Kind =
      switch state {
      case "55P03", "40001", "40P01", "57014", "53300": .busy
      case "25006": .standby
      case "53100": .full
      case "57P01", "57P02", "57P03": .lost
      default: state.hasPrefix("08") ? .lost : .refused
      }
    self.init(kind, "PostgreSQL says: \(message) (\(state))")
  }

  /// Whether the connection is of no further use.
  var endsConnection: Bool { kind == .lost || kind == .standby }

  /// What the hub answers.
  public var answer: HubError {
    switch kind {
    case .lost, .busy: .notReady(after: 1)
    case .standby: .standby(after: 1)
    case .full: .readOnly(after: 5)
    case .refused: .unavailable
    }
  }
}
