import Foundation
import SystemTesting

/// One command of the program on a terminal of its own, which is also its controlling one.
enum TerminalCommand {
  /// All that a command wrote to its terminal, standard error among it; nil if for ten minutes it
  /// neither writes nor ends.
  /// - Parameters:
  ///   - program: one that lies beside osce.
  ///   - columns: those of the terminal.
  ///   - typing: what is typed once it has written something, with what the terminal was like then and at the end.
  static func output(
    _ arguments: [String], _ environment: [String: String], program: String = "osce", columns: UInt16 = 80,
    typing: Typing? = nil
  ) async -> [UInt8]? {
    await offPool { run(arguments, environment, program, columns, typing) }
  }

  typealias Typing = (bytes: [UInt8], look: @Sendable (_ showsTyped: Bool) -> Void)

  private static func run(
    _ arguments: [String], _ environment: [String: String], _ program: String, _ columns: UInt16, _ typing: Typing?
  ) -> [UInt8]? {
    var typing = typing
    let executable = Tmux.program!.dropLast("osce".count) + program
    var (near, far): (Int32, Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 128)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&near, &far, &path, nil, &size) == 0 else { return nil }
    for end in [near, far] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(near) }
    let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    let newSession: Int16 = 0x80
    let (asUsual, heard): (Int16, Int16) = (0x4, 0x8)
    posix_spawnattr_setflags(&attributes, newSession | asUsual | heard)
    // Tests that run in the background of a shell are started with these ignored, and their threads may block them.
    var (usual, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    sigemptyset(&usual)
    for number in [SIGINT, SIGQUIT] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    var argv: [UnsafeMutablePointer<CChar>?] = ([String(executable)] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    var process: pid_t = -1
    let outcome = posix_spawn(&process, String(executable), &actions, &attributes, &argv, &envp)
    for pointer in argv + envp { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    // With the last end of the program's closed, reading ends.
    close(far)
    func look() {
      var settings = termios()
      if let typing, tcgetattr(near, &settings) == 0 { typing.look(settings.c_lflag & tcflag_t(ECHO) != 0) }
    }
    guard outcome == 0 else { return nil }
    var (bytes, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
    // Counted from the last output: how long a whole run takes is the machine's matter.
    var end = Date().addingTimeInterval(600)
    var hasEnded = false
    while !hasEnded, Date() < end {
      var ready = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 200) > 0 else { continue }
      let count = read(near, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
        end = Date().addingTimeInterval(600)
        if let keys = typing?.bytes, !keys.isEmpty {
          look()
          _ = write(near, keys, keys.count)
          typing?.bytes = []
        }
      } else {
        hasEnded = count == 0 || errno != EINTR
      }
    }
    if !hasEnded { kill(process, SIGKILL) }
    look()
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return hasEnded ? bytes : nil
  }
}
