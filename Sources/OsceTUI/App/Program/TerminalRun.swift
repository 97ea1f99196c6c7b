import CircuitModel
import ExamStore
import Glibc
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
    store.timedBackup.use(Configuration.current.backup)
    // A screen shows who holds the lock, and what is typed waits for it.
    StoreLock.longWait.withLock { $0 = nil }
    StoreLock.patience.withLock { $0 = nil }
    TerminalEncoding.adoptUserLocale()
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

/// glibc's heap as it suits one of fifty terminals on a machine: two threads that allocate little and seldom at once.
enum SmallHeap {
  private static let trimThreshold: Int32 = -1
  private static let topPad: Int32 = -2
  private static let mapThreshold: Int32 = -3
  private static let arenas: Int32 = -8

  /// To be called before anything else: one heap for all threads, and what is freed at its end or is large goes back to
  /// the system at once. By itself glibc keeps a heap a thread, and more and more of what was once large.
  static func use() {
    _ = setHeap(arenas, 1)
    // Above what a frame and a save take each time: a map for each would cost more than the rest of a small write.
    _ = setHeap(mapThreshold, 72 << 10)
    _ = setHeap(trimThreshold, 160 << 10)
    _ = setHeap(topPad, 16 << 10)
  }
}

/// glibc's `mallopt`, whose header Swift's Glibc module does not include.
@_silgen_name("mallopt") private func setHeap(_ parameter: Int32, _ value: Int32) -> Int32

/// The process's environment, without Foundation.
enum ProcessEnvironment {
  /// Every variable.
  static var current: [String: String] {
    var result: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        result[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      place += 1
    }
    return result
  }
}
