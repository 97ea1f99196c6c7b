import Foundation
import SystemTesting
import Testing
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// The program itself in a real terminal, where there is tmux to give one.
@Suite(
  "osce in a real terminal", .enabled(if: Tmux.isHere, "tmux is not installed, or osce is not built"), .serialized,
  .ahead)
struct RealTerminalTests {
  /// Chooses a member of staff by a part of the name.
  private func choose(_ typed: String, _ name: String, _ tmux: Tmux) async throws {
    try await tmux.wait("Who are you?")
    tmux.type(typed)
    try await tmux.wait("▸ " + name)
    tmux.press("Enter")
  }

  /// From the list of staff to the roster of the first session.
  private func signIn(_ tmux: Tmux) async throws {
    try await choose("okafor", "Dr Ngozi Okafor", tmux)
    try await tmux.wait("your stations")
    tmux.press("Enter")
    try await tmux.wait("Practice sheet")
  }

  @Test("sign in, choose the session, check the candidate, mark: what is on the screen is in the store")
  func signInAndMark() async throws {
    let exam = try Exam()
    let tmux = try Tmux([], exam.environment)
    try await signIn(tmux)
    tmux.press("Enter")
    try await tmux.passIdentityStep()
    tmux.type("1")
    try await tmux.wait("E marks early")
    tmux.type("E")
    try await tmux.wait("Mark early?")
    tmux.press("Enter")
    try await tmux.wait("marking 30101 before the rotation")
    tmux.type("1")
    try await tmux.wait("item 1: 1 Done")
    tmux.type("n")
    try await tmux.wait("item 2: 0 Not done")
    #expect(try exam.marks() == 2)
    tmux.press("Q")
    try await tmux.wait("Everything is saved.")
    tmux.press("Enter")
    try await tmux.wait("exit 0")
  }

