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
    if DemoFolder.holds(store.location) { Configuration.keepNoCopy() }
    store.timedBackup.use(Configuration.current.backup)
    // A screen shows who holds the lock, and what is typed waits for it.
    StoreLock.longWait.withLock { $0 = nil }
    StoreLock.patience.withLock { $0 = nil }
    let environment = ProcessEnvironment.current
    let asked = try Configuration.theme(environment)
    let screen = try CursesScreen(type: environment["TERM"])
    let theme = Theme.fitting(asked: asked, noColor: environment["NO_COLOR"], colours: screen.colours)
    let keeper = UploaderKeeper(store.location)
    UploaderKeeper.ofTerminal.withLock { $0 = keeper }
    defer { keeper.stop() }
    let waker = try Waker()
    store.onCompletion { waker.wake() }
    let loop = try EventLoop(screen: screen, waker: waker)
    var program = make(theme)
    return loop.run(&program)
  }
}
