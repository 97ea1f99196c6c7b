import ArgumentParser
import Characters
import Console
import ExamStore
import Foundation
import Reports

/// `osce feedback`: what each candidate is told after the exam.
struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback", abstract: "Write a feedback page for each candidate.",
    discussion: """
      Writes NUMBER.md and NUMBER.html for each candidate into a folder: the own number, station names, written feedback, \
      comments released to the candidate, tags achieved, and scores where exam.yaml says so (results: feedback:). Nothing \
      of anybody else, no names of assessors, no cuts. Until the exam is locked every page says NOT FINAL and is for the \
      exam lead only. Example: osce feedback pages
      """)

  @Argument(help: "The folder to write to; it is made if it is not there.")
  var folder: String
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    try acting.permit(.reveal, store, options)
    let line = ProgressLine()
    defer { line.end() }
    line.say("reading the marks")
    let pages = try store.read { try FeedbackPages.all(in: $0, at: store.clock.now) }
    if pages.isEmpty { throw StoreError("the exam has no candidates on a roster: there is nothing to write") }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError("cannot make the folder \(folder); name one in a place you may write to")
    }
    var taken: Set<String> = []
    for (index, page) in pages.enumerated() {
      var name = FeedbackCommand.name(page.number, index)
      if !taken.insert(name.lowercased()).inserted {
        name = "candidate-\(index + 1)"
        taken.insert(name)
      }
      for (ending, bytes) in [(".md", Array(page.markdown.utf8)), (".html", page.html.bytes)] {
        let file = try AtomicFile("\(folder)/\(name)\(ending)")
        try file.write(bytes)
        try file.finish()
      }
      line.say("wrote \(index + 1) of \(pages.count) pages")
    }
    line.end()
    let wrote = Plural.count(pages.count, "candidate's page", "candidates' pages")
    Output.standard.line("wrote \(wrote) to \(folder)")
  }

  /// A candidate's number as the name of a file; one that could lead elsewhere is counted instead.
  private static func name(_ number: String, _ index: Int) -> String {
    let isPlain =
      !number.isEmpty && number.utf8.count <= 60
      && number.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
      }
    return isPlain ? number : "candidate-\(index + 1)"
  }
}
