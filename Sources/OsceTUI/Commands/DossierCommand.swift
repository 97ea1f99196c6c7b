import ArgumentParser
import Console
import ExamStore
import Reports

/// `osce dossier`: one candidate in full.
struct DossierCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dossier", abstract: "Show everything recorded of one candidate.",
    discussion: """
      For an appeal: mark sheets with each answer and its time against the bell, changes, incidents and lost time, staff, \
      identity checks, attendance, help calls, and the hash of the store's last operation, which shows later that the \
      store is the same one. Example: osce dossier 10234 > 10234.txt
      """)

  @Argument(help: "The candidate's number.")
  var number: String
  @Flag(name: .long, help: "Print JSON.")
  var json = false
  @Flag(name: .long, help: "Include the concerns raised about the candidate.")
  var concerns = false
  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
    try acting.permit(.reveal, store, options)
    let dossier = try store.read {
      try CandidateDossier.read(number, concerns: concerns, in: $0, at: store.clock.now)
    }
    if json { return try Output.standard.json(dossier.json) }
    Output.standard.text(dossier.lines.joined(separator: "\n") + "\n")
  }
}
