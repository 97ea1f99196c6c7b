import ArgumentParser
import Characters
import Console
import ExamStore

/// `osce backup`: a verified copy while others work.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the store while it is in use, and verify the copy.",
    discussion: """
      An earlier backup at PATH is replaced once the new one is sound; any other file is left alone. Exit status 1 if the \
      store is not sound: the copy is then made only where nothing was.
      """)

  @Argument(help: "The file to write.")
  var path: String

  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    let line = ProgressLine()
    defer { line.end() }
    line.say("copying and verifying")
    let count = try store.backup(to: path)
    line.end()
    Output.standard.line(
      "\(path): verified, \(Plural.count(count, "operation")); put it back with: osce restore \(path.shellWord)")
  }
}
