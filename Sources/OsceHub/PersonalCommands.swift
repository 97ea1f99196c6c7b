import ArgumentParser
import Characters
import Console
import Foundation
import Hub
import Journal

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
    let hub = try await options.hub()
    let exam = try await choice.chosen(in: hub)
    let document = try await hub.subjectExport(of: number, in: exam.id)
    try Output.standard.document(document)
  }
}

/// `osce-hub retain`: who is past the exam's retention.
struct RetainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retain",
    abstract: "List the exams and candidates whose data has been kept for as long as it was to be.",
    discussion: """
      How long that is says retentionDays in exam.yaml: days after a candidate's last session, and after the exam's for \
      who sat none. Nothing is erased.
      """)

  @Flag(name: .long, help: "Only list; there is no other way yet.")
  var dryRun = false

  @OptionGroup var list: ListOptions

  func validate() throws {
    if !dryRun { throw ValidationError("retain only lists: osce-hub retain --dry-run") }
  }

  func run() async throws {
    let hub = try await list.options.hub()
    let exams = try await list.choice.exam == nil ? hub.exams().map(\.id) : [list.choice.chosen(in: hub).id]
    var found: [ExamRetention] = []
    for exam in exams { found.append(try await hub.retention(of: exam)) }
    if list.json { return try Output.standard.document(CanonicalJSON.encode(.array(found.map(\.node)))) }
    for exam in found {
      Output.standard.line("\(exam.exam)  \(exam.name): \(exam.words)")
      for candidate in exam.past {
        Output.standard.line(
          "  \(candidate.number): last session \(candidate.last), kept until \(candidate.until)"
        )
      }
    }
  }
}

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
    if !reason.contains(where: { !$0.isWhitespace }) || reason.utf8.count > Self.longestReason
      || reason.contains(where: \.isNewline)
    {
      throw ValidationError("--reason takes a line of at most \(Self.longestReason) bytes")
    }
  }

  func run() async throws {
    let hub = try await options.hub()
    let exam = try await choice.chosen(in: hub)
    let plan = try await hub.plannedErasure(of: number, in: exam.id)
    if plan.changes == 0 {
      Output.standard.line("nothing tells of this candidate any more")
      return try await clear(hub)
    }
    if !plan.isPast && reason == nil {
      let until = plan.until.map { "is kept until \($0)" } ?? "has no retention that is over"
      throw HubFailure("candidate \(number) \(until); say why it is erased now with --reason")
    }
    if !undecided, plan.undecided + plan.contradictions > 0 { throw HubFailure(plan.openMatters) }
    if !yes {
      Output.standard.line(
        "Candidate \(number) of \(exam.name): the texts of \(Self.extent(plan)) are destroyed "
          + "for good.")
      Output.standard.text("Type the number to erase it: ")
      guard readLine()?.trimmingCharacters(in: .whitespaces) == number else { throw HubFailure("nothing was erased") }
    }
    let done = try await hub.erase(number, in: exam.id, reason: reason ?? "retention is over", settles: undecided)
    Output.standard.line("erased: \(Self.extent(done)); the candidate is \(done.pseudonym) from now on")
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

extension ExamRetention {
  fileprivate var words: String {
    guard let days else { return "retentionDays is not set in exam.yaml: nothing expires" }
    guard let until else { return "is kept for \(days) days after its last session, and has none" }
    let who = Plural.count(past.count, "candidate is", "candidates are")
    return "is kept for \(days) days, until \(until)\(isPast ? ", which is over" : ""); \(who) past it"
  }

  fileprivate var node: CanonicalJSON.Node {
    .object([
      .init("days", days.map { .integer($0) } ?? .null), .init("exam", .text(exam.description)),
      .init("last", last.map { .text($0) } ?? .null), .init("name", .text(name)), .init("over", .bool(isPast)),
      .init(
        "past",
        .array(
          past.map {
            .object([
              .init("last", .text($0.last)), .init("number", .text($0.number)), .init("until", .text($0.until)),
            ])
          })), .init("until", until.map { .text($0) } ?? .null),
    ])
  }
}
