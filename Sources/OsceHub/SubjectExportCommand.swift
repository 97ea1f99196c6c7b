import ArgumentParser
import Console
import Hub

/// `osce-hub subject-export`: what the hub holds of one candidate.
struct SubjectExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subject-export", abstract: "Print all that the hub holds of one candidate, as JSON.",
    discussion: """
      Every row that is the candidate's or leads to them, as it stands, with its history: who changed what, when, and \
      what became of it. That it was asked for is noted in the exam's audit.
      """)

  @Argument(help: "The candidate's number.")
  var number: String

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    try await options.withHub { hub in
      let exam = try await choice.chosen(in: hub)
      let document = try await hub.subjectExport(of: number, in: exam.id)
      try Output.standard.document(document)
    }
  }
}
