import Foundation
import Glibc
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
    guard let (near, process) = spawn(Tmux.program!.dropLast("osce".count) + program, arguments, environment, columns)
    else { return nil }
    defer { close(near) }
    let bytes = read(near, typing)
    if bytes == nil { kill(process, SIGKILL) }
    look(near, typing)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return bytes
  }

  /// Starts a program as the leader of a session that has a new terminal.
  /// - Returns: the other end of the terminal, and the program; nil if it does not start.
  private static func spawn(
    _ executable: String, _ arguments: [String], _ environment: [String: String], _ columns: UInt16
  ) -> (near: Int32, process: pid_t)? {
    var (near, far): (Int32, Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 128)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&near, &far, &path, nil, &size) == 0 else { return nil }
    for end in [near, far] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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
    var argv: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    var process: pid_t = -1
    let outcome = posix_spawn(&process, executable, &actions, &attributes, &argv, &envp)
    for pointer in argv + envp { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    // With the last end of the program's closed, reading ends.
    close(far)
    if outcome == 0 { return (near, process) }
    close(near)
    return nil
  }

  /// Reads what a program writes to its terminal until it ends, and types once it has written something.
  /// - Returns: nil if for ten minutes it neither writes nor ends.
  private static func read(_ near: Int32, _ typing: Typing?) -> [UInt8]? {
    var keys = typing?.bytes ?? []
    var (bytes, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
    // Counted from the last output: how long a whole run takes is the machine's matter.
    var end = Date().addingTimeInterval(600)
    while Date() < end {
      var ready = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 200) > 0 else { continue }
      let count = Glibc.read(near, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
        end = Date().addingTimeInterval(600)
        if !keys.isEmpty {
          look(near, typing)
          _ = write(near, keys, keys.count)
          keys = []
        }
      } else if count == 0 || errno != EINTR {
        return bytes
      }
    }
    return nil
  }

  /// Tells who asked for it whether the terminal shows what is typed.
  private static func look(_ near: Int32, _ typing: Typing?) {
    var settings = termios()
    if let typing, tcgetattr(near, &settings) == 0 { typing.look(settings.c_lflag & tcflag_t(ECHO) != 0) }
  }
}
