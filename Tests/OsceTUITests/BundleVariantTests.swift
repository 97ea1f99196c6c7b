import BundleVariants
import Catalogue
import Foundation
import GRDB
import SeededNumbers
import SystemTesting
import Terminal
import TerminalTesting
import Testing

@testable import CircuitModel
@testable import ExamFiles
@testable import ExamStore
@testable import OsceTUI
@testable import Reports

/// A small exam with one thing in it wrong, made from the catalogue for every attribute and relationship of every
/// entity: it is refused in one line, or everything reads it. What ends the program here names its variant first with
/// `OSCE_VARIANTS=all`, which also plays every variant alone; `script/faults bundles` runs them against the program.
@Suite("Bundles that are wrong in one place", .serialized, .ahead)
struct BundleVariantTests {
  private static let exam = Result {
    try SmallExam(
      reference: String(contentsOfFile: Fixture.root + "/fixtures/reference-bundle.json", encoding: .utf8))
  }
  /// Which variants are tried: told with each fault, and taken from OSCE_SEED.
  private static let seed = Seeded.seed
  private static let isWhole = ProcessInfo.processInfo.environment["OSCE_VARIANTS"] == "all"

  @Test("the small exam has a row of every entity that files may bring, and is read by everything")
  func base() async throws {
    let exam = try Self.exam.get()
    for entity in Catalogue.standard.entities where entity.barredFromFiles == nil {
      #expect(exam.row(of: entity.name) != nil, "\(entity.name)")
    }
    let store = try VariantStore()
    let outcome = try await store.play(exam.bundle())
    #expect(outcome == .accepted([]))
    // What reads it has something to read.
    for (command, word) in [
      (["export", "marks"], "Washes hands"), (["plan"], "CHEST"), (["status"], "CHEST"), (["missing"], "30101"),
      (["clock", "1", "log", "--session", "2026-12-07 09:00"], "start"), (["export", "comments"], "calm"),
    ] {
      #expect(CommandRunner.run(command + ["--store", store.path]).output.contains(word), "\(command)")
    }
    #expect(try store.sittings() > 1, "the desk and a station are sat down at")
  }

  @Test("every variant is refused in one line, or accepted, sound and read by everything")
  func variants() async throws {
    let exam = try Self.exam.get()
    let store = try VariantStore()
    let variants = exam.variants()
    #expect(variants.count > 3000)
    var accepted: [BundleVariant] = []
    for variant in Self.isWhole ? variants : variants.everyNth(384, Self.seed) {
      switch try store.read(variant.bundle) {
      case .refused(let faults): #expect(faults.isEmpty, "\(variant.name): \(faults)")
      case .accepted: accepted.append(variant)
      }
    }
    // To read a store takes its time: many values that hide nothing from one another are tried at once, and where one
    // of them is wrong it is looked for by halves.
    let rounds =
      Self.isWhole
      ? accepted.map { [$0] }
      : SmallExam.rounds(accepted) + accepted.filter { $0.setting == nil }.everyNth(6, Self.seed).map { [$0] }
    for round in rounds {
      if Self.isWhole { say(round[0].name) }
      let found = try await smallestFailing(among: round) { some in
        let text = some.count == 1 ? some[0].bundle : exam.bundle(of: some.compactMap(\.setting))
        switch try await store.play(text) {
        case .refused(let faults), .accepted(let faults): return faults
        }
      }
      record(found.map { ($0.variants.map(\.name), $0.faults) })
    }
  }

