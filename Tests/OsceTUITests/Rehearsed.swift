import Foundation
import Journal
import SystemTesting
import Terminal
import TerminalTesting
import Testing
import Timer

import class GRDB.Database

@testable import CircuitModel
@testable import ExamFiles
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// The year 3 exam in a store of its own, and a program on a terminal of letters that plays on it. Clocks stand until
/// they are set; every key is followed by its save, unless the disk is held.
@MainActor
final class Rehearsed {
  let folder: String
  let store: ExamStore
  let context: AppContext
  let clocks: TestClocks
  private var rehearsal: Rehearsal<ScreenProgram>
  private let ownsFolder: Bool
  private let done = DispatchSemaphore(value: 0)
  /// Whether keys go on without waiting for their saves.
  var isHeld = false

  /// 2026-12-07T09:00:00Z, when the morning's session is planned to start.
  nonisolated static let start: Int64 = 1_796_634_000_000

  /// - Parameter size: of the terminal.
  convenience init(
    _ size: (Int, Int) = (80, 24), theme: Theme = .standard(), configuration: Configuration = Configuration(),
    hasQuietClock: Bool = false
  ) throws {
    try self.init(
      size, theme: theme, folder: Fixture.copy(), clocks: TestClocks(now: Rehearsed.start), owns: true,
      configuration: configuration, hasQuietClock: hasQuietClock)
  }

  /// The exam that has every kind of item, at its first station, in the first rotation.
  static func allKinds(
    _ size: (Int, Int) = (80, 24), theme: Theme = .standard(), as username: String = "nokafor",
    at station: String = "KINDS"
  ) throws -> Rehearsed {
    let play = try Rehearsed(
      size, theme: theme, folder: Fixture.copy(allKinds: true), clocks: TestClocks(now: Rehearsed.start), owns: true)
    try play.startClock("All kinds", station: station)
    return try play.sit(username, at: station, "All kinds").press(.enter)
  }

  /// Another terminal of the same exam on the same machine.
  func atSameStore() throws -> Rehearsed {
    try Rehearsed((80, 24), theme: .standard(), folder: folder, clocks: clocks, owns: false)
  }

  /// The same, or another terminal of the same exam where this one has closed its store.
  var readable: Rehearsed { get throws { hasExited ? try atSameStore() : self } }

  private init(
    _ size: (Int, Int), theme: Theme, folder: String, clocks: TestClocks, owns: Bool,
    configuration: Configuration = Configuration(), hasQuietClock: Bool = false
  ) throws {
    TestLocale.use()
    LocalTime.use(zone: "Europe/London")
    self.folder = folder
    self.clocks = clocks
    ownsFolder = owns
    store = try ExamStore(StoreLocation(path: folder + "/exam.sqlite"), .existing, system: clocks.system)
    context = AppContext(store: store, theme: theme, hasQuietClock: hasQuietClock, configuration: configuration) {
      clocks.loop
    }
    let done = done
    store.onCompletion { done.signal() }
    rehearsal = Rehearsal(ScreenProgram(context), size: Size(width: size.0, height: size.1), now: 0)
  }

  deinit {
    store.close()
    if ownsFolder { try? FileManager.default.removeItem(atPath: folder) }
  }

  // MARK: Playing

  /// Presses keys by their names, and waits until each is saved.
  @discardableResult func press(_ keys: Key...) -> Self {
    for key in keys { pressOne(key) }
    return self
  }

  private func pressOne(_ key: Key) {
    clocks.passLoop(pace)
    rehearsal.now = clocks.loop
    rehearsal.send(.key(KeyEvent(key, at: clocks.loop)))
    settle()
  }

  /// Milliseconds between two keys.
  var pace: Int64 = 1000

  /// Types a text, character by character.
  @discardableResult func type(_ text: String) -> Self {
    for character in text { pressOne(character == "\n" ? .enter : .character(character)) }
    return self
  }

  /// Presses keys as a held key or a stalled line brings them: without a gap, their saves coming after all of them.
  @discardableResult func burst(_ text: String) -> Self {
    let (wasHeld, before) = (isHeld, pace)
    clocks.passLoop(1000)
    (isHeld, pace) = (true, 0)
    type(text)
    (isHeld, pace) = (wasHeld, before)
    settle()
    return self
  }

  @discardableResult func send(_ event: TerminalEvent) -> Self {
    rehearsal.send(event)
    settle()
    return self
  }

  /// Waits until nothing waits for the disk, and what the screen reads is there, and tells the program.
  func settle() {
    if isHeld { return }
    rehearsal.send(.woken)
    // What a completion began is waited for too. A program that has ended is told of nothing.
    while store.pendingWrites > 0, !hasExited {
      done.wait()
      rehearsal.send(.woken)
    }
    func isReading() -> Bool { context.screen?.isReading == true && !hasExited }
    if !isReading() { return }
    eventually(every: .milliseconds(2)) {
      rehearsal.send(.deadline(clocks.loop))
      return !isReading()
    }
  }

