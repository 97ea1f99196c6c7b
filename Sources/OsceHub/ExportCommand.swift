import ArgumentParser
import Console
import ExamStore
import Foundation
import Hub

/// `osce-hub export`: an exam's log, entry by entry, or everything as a file.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print an exam's log: a line an entry, with the log's hash.",
    discussion: """
      With --file: everything that the hub keeps, of all exams, the hashes of tokens and codes included, as a file that \
      osce-hub restore takes, into a folder or into PostgreSQL. The hub may run meanwhile.
      """)

  @Option(name: .long, help: "Write everything into a new file instead.")
  var file: String?

  @OptionGroup var choice: ExamChoice
  @OptionGroup var options: HubOptions

  func run() async throws {
    try await options.withDatabase { database in
      let hub = Hub(forCommandOn: database)
      if let file {
        try await hub.noteExport(of: hub.exams().map(\.id), "file")
        return try await save(database, to: file)
      }
      let exam = try await choice.chosen(in: hub)
      try await hub.noteExport(of: [exam.id], "log")
      try await hub.export(exam.id) { line in try Output.standard.data(line) }
    }
  }

  private func save(_ database: any HubDatabase, to path: String) async throws {
    let place = try BackupPlace.take(path)
    guard !FileManager.default.fileExists(atPath: path) else { throw CommandFailure("\(path) already exists") }
    try await DatabaseFile.change(place.makePart(), as: path) { try await database.save(to: $0) }
    try place.put()
    Output.standard.line("written: \(path)")
  }
}
