import Glibc
import TerminalTesting
import Testing

@testable import Terminal

/// Notes what happens to it and answers with what it was given.
@MainActor
final class Recorder {
  var events: [TerminalEvent] = []
  var keys: [String] = []
}

struct ScriptedProgram: TerminalProgram {
  let recorder = Recorder()
  var deadline: Int64?
  var answer: @MainActor (TerminalEvent) -> [TerminalEffect]

  init(deadline: Int64? = nil, answer: @escaping @MainActor (TerminalEvent) -> [TerminalEffect]) {
    self.deadline = deadline
    self.answer = answer
  }

  mutating func update(_ event: TerminalEvent) -> [TerminalEffect] {
    recorder.events.append(event)
    if case .key(let event) = event { recorder.keys.append(event.key.name) }
    if case .deadline = event { deadline = nil }
    return answer(event)
  }

  func view(_ size: Size) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.draw(SafeText(recorder.keys.joined()), in: canvas.bounds)
    return canvas
  }
}

@MainActor
@Suite("Event loop", .serialized)
struct EventLoopTests {
  private func loop(_ screen: HeadlessScreen, _ waker: Waker? = nil) throws -> EventLoop {
    try EventLoop(screen: screen, waker: try waker ?? Waker())
  }

  private func exits(on name: String, code: Int32 = 0) -> @MainActor (TerminalEvent) -> [TerminalEffect] {
    { event in
      if case .key(let event) = event, event.key == Key(named: name) { return [.exit(code)] }
      return []
    }
  }

  @Test("keys are handled in order, and drawn once if they came together")
  func order() throws {
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    var lastSeen = 0
    var program = ScriptedProgram { event in
      if case .key(let event) = event, event.key == "c" {
        lastSeen = screen.frames.count
        screen.type("q".utf8)
      }
      if case .key(let event) = event, event.key == "q" { return [.exit(7)] }
      return []
    }
    screen.type("abc".utf8)
    #expect(try loop(screen).run(&program) == 7)
    #expect(program.recorder.keys == ["a", "b", "c", "q"])
    #expect(lastSeen == 1)
    #expect(screen.frames.first?.plainText == "\n\n")
  }

  @Test("the first event is the size, and a new size is told before the next frame")
  func resize() throws {
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    var program = ScriptedProgram { event in
      if case .resized(let size) = event {
        if size.width == 20 {
          screen.resize(to: Size(width: 1, height: 1))
          raise(SIGWINCH)
        } else {
          return [.exit(0)]
        }
      }
      return []
    }
    #expect(try loop(screen).run(&program) == 0)
    #expect(
      program.recorder.events
        == [.resized(Size(width: 20, height: 2)), .resized(Size(width: 1, height: 1))])
  }

  @Test("another thread wakes the loop")
  func wake() throws {
    let waker = try Waker()
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    var program = ScriptedProgram { $0 == .woken ? [.exit(0)] : [] }
    Task.detached { waker.wake() }
    #expect(try loop(screen, waker).run(&program) == 0)
  }

  @Test("a deadline is served, not before its time")
  func deadline() throws {
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    let due = MonotonicClock.now + 15
    var servedAt: Int64 = 0
    var program = ScriptedProgram(deadline: due) { event in
      if case .deadline(let now) = event {
        servedAt = now
        return [.exit(0)]
      }
      return []
    }
    #expect(try loop(screen).run(&program) == 0)
    #expect(servedAt >= due)
  }

  @Test("an Esc key needs no further key to be told")
  func escape() throws {
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    screen.type([0x1B])
    var program = ScriptedProgram(answer: exits(on: "esc"))
    #expect(try loop(screen).run(&program) == 0)
  }

  @Test("a lost terminal is told once, nothing more is drawn, and work that is under way may end")
  func hangup() throws {
    let waker = try Waker()
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    var framesAtHangup = -1
    var program = ScriptedProgram { event in
      switch event {
      case .key: screen.hangUp()
      case .hangup:
        framesAtHangup = screen.frames.count
        // The kernel tells of a lost terminal twice: on the descriptor and by a signal.
        raise(SIGHUP)
        waker.wake()
      case .woken where framesAtHangup >= 0: return [.exit(5)]
      default: break
      }
      return []
    }
    screen.type("a".utf8)
    #expect(try loop(screen, waker).run(&program) == 5)
    #expect(program.recorder.events.filter { $0 == .hangup }.count == 1)
    #expect(screen.frames.count == framesAtHangup)
  }

  @Test("a program that does nothing about a lost terminal is ended all the same")
  func hangupGrace() throws {
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    screen.hangUp()
    var program = ScriptedProgram { _ in [] }
    #expect(try loop(screen).run(&program) == EventLoop.hangupCode)
  }

  @Test("SIGHUP, SIGTERM and SIGINT reach the program")
  func signals() throws {
    // Under nohup a hang-up is ignored, and the loop leaves that as it is.
    let inherited = signal(SIGHUP, SIG_DFL)
    defer { signal(SIGHUP, inherited) }
    for (signal, expected) in [
      (SIGHUP, TerminalEvent.hangup), (SIGTERM, .terminated(SIGTERM)), (SIGINT, .terminated(SIGINT)),
    ] {
      let screen = HeadlessScreen(size: Size(width: 20, height: 2))
      var program = ScriptedProgram { event in
        if case .resized = event { raise(signal) }
        return event == expected ? [.exit(9)] : []
      }
      #expect(try loop(screen).run(&program) == 9)
    }
  }

  @Test("a stalled terminal loses frames and no keys")
  func stall() throws {
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    screen.isStalled = true
    screen.type("abc".utf8)
    var program = ScriptedProgram { event in
      if case .key(let event) = event, event.key == "c" { screen.type("q".utf8) }
      if case .key(let event) = event, event.key == "q" { return [.exit(0)] }
      return []
    }
    #expect(try loop(screen).run(&program) == 0)
    #expect(program.recorder.keys == ["a", "b", "c", "q"])
    #expect(screen.frames.map(\.plainText) == ["abc\n\n"])
  }

  @Test("bell and repaint are done")
  func effects() throws {
    let screen = HeadlessScreen(size: Size(width: 20, height: 2))
    screen.type("q".utf8)
    var program = ScriptedProgram { event in
      if case .key = event { return [.bell, .repaint, .exit(0)] }
      return []
    }
    #expect(try loop(screen).run(&program) == 0)
    #expect(screen.calls == ["ring", "repaint"])
  }

  @Test("a rehearsal plays keys and time without a terminal")
  func rehearsal() {
    var rehearsal = Rehearsal(ScriptedProgram(deadline: 5_000, answer: exits(on: "q")), size: Size(width: 9, height: 1))
    rehearsal.press("a", "ctrl-o")
    rehearsal.type("bc")
    #expect(rehearsal.screen == "actrl-obc\n")
    rehearsal.pass(milliseconds: 5_000)
    #expect(rehearsal.program.recorder.events.contains(.deadline(5_000)))
    #expect(!rehearsal.hasExited)
    rehearsal.press("q")
    #expect(rehearsal.hasExited)
  }
}
