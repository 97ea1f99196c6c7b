import CircuitModel
import Journal
import Terminal

/// What a sheet's screen knows beside the sheet: where else it is open, and what was done to all of it.
struct SheetFlow {
  /// The sheet that this terminal is said to have open.
  var recorded: String?
  /// Whether that is on the disk.
  var isOpenHere = false
  /// Whether another terminal has taken the sheet over.
  var isTakenOver = false
  /// Who else has it open.
  var others: [OpenSheets.Elsewhere] = []
  /// Whether somebody else marked it and has not been relieved: nothing is marked before it is taken over.
  var waitsForTakeOver = false
  /// The sheet came here by a mending: what undoes it, and where it was.
  var moved: (operations: [OperationID], entry: String)?
}

extension SheetScreen {
  func performFlow(_ command: Command) {
    switch command {
    case .takeOver: takeOver()
    default: StationKeys.perform(command, context, session, seat: seat, entry: entry)
    }
  }

  /// What the heading says of the sheet beside the candidate.
  var flowNotes: SafeText {
    if flow.isTakenOver { return " READ-ONLY: taken over" }
    if let other = flow.others.first { return SafeText(" also open at \(other.place)") }
    return ""
  }
}
