import ArgumentParser
import Characters
import Console
import Hub
import Journal

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
    try await list.options.withHub { hub in
      let exams = try await list.choice.exam == nil ? hub.exams().map(\.id) : [list.choice.chosen(in: hub).id]
      var found: [ExamRetention] = []
      for exam in exams { found.append(try await hub.retention(of: exam)) }
      if list.json { return try Output.standard.document(CanonicalJSON.encode(.array(found.map(\.node)))) }
      for exam in found {
        Output.standard.line("\(exam.exam)  \(exam.name): \(exam.text)")
        for candidate in exam.past {
          Output.standard.line(
            "  \(candidate.number): last session \(candidate.last), kept until \(candidate.until)")
        }
      }
    }
  }
}

extension ExamRetention {
  fileprivate var text: String {
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
