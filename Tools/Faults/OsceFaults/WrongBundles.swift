import ArgumentParser
import BundleVariants
import GRDB
import Glibc
import Rig

/// The small exam with one thing in it wrong, for every attribute and relationship of every entity, and the same written
/// into the file of a store: the program itself imports and reads it, each command a process of its own, so that one
/// that ends in a trap is named and the next variant is tried.
struct WrongBundles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundles",
    abstract: "Bundles wrong in one place, and stores with one planted value: refused in a line, or read by everything."
  )

  @Option(help: "The bundle of a valid exam.") var exam: String
  @Option(help: "The program; by default osce beside this one.") var program: String?
  @Option(help: "Every so manyth variant only.") var every = 1
  @Option(help: "Only variants whose name begins so.") var only = ""
  @Option(help: "Which of that many parts to run, as 1/2: several can run side by side.") var part = "1/1"
  @OptionGroup var place: FolderOption

  func run() throws {
    let exam = try SmallExam(reference: try Files.text(exam))
    let scratch = try ScratchFolder(in: place.folder)
    defer { scratch.remove() }
    let reader = StoreReader(osce: program ?? ProcessFacts.ownFolder + "/osce", scratch: scratch)
    try reader.make(exam.bundle())
    var faults: [String] = []
    var (refused, accepted) = (0, 0)
    let bundles = chosen(exam.variants(), \.name)
    for variant in bundles {
      let found = try reader.play(bundle: variant.bundle)
      if found.isRefused { refused += 1 } else { accepted += 1 }
      note(found.faults, variant.name, &faults)
    }
    print("bundles: \(bundles.count) variants, \(refused) refused with nothing changed, \(accepted) accepted and read")
    let planted = chosen(PlantedVariant.all() + PlantedVariant.ofMark + (try reader.ownVariants()), \.name)
    var named = 0
    for variant in planted {
      let found = try reader.play(planted: variant.sql)
      if found.isNamed { named += 1 }
      note(found.faults, variant.name, &faults)
    }
    print("bundles: \(planted.count) values planted, \(named) named by doctor, the others as they were or allowed")
    try report("bundles", faults)
    print("bundles: no trap, no store that is not sound after an import, no word of SQLite")
  }

  private func chosen<Variant>(_ variants: [Variant], _ name: (Variant) -> String) -> [Variant] {
    let numbers = part.split(separator: "/").compactMap { Int($0) }
    let (own, parts) = numbers.count == 2 ? (numbers[0], max(1, numbers[1])) : (1, 1)
    return variants.filter { name($0).hasPrefix(only) }.enumerated()
      .filter { ($0.offset / parts) % max(1, every) == 0 && $0.offset % parts == (own - 1) % parts }.map(\.element)
  }

  private func note(_ found: [String], _ name: String, _ faults: inout [String]) {
    for fault in found { print("  FAULT \(name): \(fault)") }
    faults += found.map { "\(name): \($0)" }
  }
}

/// A store in a file, and the program's commands and screens on copies of it.
private struct StoreReader {
  let osce: String
  let scratch: ScratchFolder
  private var path: String { scratch.file("store.sqlite") }
  private var empty: String { scratch.file("empty.sqlite") }
  private var loaded: String { scratch.file("loaded.sqlite") }
  private var bundle: String { scratch.file("bundle.json") }
  private var words: String { scratch.file("words") }

  init(osce: String, scratch: ScratchFolder) { (self.osce, self.scratch) = (osce, scratch) }

  /// Makes a store without rows and one with the valid exam.
  func make(_ text: String) throws {
    try Files.write(Array("{\"entities\": {}}".utf8), to: bundle)
    let first = try run([["import", bundle]])
    try Files.copy(path, to: empty)
    try Files.write(Array(text.utf8), to: bundle)
    let second = try run([["import", bundle]])
    // A mark is there.
    _ = try screen(marking.command, keys: marking.keys)
    guard (first + second).allSatisfy({ $0.code == 0 }) else {
      throw RigError("the exam is not imported: \((first + second).map(\.words))")
    }
    try Files.copy(path, to: loaded)
  }

