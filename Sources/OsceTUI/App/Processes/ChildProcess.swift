import Dispatch
import Glibc

/// Another program that this one has started: a process group of its own, without a terminal and without a shell.
final class ChildProcess {
  /// How it ended.
  enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  private let process: pid_t
  /// How it ended; nil while it runs.
  private(set) var ending: Ending?
  private var isGone = false

  /// Starts a command; its name is looked up in `PATH`.
  /// - Throws: `SpawnFailure` if it cannot be started.
  init(_ command: [String], environment: [String: String]) throws(SpawnFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    ChildProcess.keepDescriptors()
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawnp(&process, command.first ?? "", &actions, &attributes, arguments, variables)
    if code != 0 { throw SpawnFailure(reason: String(cString: strerror(code))) }
    self.process = process
  }

  /// Every descriptor of ours closes by itself in a new program; one that this process was given might not.
  private static func keepDescriptors() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
  }

  deinit { abandon() }

  /// Looks whether it has ended, without waiting. Its number stays taken until `stop`, so that no other group is ever
  /// stopped in its place.
  func look() {
    guard ending == nil, !isGone else { return }
    var info = siginfo_t()
    let result = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
    if result != 0 {
      ending = .status(0)
      isGone = true
    } else if info.si_signo != 0 {
      let status = info._sifields._sigchld.si_status
      ending = info.si_code == Int32(bitPattern: UInt32(CLD_EXITED)) ? .status(status) : .signal(status)
    }
  }

  /// Ends it with all that it has started, and lets go of it as soon as it has ended; never waits.
  /// - Returns: whether it is gone.
  @discardableResult func stop() -> Bool {
    if isGone { return true }
    kill(-process, SIGKILL)
    var status: Int32 = 0
    isGone = waitpid(process, &status, WNOHANG) != 0
    return isGone
  }

  /// Ends it with all that it has started, where nobody looks after it any more: another thread waits for its end.
  func abandon() {
    if stop() { return }
    isGone = true
    DispatchQueue.global().async { [process] in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }
  }
}

/// Why a command could not be started.
struct SpawnFailure: Error {
  let reason: String
}
