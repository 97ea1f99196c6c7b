import Foundation
import SystemTesting
import Testing

/// A real terminal of 80x24 with a program in it; after the program its exit code stands on the screen.
final class Tmux {
  private let socket: String
  private let folder: String

  /// The program, built beside the tests.
  static let program: String? = {
    for argument in [realPath("/proc/self/exe")] + CommandLine.arguments.map(realPath) {
      let folder = (argument as NSString).deletingLastPathComponent
      for candidate in [folder + "/OsceTUI", folder + "/osce"] where access(candidate, X_OK) == 0 { return candidate }
    }
    return nil
  }()

  static let isHere = program != nil && find("tmux") != nil

  private static func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func find(_ command: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + command }.first { access($0, X_OK) == 0 }
  }

  /// The words before a program that run it on a machine which has slept for so many seconds.
  static func slept(_ seconds: Int64) -> String { "unshare --time --boottime \(seconds) --fork" }

  /// Whether this process may do that.
  static let canSleep = isHere && system("\(slept(1)) true 2>/dev/null") == 0

  /// - Parameters:
  ///   - type: the program's TERM; empty for none.
  ///   - launcher: words before the program.
  init(
    _ arguments: [String], _ environment: [String: String], type: String = "xterm-256color",
    through launcher: String = ""
  ) throws {
    folder = try ScratchFolder.make()
    socket = folder + "/tmux"
    let term = type.isEmpty ? "-u TERM" : "TERM='\(type)'"
    let set = environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      sh -c "echo \\$\\$ >'\(folder)/pid'; exec env \(term) LC_ALL=C.UTF-8 \(set) \(launcher) '\(Tmux.program!)' \(words)"
      echo exit $?
      exec cat
      """
    try script.write(toFile: folder + "/run", atomically: true, encoding: .utf8)
    run(["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh '\(folder)/run' 2>&1"])
  }

  deinit {
    run(["kill-server"])
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs a command of tmux. The server that the first one starts outlives it and holds on to whatever is open, so
  /// only what is read has a pipe.
  @discardableResult private func run(_ arguments: [String], isRead: Bool = false) -> String {
    let quoted = (["-S", socket] + arguments).map { "'" + $0.replacing("'", with: "'\\''") + "'" }
    let command = "TMUX= LC_ALL=C.UTF-8 exec tmux \(quoted.joined(separator: " ")) </dev/null 2>/dev/null"
    // Threads of a pool block signals, and a server that is not told of its children's ends never ends.
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    guard let pipe = popen(isRead ? command : command + " >/dev/null", "re") else { return "" }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    pclose(pipe)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The screen as text, lines that the terminal broke joined.
  var screen: String { run(["capture-pane", "-p", "-J"], isRead: true) }

  /// Whether the cursor stands at the beginning of the line with the focus.
  var isCursorOnFocus: Bool {
    let text = run(["display-message", "-p", "#{cursor_x} #{cursor_y}", ";", "capture-pane", "-p"], isRead: true)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let place = lines[0].split(separator: " ").compactMap { Int($0) }
    return place.count == 2 && place[0] == 0 && lines.indices.contains(place[1] + 1)
      && lines[place[1] + 1].hasPrefix("▌")
  }

  /// Keeps what the program writes from now on.
  func record() { run(["pipe-pane", "-O", "cat >>'\(folder)/output'"]) }

  /// What the program has written since `record`, once that is more than before and nothing more comes.
  func recorded(beyond before: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    var (last, quiet) = (-1, 0)
    _ = try await Tmux.holds {
      bytes = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/output"))).map { Array($0) } ?? []
      quiet = bytes.count == last ? quiet + 1 : 0
      last = bytes.count
      try await Task.sleep(for: .milliseconds(30))
      return bytes.count > before && quiet >= 10
    }
    return bytes
  }

  /// Waits until a condition holds, as long as the slowest machine may need.
  /// - Returns: false if it does not.
  static func holds(_ condition: () async throws -> Bool) async throws -> Bool {
    let end = Date().addingTimeInterval(90)
    while Date() < end {
      if try await condition() { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return try await condition()
  }

  /// Types a text.
  func type(_ text: String) { run(["send-keys", "-l", text]) }

  /// Presses a key by tmux's name for it.
  func press(_ key: String) { run(["send-keys", key]) }

  /// Waits until a text is on the screen.
  func wait(_ text: String, at place: SourceLocation = #_sourceLocation) async throws {
    var last = ""
    let isShown = try await Tmux.holds {
      last = screen
      return last.contains(text)
    }
    if isShown {
      // An answer that comes sooner than anybody can read is refused.
      try await Task.sleep(for: .milliseconds(30))
      return
    }
    Issue.record("\(text) is not on the screen:\n\(last)", sourceLocation: place)
    throw Missing()
  }

  /// Answers the identity step as a person does, who has looked: a quicker Enter is refused.
  func passIdentityStep(at place: SourceLocation = #_sourceLocation) async throws {
    try await wait("Check the candidate", at: place)
    try await Task.sleep(for: .milliseconds(500))
    press("Enter")
    try await wait("identity checked", at: place)
  }

  struct Missing: Error {}

  /// The program's process.
  func process() throws -> pid_t {
    let text = try String(contentsOfFile: folder + "/pid", encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
    return pid_t(text) ?? 0
  }

  func signal(_ number: Int32) throws { kill(try process(), number) }
}
