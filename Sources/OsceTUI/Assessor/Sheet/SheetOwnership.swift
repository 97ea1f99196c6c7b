import CircuitModel

/// Who has the shown sheet open: this terminal, another, or both.
struct SheetOwnership {
  /// Where the sheet stands.
  enum State: Equatable {
    /// No sheet is shown.
    case none
    /// That it is open here is on its way to the disk.
    case opening
    /// It is open here.
    case here
    /// It was open here, and another terminal has taken it over.
    case lost
    /// Another terminal had taken it over before it was shown: it was never open here.
    case elsewhere
  }

  /// What a look at the terminals brought.
  enum Change: Equatable {
    case nothing
    /// Another terminal has taken the sheet over.
    case takenOver
    /// Another terminal has opened it too.
    case alsoOpen(OpenSheets.OtherTerminal)
    /// Fewer terminals have it open.
    case fewer
  }

  /// The sheet that this terminal is said to have open.
  private(set) var sheet: String?
  private(set) var state = State.none
  /// Who else has it open.
  private(set) var others: [OpenSheets.OtherTerminal] = []
  /// Whether somebody else marked it and has not been relieved: nothing is marked before it is taken over.
  private(set) var waitsForTakeOver = false

  /// Whether the disk has been told that it is open here.
  var wasOpened: Bool { state == .here || state == .lost }
  var isTakenOver: Bool { state == .lost || state == .elsewhere }
  /// Whether this terminal has the sheet, so that its keys ask nothing before they act.
  var isHere: Bool { !isTakenOver && !waitsForTakeOver }
  /// Whether there is somebody from whom it can be taken over.
  var canTakeOver: Bool { isTakenOver || !others.isEmpty || waitsForTakeOver }

  /// A sheet is shown that was not before.
  /// - Parameter takers: who took it over from this person and still has it.
  mutating func show(_ sheet: String, takenOverBy takers: [OpenSheets.OtherTerminal]) {
    (self.sheet, others, waitsForTakeOver) = (sheet, takers, false)
    state = takers.isEmpty ? .opening : .elsewhere
  }

  /// Somebody else marked the shown sheet, and is to be relieved first.
  mutating func wait() { waitsForTakeOver = true }

  /// The disk was told that a sheet is open here.
  /// - Returns: false where that is not the shown one any more.
  mutating func opened(_ sheet: String) -> Bool {
    guard self.sheet == sheet else { return false }
    if state == .opening { state = .here }
    return true
  }

  /// Takes in which terminals have the sheet open.
  /// - Parameter isHere: whether this one still has.
  mutating func look(others now: [OpenSheets.OtherTerminal], isHere: Bool) -> Change {
    let before = others
    others = now
    if !isHere, !isTakenOver {
      state = .lost
      return .takenOver
    }
    if isHere, let other = now.last, now != before { return .alsoOpen(other) }
    return now == before ? .nothing : .fewer
  }

  /// The sheet was taken over to this terminal.
  mutating func takeOver() { (state, waitsForTakeOver, others) = (.here, false, []) }

  /// The sheet is shown no more.
  mutating func close() { self = SheetOwnership() }
}
