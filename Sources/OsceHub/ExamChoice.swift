import ArgumentParser
import Characters
import Console
import Hub

/// Which exam, where a hub has several.
struct ExamChoice: ParsableArguments {
  @Option(name: .long, help: "The exam: its name, or the beginning of its identifier; not needed where there is one.")
  var exam: String?

  func validate() throws {
    if let exam, !exam.hasWords { throw ValidationError("--exam takes a name") }
  }

  func chosen(in hub: Hub) async throws -> ExamSummary {
    let exams = try await hub.exams()
    guard let exam else {
      if exams.count == 1 { return exams[0] }
      throw CommandFailure(
        exams.isEmpty
          ? "the hub has no exam yet: osce-hub import FOLDER" : "the hub has \(exams.count) exams; name one with --exam"
      )
    }
    let found = exams.filter { $0.name == exam || $0.id.description.hasPrefix(exam.lowercased()) }
    guard found.count == 1 else {
      throw CommandFailure(found.isEmpty ? "the hub has no exam '\(exam)'" : "'\(exam)' is more than one exam")
    }
    return found[0]
  }
}

extension ExamSummary {
  /// What a person does about an import that did not get to the end, or has not yet; nil: all is here.
  var importText: String? {
    isImporting
      ? "the exam is being imported, or its import was interrupted: if none is running, run osce-hub import again with "
        + "--exam \(id)" : nil
  }
}

/// What a command takes that lists something of an exam.
struct ListOptions: ParsableArguments {
  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  /// Carries out a command on the exam that is asked about.
  func withExam(_ body: (Hub, ExamSummary) async throws -> Void) async throws {
    try await options.withHub { hub in try await body(hub, choice.chosen(in: hub)) }
  }
}
