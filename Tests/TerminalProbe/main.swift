// A small program for the tests that need a real terminal: it shows the keys it was given, and can crash.
import Glibc
import Terminal

struct Probe: TerminalProgram {
  var keys: [String] = []
  var ticks = 0
  var count = 0
  var deadline: Int64?
  let flood: Bool
  let log: Int32

  mutating func update(_ event: TerminalEvent) -> [TerminalEffect] {
    switch event {
    case .key(let event):
      if event.key != "+" { keys.append(event.key.name) }
      note("key \(event.key.name)\n")
      return act(event.key)
    case .paste(let text):
      note("paste \(text.utf8.count)\n")
    case .prerenderShown, .unreadable: break
    case .deadline:
      ticks += 1
      deadline = MonotonicClock.now + 20
    case .hangup:
      note("hangup\n")
    case .terminated(let signal):
      note("terminated \(signal)\n")
      return [.exit(128 + signal)]
    case .suspending: note("suspending\n")
    case .resumed: note("resumed\n")
    case .resized(let size): note("size \(size.width)x\(size.height) of \(getpid())\n")
    case .woken: break
    }
    return []
  }

  private mutating func act(_ key: Key) -> [TerminalEffect] {
    switch key {
    case "q": return [.exit(0)]
    case "t": deadline = MonotonicClock.now
    case "+": count += 1
    case "ctrl-l": return [.repaint]
    case "A": abort()
    case "T": fatalError("as asked")
    case "E": exit(3)
    default: break
    }
    return []
  }

  private func note(_ line: String) {
    if log >= 0 { _ = line.withCString { write(log, $0, strlen($0)) } }
  }

  func view(_ size: Size) -> Canvas {
    var canvas = Canvas(size: size)
    let theme = Theme.standard()
    let title = canvas.draw([("PROBE é 漢字", theme[.title])], in: canvas.bounds)
    canvas.draw(" count \(count)", at: Point(x: title, y: 0))
    canvas.draw("\(keys.suffix(8).joined(separator: " "))", in: canvas.bounds, row: 1)
    if flood {
      for row in 2..<max(2, size.height) {
        for column in stride(from: 0, to: size.width, by: 2) {
          canvas.draw("\((ticks + row + column) % 10)", at: Point(x: column, y: row), style: Style(.red))
        }
      }
    }
    canvas.cursor = Point(x: 3, y: 1)
    return canvas
  }
}

TerminalEncoding.adoptUserLocale()
do {
  let screen = try CursesScreen(type: getenv("TERM").map { String(cString: $0) })
  let log = getenv("PROBE_LOG").map { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o600) } ?? -1
  var probe = Probe(flood: CommandLine.arguments.contains("flood"), log: log)
  if probe.flood { probe.deadline = MonotonicClock.now }
  let loop = try EventLoop(screen: screen, waker: Waker())
  exit(loop.run(&probe))
} catch {
  _ = "probe: \(error)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(1)
}
