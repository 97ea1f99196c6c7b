import Catalogue
import GRDB

/// One value of a store overwritten behind the program's back, as another program, an older version or a broken disk
/// may have left it: what no import let in.
package struct PlantedVariant: Sendable {
  /// `Timetable.date: x'00ff'`.
  package let name: String
  /// A statement that changes one row.
  package let sql: String
  /// Its column, where a value there hides no other row from a reader; nil: it may.
  package var column: String?

  /// Variants that can be tried at once: of each column the first value, of each the second, and so on.
  package static func rounds(_ variants: [PlantedVariant]) -> [[PlantedVariant]] {
    var rounds: [[PlantedVariant]] = []
    var seen: [String: Int] = [:]
    for variant in variants {
      guard let column = variant.column else { continue }
      let round = seen[column, default: 0]
      if round == rounds.count { rounds.append([]) }
      rounds[round].append(variant)
      seen[column] = round + 1
    }
    return rounds
  }

  /// Every column of every entity with values that it was not made for, and every first row taken out.
  package static func all(in catalogue: Catalogue = .standard) -> [PlantedVariant] {
    catalogue.entities.flatMap { entity -> [PlantedVariant] in
      guard let table = catalogue.table(named: entity.table) else { return [] }
      let kind = table.discriminator.map { "WHERE \"\($0)\" = '\(entity.name)'" } ?? ""
      let first = "rowid = (SELECT min(rowid) FROM \"\(table.name)\" \(kind))"
      let names = Set(
        catalogue.allAttributes(of: entity).compactMap(\.column)
          + catalogue.allRelationships(of: entity).compactMap(\.column))
      let columns = table.columns.filter { names.contains($0.name) }
      let row = entity.barredFromFiles == nil || entity.name == "Operation" ? "" : row(of: table) + "; "
      return columns.flatMap { column in
        let hides =
          column.isKey || column.destination != nil || ["dsDeleted", "cancelled", "practice"].contains(column.name)
        return values(for: column).map { value in
          PlantedVariant(
            name: "\(entity.name).\(column.name): \(value.count > 40 ? value.prefix(40) + "…" : value)",
            sql: row + "UPDATE OR REPLACE \"\(table.name)\" SET \"\(column.name)\" = \(value) WHERE \(first)",
            column: hides ? nil : "\(entity.name).\(column.name)")
        }
      } + [PlantedVariant(name: "\(entity.name): no row", sql: "DELETE FROM \"\(table.name)\" WHERE \(first)")]
    }
  }

  /// Every column of the operation that is the last mark, with values that it was not made for.
  package static var ofMark: [PlantedVariant] {
    guard let table = Catalogue.standard.table(named: "operation") else { return [] }
    let mark = "rowid = (SELECT max(rowid) FROM operation WHERE kind = 'set' AND entity = 'RatingQuestion')"
    let variants = table.columns.flatMap { column in
      values(for: column).map { value in
        PlantedVariant(
          name: "mark.\(column.name): \(value.count > 40 ? value.prefix(40) + "…" : value)",
          sql: "UPDATE OR REPLACE operation SET \"\(column.name)\" = \(value) WHERE \(mark)",
          column: column.isKey ? nil : "mark.\(column.name)")
      }
    }
    // Hashes hold neither for what takes itself back: the body alone decides what undoing does.
    let own = #"CAST('{"replaces":{"undo":["' || id || '"]}}' AS BLOB)"#
    return variants + [
      PlantedVariant(name: "mark.body: takes itself back", sql: "UPDATE operation SET body = \(own) WHERE \(mark)")
    ]
  }

  /// Every column of every table that no entity is kept in, with values that it was not made for; where a table is empty,
  /// in a row that is put in.
  package static func own(in db: Database, catalogue: Catalogue = .standard) throws -> [PlantedVariant] {
    let names = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    return try names.filter { catalogue.table(named: $0) == nil }.flatMap { name -> [PlantedVariant] in
      let columns = try db.columns(in: name)
      let samples = columns.map { sample(of: $0.type) }.joined(separator: ", ")
      let row =
        "INSERT INTO \"\(name)\" SELECT \(samples) WHERE NOT EXISTS (SELECT 1 FROM \"\(name)\"); "
      return columns.flatMap { column in
        // Where the row's own number is kept SQLite takes whole numbers alone.
        let isRowNumber = column.type == "INTEGER" && column.primaryKeyIndex > 0
        return values(ofType: column.type).filter { !isRowNumber || Int64($0) != nil }.map { value in
          PlantedVariant(
            name: "\(name).\(column.name): \(value.count > 40 ? value.prefix(40) + "…" : value)",
            sql: row + "UPDATE OR IGNORE \"\(name)\" SET \"\(column.name)\" = \(value)", column: nil)
        }
      }
    }
  }

  private static func sample(of type: String) -> String {
    switch type {
    case "INTEGER", "REAL": "1"
    case "BLOB": "x'00'"
    default: "'text'"
    }
  }

  private static func values(ofType type: String) -> [String] {
    switch type {
    case "INTEGER", "REAL": numbers
    case "BLOB": ["'abc'", "x''", "0", "1e300"]
    default: texts
    }
  }

  private static let numbers = [
    "'abc'", "x'00ff'", "9223372036854775807", "-9223372036854775808", "2147483648", "1e300", "0", "-1",
  ]
  private static let texts = [
    "x'00ff'", "''", "'['", "'[\"abc\"]'", "'[{\"round\":\"x\",\"planned\":[],\"comes\":{}}]'", "'null'",
    "'9999-99-99'", "printf('%.*c', 70000, 'x')", "char(27) || '[2J'",
  ]

  /// Puts in the row that no bundle brings.
  private static func row(of table: StoredTable) -> String {
    let values = table.columns.map { column in
      switch column.storage {
      case .integer, .real: "1"
      case .text: "'text'"
      case .blob: "x'00'"
      }
    }
    let names = table.columns.map { "\"\($0.name)\"" }
    return "INSERT OR REPLACE INTO \"\(table.name)\" (\(names.joined(separator: ", "))) "
      + "VALUES (\(values.joined(separator: ", ")))"
  }

  private static func values(for column: StoredColumn) -> [String] {
    var values = column.isNotNull ? [] : ["NULL"]
    switch column.storage {
    case .integer where column.isKey: return ["9223372036854775807", "-9223372036854775808", "0"]
    case .integer:
      values += numbers
    case .real: values += ["'abc'", "x'00ff'", "1e300", "-9e999", "9223372036854775807", "1e-300"]
    case .text:
      values += texts
    case .blob: values += ["'abc'", "x''"]
    }
    return values
  }
}

