import Glibc

/// A program in a terminal of its own: its output, its notes on descriptor 3, the terminal's modes.
final class PseudoTerminal {
  private var master: Int32
  private let keptOpen: Int32
  private let notes: Int32
  let process: pid_t
  private(set) var output: [UInt8] = []
  private(set) var notesText = ""
  private var notesEnded = false

  /// The test program, built beside the tests; nil if it is not there.
  static let probe: String? = {
    for argument in [realPath("/proc/self/exe")] + CommandLine.arguments.map(realPath) {
      let folder = argument.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      for candidate in [folder, folder + "/.."] where access(candidate + "/TerminalProbe", X_OK) == 0 {
        return realPath(candidate + "/TerminalProbe")
      }
    }
    return nil
  }()

  private static func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Starts a program as the leader of a session whose terminal has a size.
  init(
    _ arguments: [String], width: UInt16 = 80, height: UInt16 = 24, type: String = "xterm-256color",
    locale: String = "C.UTF-8"
  ) {
    var near: Int32 = -1
    var far: Int32 = -1
    var pathBytes = [CChar](repeating: 0, count: 128)
    var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&near, &far, &pathBytes, nil, &size) == 0 else { preconditionFailure("no pseudo-terminal") }
    for end in [near, far] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(near, F_SETFL, O_NONBLOCK)
    master = near
    // The modes stay readable when the program has closed its end.
    keptOpen = far
    let name = pathBytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    notes = ends[0]
    _ = fcntl(notes, F_SETFL, O_NONBLOCK)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    let newSession: Int16 = 0x80
    posix_spawnattr_setflags(&attributes, newSession)
    let environment = [
      "TERM=\(type)", "LC_ALL=\(locale)", "PROBE_LOG=/proc/self/fd/3", "PATH=/usr/bin:/bin", "PS1=$ ", "HISTFILE=",
    ]
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    var started: pid_t = -1
    posix_spawn(&started, arguments[0], &actions, &attributes, &argv, &envp)
    process = started
    close(ends[1])
    for pointer in argv + envp { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  deinit {
    if process > 0 && kill(process, 0) == 0 { kill(process, SIGKILL) }
    if master >= 0 { close(master) }
    close(keptOpen)
    close(notes)
  }

  var text: String { String(decoding: output, as: UTF8.self) }

  var modes: [UInt32] {
    var modes = termios()
    tcgetattr(keptOpen, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  /// Of the description that the program was started with, and that a shell would go on using.
  var sharedDescriptorIsNonBlocking: Bool {
    guard let file = fopen("/proc/\(process)/fdinfo/0", "r") else { return true }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let words = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        .split { $0 == "\t" || $0 == "\n" }
      if words.first == "flags:", let flags = words.last.flatMap({ Int32($0, radix: 8) }) {
        return flags & O_NONBLOCK != 0
      }
    }
    return true
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  func resize(width: UInt16, height: UInt16) {
    var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func hangUp() {
    close(master)
    master = -1
  }

  func clearOutput() { output.removeAll() }

  /// Reads notes, and output unless told not to, until the condition holds. False after a minute and a half without it.
  func wait(reading: Bool = true, until condition: () -> Bool) -> Bool {
    let end = MonotonicMilliseconds.now + 90_000
    while !condition() {
      let left = end - MonotonicMilliseconds.now
      if left <= 0 { return false }
      var polled = [
        pollfd(fd: notesEnded ? -1 : notes, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reading ? master : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&polled, 2, Int32(min(left, 20)))
      collect(reading: reading)
    }
    return true
  }

  /// Reads until nothing has come for a while.
  func settle() {
    var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    while poll(&polled, 1, 500) > 0 && polled.revents & Int16(POLLIN) != 0 { collect(reading: true) }
  }

  private func collect(reading: Bool) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(notes, &buffer, buffer.count)
    if count > 0 { notesText += String(decoding: buffer[..<count], as: UTF8.self) }
    if count == 0 { notesEnded = true }
    guard reading, master >= 0 else { return }
    let seen = read(master, &buffer, buffer.count)
    if seen > 0 { output += buffer[..<seen] }
  }

  /// Waits for the end of the program.
  /// - Returns: its wait status, nil if it did not end.
  func end(reading: Bool = true) -> Int32? {
    guard wait(reading: reading, until: { notesEnded }) else { return nil }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    if reading { collect(reading: true) }
    return status
  }
}

enum MonotonicMilliseconds {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
