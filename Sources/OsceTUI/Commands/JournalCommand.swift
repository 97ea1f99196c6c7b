import ArgumentParser
import Catalogue
import CircuitModel
import ExamStore
import Journal
import Reports
import Timer

/// `osce journal`: every change, or the history of one row.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Show what was changed, when, by whom, and what stands.",
    discussion: "Without --entity and --id the whole journal is shown, in the order of arrival.")

  @Option(name: .long, help: "The entity of a row, as osce schema names it.")
  var entity: String?

  @Option(name: .long, help: "The key of a row.")
  var id: String?

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var options: StoreOptions

  func validate() throws {
    if (entity == nil) != (id == nil) { throw ValidationError("--entity and --id are given together") }
  }

  func run() throws {
    let store = try options.openToRead()
    defer { store.close() }
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
    let time = Timestamp.text(Instant(stored: operation.examTime?.milliseconds ?? operation.wallTime))
    var parts = ["\(entry.sequence)", time, entry.staff ?? "-", operation.kind.rawValue]
    if namesRow { parts.append("\(operation.row.entity) \(operation.row.id)") }
    let changes = entry.changes.map { change in
      let isFirst = if case .null = change.old { true } else { false }
      let from = isFirst ? "" : "\(change.old.text) -> "
      return "\(change.field): \(from)\(change.new.text)\(change.isStanding ? "" : " (superseded)")"
    }
    parts.append(operation.sealedBody == nil ? "(erased)" : changes.joined(separator: "; "))
    if let reason = entry.reason { parts.append("because: \(reason)") }
    if let result = operation.result { parts.append("hub: \(result)") }
    return parts.joined(separator: "  ")
  }
}
