import ArgumentParser
import Console
import ExamStore
import HubTransport
import StoreSync
import Sync

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
      throw CommandFailure("that is no code: a code has 24 letters and digits, as XXXX-XXXX-XXXX-XXXX-XXXX-XXXX")
    }
    if code.pin == nil && !url.lowercased().hasPrefix("http:") {
      throw CommandFailure("the code lacks the hub's key: type all six groups")
    }
    let transport = try LiveTransport(url: url, trust: .code(code))
    // One that is here is held first; a new one is made only where a hub answers.
    var held = try options.location().exists ? options.open() : nil
    defer { held?.close() }
    // The key is looked at, and held against the code, before the code is sent.
    let hello: WireResponse
    do { hello = try await transport.send(WireRequest(.get, .hello), wait: 0) } catch {
      guard case .otherKey = error else { throw error }
      throw CommandFailure(
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
