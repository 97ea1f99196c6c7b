import ArgumentParser
import Characters
import Console
import Hub

/// `osce-hub exams`: what the hub holds.
struct ExamsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "exams", abstract: "List the exams.")

  @OptionGroup var options: HubOptions

  func run() async throws {
    try await options.withHub { hub in
      let exams = try await hub.exams()
      if exams.isEmpty { Output.standard.line("no exam yet: osce-hub import FOLDER") }
      for exam in exams {
        Output.standard.line(
          "\(exam.id)  \(exam.name): \(exam.head) entries, \(Plural.count(Int(exam.devices), "device"))"
            + (exam.isFilling ? ", being filled" : "") + (exam.importText.map { "; \($0)" } ?? ""))
      }
    }
  }
}
