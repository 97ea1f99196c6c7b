import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// What a sheet's screen knows beside the sheet: where else it is open, and what was done to all of it.
struct SheetFlow {
  /// What the line of messages says of other terminals, while it does.
  var otherTerminalsMessage: SafeText?
  /// The sheet came here by a mending: what undoes it, and where it was.
  var moved: (operations: [OperationID], entry: String)?
  /// The sheets that other assessors use for the candidate, where each chooses one of several.
  var used: [FormChoices.Used] = []
  /// Who is in the room, or comes next, where that is another than the open sheet's candidate.
  var following: RosterEntry?
  /// Whether the key for the next candidate leads anywhere.
  var hasNext = false
  /// How many comments and concerns on the candidate this seat sees.
  var written = WrittenNotes()
  /// Whether marks and texts are out of view.
  var isHidden = false
  /// The sheet's last marks.
  var strip = RecentMarksStrip()
  /// Whether the terminal has room for them.
  var hasRoom: Bool { size.height >= RecentMarksStrip.height }
  /// What stands beside the sheet on a wide terminal.
  var aside: SheetAside?
  /// Whether something was saved since that may change it.
  var isAsideOld = false
  /// The room between headings and message line.
  var size = Size(width: 80, height: 0)
}

extension SheetScreen {
  /// Why nothing is marked here whatever the item, so that the mark keys are seen to be off; nil where it can be.
  var markingIsOff: String? {
    if ownership.isTakenOver { return takenOverText.plain }
    return flow.isHidden ? hiddenText : nil
  }

  /// What the heading says of the sheet that calls for action.
  var flowAlarms: SafeText {
    (ownership.isTakenOver ? " READ-ONLY" : "") + (isAbsent && !isAtIdentityStep ? " ABSENT" : "")
  }

  /// What the heading says of the sheet beside the candidate.
  var flowNotes: SafeText {
    // By weight: what has no room falls off at the right.
    var notes: SafeText = ""
    if entry?.identityNote != nil { notes += " IDENTITY?" }
    if let paper = context.modes.paper { notes += SafeText(" " + paper.note) }
    if !ownership.isTakenOver, let other = ownership.others.first { notes += SafeText(" also open at \(other.place)") }
    if context.modes.isNumberPad { notes += " PAD" }
    return notes
  }
}
