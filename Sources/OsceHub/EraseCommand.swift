import ArgumentParser
import Characters
import Console
import Foundation
import Hub

/// `osce-hub erase`: destroys what tells who a candidate is.
struct EraseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Destroy what tells who a candidate is, here and at every terminal.",
    discussion: """
      Names, number, adjustments and every text that leads to the candidate go, and cannot be brought back. Marks and \
      times stay, under a number that says nothing. A terminal does the same when it next exchanges; osce-hub devices \
      says which have not. Copies that were made before, and backups, keep what they have: a store that is restored \
      from one meets the erasure when it exchanges.
      """)

  @Argument(help: "The candidate's number.")
  var number: String

  @Flag(name: .long, help: "Ask nothing.")
  var yes = false

  @Option(name: .long, help: "Why, without names; needed before the exam's retention is over. The audit keeps it.")
  var reason: String?

  @Flag(
    name: .long,
    help: "Also where changes of the candidate are undecided or contradict each other: what is undecided is lost.")
  var undecided = false

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  private static let longestReason = 500

  func validate() throws {
    guard let reason else { return }
    if !reason.hasWords || reason.utf8.count > Self.longestReason
      || reason.contains(where: \.isNewline)
    {
      throw ValidationError("--reason takes a line of at most \(Self.longestReason) bytes")
    }
  }

  func run() async throws { try await options.withHub(erase) }

  private func erase(at hub: Hub) async throws {
    let exam = try await choice.chosen(in: hub)
    let plan = try await hub.plannedErasure(of: number, in: exam.id)
    if plan.changes == 0 {
      Output.standard.line("nothing tells of this candidate any more")
      return try await clear(hub)
    }
    if !plan.isPast && reason == nil {
      let until = plan.until.map { "is kept until \($0)" } ?? "has no retention that is over"
      throw CommandFailure("candidate \(number) \(until); say why it is erased now with --reason")
    }
    if !undecided, plan.undecided + plan.contradictions > 0 { throw CommandFailure(plan.openMatters) }
    if !yes {
      Output.standard.line(
        "Candidate \(number) of \(exam.name): the texts of \(Self.extent(plan)) are destroyed "
          + "for good.")
      Output.standard.text("Type the number to erase it: ")
      guard readLine()?.trimmingCharacters(in: .whitespaces) == number else {
        throw CommandFailure("nothing was erased")
      }
    }
    let done = try await hub.erase(number, in: exam.id, reason: reason ?? "retention is over", settles: undecided)
    Output.standard.line("erased: \(Self.extent(done)); the candidate is \(done.pseudonym) from now on")
    Output.standard.line(
      "in the exam's folder: take the candidate out of candidates.csv, and write 'empty' in their place in slots; a group "
        + "is written out as slots first")
    try await clear(hub)
  }

  private func clear(_ hub: Hub) async throws {
    if try await hub.scrub() { return }
    Output.standard.line(
      options.address == nil
        ? "the file's free pages could not be cleared while others read; run this again, with the new number, when the hub "
          + "is idle"
        : "free space of the server's files may hold the texts until it is used again: VACUUM FULL op clears it")
  }

  private static func extent(_ report: ErasureReport) -> String {
    "\(Plural.count(report.changes, "change")) in \(Plural.count(report.rows, "row"))"
  }
}
