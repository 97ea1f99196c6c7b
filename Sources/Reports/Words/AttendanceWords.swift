import CircuitModel
import ExamStore

extension PresenceNote {
  /// In words: `by Dr Davies at the station, 09:02`.
  public var words: String {
    "by \(by ?? "nobody known") at the \(isFromStation ? "station" : "desk"), \(LocalTime.reading(of: at).minute)"
  }
}

extension PresenceTakenBack {
  /// In words: `set back to not recorded by Dr Davies at pts/5`.
  public var words: String {
    "set back to not recorded by \(by ?? "nobody known")\(terminal.map { " at \($0)" } ?? "")"
  }
}

extension RerunChoice {
  /// How it stands, in words.
  public var words: String {
    if isSigned { return "signed" }
    if isQueued, let item { return "queued, re-run round \(item.place)" }
    if isMarked { return "has marks" }
    if entry.isPresent == false { return "absent" }
    return entry.identityCheckedAt == nil ? "no marks" : "seen, no marks"
  }
}
