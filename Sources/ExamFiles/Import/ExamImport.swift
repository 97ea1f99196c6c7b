import Catalogue
import CircuitModel
import ExamStore
import GRDB
import Journal

/// Loads exam folders and bundles into a store: all of it, or nothing.
public enum ExamImport {
  /// What came of it.
  public struct Outcome: Sendable {
    /// What was changed; nil if any problem is an error, and then nothing was.
    public var report: ImportReport?
    /// Every error and warning.
    public var problems: [Problem]
  }

  /// Loads folders and bundle files in their order, in one transaction; a bundle may refer to rows of an earlier one.
  ///
  /// - Throws: `StoreError` if the store refuses; nothing is changed then.
  public static func load(_ paths: [String], into store: ExamStore, by author: Author = .program) throws -> Outcome {
    try load(paths.map(Source.read), into: store, by: author)
  }

  /// Loads a plan that was read before.
  ///
  /// - Throws: `StoreError` if the store refuses; nothing is changed then.
  public static func load(_ plan: ExamPlan, into store: ExamStore, by author: Author = .program) throws -> Outcome {
    try load([.folder(plan, [])], into: store, by: author)
  }

  private static func load(_ sources: [Source], into store: ExamStore, by author: Author) throws -> Outcome {
    var problems = sources.flatMap(\.problems)
    if problems.hasErrors { return Outcome(report: nil, problems: problems) }
    let passcodes = try PreparedPasscodes(sources.flatMap(\.passcodes), in: store)
    do {
      let report = try store.write(author) { transaction in
        try sources.reduce(into: nil as ImportReport?) { total, source in
          let rows = try rows(of: source, transaction.db, &problems)
          let report = try BundleImport.apply(rows, passcodes: passcodes, in: transaction)
          total = total?.adding(report) ?? report
        }
      }
      return Outcome(report: report, problems: problems)
    } catch is Refused {
      return Outcome(report: nil, problems: problems)
    }
  }

  /// Leaves the transaction with nothing changed: the problems say why.
  private struct Refused: Error {}

  private enum Source {
    case folder(ExamPlan?, [Problem])
    case bundle(String)

    var problems: [Problem] { if case .folder(_, let found) = self { found } else { [] } }

    var passcodes: [PreparedPasscodes.Claim] {
      switch self {
      case .folder(let plan, _):
        (plan?.staff ?? []).compactMap { member in
          member.passcode.map { PreparedPasscodes.Claim(username: member.username, passcode: $0) }
        }
      case .bundle(let path): BundleReader.passcodes(path)
      }
    }

    static func read(_ path: String) -> Source {
      if isFolder(path) {
        let (plan, problems) = ExamFolder.read(path)
        return .folder(plan, problems)
      }
      return .bundle(path)
    }
  }

  private static func rows(of source: Source, _ db: Database, _ problems: inout [Problem]) throws -> [ImportRow] {
    switch source {
    case .folder(let plan, _):
      guard let plan else { throw Refused() }
      var keys = try NaturalKeys(db)
      let bundle = plan.bundle(&keys)
      let retired = try RetiredRows.find(bundle, in: db)
      if !plan.hasSheetsFolder, retired.contains(where: { $0.row.entity == "AvailableForm" }) {
        problems.append(
          Problem(
            .error, file: "sheets", line: 1,
            "this folder is missing, and the store has mark sheets from it; put it back, or make it empty to take them away"
          ))
        throw Refused()
      }
      return retired + bundle.rows.compactMap(\.importRow)
    case .bundle(let path):
      let (bundle, found) = BundleReader.read(path) { entity, key in storedEntity(entity, key, db) }
      problems += found
      guard let bundle else { throw Refused() }
      return bundle.rows.compactMap(\.importRow)
    }
  }

  /// The entity of the row that has this key in the table of `entity`; nil if there is none.
  private static func storedEntity(_ entity: String, _ key: String, _ db: Database) -> String? {
    guard let declared = Catalogue.standard[entity], let table = Catalogue.standard.table(named: declared.table) else {
      return nil
    }
    let column = table.discriminator.map { "\"\($0)\"" } ?? "'\(entity)'"
    let value: any DatabaseValueConvertible =
      Catalogue.standard.keyStorage(of: declared) == .integer ? Int64(key) ?? Int64.min : key
    let sql = "SELECT \(column) FROM \"\(declared.table)\" WHERE \"\(declared.storageKey)\" = ?"
    return try? String.fetchOne(db, sql: sql, arguments: [value])
  }
}

extension ImportReport {
  fileprivate func adding(_ other: ImportReport) -> ImportReport {
    var total = self
    total.created += other.created
    total.changed += other.changed
    total.unchanged += other.unchanged
    total.kept += other.kept
    total.leftDeleted += other.leftDeleted
    total.notDeleted += other.notDeleted
    total.versions += other.versions.filter { !versions.contains($0) }
    return total
  }
}

extension Bundle.Row {
  /// The row's key in a store. Rows that come with another key, or with none, get one that follows from what they say,
  /// so that a second import finds them again.
  var key: RowKey? {
    guard let declared = Catalogue.standard[entity] else { return nil }
    if let key = values[declared.storageKey]?.key { return RowKey(entity: entity, id: key) }
    if declared.localKey != nil, let key = values[declared.primaryKey]?.key {
      return RowKey(entity: entity, id: DerivedKeys.key(entity, key))
    }
    guard declared.key == .automatic else { return nil }
    let text = values.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value.json }.joined(separator: ",")
    let digest = UUIDBytes.v5(namespace: DerivedKeys.namespace, name: entity + "\u{1F}" + text)
    // 48 bits: SQLite goes on counting from the largest key, and must have room to.
    return RowKey(entity: entity, id: String(digest.high >> 16))
  }

  /// The row as the store takes it; nil if it has no key, which a checked bundle never has.
  var importRow: ImportRow? {
    guard let key else { return nil }
    return ImportRow(key, values.mapValues(\.journalled))
  }
}

extension Bundle.Value {
  /// The value as the journal carries it. Numbers with more than six places were refused before.
  var journalled: Value {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): Scaled.encode(value).map { .integer($0) } ?? .null
    case .text(let value): .text(value)
    }
  }
}
