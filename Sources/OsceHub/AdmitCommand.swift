import ArgumentParser
import Console
import Hub
import Journal

/// `osce-hub admit`: rules on an operation.
struct AdmitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admit", abstract: "Let an operation count that the hub kept back, with all of its transaction.")

  @Argument(help: "The operation's identifier, as osce-hub quarantined lists it, or its beginning.")
  var operation: String

  @Option(name: .long, help: "Why; everybody can read it.")
  var reason: String

  @Flag(name: .long, help: "Reject it for good instead.")
  var reject = false

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    try await options.withHub { hub in
      let exam = try await choice.chosen(in: hub)
      let id = try await target(in: hub, exam.id)
      let said = try await hub.rule(reject ? .rejected : .applied, on: id, in: exam.id, reason: reason)
      Output.standard.line("\(id): \(said)")
    }
  }

  private func target(in hub: Hub, _ exam: UUIDBytes) async throws -> OperationID {
    let text = operation.lowercased()
    if let id = OperationID(text) { return id }
    let found = try await hub.keptOperations(of: exam, rejected: true).map(\.id).filter {
      $0.description.hasPrefix(text)
    }
    guard found.count == 1, !text.isEmpty else {
      throw CommandFailure(
        found.isEmpty
          ? "the hub keeps back no operation '\(operation)'; see: osce-hub quarantined --rejected"
          : "'\(operation)' is the beginning of \(found.count) operations; write more of it")
    }
    return found[0]
  }
}
