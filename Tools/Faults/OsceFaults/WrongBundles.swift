import ArgumentParser
import BundleVariants
import GRDB
import Glibc
import HubRig
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
  @Option(help: "Every so manyth variant only.") var every = 1
  @Option(help: "Only variants whose name begins so.") var only = ""
  @Flag(help: "Each alone, for some hours; as a rule many that hide nothing from one another are read at once.")
  var alone = false
  @Option(help: "What is tried: bundles or planted; by default one after the other, and both can run side by side.")
  var kind: Kind?
  @OptionGroup var measuring: MeasuringOptions

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case bundles, planted
  }

  func run() throws {
    let exam = try SmallExam(reference: try Files.text(exam))
    let scratch = try ScratchFolder(in: measuring.folder)
    defer { scratch.remove() }
    let reader = StoreReader(osce: measuring.osce, scratch: scratch)
    try reader.make(exam.bundle())
    var faults: [String] = []
    if kind != .planted { faults += try playBundles(of: exam, reader) }
    if kind != .bundles { faults += try playPlanted(reader) }
    try report("bundles", faults)
    print("bundles: no trap, no store that is not sound after an import, no word of SQLite")
  }

  /// Each is imported alone; what is taken in is read.
  private func playBundles(of exam: SmallExam, _ reader: StoreReader) throws -> [String] {
    let variants = chosen(exam.variants(), \.name)
    var faults: [String] = []
    var accepted: [BundleVariant] = []
    for (number, variant) in variants.enumerated() {
      if number % 200 == 0 { StandardError.note("\(number) of \(variants.count) bundles imported") }
      let found = try reader.take(bundle: variant.bundle)
      if !found.isRefused { accepted.append(variant) }
      note(found.faults, [variant.name], &faults)
    }
    print(
      "bundles: \(variants.count) variants, \(variants.count - accepted.count) refused with nothing changed, "
        + "\(accepted.count) accepted and sound")
    let rounds =
      alone
      ? accepted.map { [$0] } : SmallExam.rounds(accepted) + accepted.filter { $0.setting == nil }.map { [$0] }
    for (number, round) in rounds.enumerated() {
      if number % 50 == 0 { StandardError.note("\(number) of \(rounds.count) stores read") }
      let found = try runBlocking { try await smallestFailing(among: round) { try reader.play(bundles: $0, of: exam) } }
      for one in found { note(one.faults, one.variants.map(\.name), &faults) }
    }
    print("bundles: the accepted ones read by everything, in \(rounds.count) stores")
    return faults
  }

  private func playPlanted(_ reader: StoreReader) throws -> [String] {
    let declared = PlantedVariant.all() + PlantedVariant.ofMark
    let own = try reader.ownVariants()
    let variants = chosen(declared + own, \.name)
    var faults: [String] = []
    let rounds =
      alone
      ? variants.map { [$0] }
      : PlantedVariant.rounds(variants) + variants.filter { $0.column == nil }.map { [$0] }
    for (number, round) in rounds.enumerated() {
      if number % 50 == 0 { StandardError.note("\(number) of \(rounds.count) stores with planted values read") }
      let found = try runBlocking {
        try await smallestFailing(among: round) { try reader.play(planted: $0.map(\.sql)) }
      }
      for one in found { note(one.faults, one.variants.map(\.name), &faults) }
    }
    print("bundles: \(variants.count) values planted and read by everything, in \(rounds.count) stores")
    return faults
  }

  private func chosen<Variant>(_ variants: [Variant], _ name: (Variant) -> String) -> [Variant] {
    variants.filter { name($0).hasPrefix(only) }.enumerated().filter { $0.offset % max(1, every) == 0 }.map(\.element)
  }

  private func note(_ found: [String], _ names: [String], _ faults: inout [String]) {
    let name = names.joined(separator: "; ")
    for fault in found { print("  FAULT \(name): \(fault)") }
    faults += found.map { "\(name): \($0)" }
  }
}

