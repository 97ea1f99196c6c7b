import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Foundation
import Hub
import HubServer
import Journal
import StoreSync
import Sync
import Synchronization

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
    if let name, !name.contains(where: { !$0.isWhitespace }) { throw ValidationError("--name takes a name") }
    if new, choice.exam != nil { throw ValidationError("--new makes another exam: leave out --exam") }
    if name != nil, choice.exam != nil { throw ValidationError("--name is for a new exam: leave out --exam or --name") }
  }

  func run() async throws {
    if PackReader.isPack(path) { return try await takePack() }
    let line = ProgressLine(of: "osce-hub")
    defer { line.end() }
    line.say("checking what is to be imported")
    let problems = ExamCheck.problems(of: path).filter { $0.severity == .error }
    if let first = problems.inFileOrder().first { throw HubFailure("\(first); nothing was imported") }
    let database = try await options.database(makes: true)
    let hub = Hub(database, version: OsceHub.configuration.version, limitsRates: false)
    let title = name ?? URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let former = try await former(named: title, in: hub)
    let exam = former?.id ?? .v7(milliseconds: HubTimeSource.machine.now())
    var number: Int64?
    if former?.isImporting ?? true {
      number = try await hub.makeExam(exam, named: former?.name ?? title, device: .random(), isImporting: true)
    }
    let report: ImportReport
    do {
      report = try await load(into: exam, at: hub, line)
      if let number { try await hub.endImport(exam, number: number) }
    } catch {
      // Whatever failed, it did because this import's rows were no longer there.
      guard let number, let later = try? await hub.laterImport(of: exam, than: number) else { throw error }
      throw HubFailure(
        "another import of this exam began at \(ListedTime.text(later)); nothing of this one is kept")
    }
    line.end()
    Output.standard.lines(report.lines + ["exam \(exam)"])
    try database.close()
  }

  /// The exam that is brought up to date, or of which an import did not get to the end; nil: another is made.
  private func former(named title: String, in hub: Hub) async throws -> ExamSummary? {
    let known = try await hub.exams()
    if choice.exam == nil, let same = known.first(where: { $0.name == title }) {
      if same.isImporting { return same }
      if new { throw HubFailure("the hub has an exam '\(title)' already: give the other one a --name of its own") }
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
      throw HubFailure("the exam cannot be read: \(await client.trouble?.text ?? "")")
    }
    line.say("importing")
    let outcome = try ExamImport.load([path], into: store, by: .program)
    line.end()
    guard let report = outcome.report else {
      throw HubFailure("\(outcome.problems.first.map { "\($0)" } ?? "nothing was read"); nothing was imported")
    }
    Output.failure.lines(outcome.problems.inFileOrder().map { "\($0)" })
    await client.noteCommit()
    guard await client.runOnce() else { throw HubFailure("not all was taken: \(await client.trouble?.text ?? "")") }
    return report
  }

  /// That what is imported without --exam is not the exam that the hub has.
  private static func isOther(_ title: String) -> HubFailure {
    HubFailure(
      "the hub has '\(title)': --new makes another exam, --exam updates that one; nothing was imported")
  }
}

extension ImportCommand {
  /// How many operations of a pack are taken at once.
  private static let batch = 500

  /// Takes what a pack holds and the hub does not have.
  private func takePack() async throws {
    let pack = try PackReader(path)
    let database = try await options.database()
    let hub = Hub(database, version: OsceHub.configuration.version, limitsRates: false)
    let exam = try await choice.chosen(in: hub).id
    guard pack.header.exam == exam else {
      throw HubFailure(
        "\(path) is not of this exam: the store that made it has no place at this hub; nothing was changed")
    }
    var operations: [Journal.Operation] = []
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
    try database.close()
  }
}

/// The way to a hub in the same process.
final class InProcess: Transport {
  private let hub: Hub
  private let line: ProgressLine
  private let count = Mutex(0)

  /// - Parameter line: says how many pages were exchanged.
  init(hub: Hub, line: ProgressLine) { (self.hub, self.line) = (hub, line) }

  func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
    let number = count.withLock { count in
      count += 1
      return count
    }
    line.say("exchanging with the hub, page \(number)")
    return await hub.answer(request)
  }
}

