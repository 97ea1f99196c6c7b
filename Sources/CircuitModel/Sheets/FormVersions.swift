import ExamStore
import GRDB
import Journal

/// The versions of templates: a sheet keeps the one it was made from, whatever is imported later.
public enum FormVersions {
  /// The version that a new sheet is made from: the template as it stands now, recorded if it is not yet.
  /// - Throws: `SheetRefusal` if the template is not there.
  static func current(of form: Int, in transaction: JournalTransaction) throws -> (key: String, template: SheetTemplate)
  {
    guard let template = try TemplateReader.read(form: form, in: transaction.db) else {
      throw SheetRefusal.unknownTemplate(form)
    }
    let content = template.content
    let digest = Hexadecimal.text(StreamDigest.of(Array(content.utf8)))
    let key = DerivedKeys.formVersion(form: form, digest: digest)
    let isRecorded = try Bool.fetchOne(
      transaction.db, sql: "SELECT 1 FROM formVersion WHERE uuid = ?", arguments: [key])
    if isRecorded != true {
      let number = try Int.fetchOne(
        transaction.db, sql: "SELECT coalesce(max(number), 0) + 1 FROM formVersion WHERE typeFormID = ?",
        arguments: [form])
      try transaction.create(
        Stored.FormVersion.self, key,
        [.typeForm(form), .number(number ?? 1), .digest(digest), .content(content)])
    }
    return (key, template)
  }

  /// A version's template. Versions never change, so what was read once is kept.
  /// - Throws: `SheetRefusal` if there is no such version, or it cannot be read.
  package static func template(_ version: String, in db: Database) throws -> SheetTemplate {
    if let template = known[version] { return template }
    let statement = try db.cachedStatement(sql: "SELECT content FROM formVersion WHERE uuid = ?")
    guard let content = try String.fetchOne(statement, arguments: [version]) else {
      throw SheetRefusal.unknownVersion(version)
    }
    let template = try SheetTemplate(content: content)
    known[version] = template
    return template
  }

  private static let known = ReadingCache<SheetTemplate>(most: 32)

  /// A template that was changed while sheets of it were started.
  public struct Kept: Hashable, Sendable {
    /// The template's code, or its name.
    public let sheet: String
    /// How many started sheets keep an earlier version.
    public let started: Int
  }

  /// Records the current version of every template, after an import.
  /// - Returns: the templates whose started sheets keep an older version.
  static func recordAll(in transaction: JournalTransaction) throws -> [Kept] {
    var kept: [Kept] = []
    let forms = try ReadRow.fetchAll(
      transaction.db, sql: "SELECT dsid, coalesce(code, name) AS title FROM typeForm WHERE dsDeleted = 0 ORDER BY dsid")
    for form in forms {
      let version = try current(of: form["dsid"], in: transaction)
      let started = try Int.fetchOne(
        transaction.db,
        sql: "SELECT count(*) FROM dataForm WHERE typeID = ? AND versionID <> ? AND dsDeleted = 0",
        arguments: [form["dsid"] as Int, version.key])
      if let started, started > 0 { kept.append(Kept(sheet: form["title"], started: started)) }
    }
    return kept
  }
}
