/// Whether an Enter at the identity step can be a person's answer to it: one that comes before the candidate can have
/// been read is not, and none of a held key is. Times are the loop's clock, in milliseconds.
struct IdentityPace {
  /// What an Enter is taken for.
  enum Judgement {
    case answer
    case tooSoon
    case held
    /// It may be the first repeat of a held key: another would follow at once.
    case perhapsHeld
  }

  /// How long the step is to be seen before it is answered.
  private static let reading: Int64 = 400
  /// Repeats of a held key come closer than this.
  private static let repeating: Int64 = 200
  /// A held key begins to repeat within this.
  private static let firstRepeat: Int64 = 1000

  private var shownAt: Int64?
  /// When an Enter counts that no other has followed by then.
  private(set) var due: Int64?

  /// Notes whether the step is in view, nothing lying over it.
  mutating func look(isShown: Bool, at now: Int64) {
    shownAt = isShown ? shownAt ?? now : nil
    if !isShown { due = nil }
  }

  /// Notes any key: what waited is no answer any more.
  mutating func noteKey() { due = nil }

  /// Judges an Enter.
  /// - Parameter sinceSame: how long before it Enter was pressed; nil where another key came between.
  mutating func judge(at time: Int64, sinceSame: Int64?) -> Judgement {
    if let sinceSame, sinceSame < IdentityPace.repeating { return isRead(at: time) ? .held : .tooSoon }
    guard isRead(at: time) else { return .tooSoon }
    guard let sinceSame, sinceSame < IdentityPace.firstRepeat else { return .answer }
    due = time + IdentityPace.repeating
    return .perhapsHeld
  }

  /// Takes the Enter that waited, once it is due.
  mutating func take(at now: Int64) -> Bool {
    guard let due, now >= due else { return false }
    self.due = nil
    return true
  }

  private func isRead(at time: Int64) -> Bool { shownAt.map { time - $0 >= IdentityPace.reading } ?? false }
}
