import Terminal

/// The identity check before a sheet opens: how fast it is answered, and whether the answer is on its way to the disk.
struct IdentityCheck {
  /// Judges each Enter.
  var pace = IdentityPace()
  /// Whether an answer waits for the disk: a second one is the same.
  var isPassing = false
  /// Whether the assessor has said that the sheet is to be marked although the rotation has not begun, or is over.
  var mayMarkEarly = false

  /// When the check came in the place of the sheet, or of another candidate's check, by no key of this terminal.
  private var changedAt: Int64?

  /// What an Enter is taken for.
  mutating func judge(_ key: KeyEvent, _ times: KeyTimes) -> IdentityPace.Judgement {
    if let changedAt, key.at - changedAt < KeyPace.reading { return .tooSoon }
    return times.areTogether ? .tooSoon : pace.judge(at: key.at, sinceSame: times.sinceSame)
  }

  /// Another candidate is shown from now on, or the same as not checked: no Enter that was pressed before counts.
  mutating func candidateChanged(at time: Int64) {
    (pace, changedAt) = (IdentityPace(), time)
    mayMarkEarly = false
  }
}
