import ArgumentParser
import Console
import ExamFiles
import ExamStore

/// `osce new`: a commented example exam to be changed into a real one.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write a commented example exam into a folder.",
    discussion: "Nothing is ever overwritten. Then: osce check DIR, osce import DIR.")

  @Argument(help: "The folder; it is made if it is not there.")
  var folder: String

  func run() throws {
    if let owner = StoreLocation.owner(of: folder) {
      throw StoreError("\(folder) is the name of a file that belongs to \(owner); name another folder")
    }
    do { try ExampleFolder.write(to: folder) } catch { throw StoreError("\(error)") }
    Output.standard.text(
      "Wrote \(ExampleFolder.files.count) files to \(folder); change exam.yaml, candidates.csv, staff.csv and sheets/,"
        + " then: osce check \(folder.shellWord)\n")
  }
}
