import ArgumentParser
import Console
import ExamStore
import Glibc
import Reports

/// `osce enrol`: takes a place at a hub.
struct EnrolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrol", abstract: "Take a place at a hub with a one-time code.",
    discussion: """
      The hub prints the code (osce-hub code). It holds the beginning of the hub's key: an attacker between the \
      terminal and the hub is found before the code is sent.
      """)

  @Argument(help: "The hub's address, such as https://hub.example:8443.")
  var url: String

  @Argument(help: "The code, as XXXX-XXXX-XXXX-XXXX-XXXX-XXXX.")
  var code: String

  @Flag(name: .long, help: "Keep the exam and its changes: the hub revoked this terminal, or is a new one.")
  var sameExam = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    let flags = sameExam ? ["--same-exam"] : []
    throw try UploaderProgram.replaceProcess(
      ["enrol", url, code] + flags + StoreWait.arguments(options.wait), store: options.location())
  }
}

/// `osce sync`: exchanges with the hub now, and says how the store stands with it.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Exchange with the hub, and show how the store stands with it.",
    discussion: """
      Terminals exchange by themselves while one is open. Without --watch: tries once, now. With --watch: shows the \
      state, again each second, until Ctrl-C. With --json: prints the state, and exchanges nothing.
      """)

  @Flag(name: .long, help: "Show the state until Ctrl-C.")
  var watch = false

  @Flag(name: .long, help: "Print the state as JSON.")
  var json = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    if json {
      return try Output.standard.json(try store.read { try HubReport.read($0, by: store.clock) }.json)
    }
    let isEnrolled = try store.read { try HubReport.read($0, by: store.clock).url != nil }
    if !isEnrolled { throw StoreError("this store has no place at a hub; take one with: osce enrol URL CODE") }
    guard watch else {
      throw try UploaderProgram.replaceProcess(["now"] + StoreWait.arguments(options.wait), store: options.location())
    }
    let keeper = UploaderKeeper(store.location)
    defer { keeper.stop() }
    var shown: [String] = []
    while true {
      // The clock follows what is stored.
      _ = try store.dataVersion()
      let lines = try store.read { try HubReport.read($0, by: store.clock) }.lines(at: store.clock.now)
      if lines != shown {
        Output.standard.text(lines.joined(separator: "\n") + "\n\n")
        shown = lines
      }
      sleep(1)
    }
  }
}
