import ArgumentParser
import BadNetwork
import Glibc
import HubRig
import Rig

/// What a terminal at which nothing happens sends and gets in a day.
struct IdleDay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "idle", abstract: "Bytes of an idle terminal's day, without the encryption's.")

  @Option(help: "How long is measured, in seconds.") var seconds = 300
  @OptionGroup var place: FolderOption

  func run() throws {
    let scratch = try ScratchFolder(in: place.folder)
    defer { scratch.remove() }
    let hub = try RigHub(BenchExam(candidates: 50), in: scratch.path)
    defer { hub.close() }
    try hub.start()
    let relay = SlowRelay(to: hub.port, delay: 0...0, seed: 1)
    let url = "http://127.0.0.1:\(try relay.open(at: "127.0.0.1"))"
    let code = try runBlocking { try await hub.code(for: .station) }
    usleep(500_000)
    let terminal = try RigTerminal(scratch.file("store.sqlite"), at: url, code: code)
    defer { terminal.close() }
    try terminal.start()
    StandardError.note("measured for \(seconds) s, from 20 s on")
    // The clock asks more often at first.
    sleep(20)
    let before = relay.carried
    sleep(UInt32(seconds))
    let bytes = Double(relay.carried - before)
    print(
      "idle: \(Int(bytes)) bytes in \(seconds) s, both ways: \(decimal(bytes / Double(seconds) * 86_400 / 1e6, 2)) MB a day"
    )
  }
}
