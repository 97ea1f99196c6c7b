/// What keeps a store from its hub, and what a person can do.
public enum SyncTrouble: Hashable, Sendable {
  /// There was no answer.
  case lost(TransportFailure)
  /// The hub answered with an error.
  case refused(HubError)
  /// The server at the address is not the hub of the enrolment.
  case otherKey
  /// The hub refuses an operation that nothing is wrong with here.
  case defect(HubError)
  /// The answer could not be kept here.
  case store

  /// One calm line.
  public var text: String {
    switch self {
    case .lost(.unreachable(let why)): "no contact with the hub: \(why)"
    case .lost(.timeout): "the hub does not answer in time"
    case .lost(.broken(let why)): "the connection to the hub broke: \(why)"
    case .lost(.tooLarge): "the hub's answer is too large"
    case .lost(.cancelled): "the request was given up"
    case .otherKey, .lost(.otherKey):
      "the hub's address answers with another key than the enrolment's: nothing is sent; ask IT"
    case .defect(let error): "the hub does not take an operation that is sound here: \(error.message); tell IT"
    case .refused(.token):
      "the hub does not know this device: ask for a new code, then: osce enrol URL CODE --same-exam"
    case .refused(.revoked):
      "this device was revoked at the hub: ask for a new code, then: osce enrol URL CODE --same-exam"
    case .refused(.version), .refused(.schema): "hub and terminal are of versions that do not fit: ask IT"
    case .refused(let error): "the hub says: \(error.message)"
    case .store: "the hub's answer cannot be saved here"
    }
  }
}
