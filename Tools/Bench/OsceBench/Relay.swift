import ArgumentParser
import BadNetwork
import Glibc

/// Makes a server of this machine a distant one.
struct Relay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay", abstract: "Carries connections to a port of this machine, slowly; prints its own port.")

  @Argument(help: "The port at 127.0.0.1.") var port: UInt16
  @Option(help: "How long each way is.") var milliseconds = 5

  func run() throws {
    let relay = SlowRelay(to: port, delay: milliseconds * 1000...milliseconds * 1000, seed: 1)
    print(try relay.open(at: "127.0.0.1"))
    while true { pause() }
  }
}
