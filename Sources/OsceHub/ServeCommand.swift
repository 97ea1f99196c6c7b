import ArgumentParser
import Console
import ExamStore
import Foundation
import Hub
import HubServer
import Journal
import Logging

/// `osce-hub serve`: answers terminals until it is asked to end.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Answer terminals until SIGTERM or Ctrl-C.",
    discussion: """
      Figures for Prometheus are at /v1/metrics, for this machine; for others too that show as their bearer what \
      OSCE_HUB_METRICS_TOKEN holds.
      """)

  @Option(name: .long, help: ArgumentHelp("Address and port to listen at.", valueName: "address:port"))
  var listen = "0.0.0.0:8443"

  @Flag(name: .long, help: "Without encryption, to this machine only: for a proxy of your own, or to try things.")
  var plain = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Fill a new hub from the terminals of this exam, whose hub is lost, as osce-hub fill does.",
      valueName: "exam"))
  var fill: String?

  @Flag(name: .long, help: "Say that the hub is not ready while changes do not wait for a second PostgreSQL server.")
  var requireStandby = false

  @OptionGroup var options: HubOptions

  func validate() throws {
    if requireStandby, options.address == nil {
      throw ValidationError("--require-standby is for a hub on PostgreSQL: with --postgres")
    }
  }

  func run() async throws {
    let address = try address()
    let folder = try options.folder(makes: true)
    try await options.withDatabase(makes: true) { database in
      try await serve(database, at: address, folder: folder)
    }
  }

  private func serve(_ database: any HubDatabase, at address: Server.Address, folder: String) async throws {
    // Nobody sits before it who could try again: it waits as long as it takes, and says so.
    StoreLock.patience.withLock { $0 = nil }
    StoreLock.longWait.withLock { tell in
      tell = { holder in
        Output.failure.line("osce-hub: waiting: \(holder?.name ?? "another process") has the database locked")
      }
    }
    let key = plain ? nil : try ServerKey(folder: folder)
    let token = ProcessInfo.processInfo.environment["OSCE_HUB_METRICS_TOKEN"]
    LoggingSystem.bootstrap { LogLines(label: $0) }
    let logger = Logger(label: "osce-hub")
    let hub = Hub(
      database, version: OsceHub.configuration.version, requiresStandby: requireStandby,
      metricsToken: token?.isEmpty == false ? token : nil,
      whenFailing: { why in
        if let why { logger.error("requests fail: \(why)") } else { logger.notice("requests are answered again") }
      })
    if let fill { try await FillCommand.begin(fill, named: FillCommand.usualName, in: hub) }
    let scheme = plain ? "http" : "https"
    let watch = Task { await hub.watch() }
    let server = try Server(
      hub, at: address, key: key, logger: logger,
      whenListening: { port in
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        Output.standard.line("osce-hub listens at \(scheme)://\(host):\(port)")
      }, whenStopping: { hub.stop() })
    try await server.run()
    watch.cancel()
  }

  private func address() throws -> Server.Address {
    guard let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...]),
      0...65_535 ~= port, colon > listen.startIndex
    else { throw ValidationError("--listen takes ADDRESS:PORT, such as 0.0.0.0:8443; got '\(listen)'") }
    let host = listen[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    return Server.Address(host: host, port: port)
  }
}
