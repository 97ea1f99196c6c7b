import ArgumentParser
import Console
import Foundation
import Hub
import Journal

/// `osce-hub quarantined`: what the hub keeps for a person.
struct QuarantinedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quarantined", abstract: "List the operations that count for nothing until a person admits them.",
    discussion: """
      A line each: identifier, why, device, who made it and when, what it does to which row, and what of it. osce-hub \
      admit lets one in, or rejects it for good.
      """)

  @Flag(name: .long, help: "Also those that are rejected.")
  var rejected = false

  @OptionGroup var list: ListOptions

  func run() async throws {
    let (hub, exam) = try await list.chosen()
    let kept = try await hub.keptOperations(of: exam.id, rejected: rejected)
    if list.json { return try Output.standard.document(CanonicalJSON.encode(.array(kept.map(\.node)))) }
    for operation in kept {
      let who = operation.staff.map { "staff \($0)" } ?? "the program"
      Output.standard.line(
        "\(operation.id)  \(operation.result)  \(operation.device.name), \(who), \(HubTime.text(operation.made)): "
          + "\(operation.kind) \(operation.row.entity) \(operation.row.id)"
          + (operation.what.isEmpty ? "" : ": \(operation.what)"))
    }
    if kept.isEmpty { Output.standard.line("nothing is kept back") }
  }
}

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
    let hub = try await options.hub()
    let exam = try await choice.chosen(in: hub)
    let id = try await target(in: hub, exam.id)
    let said = try await hub.rule(reject ? .rejected : .applied, on: id, in: exam.id, reason: reason)
    Output.standard.line("\(id): \(said)")
  }

  private func target(in hub: Hub, _ exam: UUIDBytes) async throws -> OperationID {
    let text = operation.lowercased()
    if let id = OperationID(text) { return id }
    let found = try await hub.keptOperations(of: exam, rejected: true).map(\.id).filter {
      $0.description.hasPrefix(text)
    }
    guard found.count == 1, !text.isEmpty else {
      throw HubFailure(
        found.isEmpty
          ? "the hub keeps back no operation '\(operation)'; see: osce-hub quarantined --rejected"
          : "'\(operation)' is the beginning of \(found.count) operations; write more of it")
    }
    return found[0]
  }
}

extension KeptOperation {
  fileprivate var node: CanonicalJSON.Node {
    .object([
      .init("device", .text(device.id.description)), .init("entity", .text(row.entity)),
      .init("id", .text(id.description)), .init("key", .text(row.id)),
      .init("kind", .text(kind)), .init("made", .integer(made)),
      .init("name", .text(device.name)), .init("result", .text(result)),
      .init("staff", staff.map { .integer($0) } ?? .null), .init("what", .text(what)),
    ])
  }
}