  @Test("a value planted in any column stops no reader, and no word of SQLite is read")
  func planted() async throws {
    let store = try VariantStore()
    try await store.load(try Self.exam.get().bundle())
    let own = try store.ownVariants()
    #expect(own.contains { $0.name.hasPrefix("chain.lastSeq") } && own.contains { $0.name.hasPrefix("hub.cursor") })
    let variants = PlantedVariant.all() + PlantedVariant.ofMark
    #expect(variants.count > 1000)
    let rounds =
      Self.isWhole
      ? (variants + own).map { [$0] }
      : PlantedVariant.rounds(variants.everyNth(96, Self.seed))
        + variants.filter { $0.column == nil }.everyNth(1200, Self.seed).map { [$0] }
        + own.everyNth(288, Self.seed).map { [$0] }
    for round in rounds {
      if Self.isWhole { say(round[0].name) }
      let found = try await smallestFailing(among: round) { try await store.plant($0.map(\.sql)) }
      record(found.map { ($0.variants.map(\.name), $0.faults) })
    }
  }

  private func record(_ found: [(names: [String], faults: [String])]) {
    for (names, faults) in found {
      Issue.record("OSCE_SEED=\(Self.seed) \(names.joined(separator: "; ")): \(faults)")
    }
  }

  private func say(_ line: String) { FileHandle.standardError.write(Data("variant \(line)\n".utf8)) }
}

/// A store that is made once and copied for each variant, and everything that reads it. Commands do not need the main
/// thread, for which all tests of screens wait.
final class VariantStore {
  /// What came of a bundle, with what was wrong with that.
  enum Outcome: Equatable {
    case refused([String])
    case accepted([String])
  }

  let folder: String
  var path: String { folder + "/exam.sqlite" }
  private var file: Data
  private let bundle: String
  private let commands = ReadCommands()

