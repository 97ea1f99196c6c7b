import Glibc
import Rig

/// The system calls of a program, seen and interrupted by strace.
enum SystemCalls {
  /// One call: the nth of its name in its thread.
  struct Point: CustomStringConvertible {
    let name: String
    let count: Int
    /// Whether no other thread had made as many calls of that name before. Calls are counted by thread, and the first
    /// thread that comes to the nth of a name is the one that is interrupted there.
    let isFirst: Bool

    var description: String { "\(name) number \(count)" }
  }

  /// One call as the trace has it.
  struct Call {
    let thread: String
    let name: String
    let text: String

    /// Whether it writes this at the start of a piece of output.
    func isWrite(of text: String) -> Bool { name == "write" && self.text.contains("\"\(text)") }

    /// Whether it reads just this.
    func isRead(of text: String) -> Bool { name == "read" && self.text.contains("\"\(text)\"") }
  }

  /// Runs a marking process to its end.
  /// - Returns: its calls in the order in which they were entered.
  static func trace(_ store: PreparedStore, saves: Int) throws -> [Call] {
    let file = store.scratch.file("trace")
    let child = try start(store, ["-f", "-o", file], saves: saves)
    _ = child.remainingLines()
    guard child.wait() == 0 else { throw RigError("strace did not run; install it with: apt-get install strace") }
    return try calls(file)
  }

  /// Reads a trace of several threads. A call that another thread's line interrupts has its result on a second line,
  /// which is joined to the first.
  static func calls(_ file: String) throws -> [Call] {
    var calls: [Call] = []
    var open: [String: Int] = [:]
    for line in try Files.text(file).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2 else { continue }
      let thread = String(parts[0])
      let text = String(parts[1].drop { $0 == " " })
      if text.hasPrefix("<...") {
        if let index = open.removeValue(forKey: thread) {
          calls[index] = Call(thread: thread, name: calls[index].name, text: calls[index].text + text)
        }
        continue
      }
      guard let end = text.firstIndex(of: "(") else { continue }
      if text.hasSuffix("<unfinished ...>") { open[thread] = calls.count }
      calls.append(Call(thread: thread, name: String(text[..<end]), text: text))
    }
    return calls
  }

  /// The calls from the one after the nth that fits `start` to the next that fits `end`, this one too.
  static func points(
    after start: (Call) -> Bool, number: Int = 1, until end: (Call) -> Bool, in calls: [Call]
  ) -> [Point] {
    var counts: [String: Int] = [:]
    var most: [String: Int] = [:]
    var points: [Point] = []
    var started = 0
    for call in calls {
      let count = counts["\(call.thread) \(call.name)", default: 0] + 1
      counts["\(call.thread) \(call.name)"] = count
      let isFirst = count > most[call.name, default: 0]
      if isFirst { most[call.name] = count }
      if started == number {
        points.append(Point(name: call.name, count: count, isFirst: isFirst))
        if end(call) { return points }
      } else if start(call) {
        started += 1
      }
    }
    return points
  }

  /// The words that start a program so that it is killed as it enters a call.
  static func killer(at point: Point) -> [String] {
    [
      "/usr/bin/strace", "-f", "-o", "/dev/null", "-e", "trace=\(point.name)", "-e",
      "inject=\(point.name):signal=SIGKILL:when=\(point.count)",
    ]
  }

  /// Runs a marking process that is killed as it enters a call.
  /// - Returns: the marks that it told of, and how it ended.
  static func kill(
    _ store: PreparedStore, at point: Point, saves: Int
  ) throws -> (drawn: [MarkingProcess.Drawn], code: Int32) {
    let child = try start(store, Array(killer(at: point).dropFirst()), saves: saves)
    let drawn = child.remainingLines().compactMap { MarkingProcess.Drawn(line: $0) }
    return (drawn, child.wait())
  }

  private static func start(_ store: PreparedStore, _ options: [String], saves: Int) throws -> Child {
    let program = ProcessFacts.ownFolder + "/osce-faults"
    return try Child(
      onPipe: "/usr/bin/strace", options + [program] + store.arguments(sheet: 0, rate: 0, count: saves))
  }
}
