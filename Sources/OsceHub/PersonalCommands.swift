import ArgumentParser
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
    FileHandle.standardOutput.write(Data(document + [UInt8(ascii: "\n")]))
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

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func validate() throws {
    if !dryRun { throw ValidationError("retain only lists: osce-hub retain --dry-run") }
  }

  func run() async throws {
    let hub = try await options.hub()
    let exams = try await choice.exam == nil ? hub.exams().map(\.id) : [choice.chosen(in: hub).id]
    var found: [ExamRetention] = []
    for exam in exams { found.append(try await hub.retention(of: exam)) }
    if json { return print(String(decoding: CanonicalJSON.encode(.array(found.map(\.node))), as: UTF8.self)) }
    for exam in found {
      print("\(exam.exam)  \(Plain.line(exam.name)): \(exam.words)")
      for candidate in exam.past {
        print(
          "  \(Plain.line(candidate.number)): last session \(Plain.line(candidate.last)), kept until \(candidate.until)"
        )
      }
    }
  }
}

extension ExamRetention {
  fileprivate var words: String {
    guard let days else { return "says not how long it is kept (retentionDays in exam.yaml)" }
    guard let until else { return "is kept for \(days) days after its last session, and has none" }
    let who = past.count == 1 ? "1 candidate is" : "\(past.count) candidates are"
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
