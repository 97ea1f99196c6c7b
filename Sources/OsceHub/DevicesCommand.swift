import ArgumentParser
import Console
import Hub

/// `osce-hub devices`: who has what.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the terminals of an exam: what each sent, holds and still has to send.")

  @OptionGroup var list: ListOptions

  func run() async throws {
    try await list.withExam { hub, exam in
      let found = try await hub.devices(of: exam.id)
      if list.json { return try Output.standard.document(found.encoded) }
      let erasure = try await hub.lastErasure(of: exam.id)
      for device in found.devices {
        let hasNotErased = device.role != "hub" && erasure.map { device.held < $0 } ?? false
        let seen = device.seen.map(ListedTime.text)
        Output.standard.line(
          "\(device.id)  \(device.role)  \(device.name): sent \(device.last), holds \(device.held) of "
            + "\(exam.head), \(device.waiting) wait there; last seen \(seen ?? "never")"
            + (device.clock.map { "; its clock is \($0.offset) ms from the hub's, within \($0.bound) ms" } ?? "")
            + (device.isRevoked ? "; revoked" : "")
            + (hasNotErased ? "; HAS NOT PASSED THE ERASURE of entry \(erasure ?? 0)" : ""))
      }
    }
  }
}
