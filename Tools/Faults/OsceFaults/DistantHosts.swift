import ArgumentParser
import BadNetwork
import ExamStore
import Glibc
import HubRig
import Rig
import Timer

/// Terminals far from their hub, each way with a delay that changes: how far their exam's times are from the hub's, and
/// from one another's.
struct DistantHosts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hosts",
    abstract: "The exam's time of terminals 100 ± 30 ms from a hub whose clock is another (libfaketime).")

  @Option(help: "How long is measured, in seconds.") var seconds = 60
  @Option(help: "How many stores.") var stores = 10
  @Option(help: "The delay of each way, in milliseconds.") var delay = 100
  @Option(help: "By how much it may be shorter or longer, in milliseconds.") var jitter = 30
  @Option(help: "How far the hub's clock is from the terminals', in seconds.") var ahead = 37
  @Option(help: "Repeats the delays of a run; 0: a fresh seed.") var seed: UInt64 = 0
  @Option(help: "The library.") var faketime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
  @Option(help: "Where the programs are; by default beside this one.") var programs: String?
  @OptionGroup var place: FolderOption

  /// The spread that 99 of 100 moments may not exceed, in milliseconds.
  private static let goal = 100.0

  func run() throws {
    guard access(faketime, R_OK) == 0 else { throw RigError("\(faketime) is not there: apt-get install libfaketime") }
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("hosts: seed \(seed)")
    var relay: SlowRelay?
    let hall = try HubHall(
      stores, in: place.folder, programs: programs,
      hubEnvironment: ["LD_PRELOAD": faketime, "FAKETIME": "+\(ahead)s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"]
    ) { hub, address in
      let range = (delay - jitter) * 1000...(delay + jitter) * 1000
      let made = relay ?? SlowRelay(to: hub.port, delay: range, seed: seed)
      relay = made
      return "http://\(address):\(try made.open(at: address))"
    }
    defer {
      relay?.close()
      hall.close()
    }
    let clocks = try hall.terminals.map { try $0.store() }
    try waitForEstimates(clocks)
    var (spread, error) = (Timings(), Timings())
    var (beyond, widest): (Int, Int64) = (0, 0)
    let until = now() + Int64(seconds) * 1_000_000_000
    while now() < until {
      var errors: [Int64] = []
      for store in clocks {
        _ = try store.dataVersion()
        let clock = store.clock
        let off = clock.now.milliseconds - (wall() + Int64(ahead) * 1000)
        let bound = clock.hub?.bound(at: clock.boot) ?? 0
        errors.append(off)
        error.add(abs(off) * 1_000_000)
        widest = max(widest, bound)
        // A millisecond of each side is rounding.
        if abs(off) > bound + 2 { beyond += 1 }
      }
      spread.add(((errors.max() ?? 0) - (errors.min() ?? 0)) * 1_000_000)
      usleep(100_000)
    }
    let p99 = spread.microseconds(at: 0.99) / 1000
    print(
      "hosts: \(stores) stores, \(delay) ± \(jitter) ms each way, the hub's clock \(ahead) s ahead, \(seconds) s: spread p50 "
        + "\(decimal(spread.median / 1000, 0)) ms, p99 \(decimal(p99, 0)) ms; error p99 "
        + "\(decimal(error.microseconds(at: 0.99) / 1000, 0)) ms, most \(decimal(error.microseconds(at: 1) / 1000, 0)) ms, "
        + "bound at most \(widest) ms; beyond its own bound \(beyond) of \(error.count)")
    for (index, terminal) in hall.terminals.enumerated().prefix(3) { try show(index, terminal) }
    var faults: [String] = []
    if p99 > Self.goal { faults.append("the spread is \(decimal(p99, 0)) ms") }
    if beyond > 0 { faults.append("\(beyond) times a clock was further off than it said") }
    try report("hosts, seed \(seed)", faults)
  }

  /// What `osce sync` says of it.
  private func show(_ index: Int, _ terminal: RigTerminal) throws {
    let asked = try Child(
      onPipe: (programs ?? ProcessFacts.ownFolder) + "/osce", ["sync", "--json", "--store", terminal.path])
    let text = asked.remainingLines().joined()
    asked.wait()
    let figures = text.split(whereSeparator: { ",{}".contains($0) }).filter { $0.contains("\"clock") }
    print("  store \(index): \(figures.joined(separator: ", "))")
  }

  private func waitForEstimates(_ stores: [ExamStore]) throws {
    let until = now() + 30_000_000_000
    while now() < until {
      let known = try stores.allSatisfy { store in
        _ = try store.dataVersion()
        return store.clock.hub != nil
      }
      if known { return }
      usleep(100_000)
    }
    throw RigError("no estimate of the hub's time after 30 s")
  }

  private func wall() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
