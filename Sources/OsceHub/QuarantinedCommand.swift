import ArgumentParser
import Console
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
    try await list.withExam { hub, exam in
      let kept = try await hub.keptOperations(of: exam.id, rejected: rejected)
      if list.json { return try Output.standard.document(CanonicalJSON.encode(.array(kept.map(\.node)))) }
      for operation in kept {
        let who = operation.staff.map { "staff \($0)" } ?? "the program"
        Output.standard.line(
          "\(operation.id)  \(operation.result)  \(operation.device.name), \(who), \(ListedTime.text(operation.made)): "
            + "\(operation.kind) \(operation.row.entity) \(operation.row.id)"
            + (operation.what.isEmpty ? "" : ": \(operation.what)"))
      }
      if kept.isEmpty { Output.standard.line("nothing is kept back") }
    }
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
