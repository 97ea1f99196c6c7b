import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamStore
import Glibc
import HubTransport
import StoreSync
import Sync

/// The one uploader of a store: `osce` starts it, and `osce enrol` and `osce sync` run it.
@main struct OsceSync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "osce-sync", abstract: "Exchanges an exam's store with its hub.", version: ProgramVersion.text,
    subcommands: [EnrolCommand.self, RunCommand.self, NowCommand.self])

  static func main() async { await runProgram("osce", text: text) }

  private static func text(for error: any Error) -> String? {
    switch error {
    case let error as HubError: "the hub says: \(error.message)"
    case let failure as TransportFailure: SyncTrouble.lost(failure).text
    default: nil
    }
  }
}

extension StoreOptions {
  /// Opens the store for a command that a person waits for.
  func open(_ opening: ExamStore.Opening = .existing) throws -> ExamStore {
    StoreWait.limit(to: wait)
    return try ExamStore(location(), opening)
  }
}

/// `osce enrol`: takes a place at a hub.
struct EnrolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrol", abstract: "Take a place at a hub with a one-time code.")

  @Argument(help: "The hub's address, such as https://hub.example:8443.")
  var url: String

  @Argument(help: "The code that osce-hub code printed.")
  var code: String

  @Flag(name: .long, help: "Keep the exam and its changes: the hub revoked this terminal, or is a new one.")
  var sameExam = false

  @OptionGroup var options: StoreOptions

  func run() async throws {
    guard let code = EnrolmentCode(code) else {
      throw Fault("that is no code: a code has 24 letters and digits, as XXXX-XXXX-XXXX-XXXX-XXXX-XXXX")
    }
    if code.pin == nil && !url.lowercased().hasPrefix("http:") {
      throw Fault("the code lacks the hub's key: type all six groups")
    }
    let transport = try LiveTransport(url: url, trust: .code(code))
    // One that is here is held first; a new one is made only where a hub answers.
    var held = try options.location().exists ? options.open() : nil
    defer { held?.close() }
    // The key is looked at, and held against the code, before the code is sent.
    let hello: WireResponse
    do { hello = try await transport.send(WireRequest(.get, .hello), wait: 0) } catch {
      guard case .otherKey = error else { throw error }
      throw Fault(
        "the code does not fit the hub's key: check its last three groups and the address; nothing was sent")
    }
    _ = try hello.body(expecting: 200)
    let store = try held ?? options.open(.createIfMissing)
    held = store
    let before = try store.read { try ImportDifferences.read($0) }
    let answer = try await StoreLink.enrol(
      store, at: url, code: code.code, pin: transport.pin, isSameExam: sameExam, over: transport)
    await transport.close()
    Output.standard.line("enrolled at \(url) as \(answer.device.role): \(answer.exam.name)")
    if answer.device.role == DeviceRole.station.rawValue {
      Output.standard.line("for assessors alone: if the desk uses this store too, enrol it with a code for a lead")
    }
    Output.standard.line(
      try await Uploader.exchangeNow(store, waitsForNewPlace: true).isExchanged
        ? "everything is exchanged" : "not all is exchanged yet: osce sync --watch")
    let (differences, forks) = try store.read { db in
      (try ImportDifferences.read(db), try Outbox.attention(db, at: store.clock.now).forks)
    }
    let sendsPlan = DeviceRole(rawValue: answer.device.role)?.sendsDown ?? false
    for line in differences.lines(besides: before, sendsPlan: sendsPlan, forks: forks) { Output.standard.line(line) }
  }
}

extension ImportDifferences {
  /// What a person has to know of an import that met a hub's.
  /// - Parameter sendsPlan: whether the hub is to have every row, also one that it did not get from a former role.
  fileprivate func lines(besides before: ImportDifferences, sendsPlan: Bool, forks: Int) -> [String] {
    let correction = "import the folder there: osce-hub import"
    let new = since(before)
    let (differ, people) = (new.differing.count, new.passcodes.count)
    let alone = (sendsPlan ? onlyHere : new.onlyHere).count
    var lines: [String] = []
    if differ > 0 {
      lines.append(
        "\(Plural.count(differ, "row imported here differs", "rows imported here differ")) from the hub's, which "
          + "stands: to correct the hub's, \(correction)")
    }
    if alone > 0 {
      lines.append(
        "\(Plural.count(alone, "row imported here is", "rows imported here are")) not at the hub: to add "
          + "\(Plural.noun(alone, "it", "them")), \(correction)")
    }
    if people > 0 {
      lines.append(
        "\(Plural.count(people, "person's passcode", "people's passcodes")) may differ from the hub's, which "
          + Plural.verb(people, "counts", "count"))
    }
    if forks > 0 {
      let hint = hasConflict ? "; to let the folder decide, import it at the hub: osce-hub import" : ""
      lines.append("\(Plural.count(forks, "field has", "fields have")) two values: osce outbox\(hint)")
    }
    return lines
  }
}

/// Why a command does nothing: one line.
struct Fault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// `osce-sync now`: one exchange, then the end.
struct NowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Exchange with the hub now, then end.")

  @OptionGroup var options: StoreOptions

  func run() async throws {
    let store = try options.open()
    defer { store.close() }
    let (isExchanged, trouble) = try await Uploader.exchangeNow(store)
    if isExchanged { return Output.standard.line("everything is exchanged") }
    throw try Fault(
      trouble ?? store.read { try SyncState.read($0)?.trouble } ?? "not everything is exchanged yet: osce sync --watch")
  }
}

/// `osce-sync run`: exchanges until it is ended.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Exchange with the hub until SIGTERM; one at a time for a store.")

  @Flag(name: .long, help: "End once the process that started this one has ended, and everything is sent.")
  var beside = false

  @Option(
    name: .long,
    help: ArgumentHelp("With --beside: the process that started this one; it may have ended.", valueName: "pid"))
  var starter: Int32?

  @OptionGroup var options: StoreOptions

  func run() async throws {
    let starter = beside ? starter ?? getppid() : nil
    let store = try options.open()
    // From here on nobody waits for it: what is not exchanged now is later.
    StoreLock.patience.withLock { $0 = nil }
    guard let turn = try UploaderTurn(of: store.location) else {
      return Output.standard.line("another osce-sync exchanges this store already")
    }
    defer { withExtendedLifetime(turn) {} }
    let end = EndSignal()
    while try await Uploader(store).run(beside: starter, until: end.wait) == .otherPlace {}
    store.close()
  }
}