  /// Waits until the writer thread has ended one change more, and does not tell the program.
  func awaitWriter(after begin: () throws -> Void) rethrows {
    while done.wait(timeout: .now()) == .success {}
    try begin()
    done.wait()
  }

  /// Lets time pass on every clock, and the program look at them.
  @discardableResult func pass(seconds: Int64) -> Self {
    clocks.pass(seconds * 1000)
    return send(.deadline(clocks.loop))
  }

  /// Lets time pass on the loop's clock alone, and the program look at it.
  @discardableResult func passTime(_ milliseconds: Int64) -> Self {
    clocks.passLoop(milliseconds)
    return send(.deadline(clocks.loop))
  }

  func resize(_ width: Int, _ height: Int) { rehearsal.resize(Size(width: width, height: height)) }

  /// The frame that is made before the clock's next change.
  func prerender() -> (lines: [String], canvas: Canvas) {
    let canvas = rehearsal.program.prerender(rehearsal.size)
    send(.prerenderShown(clocks.loop))
    return (canvas.plainText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), canvas)
  }

  // MARK: Looking

  var screen: String { rehearsal.screen }
  /// The screen's words with one blank between any two, for what is wrapped on it.
  var text: String { screen.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  /// What is within the frame of a box, with one blank between any two words.
  var box: String {
    lines.filter { $0.contains("│") }.flatMap { $0.split(separator: "│")[1].split(separator: " ") }
      .joined(separator: " ")
  }
  var styled: String { rehearsal.canvas.styledText }
  var canvas: Canvas { rehearsal.canvas }
  var lines: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  /// The line that answers keys.
  var message: String { context.message.text.plain }
  var hasExited: Bool { rehearsal.hasExited }
  var effects: [TerminalEffect] { rehearsal.effects }
  var table: BindingTable<BindingID> { rehearsal.program.keys.listing }
  var deadline: Int64? { rehearsal.program.deadline }

  /// The open sheet's screen.
  var sheetScreen: SheetScreen { context.screen as! SheetScreen }
  var sheet: Sheet { sheetScreen.sheet! }
  /// The number of the focused item.
  var focus: Int? { sheetScreen.focusedItem.flatMap { sheetScreen.rows.number(of: $0) } }
  /// The item of a number.
  func item(_ number: Int) -> SheetItem { sheet.items[number - 1] }

  // MARK: The exam

  func session(_ station: String, _ circuit: String = "Blue circuit", _ start: String = "09:00") throws
    -> StationSession
  {
    try store.read { db in
      try StationSession.all(in: db).first {
        $0.stationCode == station && $0.circuit.name == circuit && $0.session.startTime == start
      }!
    }
  }

  func member(_ username: String) throws -> StaffMember {
    try store.read { try StaffMember.find(username: username, in: $0) }
  }

  /// Gives a station the sheets of another as well, after its own: all of them for each candidate, or one.
  func addSheet(of other: String, to station: String, oneOf isOne: Bool = false) throws {
    let (station, other) = (try session(station).station, try session(other).station)
    let form = try count("SELECT typeFormID FROM availableForm WHERE activityTypeID = \(other)")
    try store.write(.program) {
      if isOne { try $0.set("ActivityType", String(station), ["forms": .text("one")]) }
      try $0.create(
        "AvailableForm", "900001",
        ["activityType": .integer(Int64(station)), "typeForm": .integer(Int64(form)), "order": .integer(2)])
    }
  }

  /// Starts the morning's clock of a circuit, `seconds` ago, and lets it run through the reading into the rotation.
  func startClock(_ circuit: String = "Blue circuit", seconds: Int64 = 75, station: String = "CHEST") throws {
    let session = try session(station, circuit)
    let start = store.clock.now - seconds * 1000
    try store.write(.program) { _ = try ClockLog.append(.start, to: session.session, at: start, in: $0) }
  }

  func clock(_ action: ClockAction, _ circuit: String = "Blue circuit") throws {
    let session = try session("CHEST", circuit)
    try store.write(.program) { _ = try ClockLog.append(action, to: session.session, at: store.clock.now, in: $0) }
    send(.resumed)
  }

  /// Marks every item of the open sheet with its best level, or its worst, and signs it.
  func signAll(as username: String, worst: Bool = false) throws {
    let (sheet, author) = (sheet, Author(staff: try member(username).id))
    try store.write(author) { transaction in
      for item in sheet.items where item.template.kind.takesLevel {
        let levels = item.template.levels
        _ = try Marking(transaction).mark(item, level: worst ? levels.first! : levels.last!)
      }
      try Signing.sign(sheet, in: transaction)
    }
  }

  /// Signs CONSENT's first sheet for both assessors: the first's with the best marks, the second's with the worst.
  /// - Returns: the second assessor's terminal.
  @discardableResult func markApart() throws -> Rehearsed {
    try mark("mlindqvist", at: "CONSENT")
    try signAll(as: "mlindqvist")
    let second = try atSameStore().sit("rfitzgerald", at: "CONSENT").press(.enter)
    try second.signAll(as: "rfitzgerald", worst: true)
    return second
  }

  /// Waits for the look at the whole store, which a thread of its own takes.
  func awaitExamination(at place: SourceLocation = #_sourceLocation) {
    awaitThreads(at: place) { deadline == nil || !screen.contains("EXAMINING") }
  }

  /// Lets time pass on the loop's clock until what the program's own threads do has come to something.
  func awaitThreads(at place: SourceLocation = #_sourceLocation, until hasCome: () -> Bool) {
    eventually(every: .milliseconds(20), at: place) {
      if hasCome() { return true }
      passTime(500)
      return false
    }
  }

  /// Sits a member of staff down at a station, as `osce mark` does.
  @discardableResult func sit(_ username: String, at station: String, _ circuit: String = "Blue circuit") throws -> Self
  {
    let session = try session(station, circuit)
    let (sitting, found) = try AssessorTerminal.begin(try member(username), timetable: session.timetable, store)
    AssessorTerminal.open(found, sitting: sitting, in: context)
    send(.resized(rehearsal.size))
    return self
  }

  /// Sits a member of staff down at the invigilator's desk, over all circuits.
  @discardableResult func desk(_ username: String = "nokafor") throws -> Self {
    DeskTerminal.openDesk(try member(username), in: context)
    settle()
    // Most who play the invigilator here are assessors, and are asked.
    if case .confirmation = context.overlay { press(.enter) }
    send(.resized(rehearsal.size))
    return self
  }

  /// The invigilator's desk in the first rotation of the blue circuit's morning.
  static func runningDesk() throws -> Rehearsed {
    let play = try Rehearsed()
    try play.startClock()
    return try play.desk()
  }

  /// Sits the exam lead down at the grid.
  @discardableResult func lead() throws -> Self {
    LeadTerminal.openDesk(try member("cdubois"), in: context)
    settle()
    send(.resized(rehearsal.size))
    return self
  }

  /// The clock's events of a circuit's morning, in the order in which they take effect.
  func log(_ circuit: String = "Blue circuit") throws -> [ClockLogEntry] {
    let session = try session("CHEST", circuit).session
    return try store.read { try ClockLogEntry.all(of: session, in: $0) }
  }

  /// Sits down in the first rotation and passes the identity step.
  @discardableResult func mark(_ username: String, at station: String, _ circuit: String = "Blue circuit") throws
    -> Self
  {
    try startClock(circuit)
    try sit(username, at: station, circuit)
    return press(.enter)
  }

  /// The number that a query gives.
  func count(_ sql: String) throws -> Int { try read { try Fixture.count(sql, $0) } }

  /// Reads the store, and keeps it open meanwhile.
  func read<T>(_ body: (Database) throws -> T) throws -> T { try withExtendedLifetime(self) { try store.read(body) } }
}

