import CRig
import CircuitModel
import ExamStore
import Glibc
import Journal

/// A process that saves marks as a terminal does, through the store's writer thread, and writes one line for each mark
/// that its screen would now draw: `item level operation nanoseconds`.
public enum MarkingProcess {
  /// What such a process is to do.
  public struct Plan: Sendable {
    /// The store.
    public var store: String
    /// The sheet to mark.
    public var sheet: String
    /// The assessor's key.
    public var staff: Int
    /// Saves a second; 0: as fast as it goes.
    public var rate: Int
    /// How many saves.
    public var count: Int
    /// The instant of the monotonic clock, in nanoseconds, at which the first save may begin; 0: at once.
    public var begin: Int64

    /// - Parameters: see the properties.
    public init(store: String, sheet: String, staff: Int, rate: Int, count: Int, begin: Int64 = 0) {
      self.store = store
      self.sheet = sheet
      self.staff = staff
      self.rate = rate
      self.count = count
      self.begin = begin
    }

    /// The arguments after the program's name that make it do this.
    public var arguments: [String] {
      ["worker", store, sheet, String(staff), String(rate), String(count), String(begin)]
    }

    /// Reads such arguments; nil if they are none.
    public init?(arguments: [String]) {
      guard arguments.count == 7, arguments[0] == "worker", let staff = Int(arguments[3]), let rate = Int(arguments[4]),
        let count = Int(arguments[5]), let begin = Int64(arguments[6])
      else { return nil }
      self.init(
        store: arguments[1], sheet: arguments[2], staff: staff, rate: rate, count: count, begin: begin)
    }
  }

  /// A mark that such a process has drawn.
  public struct Drawn: Sendable {
    /// The item's key.
    public let item: String
    /// The mark in millionths.
    public let rating: Int64
    /// The operation.
    public let operation: String
    /// From the call to the moment at which the screen's thread knew of the commit, in nanoseconds.
    public let time: Int64

    /// Reads a line of output; nil if it is another or was cut off.
    public init?(line: String) {
      let parts = line.split(separator: " ")
      guard parts.count == 5, parts[0] == "drawn", parts[3].count == 36, let rating = Int64(parts[2]),
        let time = Int64(parts[4])
      else { return nil }
      item = String(parts[1])
      self.rating = rating
      operation = String(parts[3])
      self.time = time
    }
  }

  /// Does what the plan says and ends the process.
  /// - Throws: what the store throws when it is opened.
  @MainActor public static func run(_ plan: Plan) throws -> Never {
    let store = try ExamStore(StoreLocation(path: plan.store))
    var seat = try MarkingSeat(sheet: plan.sheet, staff: plan.staff, in: store)
    var wake: [Int32] = [-1, -1]
    guard pipe(&wake) == 0 else { throw RigError("no pipe: \(String(cString: strerror(errno)))") }
    let (woken, waker) = (wake[0], wake[1])
    store.onCompletion {
      var one: UInt8 = 1
      _ = Glibc.write(waker, &one, 1)
    }
    write("open \(getpid())\n")
    let interval = plan.rate > 0 ? 1_000_000_000 / Int64(plan.rate) : 0
    // Terminals do not beat in step.
    var due = max(rig_now(), plan.begin) + (interval > 0 ? Int64.random(in: 0..<interval) : 0)
    for number in 0..<plan.count {
      if interval > 0 || number == 0 { rig_sleep_until(due) }
      due += interval
      let (index, level) = seat.next(number)
      let item = seat.items[index]
      let begin = rig_now()
      let outcome = Outcome()
      store.submit(seat.author) {
        try Marking($0).mark(item, level: level)
      } then: {
        outcome.result = $0
      }
      var one: UInt8 = 0
      while outcome.result == nil {
        _ = Glibc.read(woken, &one, 1)
        store.deliver()
      }
      switch outcome.result {
      case .success(let operation):
        let time = rig_now() - begin
        seat.saved(index, level, as: operation)
        write("drawn \(item.key) \(level.value.scaled) \(operation) \(time)\n")
      case .failure(let error): write("error \(error)\n")
      case nil: break
      }
    }
    store.close()
    exit(0)
  }

  @MainActor private final class Outcome {
    var result: Result<OperationID, any Error>?
  }

  private static func write(_ line: String) {
    let bytes = Array(line.utf8)
    _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
  }
}
