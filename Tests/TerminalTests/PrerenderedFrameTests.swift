import Glibc
import TerminalTesting
import Testing

@testable import Terminal

/// A program whose screen changes at known instants, like a clock's.
struct ClockProgram: TerminalProgram {
  /// What happened, in order.
  @MainActor final class Log {
    var deadlines: [Int64] = []
    var shown: [Int64] = []
    var made = 0
  }

  let log = Log()
  let step: Int64
  let prerenders: Bool
  var keys = 0
  var onPrerender: @MainActor () -> Void = {}
  let last: Int

  /// The next multiple of `step`, worked out from the time: once it has come, the one after it.
  private var next: Int64 { (MonotonicClock.now / step + 1) * step }

  var deadline: Int64? { next }
  var prerenderDue: Int64? { prerenders ? next : nil }

  mutating func update(_ event: TerminalEvent) -> [TerminalEffect] {
    switch event {
    case .deadline(let now): log.deadlines.append(now)
    case .prerenderShown(let now): log.shown.append(now)
    case .key: keys += 1
    case .woken: return [.exit(1)]
    default: break
    }
    // An instant that a busy machine has missed is a deadline: the next one is waited for.
    if (prerenders ? log.shown.count : log.deadlines.count) >= last { return [.exit(0)] }
    if case .key = event { return [] }
    return [.unchanged]
  }

  func view(_ size: Size) -> Canvas { canvas("now \(keys)", size) }

  mutating func prerender(_ size: Size) -> Canvas {
    log.made += 1
    onPrerender()
    return canvas("ahead \(keys)", size)
  }

  private func canvas(_ text: String, _ size: Size) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.draw(SafeText(text), in: canvas.bounds)
    return canvas
  }
}

/// Wakes a loop after a minute and a half, which is after every test has ended that does not hang.
private func wakeInVain(_ waker: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  sleep(90)
  waker.map { Unmanaged<Waker>.fromOpaque($0).takeRetainedValue().wake() }
  return nil
}

@MainActor
@Suite("Frames at their instants", .serialized)
struct PrerenderedFrameTests {
  private func run(_ program: inout ClockProgram, _ screen: HeadlessScreen) throws -> Int32 {
    let waker = try Waker()
    // A loop that misses its instants would wait for ever.
    var patience = pthread_t()
    pthread_create(&patience, nil, wakeInVain, Unmanaged.passRetained(waker).toOpaque())
    pthread_detach(patience)
    return try EventLoop(screen: screen, waker: waker).run(&program)
  }

  @Test("a deadline that is worked out from the time is served when it has come")
  func movingDeadline() throws {
    var program = ClockProgram(step: 40, prerenders: false, last: 4)
    #expect(try run(&program, HeadlessScreen(size: Size(width: 20, height: 1))) == 0)
    #expect(program.log.deadlines.count == 4)
  }

  @Test("a frame that was made before its time is shown at its instant, and the program is told")
  func prerendered() throws {
    var program = ClockProgram(step: 300, prerenders: true, last: 2)
    let screen = HeadlessScreen(size: Size(width: 20, height: 1))
    #expect(try run(&program, screen) == 0)
    #expect(program.log.made >= 1)
    let shown = try #require(program.log.shown.first)
    #expect(shown >= 300)
    #expect(screen.frames.map(\.plainText).filter { $0.hasPrefix("ahead") }.count == program.log.shown.count)
  }

  @Test(
    "a key that comes after the frame was made is drawn at once, as of now, and what was drawn ahead is not seen early")
  func keyBetween() throws {
    let screen = HeadlessScreen(size: Size(width: 20, height: 1))
    var program = ClockProgram(step: 400, prerenders: true, last: 1)
    var isFirst = true
    program.onPrerender = {
      if isFirst { screen.type("x".utf8) }
      isFirst = false
    }
    #expect(try run(&program, screen) == 0)
    let texts = screen.frames.map { $0.plainText.split(separator: "\n").first.map(String.init) ?? "" }
    // Instants that were missed show the same again.
    let changes = texts.enumerated().filter { $0.offset == 0 || texts[$0.offset - 1] != $0.element }.map(\.element)
    #expect(changes.prefix(2) == ["now 0", "now 1"])
    #expect(!texts.contains("ahead 0"))
  }
}
