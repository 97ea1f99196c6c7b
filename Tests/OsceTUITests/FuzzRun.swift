import Glibc
import Testing

/// How a run of random events went. `OSCE_FUZZ_KEYS` and `OSCE_FUZZ_RESIZES` ask for a long one: then the slowest event
/// and the memory are held against their bounds, and what was seen is printed; `OSCE_SEED` plays a run again.
struct FuzzRun {
  /// A sheet is left for a new one before its history weighs on the machine.
  static let perStore = 50_000
  private static let slowest: Int64 = 1_000
  private static let growth = 64

  private let name: String
  private let seed: UInt64
  private let isLong = getenv("OSCE_FUZZ_KEYS") != nil
  private var worst: Int64 = 0
  private var leaves = 0
  /// Megabytes after each store.
  private var memory: [Int] = []

  init(_ name: String, seed: UInt64) {
    (self.name, self.seed) = (name, seed)
    // Said first too: a run that crashes says nothing at its end.
    guard isLong else { return }
    print("\(name): OSCE_SEED=\(seed)")
    fflush(nil)
  }

  static func number(_ variable: String, or usual: Int) -> Int {
    getenv(variable).flatMap { Int(String(cString: $0)) } ?? usual
  }

  /// Plays one event and takes its time.
  mutating func step(_ play: () -> Void) {
    let begin = FuzzRun.milliseconds
    play()
    worst = max(worst, FuzzRun.milliseconds - begin)
  }

  /// Notes that the keys themselves left the station or the program, which is an end in order.
  @MainActor mutating func leave(_ play: Rehearsed) {
    leaves += 1
    #expect(!play.hasExited || play.effects.contains(.exit(0)), "OSCE_SEED=\(seed)")
  }

  /// Notes the memory once a store is done with.
  mutating func endStore() { memory.append(FuzzRun.megabytes) }

  /// Says how a long run went, and holds it against the bounds.
  func end(_ events: Int, _ found: String) {
    #expect(leaves <= 1 + events / 10_000, "left \(leaves) times, OSCE_SEED=\(seed)")
    guard isLong else { return }
    // The first stores fill what is kept for good.
    let (early, late) = (memory.prefix(3).last ?? 0, memory.last ?? 0)
    print(
      "\(name): OSCE_SEED=\(seed), \(events) events, \(found), slowest \(worst) ms, left \(leaves) times, "
        + "memory \(early) MB after three stores, \(late) MB after \(memory.count)")
    #expect(worst < FuzzRun.slowest, "an event took \(worst) ms, OSCE_SEED=\(seed)")
    #expect(late - early < FuzzRun.growth, "memory grew from \(early) to \(late) MB, OSCE_SEED=\(seed)")
  }

  private static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static var megabytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    fgets(&line, 128, file)
    let pages = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
      separator: " ")
    return pages.count > 1 ? (Int(pages[1]) ?? 0) * 4096 / 1_048_576 : 0
  }
}
