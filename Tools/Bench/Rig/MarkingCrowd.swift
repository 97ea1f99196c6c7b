import CRig
import Glibc

/// Marking processes on one store, started together.
public struct MarkingCrowd {
  /// What they did.
  public struct Result: Sendable {
    /// The marks that were drawn.
    public var drawn: [MarkingProcess.Drawn] = []
    /// How long each took, but the first of each process.
    public var times = Timings()
    /// How long the first of each process took: it prepares what the later ones use.
    public var firstTimes = Timings()
    /// What a user would have read.
    public var errors: [String] = []
    /// From the common beginning to the end of all.
    public var seconds = 0.0
  }

  /// The processes.
  public let children: [Child]
  private let begin: Int64
  private var hasDrawn: Set<Int32> = []

  /// Starts one process for each sheet; they begin to save together when each has opened the store.
  /// - Parameters:
  ///   - rate: saves a second of each; 0: as fast as it goes.
  ///   - count: saves of each.
  /// - Throws: `RigError` if one does not start.
  public init(store: String, sheets: [(sheet: String, staff: Int)], rate: Int, count: Int) throws {
    // Opening is no part of what is measured.
    let begin = rig_now() + 500_000_000 + Int64(sheets.count) * 50_000_000
    self.begin = begin
    children = try sheets.map { sheet in
      let plan = MarkingProcess.Plan(
        store: store, sheet: sheet.sheet, staff: sheet.staff, rate: rate, count: count,
        begin: begin)
      return try Child(onPipe: ProcessFacts.ownPath, plan.arguments)
    }
    for child in children {
      guard let line = child.line(), line.hasPrefix("open ") else { throw RigError("a marking process did not start") }
    }
    guard rig_now() < begin else { throw RigError("the marking processes were slow to start; try again") }
  }

  /// Ends all of them before their time.
  /// - Returns: what they did until then.
  public mutating func stop() -> Result {
    for child in children { child.signal(SIGTERM) }
    var result = finish()
    result.errors.removeAll { $0 == "a marking process ended with \(128 + SIGTERM)" }
    return result
  }

  /// Waits for all of them.
  public mutating func finish() -> Result {
    var result = Result()
    while children.contains(where: { !$0.isAtEnd }) {
      let open = children.filter { !$0.isAtEnd }
      var polled = open.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      poll(&polled, nfds_t(polled.count), -1)
      for (child, state) in zip(open, polled) where state.revents != 0 {
        while let line = child.line(within: 0) { note(line, of: child, in: &result) }
      }
    }
    for child in children {
      let code = child.wait()
      if code != 0 { result.errors.append("a marking process ended with \(code)") }
    }
    result.seconds = Double(rig_now() - begin) / 1e9
    return result
  }

  private mutating func note(_ line: String, of child: Child, in result: inout Result) {
    if let mark = MarkingProcess.Drawn(line: line) {
      result.drawn.append(mark)
      if hasDrawn.insert(child.process).inserted {
        result.firstTimes.add(mark.time)
      } else {
        result.times.add(mark.time)
      }
    } else {
      result.errors.append(line)
    }
  }
}
