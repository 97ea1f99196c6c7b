import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Reports
import Timer

/// `osce check`: every problem of an exam folder, with file and line.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Name every problem of exam folders or bundles, with file and line.",
    discussion: "Exit code 0: no errors, warnings perhaps; 1: errors. Nothing is loaded.")

  @Argument(help: "Exam folders, or bundle files.")
  var paths: [String]

  func run() throws {
    var errors = 0
    var warnings = 0
    for found in ExamCheck.problems(ofEach: paths, today: MachineDate.today).map({ $0.inFileOrder() }) {
      // What stops an import stands first.
      let problems = found.filter { $0.severity == .error } + found.filter { $0.severity == .warning }
      Output.standard.lines(problems.map { "\($0)" })
      errors += problems.count { $0.severity == .error }
      warnings += problems.count { $0.severity == .warning }
    }
    if errors > 0 {
      throw StoreError(
        "\(Plural.count(errors, "error")) and \(Plural.count(warnings, "warning")): fix the errors before importing"
      )
    }
    Output.standard.text(
      warnings == 0 ? "no problems\n" : "no errors, \(Plural.count(warnings, "warning"))\n")
  }
}