/// `osce-hub code`: a one-time code for a terminal.
struct CodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code", abstract: "Print a one-time code by which a terminal gets a place at an exam.")

  @Option(name: .long, help: "What the terminal is: station, desk, lead, office, auditor or display.")
  var role = "station"

  @Option(name: .long, help: "How many terminals may use it.")
  var uses = 1

  @Option(name: .long, help: "How long it lives, in minutes.")
  var minutes = 10

  @Option(name: .long, help: "Only this circuit, by its name; several: once for each.")
  var circuit: [String] = []

  @Option(name: .long, help: "A station's terminal: give it the rosters of this station, by its code.")
  var station: [String] = []

  @Option(name: .long, help: "With --station: also the sheets of this seat there; the lead assessor's is lead.")
  var seat: String?

  @Flag(name: .long, help: "A display: give it the candidates too.")
  var names = false

  @Flag(name: .long, help: "The whole exam, as for one store that serves a hall; a station's without --station too.")
  var whole = false

  @Flag(name: .long, help: "For a hub that serves with --plain.")
  var plain = false

  @Flag(name: .long, help: "Also draw it as a QR code; needs libqrencode4.")
  var qr = false

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    guard let place = DeviceRole(rawValue: role) else {
      throw ValidationError("--role takes station, desk, lead, office, auditor or display; got '\(role)'")
    }
    guard 1...1000 ~= uses, 1...1440 ~= minutes else {
      throw ValidationError("--uses takes 1 to 1000, --minutes 1 to 1440")
    }
    if !station.isEmpty, place != .station { throw ValidationError("--station is for --role station") }
    if seat != nil, station.isEmpty { throw ValidationError("--seat is for --station") }
    if names, place != .display { throw ValidationError("--names is for --role display") }
    if whole, !circuit.isEmpty || !station.isEmpty {
      throw ValidationError("--whole is the whole exam: leave out --circuit and --station")
    }
    if !circuit.isEmpty, place == .office || place == .auditor {
      throw ValidationError("--circuit is not for --role office or auditor: they get the whole exam")
    }
    let hub = try await options.hub()
    let exam = try await choice.chosen(in: hub)
    if let text = exam.importText { throw HubFailure(text) }
    var scope = try await hub.choice(of: exam.id, circuits: circuit, stations: station, seat: seat)
    // Terminals open no sessions of people at the hub: a station's that is given no station would never get a roster.
    let isWhole = whole || place == .station && station.isEmpty && circuit.isEmpty
    (scope.showsNames, scope.isWhole) = (names, isWhole)
    let pin = plain ? nil : try ServerKey(folder: options.folder(), makesKey: options.address == nil).pin
    var random = SystemRandomNumberGenerator()
    let code = EnrolmentCode.make(pin: pin, using: &random)
    // Drawn first: where it cannot be, no code is given away.
    let square = qr ? try QRCode("\(code)") : nil
    try await hub.keep(
      code: code.code, for: place, in: exam.id, uses: Int64(uses), seconds: Int64(minutes) * 60,
      scope: scope)
    Output.standard.line("CODE = \(code)")
    Output.standard.drawing(square?.lines ?? [])
  }
}

/// `osce-hub exams`: what the hub holds.
struct ExamsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "exams", abstract: "List the exams.")

  @OptionGroup var options: HubOptions

  func run() async throws {
    let hub = try await options.hub()
    let exams = try await hub.exams()
    if exams.isEmpty { Output.standard.line("no exam yet: osce-hub import FOLDER") }
    for exam in exams {
      Output.standard.line(
        "\(exam.id)  \(exam.name): \(exam.head) entries, \(Plural.count(Int(exam.devices), "device"))"
          + (exam.isFilling ? ", being filled" : "") + (exam.importText.map { "; \($0)" } ?? ""))
    }
  }
}

/// `osce-hub devices`: who has what.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the terminals of an exam: what each sent, holds and still has to send.")

  @OptionGroup var list: ListOptions

  func run() async throws {
    let (hub, exam) = try await list.chosen()
    let found = try await hub.devices(of: exam.id)
    if list.json { return try Output.standard.document(found.encoded) }
    let erasure = try await hub.lastErasure(of: exam.id)
    for device in found.devices {
      let hasNotErased = device.role != "hub" && erasure.map { device.held < $0 } ?? false
      let seen = device.seen.map(ListedTime.text)
      Output.standard.line(
        "\(device.id)  \(device.role)  \(device.name): sent \(device.last), holds \(device.held) of "
          + "\(exam.head), \(device.waiting) wait there; last seen \(seen ?? "never")"
          + (device.clock.map { "; its clock is \($0.offset) ms from the hub's, within \($0.bound) ms" } ?? "")
          + (device.isRevoked ? "; revoked" : "")
          + (hasNotErased ? "; HAS NOT PASSED THE ERASURE of entry \(erasure ?? 0)" : ""))
    }
  }
}

/// `osce-hub revoke`: takes a terminal's place away.
struct RevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Take a terminal's place away; what it sent stays.")

  @Argument(help: "The device's identifier, as osce-hub devices lists it.")
  var device: String

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    let hub = try await options.hub()
    let exam = try await choice.chosen(in: hub)
    guard let device = UUIDBytes(device.lowercased()) else { throw HubFailure("'\(device)' is no identifier") }
    try await hub.revoke(device, in: exam.id)
    Output.standard.line("revoked")
  }
}