/// A store in a file, and the program's commands and screens on copies of it.
private struct StoreReader: Sendable {
  let osce: String
  let scratch: ScratchFolder
  private var path: String { scratch.file("store.sqlite") }
  private var empty: String { scratch.file("empty.sqlite") }
  private var loaded: String { scratch.file("loaded.sqlite") }
  private var bundle: String { scratch.file("bundle.json") }
  private var errors: String { scratch.file("words") }

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
      throw RigError("the exam is not imported: \((first + second).map(\.text))")
    }
    try Files.copy(path, to: loaded)
  }

  /// Values in the tables that the catalogue does not declare.
  func ownVariants() throws -> [PlantedVariant] {
    let queue = try DatabaseQueue(path: loaded)
    return try queue.read { try PlantedVariant.own(in: $0) }
  }

  /// Imports a bundle into an empty store.
  func take(bundle text: String) throws -> (isRefused: Bool, faults: [String]) {
    try reset(to: empty)
    try Files.write(Array(text.utf8), to: bundle)
    let imported = try run([["import", bundle]])[0]
    var faults = imported.faults
    if imported.code != 0 {
      if imported.text.split(separator: "\n").count != 1 { faults.append("import: not one line: \(imported.text)") }
      if try Files.read(path) != Files.read(empty) { faults.append("a refused import has changed the store") }
      return (true, faults)
    }
    let doctor = try run([["doctor"]])[0]
    if doctor.code != 0 { faults.append("doctor: exit \(doctor.code)") }
    return (false, faults)
  }

  /// What is wrong once bundles that are taken in each alone are taken in together; where they contradict one another, by
  /// halves.
  func play(bundles: [BundleVariant], of exam: SmallExam) throws -> [String] {
    let text = bundles.count == 1 ? bundles[0].bundle : exam.bundle(of: bundles.compactMap(\.setting))
    let taken = try take(bundle: text)
    if taken.isRefused, bundles.count > 1 {
      let half = bundles.count / 2
      return try play(bundles: Array(bundles[..<half]), of: exam) + play(bundles: Array(bundles[half...]), of: exam)
    }
    return try taken.faults + readFaults()
  }

  /// What is wrong once statements have changed the valid exam's store past the journal.
  func play(planted statements: [String]) throws -> [String] {
    try reset(to: loaded)
    var past = Configuration()
    past.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: past)
    try queue.writeWithoutTransaction { db in for sql in statements { try db.execute(sql: sql) } }
    try queue.close()
    return try readFaults() + run([["doctor"]])[0].faults
  }

  /// What is wrong with the answers of all commands and screens that read a store.
  func readFaults() throws -> [String] {
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
    let text: String

    var faults: [String] {
      let name = command.joined(separator: " ")
      var found = ReadingCommands.foreignWords.filter { text.contains($0) }.map { "\(name): \($0) in: \(text)" }
      if code > 1 { found.append("\(name): exit \(code): \(text)") }
      if code == 1, text.isEmpty, command[0] != "doctor" { found.append("\(name): exit 1 without a word") }
      return found
    }
  }

  /// Runs commands one after the other, and keeps what each says on standard error.
  private func run(_ commands: [[String]]) throws -> [Answer] {
    let lines = commands.map { command in
      let line = ([osce] + command + ["--store", path]).map { "'\($0)'" }.joined(separator: " ")
      return "\(line) >/dev/null 2>'\(errors)' </dev/null; echo \"$? $(head -c 2000 '\(errors)' | tr '\\n' '\\001')\""
    }
    let shell = try Child(onPipe: "/bin/sh", ["-c", lines.joined(separator: "\n")])
    let answers = shell.remainingLines()
    shell.wait()
    guard answers.count == commands.count else { throw RigError("\(answers.count) of \(commands.count) answers") }
    return zip(commands, answers).map { command, answer in
      let parts = answer.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let text = parts.count > 1 ? String(parts[1].map { $0 == "\u{1}" ? "\n" : $0 }) : ""
      return Answer(command: command, code: Int32(parts[0]) ?? 255, text: text)
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
