import ArgumentParser
import Catalogue
import CircuitModel
import Console
import ExamFiles
import ExamStore
import Journal
import Reports
import Timer

/// `osce journal`: every change, or the history of one row; and the changes in a file, for stores that no network joins.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Show every change: what, when, who, and what is current.",
    discussion: """
      Without --entity and --id the whole journal is shown, in the order of arrival.

      Where no network joins two stores of one exam, --pack writes all changes of one into a file and --unpack takes them \
      into the other; terminals may be running. The file may come late, twice or out of order. Changes that contradict \
      each other are both kept and listed. Example: osce journal --pack /media/stick/hall-a.pack
      """)

  @Option(name: .long, help: "The entity of a row, as osce schema names it.")
  var entity: String?

  @Option(name: .long, help: "The key of a row.")
  var id: String?

  @Option(
    name: .long, help: ArgumentHelp("Write all changes into FILE, for another store of this exam.", valueName: "file"))
  var pack: String?

  @Option(name: .long, help: ArgumentHelp("Take in the changes of FILE, which --pack wrote.", valueName: "file"))
  var unpack: String?

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func validate() throws {
    if (entity == nil) != (id == nil) { throw ValidationError("--entity and --id are given together") }
    if [entity, pack, unpack].compactMap({ $0 }).count > 1 {
      throw ValidationError("give one of --pack, --unpack, or --entity with --id")
    }
  }

  func run() throws {
    if let pack { return try write(pack) }
    if let unpack { return try take(unpack) }
    try list()
  }

  private func write(_ path: String) throws {
    let store = try options.openToRead()
    defer { store.close() }
    let line = ProgressLine("wrote")
    defer { line.end() }
    line.say("reading the journal")
    let outcome = try PackWriter.write(store, to: path, progress: line.progress)
    line.end()
    if json { return try Output.standard.json(PackReport.json(of: outcome.operations, stubs: outcome.stubs)) }
    Output.standard.lines(PackReport.lines(of: outcome.operations, stubs: outcome.stubs, to: path))
  }

  private func take(_ path: String) throws {
    // Read before the store is opened: a pack that is not whole makes and locks nothing.
    let line = ProgressLine("took")
    defer { line.end() }
    line.say("checking the pack")
    let pack = try PackReader(path)
    let store = try options.open()
    defer { store.close() }
    let report = try pack.unpack(into: store, progress: line.progress)
    line.end()
    let found = try store.read { db in
      try PackReport(report, madeBy: pack.header.device, at: pack.header.made, in: db)
    }
    if json { return try Output.standard.json(found.json) }
    Output.standard.lines(found.lines(from: path))
  }

  private func list() throws {
    let store = try options.openToRead()
    defer { store.close() }
    try acting.permit(.reveal, store, options)
    var row: RowKey?
    if let entity, let id { row = RowKey(entity: entity, id: id) }
    var list = ListPrinter(name: "operations", isJSON: json)
    try store.read { db in
      if let row, try !JournalReport.isKnown(row, in: db) {
        guard Catalogue.standard.entities.contains(where: { $0.name == row.entity }) else {
          throw StoreError("there is no entity \(row.entity); osce schema names them")
        }
        throw StoreError("the journal knows no \(row.entity) \(row.id)")
      }
      try JournalReport.forEach(row: row, in: db) { entry in
        try list.add(entry.json, line: JournalCommand.line(entry, namesRow: row == nil))
      }
    }
    try list.finish()
  }

  private static func line(_ entry: JournalEntry, namesRow: Bool) -> String {
    let operation = entry.operation
    let time = Timestamp.text(operation.madeAt)
    var parts = ["\(entry.sequence)", time, entry.staff ?? "-", operation.kind.rawValue]
    if namesRow { parts.append("\(operation.row.entity) \(operation.row.id)") }
    let changes = entry.changes.map { change in
      let isFirst = if case .null = change.old { true } else { false }
      let from = isFirst ? "" : "\(change.old.text) -> "
      return "\(change.field): \(from)\(change.new.text)\(change.isStanding ? "" : " (superseded)")"
    }
    parts.append(operation.sealedBody == nil ? absence(of: operation) : changes.joined(separator: "; "))
    if let reason = entry.reason { parts.append("because: \(reason)") }
    if let result = operation.result { parts.append("hub: \(result)") }
    return parts.joined(separator: "  ")
  }

  private static func absence(of operation: Journal.Operation) -> String {
    switch operation.absent {
    case .withheld, .scope: "(content not sent here)"
    case .damaged: "(content lost)"
    case .erased, nil: "(erased)"
    }
  }
}
