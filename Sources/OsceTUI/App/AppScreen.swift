import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// One screen: its keys first, then what they do, then how it looks.
@MainActor
protocol AppScreen: AnyObject {
  /// The screen's own keys; those that every screen has are appended by the program.
  var bindings: BindingTable<Command> { get }
  /// Whether the footer shows a key now; the help shows every key.
  func showsInFooter(_ binding: Binding<Command>) -> Bool
  /// How much a key is needed in a footer that has no room for all: the highest come first.
  func footerRank(_ binding: Binding<Command>) -> Int
  /// What stands on the second line, under the clock.
  var heading: Heading { get }
  /// Whether somebody sits at a station here; leaving for another screen ends that.
  var isAtStation: Bool { get }
  /// How often the store is looked at for changes from elsewhere, in milliseconds.
  var pollInterval: Int64 { get }
  /// Whether letters are typed here, so that they cannot be keys of every screen.
  var typesText: Bool { get }
  /// Ends what an earlier key has left open until another comes, before that one is looked at.
  func settle(before key: KeyEvent)
  /// Takes a key before the bindings see it, as a text field does.
  func takes(_ key: KeyEvent) -> Bool
  /// Takes pasted text; never commands.
  func paste(_ text: String)
  /// Does what was asked. `key` is nil when it comes from the palette.
  func perform(_ command: Command, _ key: KeyEvent?)
  /// Reads anew what other connections have changed. `rows` names the changed rows; nil: everything may have.
  func refresh(_ rows: Set<RowKey>?)
  /// Takes in what other connections have changed.
  /// - Returns: false if nothing of it is shown here; then nothing is drawn. A screen that cannot tell reads anew.
  func follow(_ rows: Set<RowKey>) -> Bool
  /// The hub has taken or answered something, or waits for more.
  func followHub()
  /// Time has passed: the clock shows something else.
  func clockMoved()
  /// Time has passed.
  /// - Parameter now: the loop's clock, in milliseconds.
  /// - Returns: whether the screen shows something else now.
  func passTime(_ now: Int64) -> Bool
  /// When `passTime` is wanted, in milliseconds of the loop's clock; nil for never.
  var deadline: Int64? { get }
  /// Whether the whole screen is drawn reversed now.
  var isFlashing: Bool { get }
  /// Whether `clockMoved` reads nothing from the store, so that it can be called before its time.
  var canForesee: Bool { get }
  /// Whether a command is done on a terminal too small for the screen: what must be possible whatever is seen.
  func actsWhenSmall(_ command: Command) -> Bool
  /// Whether a command is done though something lies over the screen; that is then left and nothing of it is done.
  func acts(over overlay: Overlay, _ command: Command) -> Bool
  /// What the key of a command waits for while changes are being saved.
  func patience(for command: Command) -> WaitingKeys.Patience
  /// Why nothing that was typed before the screen came into view is taken here; nil where it is.
  var refusesWaiting: SafeText? { get }
  /// Whether the heading stays in view under a screen that is opened over this one: it says who is in the room.
  var keepsHeading: Bool { get }
  /// What is said on a terminal too small for the screen.
  var smallNote: String { get }
  /// Whether the terminal must not lock itself now.
  var keepsUnlocked: Bool { get }
  /// Asked before the screen before is gone back to; false where the screen sees to that itself.
  func mayGoBack() -> Bool
  /// The screen is left for good.
  func leave()
  /// The terminal is given back: what the screen has begun outside this process ends.
  func close()
  /// Fits lists to the space there is.
  func layOut(_ region: Rect)
  /// Draws the screen into the region under the two header lines and above message and footer.
  func draw(on canvas: inout Canvas, in region: Rect)
}

