import ArgumentParser
import Console
import Hub
import Journal

/// `osce-hub revoke`: takes a terminal's place away.
struct RevokeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Take a terminal's place away; what it sent stays.")

  @Argument(help: "The device's identifier, as osce-hub devices lists it.")
  var device: String

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    try await options.withHub { hub in
      let exam = try await choice.chosen(in: hub)
      guard let device = UUIDBytes(device.lowercased()) else { throw CommandFailure("'\(device)' is no identifier") }
      try await hub.revoke(device, in: exam.id)
      Output.standard.line("revoked")
    }
  }
}
