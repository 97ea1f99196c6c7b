import GRDB
import Journal
import Terminal
import TerminalTesting
import Testing

@testable import CircuitModel
@testable import ExamStore
@testable import OsceTUI

@MainActor @Suite("The outbox on screen")
struct OutboxScreenTests {
  private func expect(_ name: String, _ play: Rehearsed, at place: SourceLocation = #_sourceLocation) {
    let difference = GoldenScreen.difference(play.screen, "outbox-\(name)-80x24")
    #expect(difference == nil, Comment(rawValue: difference ?? ""), sourceLocation: place)
  }

  @Test("without a hub it lists what is sent nowhere, and goes back to the sheet that lies under it")
  func withoutHub() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST").press("1", "1")
    play.press(":").type("outbox\n")
    expect("no-hub", play)
    play.press("G")
    expect("scrolled", play)
    play.press("?")
    expect("help", play)
    play.press(.escape, "q")
    #expect(play.context.screen is SheetScreen)
  }

  @Test("with a hub it counts what the header counts, follows what is saved, and names what needs a person")
  func withHub() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try play.acknowledge()
    play.press("ctrl-t")
    expect("empty", play)
    play.press("q", "1", "1", "ctrl-t").pass(seconds: 1)
    expect("waiting", play)
    let mark = try play.store.read { db in
      try String.fetchAll(db, sql: "SELECT id FROM operation WHERE hubSeq IS NULL ORDER BY deviceSeq").last
    }
    let last = try play.store.read { try Int64.fetchOne($0, sql: "SELECT max(hubSeq) FROM operation") } ?? 0
    let waiting = try play.store.read { try Outbox.waiting($0) }
    #expect(play.screen.contains("\(waiting) changes not at the hub yet"))
    let other = try play.atSameStore()
    try other.store.ingest(answers: [
      HubAnswer(id: OperationID(try #require(mark))!, hubSeq: last + 9, result: .rejected(.role))
    ]) { _ in }
    play.pass(seconds: 1)
    expect("refused", play)
    #expect(play.screen.contains("REFUSED: not allowed"), "what needs nobody's room leaves it to the state")
    try play.store.acknowledge()
    play.pass(seconds: 1)
    #expect(play.screen.contains("everything is at the hub"))
    #expect(play.screen.contains("1 needs attention"))
  }

  @Test("beside a long heading the hub's note is shorter, and nothing is cut inside a word") func longHeading() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try play.acknowledge()
    play.press("1", "q", "q").pass(seconds: 1)
    let line = play.lines[1]
    #expect(line.hasPrefix("Before you leave: all so far "), "\(line)")
    #expect(line.contains(" missing, 15 optional, 7 due later"), "\(line)")
    #expect(line.split(separator: " ").last == "waiting", "\(line)")
  }

  @Test("it is read beside the keys, and where that takes long not again for twenty times as long")
  func readsAside() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    play.isHeld = true
    play.press("ctrl-t")
    let outbox = try #require(play.context.screen as? OutboxScreen)
    #expect(outbox.isReading && play.screen.contains("Outbox: reading…"), "\(play.screen)")
    play.clocks.passLoop(2000)
    play.isHeld = false
    play.settle()
    #expect(!outbox.isReading && play.screen.contains("changes not sent anywhere"), "\(play.screen)")
    play.isHeld = true
    play.passTime(30_000)
    #expect(!outbox.isReading)
    play.passTime(15_000)
    #expect(outbox.isReading)
    play.isHeld = false
    play.settle()
  }

  @Test("nobody who has not signed in sees whom it names") func signIn() throws {
    let play = try Rehearsed()
    play.context.push(SignInScreen(play.context))
    play.press("ctrl-t")
    #expect(play.context.screen is SignInScreen)
    #expect(play.screen.contains("sign in first"))
    play.type("okafor\n").press("ctrl-t")
    #expect(play.context.screen is OutboxScreen)
    play.press("q")
    #expect(play.context.screen is SessionsScreen)
  }

  @Test("every screen says beside what waits that the hub is away, and that somebody must act where it refuses")
  func hubAway() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try play.acknowledge()
    let other = try play.atSameStore()
    let lost = play.store.clock.now
    func say(_ state: SyncState.Work, _ trouble: String?) throws {
      try other.store.note(SyncState(attemptAt: lost, contactAt: lost, state: state, trouble: trouble))
      play.pass(seconds: 1)
    }
    try say(.wait, nil)
    #expect(!play.screen.contains("no hub since"))
    play.pass(seconds: 101)
    let since = "no hub since \(LocalTime.reading(of: lost).minute)"
    #expect(play.screen.contains(since), "\(play.screen)")
    play.press("1", "1").pass(seconds: 1)
    #expect(play.screen.contains(" waiting, " + since))
    try say(.blocked, "this device was revoked at the hub")
    #expect(play.screen.contains("HUB: Ctrl-T") && !play.screen.contains(since), "\(play.screen)")
    let desk = try play.desk("psharma")
    desk.pass(seconds: 1)
    #expect(desk.screen.contains("HUB: Ctrl-T"), "\(desk.screen)")
    try say(.wait, nil)
    #expect(!play.screen.contains("HUB:"))
  }

  @Test("what is shown of the hub is what holds by now, as long as it is open") func hubByNow() throws {
    let play = try Rehearsed().mark("nokafor", at: "CHEST")
    try play.acknowledge()
    let other = try play.atSameStore()
    let contact = play.store.clock.now
    func say(_ state: SyncState.Work, _ trouble: String?) throws {
      try other.store.note(SyncState(attemptAt: contact, contactAt: contact, state: state, trouble: trouble))
      play.pass(seconds: 2)
    }
    try say(.wait, nil)
    play.press("ctrl-t", "h")
    #expect(play.screen.contains("in contact"), "\(play.screen)")
    try say(.backoff, "no contact with the hub: refused")
    #expect(play.screen.contains("no contact with the hub: refused") && !play.screen.contains("in contact"))
    play.press(.escape)
    let desk = try play.desk("wbarker").press("ctrl-t")
    #expect(desk.screen.contains("no contact with the hub"))
    try say(.wait, nil)
    #expect(!desk.screen.contains("no contact with the hub"), "\(desk.screen)")
  }

  @Test("at the desk it lies over the clocks, and p pauses all the same") func desk() throws {
    let desk = try Rehearsed().desk("psharma")
    desk.press("ctrl-t")
    #expect(desk.context.screen is DeskScreen)
    expect("desk", desk)
    desk.press(.escape)
    #expect(desk.context.overlay == nil)
  }
}
