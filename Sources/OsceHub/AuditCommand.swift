import ArgumentParser
import Console
import Hub
import Journal
import Sync

/// `osce-hub audit`: who did what at the hub.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "List what was done to an exam at the hub, by which device or at the hub itself.",
    discussion: "A line each: number, time, who, what. osce-hub doctor says whether the list is what was noted.")

  @OptionGroup var list: ListOptions

  func run() async throws {
    try await list.withExam { hub, exam in
      let entries = try await hub.audit(of: exam.id)
      if list.json { return try Output.standard.document(CanonicalJSON.encode(.array(entries.map(\.node)))) }
      for entry in entries {
        Output.standard.line(
          "\(entry.n)  \(ListedTime.text(entry.time))  \(entry.actor): \(entry.action)"
            + (entry.detail.isEmpty ? "" : " \(entry.detail)"))
      }
    }
  }
}

extension AuditEntry {
  fileprivate var node: CanonicalJSON.Node {
    .object([
      .init("action", .text(action)), .init("actor", .text(actor)), .init("detail", .text(detail)),
      .init("n", .integer(n)), .init("time", .integer(time)),
    ])
  }
}
