import ArgumentParser
import CircuitModel
import ExamStore
import Foundation
import Reports

/// `osce doctor`: whether the store can be relied on.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Examine the store without changing it.",
    discussion: "Exit status 0: sound, with or without warnings; 1: not sound.")

  @Flag(name: .long, help: "Also look at what must be ready before an exam; what failed comes first.")
  var before = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    let doctor = Doctor(
      try options.location(), program: ProgramVersion.text, environment: ProcessInfo.processInfo.environment)
    let line = ProgressLine()
    defer { line.end() }
    let diagnosis = try doctor.examine(before: before, progress: line.progress)
    line.end()
    let headline = before ? diagnosis.goNoGo : diagnosis.verdict
    if json {
      try Output.standard.json(diagnosis.json)
    } else {
      var table = TextTable()
      for check in diagnosis.checks {
        // Before an exam each of them is somebody's errand; a damaged store has as many as it has rows.
        let lines = before && !check.problems.isEmpty ? check.problems : [check.detail]
        for (index, line) in lines.enumerated() {
          table.row(index == 0 ? [DoctorCommand.word(check.result), check.name, line] : ["", "", line])
        }
      }
      Output.standard.text(PlainText.cell(headline) + "\n" + table.text)
    }
    if !diagnosis.isSound { throw StoreError(headline) }
  }

  private static func word(_ result: Diagnosis.Result) -> String {
    switch result {
    case .ok: "ok"
    case .warning: "warn"
    case .failed: "FAIL"
    }
  }
}
