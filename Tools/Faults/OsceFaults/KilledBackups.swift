import ArgumentParser
import CircuitModel
import ExamStore
import Glibc
import Rig
import SeededNumbers

/// Two processes that back a store up to one path again and again and are killed at random moments, one that marks
/// meanwhile, and one that looks at the backup all the time.
struct KilledBackups: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backups",
    abstract:
      "kill -9 of backups beside another backup to one path: always one whole copy, never an older.")

  @Option(help: "How many kills.") var kills = 100
  @Option(help: "Repeats a run; 0: a fresh seed.") var seed: UInt64 = 0
  @OptionGroup var place: FolderOption

  /// The longest that a backup is left alone, in microseconds.
  private static let longest: UInt32 = 120_000

  func run() throws {
    let seed = seed == 0 ? UInt64.random(in: 1...(.max)) : seed
    print("backups: seed \(seed)")
    var random = Seeded(seed: seed)
    let store = try PreparedStore(in: place.folder, sheets: 1)
    let second = try ScratchFolder(in: place.folder)
    defer {
      store.scratch.remove()
      second.remove()
    }
    let path = second.file("copy.sqlite")
    // What another program left beside is not ours to remove.
    let foreign = [".copy.sqlite.osce-part-" + String(repeating: "0", count: 32), "copy.sqlite.part", "notes.txt"]
    for name in foreign { try Files.write(Array("theirs".utf8), to: second.file(name)) }
    let marking = try Child(onPipe: ProcessFacts.ownPath, store.arguments(sheet: 0, rate: 20, count: 1_000_000))
    _ = marking.line()
    func backUp() throws -> Child { try Child(onPipe: ProcessFacts.ownPath, ["backer", store.path, path]) }
    var backing = [try backUp(), try backUp()]
    guard backing[0].line() != nil else { throw RigError("no backup was made") }
    let looking = try Child(onPipe: ProcessFacts.ownPath, ["looker", path])
    _ = looking.line()

    var faults: [String] = []
    var (made, inside) = (1, 0)
    for _ in 0..<kills {
      usleep(UInt32.random(in: 0...Self.longest, using: &random))
      let index = Int.random(in: 0...1, using: &random)
      let child = backing[index]
      child.signal(SIGSTOP)
      while child.isRunning, ProcessFacts.state(of: child.process) != "T" { usleep(50) }
      // Its lock lies beside the path while it works.
      if ProcessFacts.lockHolder(second.file(".copy.sqlite.osce-lock")) == child.process { inside += 1 }
      child.signal(SIGKILL)
      let lines = child.remainingLines()
      child.wait()
      made += lines.count { $0.hasPrefix("made ") }
      faults += lines.filter { $0.hasPrefix("error") }
      backing[index] = try backUp()
      if !looking.isRunning { break }
    }
    for child in backing + [marking] { child.signal(SIGKILL) }
    for child in backing {
      let lines = child.remainingLines()
      made += lines.count { $0.hasPrefix("made ") }
      faults += lines.filter { $0.hasPrefix("error") }
      child.wait()
    }
    let drawn = marking.remainingLines().compactMap { MarkingProcess.Drawn(line: $0) }
    marking.wait()
    try Files.write([], to: path + ".stop")
    let seen = looking.remainingLines()
    if looking.wait() != 0 { faults.append("the one who looked: \(seen.last ?? "ended")") }
    unlink(path + ".stop")

    // The next backup takes away what the last kill left.
    let last = try ExamStore.toRead(StoreLocation(path: store.path))
    _ = try last.backup(to: path)
    last.close()
    for name in foreign where try Files.text(second.file(name)) != "theirs" { faults.append("\(name) was changed") }
    let left = Set(Files.names(in: second.path)).subtracting(foreign)
    if left != ["copy.sqlite"] { faults.append("left behind: \(left.sorted())") }
    let audit = try StoreAudit(store.path)
    let copy = try StoreAudit(path)
    faults += audit.problems + audit.missing(drawn) + (copy.problems + copy.missing(drawn)).map { "the copy: \($0)" }
    try report("backups, seed \(seed)", faults)
    print(
      "backups: \(kills) kills, \(inside) of them with the path in hand; \(made) backups made beside them, "
        + "\(seen.last ?? "") at the path, each a whole copy and none older than the one before; \(drawn.count) marks "
        + "drawn meanwhile, every one in the store and in the last copy; nothing left behind, other files untouched")
  }
}

/// Backs a store up again and again; started by the other command.
struct Backer: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "backer", shouldDisplay: false)

  @Argument var store: String
  @Argument var path: String

  func run() throws {
    StoreLock.patience.withLock { $0 = 60 }
    let store = try ExamStore.toRead(StoreLocation(path: store))
    while true {
      do { print("made \(try store.backup(to: path))") } catch { print("error \(error)") }
      // The path goes to the process that asks first: one that asked again at once could keep the other from it for minutes.
      usleep(1_000)
    }
  }
}

/// Looks at a backup without pause, until a file with its name and `.stop` is there; started by the other command.
struct Looker: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "looker", shouldDisplay: false)

  @Argument var path: String

  func run() throws {
    print("looking")
    var (looks, copies, operations) = (0, 0, 0)
    while access(path + ".stop", F_OK) != 0 {
      let found = try StoreAudit.wholeCopy(path)
      if found < operations { throw RigError("a copy of \(found) operations after one of \(operations)") }
      if found > operations { copies += 1 }
      operations = found
      looks += 1
    }
    print("\(looks) looks at \(copies) copies")
  }
}