extension AppScreen {
  var isAtStation: Bool { false }
  var pollInterval: Int64 { 200 }
  var typesText: Bool { false }
  func settle(before key: KeyEvent) {}
  func takes(_ key: KeyEvent) -> Bool { false }
  func showsInFooter(_ binding: Binding<Command>) -> Bool { true }
  func footerRank(_ binding: Binding<Command>) -> Int { 0 }
  func paste(_ text: String) {}
  func follow(_ rows: Set<RowKey>) -> Bool {
    refresh(rows)
    return true
  }
  func followHub() {}
  func clockMoved() {}
  var canForesee: Bool { true }
  func passTime(_ now: Int64) -> Bool { false }
  var deadline: Int64? { nil }
  var isFlashing: Bool { false }
  func actsWhenSmall(_ command: Command) -> Bool { false }
  func acts(over overlay: Overlay, _ command: Command) -> Bool { isAtStation && command == .helpCall }
  func patience(for command: Command) -> WaitingKeys.Patience { .outcome }
  var refusesWaiting: SafeText? { nil }
  var keepsHeading: Bool { false }
  var smallNote: String {
    let hasOwnKey = bindings.bindings.contains { $0.action == .quit }
    let quits = !typesText ? "Q quits. " : hasOwnKey ? "Ctrl-Q quits. " : ""
    return (isAtStation ? "! calls for help. " : "") + quits
      + "Make the terminal 80 by 24 to mark; nothing is lost."
  }
  var keepsUnlocked: Bool { false }
  func mayGoBack() -> Bool { true }
  func leave() {}
  func close() {}
  func layOut(_ region: Rect) {}
}

/// The second line of a screen.
struct Heading: Equatable {
  /// A word in reverse video that must not be overlooked, such as LEFT (round 3).
  var badge: SafeText = ""
  /// Whether the badge is an alarm.
  var isAlarm = false
  /// Number and name, or what the screen is about.
  var text: SafeText = ""
  /// What stands at the right.
  var trailing: SafeText = ""
  /// Who is in the room now, where that is another than the one the screen is about; at the right, not to be overlooked.
  var now: SafeText = ""
}

/// Everything that a key, or a line of the palette, can ask of a screen.
enum Command: Equatable, Sendable {
  // Everywhere.
  case move, find, open, back, quit, help, palette, repaint, undo, redo, escape, explainQuit, outbox
  // Choosing.
  case signIn, showAll, leadDesk
  // On a roster and a sheet.
  case attendance, candidateComment, stationComment, circuitComment, concern, missing, helpCall, instructions
  case hallMessages
  // Marking.
  case level, unable, clear, readLeft, readRight, feedback, goToItem, typeValue, previousSection, nextSection, fold
  case duplicateSection, nextRound, previousRound, blanksToNotDone, sign, signAnyway, nextForm, tags, markEarly
  /// A level by what it is worth.
  case mark(MarkKey)
  // The flow of a station session.
  case wrongCandidate, takeOver, history, strip, stripShown, jot, privacy, numberPad, padUnable, padBack, padNext
  case personComment, signOut, lock, paper, digits, visibility
  /// At the invigilator's desk.
  case desk(DeskCommand)
  /// At the exam lead's desk.
  case lead(LeadCommand)
  case results(ResultsCommandKey)
}

/// The last two keys and when they were pressed, by the loop's clock in milliseconds. Keys that a stalled line hands over
/// in one go were typed before anybody can have read what the first of them asked.
struct KeyTimes {
  private var before: KeyEvent?
  private var last: KeyEvent?

  /// Milliseconds within which keys come in one go: no person and no held key is that fast.
  private static let instant: Int64 = 10

  mutating func add(_ key: KeyEvent) { (before, last) = (last, key) }

  /// Whether the last key came in one go with the one before.
  var areTogether: Bool {
    guard let before, let last else { return false }
    return last.at - before.at < KeyTimes.instant
  }

  /// How long before the last press the same key was pressed; nil where another came between.
  var sinceSame: Int64? {
    guard let before, let last, before.key == last.key else { return nil }
    return last.at - before.at
  }
}