  init() throws {
    TestLocale.use()
    LocalTime.use(zone: "Europe/London")
    folder = try ScratchFolder.make()
    bundle = folder + "/bundle.json"
    let store = try ExamStore(StoreLocation(path: folder + "/exam.sqlite"), .createIfMissing)
    store.close()
    file = try Data(contentsOf: URL(fileURLWithPath: folder + "/exam.sqlite"))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func run(_ arguments: [String]) -> CommandRunner.Result {
    CommandRunner.run(arguments + ["--store", path], reading: commands)
  }

  private func reset() throws {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try file.write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
  }

  private func importBundle(_ text: String) throws -> CommandRunner.Result {
    try Data(text.utf8).write(to: URL(fileURLWithPath: bundle))
    return run(["import", bundle])
  }

  /// Loads a bundle for all that follows.
  func load(_ text: String) async throws {
    try reset()
    let result = try importBundle(text)
    guard result.code == 0 else { throw StoreError(result.failure) }
    // A mark is there, and taken back.
    try await VariantStore.playScreens(path)
    file = try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Reads a bundle: most of what is wrong is found without a store.
  func read(_ text: String) throws -> Outcome {
    try Data(text.utf8).write(to: URL(fileURLWithPath: bundle))
    let (found, problems) = BundleReader.read(bundle)
    if found != nil { return .accepted([]) }
    let lines = problems.map(\.description)
    return .refused(lines.isEmpty || lines.contains { $0.contains("\n") } ? ["no line says why"] : [])
  }

  /// Imports a bundle into an empty store, and reads it.
  func play(_ text: String) async throws -> Outcome {
    try reset()
    let result = try importBundle(text)
    if result.code != 0 {
      var faults = wordFaults(result, "import")
      if try recorded() != 0 { faults.append("something of what was refused is in the store: \(result.failure)") }
      return .refused(faults)
    }
    let doctor = run(["doctor"])
    return .accepted((doctor.code == 0 ? [] : ["doctor: \(doctor.output)\(doctor.failure)"]) + (await readFaults()))
  }

  /// Values in the tables that the catalogue does not declare.
  func ownVariants() throws -> [PlantedVariant] {
    let queue = try DatabaseQueue(path: path)
    return try queue.read { try PlantedVariant.own(in: $0) }
  }

  /// How many people have sat down on the screens.
  func sittings() throws -> Int {
    let queue = try DatabaseQueue(path: path)
    return try queue.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM sitting WHERE began >= ?", arguments: [VariantStore.screenTime]) ?? 0
    }
  }

  /// How many operations there are of what a file can bring.
  private func recorded() throws -> Int? {
    let queue = try DatabaseQueue(path: path)
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM operation WHERE entity <> 'Device'") }
  }

  /// Changes the loaded store behind the program's back, and reads it.
  func plant(_ statements: [String]) async throws -> [String] {
    try reset()
    try change(statements)
    var faults = await readFaults()
    let doctor = run(["doctor"])
    faults += wordFaults(doctor, "doctor")
    return faults
  }

  private func change(_ statements: [String]) throws {
    var configuration = GRDB.Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { db in for sql in statements { try db.execute(sql: sql) } }
    try queue.close()
  }

  // MARK: Readers

  private func readFaults() async -> [String] {
    var faults = ReadingCommands.all.flatMap { command in
      wordFaults(run(command), command.joined(separator: " "))
    }
    faults += wordFaults(run(["doctor", "--before"]), "doctor --before")
    do { try await VariantStore.playScreens(path) } catch {
      faults += foreignWords(in: "\(error)").map { "screens: \($0)" }
    }
    return faults
  }

  private func wordFaults(_ result: CommandRunner.Result, _ command: String) -> [String] {
    var faults = foreignWords(in: result.failure).map { "\(command): \($0)" }
    if result.code > 1 { faults.append("\(command): exit \(result.code): \(result.failure)") }
    if result.code == 1, result.failure.isEmpty, !command.hasPrefix("doctor") {
      faults.append("\(command): exit 1 without a word")
    }
    return faults
  }

  private func foreignWords(in text: String) -> [String] {
    ReadingCommands.foreignWords.filter { text.contains($0) }.map { "\($0) in \(text)" }
  }

  /// When the screens are played.
  private static let screenTime = Rehearsed.start + 240_000

  /// Wall, desk with all its pages, and a mark sheet with a few keys, as far as they open.
  @MainActor private static func playScreens(_ path: String) throws {
    let clocks = TestClocks(now: screenTime)
    let store = try ExamStore(StoreLocation(path: path), .existing, system: clocks.system)
    defer { store.close() }
    let circuits = try store.read { try Circuit.all(at: store.clock.now, $0) }
    var wall = Rehearsal(WallProgram(store, circuits: circuits, theme: .standard(), options: .init()) { clocks.loop })
    clocks.pass(1000)
    wall.send(.deadline(clocks.loop))
    _ = wall.screen
    // Nobody is asked for a passcode here.
    guard let member = try store.read({ try StaffMember.active($0).first }) else { return }
    let done = DispatchSemaphore(value: 0)
    store.onCompletion { done.signal() }
    func open(_ begin: (AppContext) throws -> Void, keys: [Key]) throws {
      let context = AppContext(store: store, theme: .standard()) { clocks.loop }
      try begin(context)
      var play = Rehearsal(ScreenProgram(context), now: clocks.loop)
      func settle() {
        play.send(.woken)
        while store.pendingWrites > 0, !play.hasExited {
          done.wait()
          play.send(.woken)
        }
      }
      settle()
      for key in keys where !play.hasExited {
        clocks.passLoop(1000)
        play.now = clocks.loop
        play.send(.key(KeyEvent(key, at: clocks.loop)))
        settle()
        _ = play.screen
      }
    }
    try open(
      { DeskTerminal.openDesk(member, in: $0) }, keys: [.enter] + "1234567890?".map { .character($0) } + [.escape])
    let timetables = try store.read { try Int.fetchAll($0, sql: "SELECT dsid FROM timetable ORDER BY dsid") }
    for timetable in timetables.prefix(2) {
      let begun = try? AssessorTerminal.begin(member, timetable: timetable, store)
      guard let (sitting, session) = begun else { continue }
      try open(
        { AssessorTerminal.open(session, sitting: sitting, in: $0) },
        keys: [.enter, .enter] + "1j1uxmiHjrc".map { .character($0) } + [.escape, .escape]
          + "CfmMa>".map { .character($0) }
          + [.escape, .escape, "q", "j", "j", .enter])
    }
  }
}
