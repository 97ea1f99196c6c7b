import ArgumentParser
import Characters
import Console
import Hub
import Journal

/// `osce-hub fill`: a new hub in the place of one that is lost.
struct FillCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fill", abstract: "Fill a new hub from the terminals of an exam whose hub is lost.",
    discussion: """
      Without --close: makes an empty exam with the identifier of the lost one; enrol the terminals with \
      osce enrol URL CODE --same-exam. With --close: ends the filling, lists what no terminal had.
      """)

  @Argument(
    help: "The exam's identifier, as osce sync --json says it on any terminal; with --close: may be left out.")
  var exam: String?

  /// What an exam is called whose name nobody says.
  static let usualName = "exam"

  @Option(name: .long, help: "What people call the exam.")
  var name = usualName

  @Flag(name: .long, help: "End the filling.")
  var close = false

  @OptionGroup var options: HubOptions

  func run() async throws {
    try await options.withHub(makes: !close) { hub in
      guard close else {
        guard let exam else { throw ValidationError("name the exam that was lost, as osce sync --json says it") }
        return try await Self.begin(exam, named: name, in: hub)
      }
      let report = try await hub.endFilling(filling(in: hub))
      let holes = report.holes
      for hole in holes { Output.standard.line("device \(hole.device): number \(hole.missing) is missing") }
      if let text = report.emptyRowsText { Output.standard.line(text) }
      Output.standard.line(holes.isEmpty ? "filled: every chain is whole" : "filled, with \(holes.count) holes")
    }
  }
}

extension FillCommand {
  /// Makes the exam that terminals fill; nothing where it is there and is being filled.
  static func begin(_ text: String, named name: String, in hub: Hub) async throws {
    let exam = try identifier(text)
    if try await !hub.exams().contains(where: { $0.id == exam && $0.isFilling }) {
      try await hub.makeExam(exam, named: name, device: .random(), isFilling: true)
    }
    Output.standard.line(
      "ready: osce-hub code --uses 100 --minutes 60, then on each terminal: osce enrol URL CODE --same-exam")
  }

  private static func identifier(_ text: String) throws -> UUIDBytes {
    guard let exam = UUIDBytes(text.lowercased()) else { throw CommandFailure("'\(text)' is no identifier") }
    return exam
  }

  /// The exam that is named, or the one that is being filled.
  private func filling(in hub: Hub) async throws -> UUIDBytes {
    if let exam { return try Self.identifier(exam) }
    let open = try await hub.exams().filter(\.isFilling)
    guard let only = open.first, open.count == 1 else {
      throw CommandFailure(
        open.isEmpty ? "no exam is being filled" : "several exams are being filled: name one; osce-hub exams lists them"
      )
    }
    return only.id
  }
}

extension FillingReport {
  /// What a person does about rows of which nothing but the key came; nil: there are none.
  var emptyRowsText: String? {
    emptyRows == 0
      ? nil
      : "\(Plural.count(emptyRows, "row")) came without content: osce-hub import FOLDER brings what is in the exam folder"
  }
}
