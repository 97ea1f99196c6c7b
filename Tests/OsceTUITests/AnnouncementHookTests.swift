import Foundation
import SystemTesting
import Terminal
import Testing

@testable import OsceTUI
@testable import Timer

/// The configured command: what it is given, that it is run once on a machine, and what becomes of it.
@MainActor @Suite("The announcement command")
final class AnnouncementHookTests {
  private let folder: String
  private let at = Instant(milliseconds: 5_000_000)

  init() throws { folder = try ScratchFolder.make() }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func call(_ text: String = "Time is up", at instant: Instant? = nil, circuit: String = "Blue")
    -> AnnouncementCall
  {
    AnnouncementCall(
      instant ?? at, [heard(text, circuit, instant ?? at)])
  }

  private func heard(_ text: String, _ circuit: String, _ at: Instant, _ kind: AnnouncementKind = .warning)
    -> AnnouncementFeed.Item
  {
    AnnouncementFeed.Item(
      run: circuit, circuit: circuit, isShown: true,
      announcement: Announcement(at: at, kind: kind, text: text, level: .red, phaseIndex: 1, passage: 1))
  }

  private func hook(_ command: [String], seconds: Int = 10) -> AnnouncementHook {
    AnnouncementHook(command: command, seconds: seconds, storePath: folder + "/exam.sqlite")
  }

  /// Lets the hook look until something holds; the command's own end is all that is waited for.
  private func wait(
    _ hook: AnnouncementHook, loop: Int64 = 0, at place: SourceLocation = #_sourceLocation, until isDone: () -> Bool
  ) {
    eventually(every: .milliseconds(1), at: place) {
      if isDone() { return true }
      hook.tick(now: at, loop: loop)
      return false
    }
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
  }

