import ArgumentParser
import CircuitModel
import Console
import ExamStore

/// `osce lead`: the exam lead's desk.
struct LeadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lead", abstract: "The exam lead's desk: the live grid, results, closing.")

  @OptionGroup var acting: ActingStaff
  @OptionGroup var store: StoreOptions

  func run() throws {
    let store = try store.open()
    defer { store.close() }
    let member = try acting.member(in: store, toSit: true)
    throw ExitCode(try MainActor.assumeIsolated { try LeadTerminal.run(store, as: member) })
  }
}
