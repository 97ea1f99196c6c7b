import CircuitModel
import ExamStore
import Reports
import Terminal

/// Takes this process's terminal for a program, and gives it back.
@MainActor
enum TerminalRun {
  /// - Parameter make: makes the program once the terminal's look is known.
  /// - Returns: the exit code.
  /// - Throws: `TerminalError` if there is no usable terminal, `StoreError` if the configuration file is wrong.
  static func run(_ store: ExamStore, _ make: (Theme) -> some TerminalProgram) throws -> Int32 {
    try Configuration.load()
    StoreLock.longWait.withLock { $0 = nil }
    TerminalEncoding.adoptUserLocale()
    let environment = ProcessEnvironment.current
    let screen = try CursesScreen(type: environment["TERM"])
    let theme = Theme.fitting(
      asked: environment["OSCE_THEME"], noColor: environment["NO_COLOR"], colours: screen.colours)
    let waker = try Waker()
    store.onCompletion { waker.wake() }
    let loop = try EventLoop(screen: screen, waker: waker)
    var program = make(theme)
    return loop.run(&program)
  }
}
