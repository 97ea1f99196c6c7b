import ExamStore
import Glibc
import Synchronization

/// The program that exchanges a store with its hub: it lies beside this one, and this one links no HTTP.
enum UploaderProgram {
  private static let program = CompanionProgram(name: "osce-sync", builtBy: "script/hub --build")

  /// Goes on as that program, with this terminal.
  /// - Returns: why it cannot: to be thrown.
  static func replaceProcess(_ arguments: [String], store: StoreLocation) throws -> StoreError {
    guard let path = program.path else { return program.missing }
    let words = [path] + arguments + ["--store", store.path]
    let pointers = words.map { strdup($0) } + [nil]
    execv(path, pointers)
    return StoreError("cannot run \(path): \(String(cString: strerror(errno)))")
  }

  /// Starts it beside this program, without a terminal; it ends by itself where another one has its turn.
  static func start(_ store: StoreLocation) -> ChildProcess? {
    guard let path = program.path else { return nil }
    return try? ChildProcess(
      [path, "run", "--beside", "--starter", "\(getpid())", "--store", store.path],
      environment: ProcessEnvironment.current)
  }
}

/// Sees to it that a store with a place at a hub is exchanged while a terminal is open: starts the uploader, and another
/// where that has died. One thread that sleeps, from when the store has its place on.
final class UploaderKeeper: Sendable {
  private let store: StoreLocation
  private let isStopping = Atomic<Bool>(false)
  /// Whether the store has had a place at a hub at any look.
  let hasBegun = Atomic<Bool>(false)
  private let process = Mutex<Started?>(nil)

  private struct Started: @unchecked Sendable {
    let process: ChildProcess
  }

  /// How often it looks, in seconds.
  private static let pause: UInt32 = 5

  /// That of this process's terminal.
  static let ofTerminal = Mutex<UploaderKeeper?>(nil)

  /// What a terminal does once a minute: the store may have been given a place at a hub since.
  static func lookAgain() {
    let keeper = ofTerminal.withLock { $0 }
    keeper?.look()
  }

  init(_ store: StoreLocation) {
    self.store = store
    look()
  }

  /// Begins once the store has a token of a hub.
  func look() {
    guard access(store.hubCredentialPath, R_OK) == 0, !hasBegun.exchange(true, ordering: .relaxed) else { return }
    let keeper = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<UploaderKeeper>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, keeper.toOpaque())
    guard failure == 0 else {
      keeper.release()
      // The next look tries again.
      return hasBegun.store(false, ordering: .relaxed)
    }
    pthread_detach(thread)
  }

  private func run() {
    // Signals belong to the screen's thread.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    while !isStopping.load(ordering: .relaxed) {
      process.withLock { started in
        started?.process.look()
        if started?.process.ending != nil { started = nil }
        if started == nil, !UploaderTurn.isTaken(of: store) {
          started = UploaderProgram.start(store).map { Started(process: $0) }
        }
      }
      sleep(Self.pause)
    }
  }

  /// Ends the looking; the uploader that this program started ends once this program has and everything is sent.
  func stop() { isStopping.store(true, ordering: .relaxed) }
}
