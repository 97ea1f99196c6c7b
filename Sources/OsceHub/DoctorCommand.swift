import ArgumentParser
import Console
import Hub

/// `osce-hub doctor`: whether logs, chains and audit are what was written, and which values stand follows from them.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Check every log and audit: their hashes, each operation, each device's chain, and which values stand.")

  @OptionGroup var options: HubOptions

  func run() async throws {
    try await options.withHub { hub in
      var isSound = true
      let exams = try await hub.exams()
      if exams.isEmpty { Output.standard.line("no exam yet: osce-hub import FOLDER") }
      for exam in exams {
        let faults = try await [exam.importText].compactMap { $0 } + hub.examine(exam.id)
        let said = faults.isEmpty ? "sound, \(exam.head) entries" : "NOT SOUND"
        Output.standard.line("\(exam.id)  \(exam.name): \(said)")
        for fault in faults { Output.standard.line("  \(fault)") }
        if !faults.isEmpty { isSound = false }
      }
      if !isSound { throw ExitCode(1) }
    }
  }
}