  @Test("a demonstration that was killed goes on as it was left, if that is chosen; one that is left is gone")
  func demonstration() async throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func begin() async throws -> Tmux {
      let tmux = try Tmux(["demo"], ["TMPDIR": folder, "HOME": folder])
      try await tmux.wait("Which role do you want to try?")
      return tmux
    }
    func demonstrations() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }
    let first = try await begin()
    #expect(!first.screen.contains("Go on with"))
    first.press("Enter")
    try await signIn(first)
    first.press("Enter")
    try await first.passIdentityStep()
    first.type("1")
    try await first.wait("item 1: 1 Done")
    try first.signal(SIGKILL)
    try await first.wait("exit 137")
    let second = try await begin()
    #expect(second.screen.contains("Resume the demo interrupted at"))
    #expect(try demonstrations().count == 2)
    second.press("G")
    second.press("Enter")
    #expect(try await Tmux.holds { try demonstrations().count <= 1 })
    try await second.wait("Which role do you want to try?")
    #expect(!second.screen.contains("Go on with"))
    second.press("Enter")
    try await signIn(second)
    #expect(second.screen.contains("1/19"))
    second.press("Q")
    try await second.wait("The demonstration and its marks")
    second.press("Enter")
    try await second.wait("exit 0")
    #expect(try demonstrations() == [])
  }

  @Test("a demonstration makes no timed backup, which would stand where the exam's belongs") func demonstrationCopy()
    async throws
  {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let copy = folder + "/copy.sqlite"
    let tmux = try Tmux(["demo", "desk"], ["TMPDIR": folder, "HOME": folder, "OSCE_BACKUP": copy])
    try await choose("barker", "Mrs Wendy Barker", tmux)
    try await tmux.wait("9 Ready")
    tmux.type("9")
    // What the desk is told of the second copy is what the program is told to make.
    try await tmux.wait("no timed backup is configured")
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  @Test("a demonstration of one role that was killed is offered when that role is asked for again")
  func demonstrationOfARole() async throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func begin(answer: String? = nil) async throws -> Tmux {
      let tmux = try Tmux(["demo", "mark"], ["TMPDIR": folder, "HOME": folder])
      if let answer {
        try await tmux.wait("Resume the demo interrupted at")
        tmux.type(answer)
        tmux.press("Enter")
      }
      try await tmux.wait("Who are you?")
      return tmux
    }
    func leave(_ tmux: Tmux) async throws {
      tmux.press("C-q")
      try await tmux.wait("Quit osce?")
      tmux.press("Enter")
      try await tmux.wait("exit 0")
    }
    func demonstrations() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
    let first = try await begin()
    try first.signal(SIGKILL)
    try await first.wait("exit 137")
    let fresh = try await begin(answer: "n")
    #expect(try demonstrations() == 2)
    try await leave(fresh)
    let again = try await begin(answer: "y")
    #expect(try demonstrations() == 1)
    try await leave(again)
    #expect(try demonstrations() == 0)
  }

  @Test("a demonstration that finds no place for its store says how to name another")
  func demonstrationWithoutPlace() async throws {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let environment = ["PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder + "/missing", "TERM": "xterm"]
    let text = String(
      decoding: try #require(await TerminalCommand.output(["demo", "wall"], environment)), as: UTF8.self)
    #expect(text.hasPrefix("osce: cannot make the folder \(folder)/missing/"), "\(text)")
    #expect(text.hasSuffix(": No such file or directory; TMPDIR names another place\r\n"), "\(text)")
  }

  @Test("a mark writes 150 bytes at most, besides the text of the item that has the focus next")
  func bytesOfAMark() async throws {
    let exam = try Exam()
    let tmux = try await exam.markingAtChest()
    tmux.record()
    var before = 0
    for (number, key) in "1011".enumerated() {
      tmux.type(String(key))
      try await tmux.wait("item \(number + 1): \(key)")
      let written = try await tmux.recorded(beyond: before).count
      let lines = tmux.screen.split(separator: "\n", omittingEmptySubsequences: false)
      let rule = lines.firstIndex { $0.hasPrefix("────") } ?? 0
      let text = lines[(rule + 1)...].prefix { !$0.hasPrefix("item ") }.reduce(0) { $0 + $1.utf8.count }
      #expect(written - before <= 150 + text, "item \(number + 1): \(written - before) bytes, of them text \(text)")
      #expect(written > before)
      before = written
    }
  }

  @Test("the terminal's cursor is on the focused item after every key and every tick of the clock")
  func cursor() async throws {
    let exam = try Exam()
    let tmux = try await exam.markingAtChest()
    for key in ["j", "k", "1", "Down", "G", "g", "]", "[", "0"] {
      tmux.press(key)
      #expect(try await Tmux.holds { tmux.isCursorOnFocus }, "after \(key):\n\(tmux.screen)")
    }
    let first = tmux.screen
    let hasTicked = try await Tmux.holds {
      #expect(tmux.isCursorOnFocus)
      return tmux.screen.prefix(80) != first.prefix(80)
    }
    #expect(hasTicked && tmux.isCursorOnFocus)
    #expect(try exam.marks() == 1)
  }

  @Test("a store that others write to is not taken for a backup unless that is forced")
  func restoreFromLiveStore() async throws {
    let exam = try Exam()
    let tmux = try await exam.markingAtChest()
    let second = exam.folder + "/second.sqlite"
    let refused = CommandRunner.run(["restore", exam.path, "--store", second])
    #expect(refused.code == 1)
    #expect(refused.failure.hasPrefix("osce: \(exam.path) is no backup but a store, open in process"))
    #expect(!FileManager.default.fileExists(atPath: second))
    #expect(CommandRunner.run(["restore", exam.path, "--force", "--store", second]).code == 0)
    #expect(tmux.screen.contains("30101"))
  }

  @Test("killed in the middle, it opens again at the same sheet and its first blank")
  func killed() async throws {
    let exam = try Exam()
    let tmux = try await exam.markingAtChest()
    tmux.type("101")
    try await tmux.wait("item 3: 1 Done")
    try tmux.signal(SIGKILL)
    try await tmux.wait("exit 137")
    #expect(try exam.marks() == 3)
    let again = try Tmux(["mark", "--staff", "nokafor", "--timetable", exam.timetable], exam.environment)
    try await again.wait("▌   4")
    #expect(again.screen.contains("3 of 19 marked"))
  }

  @Test("a hang-up ends it, with the open text saved")
  func hangup() async throws {
    let exam = try Exam()
    let tmux = try await exam.markingAtChest()
    tmux.press("e")
    try await tmux.wait("Feedback on item 1")
    tmux.type("Cut off in the middl")
    try await tmux.wait("Cut off in the middl")
    let process = try tmux.process()
    try tmux.signal(SIGHUP)
    // How soon is held by the loop's own limit, which a test of the loop looks at.
    #expect(try await Tmux.holds { kill(process, 0) != 0 })
    #expect(try exam.feedback() == "Cut off in the middl")
  }

  /// The time of day of a minute in a zone, as the program writes it.
  private func minute(_ date: Date, in zone: String) -> String {
    let format = DateFormatter()
    (format.locale, format.timeZone) = (Locale(identifier: "en_GB"), TimeZone(identifier: zone))
    format.dateFormat = "HH:mm"
    return format.string(from: date)
  }

  @Test("another time zone of the exam reaches the sheets and walls that are open")
  func timeZone() async throws {
    let exam = try Exam()
    let tmux = try await exam.markingAtChest()
    let wall = try Tmux(["wall"], exam.environment)
    let begin = Date()
    tmux.type("1")
    try await tmux.wait("item 1: 1 Done")
    let minutes = [begin, Date()]
    func showsHistory(in zone: String) async throws -> Bool {
      try await Tmux.holds {
        tmux.press("Escape")
        try await Task.sleep(for: .milliseconds(200))
        tmux.type("gH")
        try await Task.sleep(for: .milliseconds(200))
        return minutes.contains { tmux.screen.contains(minute($0, in: zone) + ":") }
      }
    }
    #expect(try await showsHistory(in: "Europe/London"))
    #expect(try await Tmux.holds { wall.screen.contains(minute(Date(), in: "Europe/London")) })
    try exam.set(zone: "Asia/Kathmandu")
    #expect(try await showsHistory(in: "Asia/Kathmandu"))
    #expect(try await Tmux.holds { wall.screen.contains(minute(Date(), in: "Asia/Kathmandu")) })
  }

  @Test("a plain VT100 shows and does the same")
  func vt100() async throws {
    let exam = try Exam()
    let tmux = try await exam.markingAtChest(type: "vt100")
    tmux.type("1")
    try await tmux.wait("item 1: 1 Done")
    tmux.press("j")
    #expect(try exam.marks() == 1)
  }

  @Test(
    "on a machine that has slept the digits go on second by second",
    .enabled(if: Tmux.canSleep, "no process may have a time of its own here"))
  func slept() async throws {
    let tmux = try await Exam().markingAtChest(sleptFor: 3600)
    var seen: Set<Substring> = []
    let goesOn = try await Tmux.holds {
      seen.insert(tmux.screen.prefix { $0 != "\n" })
      return seen.count >= 4
    }
    #expect(goesOn, "\(seen)")
  }

  @Test(
    "without a usable terminal there is one clear line, and the exit code 1", arguments: ["dumb", "", "nosuchterminal"])
  func unusable(type: String) async throws {
    let exam = try Exam()
    let tmux = try Tmux([], exam.environment, type: type)
    try await tmux.wait("exit 1")
    let lines = tmux.screen.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    #expect(lines.count == 2 && lines[0].hasPrefix("osce: "), "\(tmux.screen)")
  }

  @Test("without a terminal at all, in a pipe, there is one clear line, and the exit code 1")
  func pipe() async throws {
    let exam = try Exam()
    let ended = try await EndedProgram.run(Tmux.program!, [], environment: exam.environment)
    #expect(ended.code == 1 && ended.output.isEmpty)
    #expect(ended.failure.hasPrefix("osce: ") && ended.failure.split(separator: "\n").count == 1, "\(ended.failure)")
  }
}

/// The example exam in a folder of its own, for a program of its own.
private final class Exam {
  let folder: String
  init() throws { folder = try Fixture.copy() }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var path: String { folder + "/exam.sqlite" }
  var environment: [String: String] { ["OSCE_STORE": path] }

  private func read<T>(_ body: (ExamStore) throws -> T) throws -> T {
    let store = try ExamStore(StoreLocation(path: path), .existing)
    defer { store.close() }
    return try body(store)
  }

  func marks() throws -> Int {
    try read { store in
      try store.read { try Fixture.count("SELECT count(*) FROM dataQuestion WHERE rating IS NOT NULL", $0) }
    }
  }

  func set(zone: String) throws {
    try read { store in
      try store.write(.program) { transaction in
        let key = try Fixture.count("SELECT dsid FROM config WHERE dsDeleted = 0", transaction.db)
        _ = try transaction.set("Config", String(key), ["timeZone": .text(zone)])
      }
    }
  }

  func feedback() throws -> String {
    try read { store in try store.read { try Fixture.feedback($0) } }
  }

  /// The morning's station session at CHEST, and a clock in its first rotation.
  var timetable: String {
    get throws {
      try read { store in
        try store.read { db in
          let found = try StationSession.all(in: db).first {
            $0.stationCode == "CHEST" && $0.circuit.name == "Blue circuit"
          }!
          return String(found.timetable)
        }
      }
    }
  }

  /// - Parameter sleep: how many seconds the machine seems to have slept to the program.
  func markingAtChest(type: String = "xterm-256color", sleptFor sleep: Int64 = 0) async throws -> Tmux {
    try read { store in
      try store.write(.program) { transaction in
        let session = try StationSession.all(in: transaction.db).first { $0.stationCode == "CHEST" }!.session
        _ = try ClockLog.append(.start, to: session, at: store.clock.now + (sleep * 1000 - 90_000), in: transaction)
      }
    }
    let tmux = try Tmux(
      ["mark", "--staff", "nokafor", "--timetable", try timetable], environment, type: type,
      through: sleep > 0 ? Tmux.slept(sleep) : "")
    try await tmux.passIdentityStep()
    return tmux
  }
}

/// Suites that need these are left out where they are missing; this one is not.
@Suite("What tests of the program need") struct ProgramTestNeeds {
  @Test("is there: osce beside the tests, and tmux") func isThere() {
    #expect(Tmux.isHere, "tmux and osce are needed; script/test installs the one and builds the other")
  }
}