/// The command lines that read a store, each of which must answer whatever the store holds.
package enum ReadingCommands {
  private static let exports = [
    "marks", "attendance", "comments", "signins", "clock", "journal", "rulings", "help", "incidents", "changes",
  ]
  private static let during = "2026-12-07T09:04:00.000Z"

  /// Without `--store`.
  package static let all: [[String]] =
    [
      ["plan"], ["plan", "--json"], ["status"], ["status", "--json"], ["missing"], ["missing", "--json"],
      ["results", "--sheets", "held"], ["results", "--json", "--minimum-stations", "predicted"], ["close", "--json"],
      ["differences", "--all"], ["differences", "--json"], ["outbox"], ["outbox", "--json"], ["journal"],
      ["journal", "--json"],
      ["journal", "--entity", "SlotTable", "--id", "x"], ["clock", "all", "status", "--at", during],
      ["clock", "1", "status", "--json", "--at", during], ["clock", "1", "log", "--session", "2026-12-07 09:00"],
      ["clock", "1", "log", "--session", "2026-12-07 09:00", "--json"],
    ] + exports.flatMap { what in ["csv", "json"].map { ["export", what, "--format", $0] } }

  /// Words of SQLite and of Swift that nobody who runs an exam should read.
  package static let foreignWords = [
    "SQLite", "malformed", "decode", "no such column", "datatype", "constraint", "Optional(", "Fatal", "overflow",
  ]
}
