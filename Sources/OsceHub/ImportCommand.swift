import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Foundation
import Hub
import Journal
import StoreSync
import Sync

/// `osce-hub import`: makes an exam of a folder or a bundle, or brings one up to date; or takes a pack in.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make an exam of a folder or bundle, or bring one up to date.",
    discussion: """
      The import is done in a store of its own, which meets the hub as a terminal of the exam office does, so that what \
      was changed since the last import is kept as osce import keeps it.

      Of a pack, as osce journal --pack writes it, the changes are taken that the hub does not have: for a terminal that \
      cannot reach it. The terminal counts them as waiting until it does.
      """)

  @Argument(help: "An exam folder, a bundle file, or a pack.")
  var path: String

  @Option(name: .long, help: "What people call a new exam (default: the folder's name).")
  var name: String?

  @Flag(name: .long, help: "Make another exam although the hub has one.")
  var new = false

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func validate() throws {
    if let name, !name.hasWords { throw ValidationError("--name takes a name") }
    if new, choice.exam != nil { throw ValidationError("--new makes another exam: leave out --exam") }
    if name != nil, choice.exam != nil { throw ValidationError("--name is for a new exam: leave out --exam or --name") }
  }

  func run() async throws {
    if PackReader.isPack(path) { return try await takePack() }
    let line = ProgressLine(of: "osce-hub")
    defer { line.end() }
    line.say("checking what is to be imported")
    let problems = ExamCheck.problems(of: path).filter { $0.severity == .error }
    if let first = problems.inFileOrder().first { throw CommandFailure("\(first); nothing was imported") }
    try await options.withHub(makes: true) { hub in try await takeExam(at: hub, line) }
  }

  /// Makes the exam that is at the path, or brings it up to date.
  private func takeExam(at hub: Hub, _ line: ProgressLine) async throws {
    let title = name ?? URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let former = try await former(named: title, in: hub)
    let exam = former?.id ?? .v7(milliseconds: HubTimeSource.machine.now())
    var number: Int64?
    if former?.isImporting ?? true {
      number = try await hub.beginImport(exam, named: former?.name ?? title, device: .random())
    }
    let report: ImportReport
    do {
      report = try await load(into: exam, at: hub, line)
      if let number { try await hub.endImport(exam, number: number) }
    } catch {
      // Whatever failed, it did because this import's rows were no longer there.
      guard let number, let later = try? await hub.laterImport(of: exam, than: number) else { throw error }
      throw CommandFailure(
        "another import of this exam began at \(ListedTime.text(later)); nothing of this one is kept")
    }
    line.end()
    Output.standard.lines(report.lines + ["exam \(exam)"])
  }

  /// The exam that is brought up to date, or of which an import did not get to the end; nil: another is made.
  private func former(named title: String, in hub: Hub) async throws -> ExamSummary? {
    let known = try await hub.exams()
    if choice.exam == nil, let same = known.first(where: { $0.name == title }) {
      if same.isImporting { return same }
      if new { throw CommandFailure("the hub has an exam '\(title)' already: give the other one a --name of its own") }
    }
    if new || (known.isEmpty && choice.exam == nil) { return nil }
    let chosen = try await choice.chosen(in: hub)
    if choice.exam != nil { return chosen }
    if let name, name != chosen.name { throw Self.isOther(chosen.name) }
    if chosen.isImporting { throw Self.isOther(chosen.name) }
    if let own = ExamCheck.examName(in: path) {
      let titles = try await hub.titles(of: chosen.id)
      if !titles.isEmpty, !titles.contains(own) { throw Self.isOther(chosen.name) }
    }
    return chosen
  }

  /// Loads what is at the path into a store of its own, which meets the hub as a terminal of the exam office does.
  private func load(into exam: UUIDBytes, at hub: Hub, _ line: ProgressLine) async throws -> ImportReport {
    let folder = try ImportFolder()
    defer { folder.remove() }
    let store = try ExamStore(StoreLocation(path: folder.store), .createIfMissing)
    defer { store.close() }
    let report: ImportReport
    do { report = try await bring(store, to: exam, in: hub, line) } catch {
      try? await hub.revoke(store.device, in: exam)
      throw error
    }
    // Nobody works at it again.
    try await hub.revoke(store.device, in: exam)
    return report
  }

  /// Imports into a store that has a place at the hub, and exchanges it.
  private func bring(
    _ store: ExamStore, to exam: UUIDBytes, in hub: Hub, _ line: ProgressLine
  ) async throws -> ImportReport {
    var random = SystemRandomNumberGenerator()
    let code = EnrolmentCode.make(pin: nil, using: &random)
    try await hub.keep(code: code.code, for: .office, in: exam)
    let road = InProcess(hub: hub, line: line)
    _ = try await StoreLink.enrol(
      store, at: "http://localhost", code: code.code, pin: nil, isSameExam: false, over: road)
    let client = SyncClient(store: EnrolledStore(store), transport: road, clock: MachineClock(), random: random)
    guard await client.runOnce() else {
      throw CommandFailure("the exam cannot be read: \(await client.trouble?.text ?? "")")
    }
    line.say("importing")
    let outcome = try ExamImport.load([path], into: store, by: .program)
    line.end()
    guard let report = outcome.report else {
      throw CommandFailure("\(outcome.problems.first.map { "\($0)" } ?? "nothing was read"); nothing was imported")
    }
    Output.failure.lines(outcome.problems.inFileOrder().map { "\($0)" })
    await client.noteCommit()
    guard await client.runOnce() else { throw CommandFailure("not all was taken: \(await client.trouble?.text ?? "")") }
    return report
  }

  /// That what is imported without --exam is not the exam that the hub has.
  private static func isOther(_ title: String) -> CommandFailure {
    CommandFailure(
      "the hub has '\(title)': --new makes another exam, --exam updates that one; nothing was imported")
  }
}

extension ImportCommand {
  /// How many operations of a pack are taken at once.
  private static let batch = 500

  /// Takes what a pack holds and the hub does not have.
  private func takePack() async throws {
    let pack = try PackReader(path)
    try await options.withHub { hub in try await take(pack, at: hub) }
  }

  private func take(_ pack: PackReader, at hub: Hub) async throws {
    let exam = try await choice.chosen(in: hub).id
    guard pack.header.exam == exam else {
      throw CommandFailure(
        "\(path) is not of this exam: the store that made it has no place at this hub; nothing was changed")
    }
    var operations: [WireOperation] = []
    try pack.forEachOperation { operations.append($0) }
    var sum = Hub.PassedOn()
    for start in stride(from: 0, to: operations.count, by: Self.batch) {
      let end = min(start + Self.batch, operations.count)
      let part = try await hub.passOn(Array(operations[start..<end]), in: exam)
      sum.applied += part.applied
      sum.known += part.known
      sum.others += part.others
      sum.waiting += part.waiting
    }
    Output.standard.line(
      "\(sum.applied) changes taken, \(sum.known) were here, \(sum.others) do not count or not yet, "
        + "\(sum.waiting) wait for one before them")
  }
}