  /// Values in the tables that the catalogue does not declare.
  func ownVariants() throws -> [PlantedVariant] {
    let queue = try DatabaseQueue(path: loaded)
    return try queue.read { try PlantedVariant.own(in: $0) }
  }

  func play(bundle text: String) throws -> (isRefused: Bool, faults: [String]) {
    try reset(to: empty)
    try Files.write(Array(text.utf8), to: bundle)
    let imported = try run([["import", bundle]])[0]
    var faults = imported.faults
    if imported.code != 0 {
      if imported.words.split(separator: "\n").count != 1 { faults.append("import: not one line: \(imported.words)") }
      if try Files.read(path) != Files.read(empty) { faults.append("a refused import has changed the store") }
      return (true, faults)
    }
    let doctor = try run([["doctor"]])[0]
    if doctor.code != 0 { faults.append("doctor: exit \(doctor.code)") }
    return (false, try faults + readFaults())
  }

  func play(planted sql: String) throws -> (isNamed: Bool, faults: [String]) {
    try reset(to: loaded)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    let faults = try readFaults()
    let doctor = try run([["doctor"]])[0]
    return (doctor.code == 1, faults + doctor.faults)
  }

  private func readFaults() throws -> [String] {
    let commands = try run(ReadingCommands.all + [["doctor", "--before"], ["doctor", "--json"]]).flatMap(\.faults)
    return try commands
      + screen(["wall"], keys: ["?", "q"])
      + screen(["wall", "--desk", "--staff", "nokafor"], keys: ["\r", "1", "2", "3", "4", "5", "6", "7", "8", "Q"])
      + screen(marking.command, keys: marking.keys)
  }

  private let marking = (
    command: ["mark", "--staff", "nokafor", "--timetable", "1"], keys: ["\r", "\r", "1", "j", "i", "q", "Q"]
  )

  private func reset(to file: String) throws {
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    try Files.copy(file, to: path)
  }

  // MARK: Commands

  private struct Answer {
    let command: [String]
    let code: Int32
    let words: String

    var faults: [String] {
      let name = command.joined(separator: " ")
      var found = ReadingCommands.foreignWords.filter { words.contains($0) }.map { "\(name): \($0) in: \(words)" }
      if code > 1 { found.append("\(name): exit \(code): \(words)") }
      if code == 1, words.isEmpty, command[0] != "doctor" { found.append("\(name): exit 1 without a word") }
      return found
    }
  }

  /// Runs commands one after the other, and keeps what each says on standard error.
  private func run(_ commands: [[String]]) throws -> [Answer] {
    let lines = commands.map { command in
      let line = ([osce] + command + ["--store", path]).map { "'\($0)'" }.joined(separator: " ")
      return "\(line) >/dev/null 2>'\(words)' </dev/null; echo \"$? $(head -c 2000 '\(words)' | tr '\\n' '\\001')\""
    }
    let shell = try Child(onPipe: "/bin/sh", ["-c", lines.joined(separator: "\n")])
    let answers = shell.remainingLines()
    shell.wait()
    guard answers.count == commands.count else { throw RigError("\(answers.count) of \(commands.count) answers") }
    return zip(commands, answers).map { command, answer in
      let parts = answer.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let words = parts.count > 1 ? String(parts[1].map { $0 == "\u{1}" ? "\n" : $0 }) : ""
      return Answer(command: command, code: Int32(parts[0]) ?? 255, words: words)
    }
  }

  /// Opens a screen, presses keys, and ends it.
  private func screen(_ command: [String], keys: [String]) throws -> [String] {
    let session = try TerminalSession(osce, command + ["--store", path])
    var isOpen = session.pump(quiet: 80)
    for key in keys where isOpen {
      session.child.type(key)
      isOpen = session.pump(quiet: 25)
    }
    session.child.signal(SIGTERM)
    while session.pump(quiet: 1000), session.child.isRunning {}
    if session.child.isRunning { session.child.signal(SIGKILL) }
    let code = session.child.wait()
    let crashes: Set<Int32> = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGKILL]
    return crashes.contains(code - 128) ? ["\(command.joined(separator: " ")): ended by signal \(code - 128)"] : []
  }
}