  @Test("text, level, kind and circuit stand in its arguments and in its environment, without a shell between")
  func arguments() {
    let script =
      "printf '%s|' \"$@\" \"$OSCE_TEXT\" \"$OSCE_LEVEL\" \"$OSCE_KIND\" \"$OSCE_CIRCUIT\" > \(folder)/new; mv \(folder)/new \(folder)/out"
    let hook = hook(["sh", "-c", script, "sh", "{text}", "{level}/{kind}", "in {circuit}", "{other}"])
    hook.announce(call("$(id) {level}; Time's up"))
    wait(hook) { !text("out").isEmpty }
    #expect(
      text("out")
        == "$(id) {level}; Time's up|red/warning|in Blue|{other}|$(id) {level}; Time's up|red|warning|Blue|")
    #expect(hook.problem == nil)
  }

  @Test("a text never looks like an option, and holds no control character")
  func hostile() {
    #expect(call("--help me").filled(["say", "{text}"]) == ["say", "help me"])
    #expect(call("a\u{1B}[2J\nb").text == "a [2J b")
  }

  @Test("announcements of one instant are one call; circuits are named only where they differ")
  func joined() {
    let same = AnnouncementCall(
      at, [heard("Begin.", "Blue", at, .start), heard("Begin.", "Green", at, .start)])
    #expect(same.text == "Begin")
    #expect(same.circuit == "Blue, Green")
    let apart = AnnouncementCall(
      at,
      [
        heard("End of round 1", "Blue", at, .end), heard("Move on", "Blue", at, .start),
        heard("Begin", "Green", at, .start),
      ])
    #expect(apart.text == "Blue: End of round 1. Move on. Green: Begin")
    #expect(apart.kind == "end")
  }

  @Test("its input and output are not the terminal, it has a group of its own, and no descriptor of ours")
  func surroundings() throws {
    let kept = open(folder + "/kept", O_RDWR | O_CREAT, 0o600)
    defer { close(kept) }
    let script =
      "for f in 0 1 2 \(kept); do readlink /proc/$$/fd/$f || echo none; done > \(folder)/new; ps -o pgid= -p $$ >> \(folder)/new; echo $$ >> \(folder)/new; mv \(folder)/new \(folder)/out"
    let hook = hook(["sh", "-c", script])
    hook.announce(call())
    wait(hook) { !text("out").isEmpty }
    let lines = text("out").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    // The loop's own output is the file.
    #expect(lines.first == "/dev/null")
    #expect(lines.dropFirst(2).first == "/dev/null")
    #expect(lines.dropFirst(3).first == "none")
    #expect(lines.suffix(2).first == lines.last, "group \(lines)")
  }

  @Test("of all terminals of a machine the first that claims an instant announces it, once")
  func once() {
    let script = "echo \"$OSCE_TEXT\" >> \(folder)/out"
    let hooks = (0..<3).map { _ in hook(["sh", "-c", script]) }
    for (index, text) in ["one", "two"].enumerated() {
      for hook in hooks {
        hook.announce(call(text, at: at + Int64(index) * 200))
        hook.tick(now: at + 200, loop: 0)
      }
      for hook in hooks { wait(hook) { self.text("out").hasSuffix("\(text)\n") } }
    }
    #expect(text("out") == "one\ntwo\n")
    #expect(text("exam.sqlite.announcer") == "5000000\n5000200\n")
    let mode = try? FileManager.default.attributesOfItem(atPath: folder + "/exam.sqlite.announcer")[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("a terminal that is stopped or killed, even while it claims, silences no other for longer than that moment")
  func stopped() throws {
    let (first, second) = (hook(["true"]), hook(["sh", "-c", "echo \"$OSCE_TEXT\" >> \(folder)/out"]))
    first.announce(call("one"))
    first.tick(now: at, loop: 0)
    // The first does nothing from now on; another process holds the file.
    let holder = try HeldLock(folder + "/exam.sqlite.announcer")
    second.announce(call("two", at: at + 100))
    second.tick(now: at + 100, loop: 100)
    #expect(text("out").isEmpty && second.problem == nil)
    holder.release()
    second.tick(now: at + 200, loop: 200)
    wait(second, loop: 200) { text("out") == "two\n" }
    #expect(text("out") == "two\n")
  }

  @Test("what is half a second late stays silent; a file that holds nonsense or the future silences nobody")
  func tooLate() {
    let late = hook(["sh", "-c", "echo late > \(folder)/out"])
    late.announce(call())
    late.tick(now: at + 501, loop: 501)
    #expect(text("exam.sqlite.announcer").isEmpty)
    try? "rubbish\n999999999999\n-1\n".write(
      toFile: folder + "/exam.sqlite.announcer", atomically: false, encoding: .utf8)
    late.announce(call("next", at: at + 600))
    late.tick(now: at + 600, loop: 600)
    wait(late, loop: 600) { text("out") == "late\n" }
    #expect(text("exam.sqlite.announcer") == "5000600\n")
  }

  @Test("a wall that is left takes the command and all that it started with it, and leaves no zombie")
  func left() {
    let hook = hook(["sh", "-c", "sleep 600 & echo $! $$ > \(folder)/new; mv \(folder)/new \(folder)/pid; wait"])
    hook.announce(call())
    wait(hook) { !text("pid").isEmpty }
    let processes = text("pid").split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    #expect(processes.count == 2)
    hook.close()
    for process in processes { eventually { !isRunning(process) } }
    // The command itself is this process's child: nothing of it is left.
    eventually { kill(processes[1], 0) != 0 }
    #expect(errno == ESRCH)
  }

  @Test("one that cannot be run, one that fails, and one that hangs are a line each")
  func failures() {
    let missing = hook(["osce-there-is-no-such-command"])
    missing.announce(call())
    missing.tick(now: at, loop: 0)
    #expect(
      missing.problem == "on_announcement: osce-there-is-no-such-command cannot be run: No such file or directory")
    missing.tick(now: at, loop: 60_000)
    #expect(missing.problem == nil)
    missing.close()
    let failing = hook(["sh", "-c", "exit 3"])
    failing.announce(call("two", at: at + 1))
    wait(failing) { failing.problem != nil }
    #expect(failing.problem == "on_announcement: sh ended with status 3")
    failing.close()
    let hanging = hook(["sh", "-c", "sleep 600 & echo $! > \(folder)/pid; wait"], seconds: 2)
    hanging.announce(call("three", at: at + 2))
    wait(hanging) { text("pid").hasSuffix("\n") }
    hanging.tick(now: at, loop: 1999)
    #expect(hanging.problem == nil)
    hanging.tick(now: at, loop: 2000)
    #expect(hanging.problem == "on_announcement: sh took longer than 2 s and was stopped")
    let child = pid_t(text("pid").dropLast()) ?? 0
    // The whole group is gone, or on its way: a killed process may stay a moment as a zombie of the machine.
    eventually { !isRunning(child) }
  }

  private func isRunning(_ process: pid_t) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
    return !status.contains(") Z ")
  }

  @Test("a link in place of the announcer's file is not followed")
  func link() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/exam.sqlite.announcer", withDestinationPath: folder + "/target")
    let hook = hook(["true"])
    hook.announce(call())
    hook.tick(now: at, loop: 0)
    #expect(hook.problem?.contains("cannot be used") == true)
    #expect(!FileManager.default.fileExists(atPath: folder + "/target"))
  }
}
