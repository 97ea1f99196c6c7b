import Glibc

/// What the kernel says of a process.
public enum ProcessFacts {
  /// This program's own file.
  public static let ownPath = "/proc/self/exe"

  /// Where this program's file really lies.
  public static var ownFolder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(ownPath, &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// Proportional set size in kilobytes: private memory, and the process's share of what it shares.
  public static func proportionalSetSize(of process: Int32) -> Int {
    guard let text = try? Files.text("/proc/\(process)/smaps_rollup") else { return 0 }
    for line in text.split(separator: "\n") where line.hasPrefix("Pss:") {
      return Int(line.split(separator: " ")[1]) ?? 0
    }
    return 0
  }

  /// The most memory in kilobytes that a process has had at once.
  public static func peakMemory(of process: Int32) -> Int {
    let status = (try? Files.text("/proc/\(process)/status")) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first }.flatMap { Int($0) }
      ?? 0
  }

  /// Memory in kilobytes that a process has written to and that no other has: unlike the proportional set size it does
  /// not change with the number of its neighbours.
  public static func ownMemory(of process: Int32) -> Int {
    guard let text = try? Files.text("/proc/\(process)/smaps_rollup") else { return 0 }
    return text.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty:") || $0.hasPrefix("SwapPss:") }
      .reduce(0) { $0 + (Int($1.split(separator: " ")[1]) ?? 0) }
  }

  /// Processor time used so far, user and system, in clock ticks of 10 ms, and the number of voluntary switches of its
  /// main thread (each is one wake-up).
  public static func use(of process: Int32) -> (ticks: Int, wakeUps: Int) {
    let fields = (try? Files.text("/proc/\(process)/stat"))?.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    let status = (try? Files.text("/proc/\(process)/status")) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    let wakeUps = line.flatMap { $0.split(whereSeparator: { $0 == "\t" || $0 == " " }).last }.flatMap { Int($0) } ?? 0
    return (ticks, wakeUps)
  }

  /// Processor time of all its threads in nanoseconds, by the scheduler's own count.
  public static func processorTime(of process: Int32) -> Int64 {
    Files.names(in: "/proc/\(process)/task").reduce(0) { sum, thread in
      let text = (try? Files.text("/proc/\(process)/task/\(thread)/schedstat")) ?? ""
      return sum + (text.split(separator: " ").first.flatMap { Int64($0) } ?? 0)
    }
  }

  /// The state letter of a process: `T` where it is stopped.
  public static func state(of process: Int32) -> Character? {
    (try? Files.text("/proc/\(process)/stat"))?.split(separator: ")").last?.first { $0 != " " }
  }

  /// The process that has a file locked by `flock`; nil if none has, or there is no such file.
  public static func lockHolder(_ path: String) -> Int32? {
    var status = stat()
    guard stat(path, &status) == 0, let table = try? Files.text("/proc/locks") else { return nil }
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      if fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(":\(status.st_ino)") { return Int32(fields[4]) }
    }
    return nil
  }

  /// The name of a process's program, as the kernel keeps it.
  public static func command(of process: Int32) -> String {
    ((try? Files.text("/proc/\(process)/comm")) ?? "").filter { $0 != "\n" }
  }

  /// The processes that a process started, and those that they started.
  public static func descendants(of process: Int32) -> [Int32] {
    var parents: [Int32: Int32] = [:]
    for name in Files.names(in: "/proc") {
      guard let child = Int32(name), let text = try? Files.text("/proc/\(name)/stat"),
        let parent = text.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap({ Int32($0) })
      else { continue }
      parents[child] = parent
    }
    var found: [Int32] = [process]
    var index = 0
    while index < found.count {
      found += parents.filter { $0.value == found[index] }.map(\.key)
      index += 1
    }
    return Array(found.dropFirst())
  }
}
