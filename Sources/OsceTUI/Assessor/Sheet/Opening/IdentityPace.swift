/// Whether an Enter at the identity step can be a person's answer to it: the second of a double press is not, and none
/// of a held key is. An Enter after another key is an answer at once. Times are the loop's clock, in milliseconds.
struct IdentityPace {
  /// What an Enter is taken for.
  enum Judgement {
    case answer
    case tooSoon
    /// It may be the first repeat of a held key: another would follow at once.
    case perhapsHeld
  }

  /// When an Enter counts that no other has followed by then.
  private(set) var due: Int64?

  /// Judges an Enter.
  /// - Parameter sinceSame: how long before it Enter was pressed; nil where another key came between.
  mutating func judge(at time: Int64, sinceSame: Int64?) -> Judgement {
    due = nil
    guard let sinceSame, sinceSame < KeyPace.firstRepeat else { return .answer }
    if sinceSame < KeyPace.double { return .tooSoon }
    due = time + KeyPace.repeating
    return .perhapsHeld
  }

  /// Takes the Enter that waited, once it is due.
  mutating func take(at now: Int64) -> Bool {
    guard let due, now >= due else { return false }
    self.due = nil
    return true
  }

  /// Takes the Enter that waited, as another key has come: the one before was released.
  mutating func takeForOtherKey() -> Bool { take(at: .max) }
}
