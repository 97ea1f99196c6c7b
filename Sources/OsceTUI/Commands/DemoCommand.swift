import ArgumentParser
import CircuitModel
import ExamFiles
import Foundation

/// `osce demo`: an example exam to try out, gone when it is left.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Try an example exam in a throw-away store, dated today, its clock running.")

  /// The seats of an exam.
  enum Seat: String, ExpressibleByArgument, CaseIterable {
    case mark, wall, desk, lead
  }

  @Argument(
    help: "The seat: mark (an assessor), desk (the invigilator), wall (the public clock) or lead (the exam lead).")
  var seat: Seat?

  @Option(name: .long, help: "An exam folder to use instead of the built-in example.")
  var exam: String?

  @OptionGroup var clock: QuietClockOption

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/osce-demo-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try DemoExam.build(from: exam, in: folder)
    defer { store.close() }
    let code = try MainActor.assumeIsolated { try sit(at: store) }
    throw ExitCode(code)
  }

  /// Lets the person choose seat after seat until the demonstration is left.
  @MainActor private func sit(at store: ExamStore) throws -> Int32 {
    switch seat {
    case .mark: return try AssessorTerminal.run(store, .signIn, hasQuietClock: clock.isQuiet)
    case .wall: return try WallCommand.show(store, named: [])
    case .desk:
      return try DeskTerminal.run(store, .init(circuits: WallCommand.circuits([], in: store)), as: nil)
    case .lead:
      throw StoreError(
        "the exam lead's desk is not built yet; until then: osce plan, osce status, osce missing, osce export; "
          + "to try out are osce demo mark, desk and wall")
    case nil: break
    }
    while true {
      var taken: Seat?
      let code = try AssessorTerminal.run(store, .seats { taken = $0 }, hasQuietClock: clock.isQuiet)
      guard taken == .wall else { return code }
      _ = try WallCommand.show(store, named: [])
    }
  }
}
