import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Glibc
import Rig

/// Whether anything grows over a long day.
struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak", abstract: "Terminals that mark through a day of ten-minute rounds, their clocks made faster.",
    discussion: """
      A library that is loaded before the program's own makes all its clocks run faster, and its waits shorter, so that
      half an hour holds fourteen hours of rounds, bells and marks. Exit code 1 if anything has grown beyond its bound.
      """)

  @Option(help: "How many terminals; one in twenty is a wall, the others are mark sheets.") var terminals = 40
  @Option(help: "Minutes of watching, the first two of which warm up.") var minutes = 31
  @Option(help: "How much faster the clocks run.") var factor = 28
  @Option(help: "Seconds of the faster clock from key to key at each mark sheet.") var pace = 20
  @Option(help: "The library that makes clocks faster; by default beside this program.") var library: String?
  @OptionGroup var measuring: MeasuringOptions

  /// Most that the mean of all terminals may grow from warm-up to end, in kilobytes of their own memory.
  private static let memoryBound = 256
  /// Largest log at any sample, in bytes: a checkpoint follows every 200th operation.
  private static let logBound = 8 << 20

  func run() throws {
    let library = library ?? ProcessFacts.ownFolder + "/osce-faster.so"
    guard access(library, R_OK) == 0 else { throw RigError("\(library) is not there: script/bench builds it") }
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let path = scratch.file("store.sqlite")
    let begin = rig_now()
    let hall = try Hall(
      terminals, store: path, osce: measuring.osce,
      schedule: .rounds(minutes * factor / 10 + 6),
      environment: [
        "LD_PRELOAD": library, "OSCE_FASTER_BY": String(factor), "OSCE_FASTER_SINCE": String(rig_boot_now()),
      ])
    defer { hall.close() }
    print("\(terminals) terminals (\(hall.walls) walls), clocks \(factor) times as fast")
    print("minute  hours  own memory kB (mean, most)  descriptors  threads  log kB  store MB   keys  bells  ended")
    var first: Sample?
    var last: Sample?
    var (keys, bells) = (0, 0)
    for minute in 1...max(3, minutes) {
      let done = keep(hall, until: begin + Int64(minute) * 60_000_000_000)
      (keys, bells) = (keys + done.keys, bells + done.bells)
      let sample = Sample(hall, store: path)
      let hours = decimal(Double(minute * factor) / 60, 1)
      print("\(pad(String(minute), to: 6))  \(pad(hours, to: 5))  \(sample.line(keys: keys, bells: bells))")
      if minute == 2 { first = sample }
      last = sample
    }
    guard let first, let last else { return }
    let growth = last.meanMemory - first.meanMemory
    print(
      "from minute 2 to \(max(3, minutes)): own memory of a terminal \(growth >= 0 ? "+" : "")\(growth) kB "
        + "(bound \(Soak.memoryBound)), descriptors \(last.descriptors - first.descriptors), "
        + "threads \(last.threads - first.threads), terminals that ended \(last.ended)")
    if growth > Soak.memoryBound || last.descriptors > first.descriptors || last.threads > first.threads
      || last.ended > 0 || last.log > Soak.logBound
    {
      throw ExitCode(1)
    }
  }

  /// Mostly marks; now and then somebody looks about, undoes, or goes to the next candidate.
  private static let keys =
    Array(repeating: ["1", "0", "2"], count: 8).flatMap(\.self) + [
      "j", "k", "g", "z", "u", "?", "\u{1B}", ">", "\r", "\r", "m", "\u{1B}",
    ]

  /// Reads all terminals and types at the mark sheets in turn.
  /// - Returns: how many keys were typed and bells rang.
  private func keep(_ hall: Hall, until instant: Int64) -> (keys: Int, bells: Int) {
    var (keys, bells) = (0, 0)
    let sheets = hall.terminals.count - hall.walls
    let interval = Int64(pace) * 1_000_000_000 / Int64(factor * sheets)
    var due = rig_now()
    while due < instant {
      // What a watch has taken in is counted and given back every few seconds.
      let watch = hall.watch()
      let end = min(instant, due + 5_000_000_000)
      while due < end {
        rig_sleep_until(due)
        hall.terminals[keys % sheets].child.type(Soak.keys.randomElement() ?? "j")
        keys += 1
        due += interval
      }
      let watched = Watched(ending: watch)
      bells += watched.count(of: 7)
      watched.free()
    }
    return (keys, bells)
  }

  /// What all terminals hold at one time.
  private struct Sample {
    var meanMemory = 0
    var mostMemory = 0
    var descriptors = 0
    var threads = 0
    var ended = 0
    var log = 0
    var size = 0

    init(_ hall: Hall, store: String) {
      var all = 0
      for terminal in hall.terminals {
        guard terminal.child.isRunning else {
          ended += 1
          continue
        }
        let process = terminal.child.process
        let memory = ProcessFacts.ownMemory(of: process)
        all += memory
        mostMemory = max(mostMemory, memory)
        descriptors += Files.names(in: "/proc/\(process)/fd").count
        threads += Files.names(in: "/proc/\(process)/task").count
      }
      meanMemory = all / max(1, hall.terminals.count - ended)
      log = Files.size(store + "-wal")
      size = Files.size(store)
    }

    func line(keys: Int, bells: Int) -> String {
      let columns: [(Int, Int)] = [
        (meanMemory, 18), (mostMemory, 8), (descriptors, 12), (threads, 8), (log / 1024, 7), (size >> 20, 9),
        (keys, 6), (bells, 6), (ended, 6),
      ]
      return columns.map { pad(String($0.0), to: $0.1) }.joined(separator: " ")
    }
  }
}
