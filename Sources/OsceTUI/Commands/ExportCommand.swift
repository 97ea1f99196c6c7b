import ArgumentParser
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Reports
import Timer

extension ExportFormat: ExpressibleByArgument {}

/// What is exported: one table, or all of them in one workbook.
enum ExportTopic: ExpressibleByArgument {
  case one(ExportKind)
  case all

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let kind = ExportKind(rawValue: argument) {
      self = .one(kind)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { ExportKind.allCases.map(\.rawValue) + ["all"] }

  var kinds: [ExportKind] {
    switch self {
    case .one(let kind): [kind]
    case .all: ExportKind.allCases
    }
  }
}

/// `osce export`: writes what the store holds in a form that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write marks, changes, attendance, incidents and more for other programs.",
    discussion: """
      A file named with --out appears whole or not at all, and replaces one that is there. A workbook (xlsx) is made by \
      osce-xlsx, a program beside this one.
      """)

  @Argument(help: "What to write; all: a workbook with a sheet for each.")
  var what: ExportTopic

  @Option(name: .long, help: "csv, json, or xlsx with --out.")
  var format: ExportFormat = .csv

  @Option(name: .long, help: "For clock only: the time to read the clocks at, RFC 3339 (default: now).")
  var at: [String] = []

  @Option(name: .long, help: "The file to write (default: standard output).")
  var out: String?

  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if format == .xlsx && out == nil { throw ValidationError("a workbook is a file: --format xlsx needs --out FILE") }
    if case .all = what, format != .xlsx {
      throw ValidationError("all is a workbook with a sheet for each: --format xlsx --out FILE")
    }
    let instant = try instant()
    if case .one(let kind) = what, kind != .clock, instant != nil {
      throw ValidationError("--at is for osce export clock; \(kind.rawValue) are exported as they are now")
    }
  }

  /// What a person is told who looks at data that a terminal would obey.
  private static let codesShown =
    "osce: characters that could steer this terminal are shown as codes; a file (--out) or a pipe gets the data exactly\n"

  private func instant() throws -> Instant? {
    if at.count > 1 { throw ValidationError("export takes --at once") }
    return try at.first.map(AtOption.instant)
  }

  func run() throws {
    let exports = what.kinds.map { Export($0, format: format) }
    let store = try options.openToRead()
    defer { store.close() }
    try acting.permit(.reveal, store, options)
    let now = try instant() ?? store.clock.now
    try store.read { db in
      guard let out else {
        var isExact = true
        for export in exports {
          try ExportWriter.write(export, in: db, at: now) {
            if try !Output.standard.data($0) { isExact = false }
          }
        }
        if !isExact { Output.failure.text(ExportCommand.codesShown) }
        return
      }
      let file = try AtomicFile(out)
      let line = ProgressLine("wrote")
      try TableFile.write(to: file, format, line) { write in
        for export in exports {
          line.say("reading \(export.kind.rawValue)")
          try ExportWriter.write(export, in: db, at: now, progress: line.progress, to: write)
        }
      }
    }
  }
}
