import Terminal

/// The identity check before a sheet opens: how fast it is answered, and whether the answer is on its way to the disk.
struct IdentityCheck {
  /// Judges each Enter.
  var pace = IdentityPace()
  /// Whether an answer waits for the disk: a second one is the same.
  var isPassing = false
  /// Whether the assessor has said that the sheet is to be marked although the rotation has not begun, or is over.
  var mayMarkEarly = false

  /// What an Enter is taken for.
  mutating func judge(_ key: KeyEvent, _ times: KeyTimes) -> IdentityPace.Judgement {
    times.areTogether ? .tooSoon : pace.judge(at: key.at, sinceSame: times.sinceSame)
  }
}
