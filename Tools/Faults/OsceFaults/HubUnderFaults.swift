import ArgumentParser
import BadNetwork
import Glibc
import HubRig
import Rig
import SeededNumbers

/// Stores that meet their hub through a network at its worst, while hub, uploaders and marking processes are killed.
struct HubUnderFaults: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hub",
    abstract: "A hub and twenty stores through a hostile proxy, all killed at random: every mark is everywhere, once.")

  @Option(help: "How long, in seconds.") var seconds = 60
  @Option(help: "How many stores, 16 to 100.") var stores = 20
  @Option(help: "Marks a second at each store.") var rate = 1
  @Option(help: "Repeats the faults of a run; 0: a fresh seed.") var seed: UInt64 = 0
  @Option(help: "Where the programs are; by default beside this one.") var programs: String?
  @OptionGroup var place: FolderOption

  /// By when a queue has to go on after one fault, in seconds.
  private static let patience = 100
  /// By when all stores have to be equal after the last fault, in seconds.
  private static let healing = 5.0

  func validate() throws {
    guard (NetworkFault.allCases.count...100).contains(stores) else {
      throw ValidationError("--stores takes \(NetworkFault.allCases.count) to 100; got \(stores)")
    }
  }

  func run() throws {
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("hub: seed \(seed)")
    var proxy: HostileProxy?
    let hall = try HubHall(stores, in: place.folder, programs: programs) { hub, address in
      let made = proxy ?? HostileProxy(to: hub.port, seed: seed)
      proxy = made
      return try made.open(at: address)
    }
    defer {
      proxy?.close()
      hall.close()
    }
    guard let proxy else { return }
    var told = try meetEach(hall, proxy)
    told += try meetAll(hall, proxy, Seeded(seed: seed))
    // A hub that is not up again yet is a fault that is not over.
    guard proxy.awaitHub() else { throw RigError("the hub takes no connections 30 s after its last start") }
    proxy.set(.calm)
    let settling = try hall.settle(within: Self.patience)
    let last = settling.seconds
    var faults = try hall.faults(after: told)
    if last > Self.healing {
      faults.append("all were equal only \(decimal(last, 1)) s after the last fault; \(settling.last)")
    }
    try report("hub, seed \(seed)", faults)
    print(
      "hub: \(told.count) marks told of, each at the hub and in all \(stores) stores, once; all equal \(decimal(last, 1)) s "
        + "after the last fault")
  }

  /// Each fault once: one mark waits, its push meets the fault, and then nothing is done.
  private func meetEach(_ hall: HubHall, _ proxy: HostileProxy) throws -> [MarkingProcess.Drawn] {
    var open: [Int: NetworkFault] = [:]
    var told: [MarkingProcess.Drawn] = []
    for (index, fault) in NetworkFault.allCases.enumerated() {
      proxy.arm(fault, at: HubHall.address(index))
      let store = try hall.terminals[index].store()
      var seat = try MarkingSeat(sheet: hall.sheets[index].sheet, staff: hall.sheets[index].staff, in: store)
      let operation = try seat.save(index, in: store)
      let line = "drawn \(seat.items[0].key) 0 \(operation) 0"
      told += [MarkingProcess.Drawn(line: line)].compactMap { $0 }
      open[index] = fault
    }
    let begin = now()
    while !open.isEmpty {
      let seconds = Double(now() - begin) / 1e9
      for (index, fault) in open where try hall.terminals[index].waiting() == 0 {
        guard proxy.hasMet(at: HubHall.address(index)) else { throw RigError("\(fault.rawValue) was not met") }
        print("  \(fault.rawValue): the mark was at the hub \(decimal(seconds, 1)) s after it was made")
        open[index] = nil
      }
      guard seconds < Double(Self.patience) else {
        throw RigError("stuck after \(Self.patience) s: \(open.values.map(\.rawValue).joined(separator: ", "))")
      }
      usleep(20_000)
    }
    return told
  }

  /// All faults at random, while everything is killed.
  private func meetAll(
    _ hall: HubHall, _ proxy: HostileProxy, _ seeded: Seeded
  ) throws -> [MarkingProcess.Drawn] {
    var random = seeded
    proxy.set(.spells)
    var marking = try hall.terminals.indices.map { try mark(hall, $0) }
    var told: [MarkingProcess.Drawn] = []
    var killed = (hub: 0, uploaders: 0, marking: 0)
    func end(_ index: Int) {
      marking[index].signal(SIGKILL)
      told += marking[index].remainingLines().compactMap { MarkingProcess.Drawn(line: $0) }
      marking[index].wait()
    }
    let until = now() + Int64(seconds) * 1_000_000_000
    while now() < until {
      usleep(useconds_t.random(in: 20_000...300_000, using: &random))
      let index = Int.random(in: 0..<stores, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        hall.hub.kill()
        usleep(useconds_t.random(in: 0...1_000_000, using: &random))
        try hall.hub.start()
        killed.hub += 1
      case 1...5:
        hall.terminals[index].kill()
        try hall.terminals[index].start()
        killed.uploaders += 1
      default:
        end(index)
        marking[index] = try mark(hall, index)
        killed.marking += 1
      }
      guard hall.hub.isRunning else { throw RigError("the hub has ended by itself: \(hall.scratch.file("hub.log"))") }
    }
    for index in marking.indices { end(index) }
    let met = NetworkFault.allCases.map { "\($0.rawValue) \(proxy.counts[$0] ?? 0)" }
    print("  met: \(met.joined(separator: ", "))")
    print("  killed: the hub \(killed.hub) times, uploaders \(killed.uploaders), marking processes \(killed.marking)")
    if let never = NetworkFault.allCases.first(where: { proxy.counts[$0] == nil }) {
      throw RigError("\(never.rawValue) was never met: let it run for longer")
    }
    return told
  }

  private func mark(_ hall: HubHall, _ index: Int) throws -> Child {
    let plan = MarkingProcess.Plan(
      store: hall.terminals[index].path, sheet: hall.sheets[index].sheet, staff: hall.sheets[index].staff, rate: rate,
      count: 1_000_000)
    return try Child(onPipe: ProcessFacts.ownPath, plan.arguments)
  }
}
