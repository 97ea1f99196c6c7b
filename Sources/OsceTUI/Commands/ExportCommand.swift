import ArgumentParser
import CircuitModel
import ExamFiles
import ExamStore
import Reports
import Timer

extension ExportKind: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}

/// `osce export`: writes what the store holds in a form that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write marks, changes, attendance, incidents and more for other programs.",
    discussion: "A file named with --out appears whole or not at all, and replaces one that is there.")

  @Argument(help: "What to write.")
  var what: ExportKind

  @Option(name: .long, help: "csv or json (xlsx is not offered yet).")
  var format: ExportFormat = .csv

  @Option(name: .long, help: "For clock alone: as of when the clocks are read, RFC 3339 (default: now).")
  var at: String?

  @Option(name: .long, help: "The file to write (default: standard output).")
  var out: String?

  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if format == .xlsx { throw ValidationError("xlsx is not offered yet; use --format csv or json") }
    if try instant() != nil && what != .clock {
      throw ValidationError("--at is for osce export clock; \(what.rawValue) are exported as they are now")
    }
  }

  /// What a person is told who looks at data that a terminal would obey.
  private static let codesShown =
    "osce: characters that could steer this terminal are shown as codes; a file (--out) or a pipe gets the data exactly\n"

  private func instant() throws -> Instant? {
    guard let at else { return nil }
    guard let instant = Timestamp.parse(at) else {
      throw ValidationError("--at takes a time such as 2026-12-07T09:00:00Z; got \"\(at)\"")
    }
    return instant
  }

  func run() throws {
    let export = try Export(what, format: format)
    let store = try options.openToRead()
    defer { store.close() }
    try acting.permit(.reveal, store, options)
    let now = try instant() ?? store.clock.now
    try store.read { db in
      guard let out else {
        var isExact = true
        try ExportWriter.write(export, in: db, at: now) {
          if try !Output.standard.data($0) { isExact = false }
        }
        if !isExact { Output.failure.text(ExportCommand.codesShown) }
        return
      }
      let file = try AtomicFile(out, keeping: store.location.files)
      try ExportWriter.write(export, in: db, at: now) { try file.write($0) }
      try file.finish()
    }
  }
}
