import ArgumentParser
import CRig
import CircuitModel
import Glibc
import Rig
import Timer

/// Whether anything grows over a day's schedule.
struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak", abstract: "Terminals over hours of schedule in phases of seconds: memory, descriptors, log.",
    discussion: """
      The clocks run true; the phases are seconds long instead of minutes, so that in half an hour as many phases,
      warnings and bells pass as in days of ten-minute rounds. Exit code 1 if anything has grown beyond its bound.
      """)

  @Option(help: "How many terminals; one in twenty is a wall, the others are mark sheets.") var terminals = 40
  @Option(help: "Minutes of watching, the first two of which warm up.") var minutes = 32
  @Option(help: "The program; by default osce beside this one.") var program: String?
  @Option(help: "A folder on a local disk.") var folder = "/var/tmp"

  /// Most that the mean of all terminals may grow from warm-up to end, in kilobytes of proportional memory.
  private static let memoryBound = 256
  /// Largest log at any sample, in bytes: a checkpoint follows every 200th operation.
  private static let logBound = 8 << 20

  func run() throws {
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    let path = scratch.file("store.sqlite")
    let hall = try Hall(
      terminals, store: path, osce: program ?? ProcessFacts.ownFolder + "/osce",
      schedule: .short(reading: 1, rotation: 5, changeover: 1, rounds: minutes * 60 / 7 + 40))
    defer { hall.close() }
    print("minute  memory kB (mean, most)  descriptors (all)  threads (all)  log kB  bells  phases")
    var first: Sample?
    var last: Sample?
    let begin = rig_now()
    for minute in 1...max(3, minutes) {
      let bells = try keep(hall, until: begin + Int64(minute) * 60_000_000_000)
      let sample = Sample(hall, store: path)
      print("\(pad(String(minute), to: 6))  \(sample.line)  \(pad(String(bells), to: 5))  \(minute * 60 / 7 * 3)")
      if minute == 2 { first = sample }
      last = sample
    }
    guard let first, let last else { return }
    let growth = last.meanMemory - first.meanMemory
    print(
      "from minute 2 to \(max(3, minutes)): memory of a terminal \(growth >= 0 ? "+" : "")\(growth) kB "
        + "(bound \(Soak.memoryBound)), descriptors \(last.descriptors - first.descriptors), "
        + "threads \(last.threads - first.threads), terminals that ended \(last.ended)")
    if growth > Soak.memoryBound || last.descriptors > first.descriptors || last.threads > first.threads
      || last.ended > 0 || last.log > Soak.logBound
    {
      throw ExitCode(1)
    }
  }

  /// Reads all terminals and types a mark now and then.
  /// - Returns: how many bells rang.
  private func keep(_ hall: Hall, until instant: Int64) throws -> Int {
    var bells = 0
    var number = 0
    while rig_now() < instant {
      let watch = hall.watch()
      for _ in 0..<10 {
        rig_sleep_until(min(instant, rig_now() + 250_000_000))
        let terminal = Int.random(in: 0..<(hall.terminals.count - hall.walls))
        number += 1
        hall.terminals[terminal].child.type(["1", "0", "j", "k", "z", "g", "u", "?", "\u{1B}"].randomElement() ?? "j")
      }
      let watched = Watched(ending: watch)
      bells += watched.count(of: 7)
      watched.free()
    }
    return bells
  }

  /// What all terminals hold at one time.
  private struct Sample {
    var meanMemory = 0
    var mostMemory = 0
    var descriptors = 0
    var threads = 0
    var ended = 0
    var log = 0

    init(_ hall: Hall, store: String) {
      var all = 0
      for terminal in hall.terminals {
        guard terminal.child.isRunning else {
          ended += 1
          continue
        }
        let process = terminal.child.process
        let memory = ProcessFacts.proportionalSetSize(of: process)
        all += memory
        mostMemory = max(mostMemory, memory)
        descriptors += Files.names(in: "/proc/\(process)/fd").count
        threads += Files.names(in: "/proc/\(process)/task").count
      }
      meanMemory = all / max(1, hall.terminals.count - ended)
      var status = stat()
      if stat(store + "-wal", &status) == 0 { log = Int(status.st_size) }
    }

    var line: String {
      [
        pad("\(meanMemory)", to: 12), pad("\(mostMemory)", to: 8), pad("\(descriptors)", to: 18),
        pad("\(threads)", to: 14), pad("\(log / 1024)", to: 8),
      ].joined(separator: " ")
    }
  }
}
