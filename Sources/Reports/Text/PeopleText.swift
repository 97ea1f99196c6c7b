import Characters
import CircuitModel
import ExamStore

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
      "\(count) members of staff have the username \(username): fix the exam"
    case .notLead(let name): "\(name.isEmpty ? "nobody" : name) is no exam lead here: nothing was changed"
    case .noPasscode(let name): "no passcode was given for \(name)"
    case .wrongPasscode(let name, let seconds):
      "wrong passcode for \(name): nothing was changed"
        + (seconds > 0 ? "; wait \(seconds) s before the next try" : "")
    case .tooManyWrong(let name, let seconds):
      "too many wrong passcodes \(name.map { "for \($0)" } ?? "at this terminal"): wait \(seconds) s, then try again"
    case .unusablePasscode(let name): "the passcode kept for \(name) cannot be used: set it again by an import"
    }
  }
}

extension GuardRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .nobodyNamed(let task):
      "the exam lead has a passcode, so \(task.text) asks who you are: --staff USERNAME"
    case .otherRole(let name, let task):
      "\(name) may not do this: \(task.text) is for \(task.roles.map(\.name).joined(separator: ", "))"
    case .withoutPasscode(let name, let task):
      "\(name) has no passcode, which \(task.text) needs in this exam; set one in staff.csv first"
    case .noClockAtHub(let name, let role):
      "the hub takes no clock of \(name), \(role.name): sign in as invigilator or lead"
    }
  }
}

extension GuardedTask {
  fileprivate var text: String {
    switch self {
    case .load: "loading"
    case .clocks: "changing clocks"
    case .reveal: "reading marks and results"
    case .print: "printing"
    case .restore: "restoring"
    }
  }
}

extension AttendanceSource {
  /// In words: `by Dr Davies at the station, 09:02`.
  public var text: String {
    "by \(by ?? "nobody known") at the \(isFromStation ? "station" : "desk"), \(LocalTime.reading(of: at).minute)"
  }
}

extension ClearedAttendance {
  /// In words: `set back to not recorded by Dr Davies at pts/5`.
  public var text: String {
    "set back to not recorded by \(by ?? "nobody known")\(terminal.map { " at \($0)" } ?? "")"
  }
}

extension RerunChoice {
  /// How it stands, in words.
  public var text: String {
    if isSigned { return "signed" }
    if isQueued, let item { return "queued, re-run round \(item.place)" }
    if isMarked { return "has marks" }
    if entry.isPresent == false { return "absent" }
    return entry.identityCheckedAt == nil ? "no marks" : "seen, no marks"
  }
}

extension ImportRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .openStation(let circuit, let session, let station):
      "nothing imported: \(circuit) session \(session) is running and its station \(station) would change; "
        + "stop the session first"
    case .otherCandidate(let number, let station):
      "what is recorded for \(number) at station \(station) would be another candidate's; nothing was imported: leave out "
        + "changes of slots, rounds, dates and starts of that session"
    case .otherRound(let number, let station, let round):
      "what is recorded for \(number) at station \(station) in round \(round) would come to another round; nothing was "
        + "imported: leave out changes of slots, stations and rounds of that session"
    case .losesSigned(let sheets, let stations):
      "\(Plural.count(sheets, "signed sheet")) of \(Plural.noun(stations.count, "station")) "
        + "\(stations.joined(separator: ", ")) would stop counting; nothing was imported"
    }
  }
}
