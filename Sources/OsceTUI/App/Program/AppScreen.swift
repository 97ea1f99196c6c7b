import CircuitModel
import ExamStore
import Journal
import Terminal

/// One screen: a table of its keys, what is read for it, and how it looks. All else has an answer that fits most screens.
@MainActor
protocol AppScreen: KeyedScreen, FollowingScreen, TimedScreen, LeavableScreen {
  /// The screen's own keys; those that every screen has are appended by the program.
  nonisolated static var keys: KeyTable<Self> { get }
  var context: AppContext { get }
  /// What stands on the first line where that is no clock.
  var opening: ClockHeading.Opening { get }
  /// What stands on the second line, under the clock.
  var heading: Heading { get }
  /// How many rows at the top of its region stay in view under whatever lies over the screen.
  func rowsInView(of region: Rect) -> Int
  /// Fits lists to the space there is.
  func layOut(_ region: Rect)
  /// Draws the screen into the region under the two header lines and above message and footer.
  func draw(on canvas: inout Canvas, in region: Rect)
}

extension AppScreen {
  var title: String { Self.keys.title }
  var opening: ClockHeading.Opening { ClockHeading.Opening(text: SafeText(title)) }
  var keySources: [any KeySource] { [BoundTable(Self.keys, self)] }
  var isSignedIn: Bool { Self.keys.place != .nowhere }
  var typesText: Bool { Self.keys.typesText }
  var quitKey: SafeText? { typesText ? nil : context.key(of: EveryScreen.quit) }
  var smallNote: String {
    (context.isAtStation ? context.key(of: StationKeys.call).plain + " calls for help. " : "")
      + (quitKey.map { $0.plain + " quits. " } ?? "")
      + "Nothing is lost; osce needs \(ProgramLayout.least.width) columns by \(ProgramLayout.least.height) rows."
  }
  func rowsInView(of region: Rect) -> Int { 0 }
  func layOut(_ region: Rect) {}

  /// What a key is among the screen's own; nil where it is none of them.
  func ownKey(_ key: Key) -> BindingID? { Self.keys.name(of: key, context.configuration.keys)?.id }
}

/// What a screen does with keys, beside what its table says.
@MainActor
protocol KeyedScreen: AnyObject {
  /// What the screen is called where its keys are listed.
  var title: String { get }
  /// The screen's tables, each bound to what its keys act on; an earlier one has its keys before a later.
  var keySources: [any KeySource] { get }
  /// Whether somebody has signed in here; leaving for a screen where nobody has ends that.
  var isSignedIn: Bool { get }
  /// Whether letters are typed here, so that they cannot be keys of every screen.
  var typesText: Bool { get }
  /// Whether a key alone marks here.
  var marksByKey: Bool { get }
  /// What quits here; nil where no key does.
  var quitKey: SafeText? { get }
  /// What the key does here that goes back: from the first screen of a program it quits.
  var backLabel: String { get }
  /// What is said on a terminal too small for the screen.
  var smallNote: String { get }
  /// Moves the focus.
  func move(_ key: Key)
  /// Ends what an earlier key has left open until another comes, before that one is looked at.
  func settle(before key: KeyEvent)
  /// Takes a key before the tables see it, as a text field does.
  func takes(_ key: KeyEvent) -> Bool
  /// Takes pasted text; never commands.
  func paste(_ text: String)
  /// Asked before one of the screen's own keys acts.
  /// - Returns: false if it is not to, which the screen has then said.
  func begins(_ id: BindingID) -> Bool
  /// Whether the footer shows a key now; the help shows every key.
  func showsInFooter(_ name: KeyName) -> Bool
  /// How much a key is needed in a footer that has no room for all.
  func footerRank(_ name: KeyName) -> Int
  /// Why nothing that was typed before the screen came into view is taken here; nil where it is.
  var refusesWaiting: SafeText? { get }
  /// What the screen is about now, the widest first: a message about one of them goes when it does.
  var subjects: [Subject] { get }
  /// What the focus is on: why a key was refused is said of that.
  var focusSubject: Subject { get }
}

extension KeyedScreen {
  var marksByKey: Bool { false }
  var backLabel: String { "back" }
  func move(_ key: Key) {}
  func settle(before key: KeyEvent) {}
  func takes(_ key: KeyEvent) -> Bool { false }
  func paste(_ text: String) {}
  func begins(_ id: BindingID) -> Bool { true }
  func showsInFooter(_ name: KeyName) -> Bool { true }
  func footerRank(_ name: KeyName) -> Int { name.rank }
  var refusesWaiting: SafeText? { nil }
  var subjects: [Subject] { [] }
  var focusSubject: Subject { Subject(ObjectIdentifier(self)) }
}

