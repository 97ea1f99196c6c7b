import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// What a sheet's screen knows beside the sheet and its marks: who else is concerned with it, and what is on the
/// screen.
struct SheetSurroundings {
  /// What the line of messages says of other terminals, while it does.
  var otherTerminalsMessage: SafeText?
  /// The sheet came here by a mending, or by undoing one: the step that takes it back, and where it was.
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