/// Clocks that stand still until they are set.
final class TestClocks: @unchecked Sendable {
  private let lock = NSLock()
  private var time: Int64
  private var loopTime: Int64 = 1_000_000
  private var wallStep: Int64 = 0

  init(now: Int64) { time = now }

  var system: SystemClock {
    SystemClock(
      wall: { [self] in lock.withLock { time + wallStep } },
      boot: { [self] in lock.withLock { time - Rehearsed.start + 500_000 } },
      bootID: { "boot" })
  }

  /// The loop's clock.
  var loop: Int64 { lock.withLock { loopTime } }

  /// Sets the wall clock alone, as `date -s` does.
  func stepWall(_ milliseconds: Int64) { lock.withLock { wallStep += milliseconds } }

  func passLoop(_ milliseconds: Int64) { lock.withLock { loopTime += milliseconds } }

  func pass(_ milliseconds: Int64) {
    lock.withLock {
      time += milliseconds
      loopTime += milliseconds
    }
  }
}

/// Texts in tests are drawn as in a UTF-8 locale, whatever the machine's.
enum TestLocale {
  private static let isUTF8 = setlocale(LC_CTYPE, "C.UTF-8") != nil || setlocale(LC_CTYPE, "C.utf8") != nil

  static func use() { precondition(isUTF8, "the tests need the locale C.UTF-8") }
}
