import CircuitModel

extension CommentRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .empty: "an empty comment is not kept"
    case .gone: "this comment is not there any more"
    case .ofAnother: "somebody else wrote this comment: write your own"
    case .notOnCandidate: "only a comment on a candidate is shown to the candidate"
    case .unknownPerson(let key): "there is no person \(key)"
    case .unknownCategory(let key): "there is no category of comments \(key)"
    }
  }
}

extension JotRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .empty: "an empty line is not kept"
    }
  }
}

extension StaffRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .unknown(let username): "there is no active member of staff with the username \(username)"
    case .ambiguous(let username, let count):
      "\(count) members of staff have the username \(username): mend the exam"
    case .notLead(let name): "\(name.isEmpty ? "nobody" : name) is no exam lead here: nothing was changed"
    case .wrongPasscode(let name): "that is not the passcode of \(name): nothing was changed"
    }
  }
}