/// How a screen follows what others save.
@MainActor
protocol FollowingScreen: AnyObject {
  /// How often the store is looked at for changes from elsewhere, in milliseconds.
  var pollInterval: Int64 { get }
  /// Reads all that it shows again.
  func reload()
  /// Takes in what other connections have changed; no rows where a clock has begun by itself.
  /// - Returns: false if nothing of it is shown here; then nothing is drawn. A screen that cannot tell reads all again.
  func follow(_ rows: Set<RowKey>) -> Bool
  /// The hub has taken or answered something, or waits for more.
  func followHub()
}

extension FollowingScreen {
  var pollInterval: Int64 { 200 }
  func reload() {}
  func follow(_ rows: Set<RowKey>) -> Bool {
    reload()
    return true
  }
  func followHub() {}
}

/// What time changes on a screen.
@MainActor
protocol TimedScreen: AnyObject {
  /// Time has passed: the clock shows something else.
  func clockMoved()
  /// Time has passed.
  /// - Parameter now: the loop's clock, in milliseconds.
  /// - Returns: whether the screen shows something else now.
  func passTime(_ now: Int64) -> Bool
  /// When `passTime` is wanted, in milliseconds of the loop's clock; nil for never.
  var deadline: Int64? { get }
  /// Whether what the screen shows is being read beside keys and clock.
  var isReading: Bool { get }
  /// Whether the first line is the clock of one circuit: it says nothing on a screen about the whole exam.
  var showsClock: Bool { get }
  /// Whether the whole screen is drawn reversed now.
  var isFlashing: Bool { get }
  /// Whether `clockMoved` can be called before its time: it goes by the clock that is shown alone, and reads a few rows
  /// at most.
  var canPrerender: Bool { get }
}

extension TimedScreen {
  func clockMoved() {}
  func passTime(_ now: Int64) -> Bool { false }
  var deadline: Int64? { nil }
  var isReading: Bool { false }
  var showsClock: Bool { true }
  var isFlashing: Bool { false }
  var canPrerender: Bool { true }
}

/// How a screen lies among the others, and how it is left.
@MainActor
protocol LeavableScreen: AnyObject {
  /// Whether the heading stays in view under a screen that is opened over this one: it says who is in the room.
  var keepsHeading: Bool { get }
  /// Whether the terminal must not lock itself now.
  var keepsUnlocked: Bool { get }
  /// Asked before the screen before is gone back to; false where the screen sees to that itself.
  func mayGoBack() -> Bool
  /// Asked of every screen before it is asked whether to quit; false where something waits, which it says.
  func mayQuit() -> Bool
  /// The screen is left for good.
  func leave()
  /// The terminal is given back: what the screen has begun outside this process ends.
  func close()
}

extension LeavableScreen {
  var keepsHeading: Bool { false }
  var keepsUnlocked: Bool { false }
  func mayGoBack() -> Bool { true }
  func mayQuit() -> Bool { true }
  func leave() {}
  func close() {}
}

/// The second line of a screen.
struct Heading: Equatable {
  /// A word in reverse video that must not be overlooked, such as LEFT (round 3).
  var badge: SafeText = ""
  /// Whether the badge is an alarm.
  var isAlarm = false
  /// Number and name, or what the screen is about.
  var text: SafeText = ""
  /// The same in fewer columns, the longest first.
  var shorterTexts: [SafeText] = []
  /// Whether it is a candidate's: what stands at the right falls off before the surname is cut.
  var isOfCandidate = false
  /// What stands at the right.
  var trailing: SafeText = ""
  /// The same of a candidate in fewer columns, once it would shorten anything else; empty where there is none.
  var shorterTrailing: SafeText = ""
  /// What calls for action, before that.
  var urgent: SafeText = ""
  /// How much was written of the candidate, before that: it is never dim.
  var written: SafeText = ""
  /// Who is in the room now, where that is another than the one the screen is about; at the right, not to be overlooked.
  /// The longest wording comes first, and the last stands only where nothing else leaves room for it.
  var nows: [Next] = []

  /// Somebody else than the one a screen is about, and the key that goes there: it is never cut.
  struct Next: Equatable {
    var who: SafeText
    var key: SafeText

    var width: Int { who.width + key.width }
  }
}
