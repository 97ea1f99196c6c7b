import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// Who signed a sheet for the marks that were given at the station, and when.
struct SheetSignature {
  let at: Instant
  /// The key of who signed.
  let staff: Int64?
  /// Why, where that was recorded: a lead signs on behalf of an assessor.
  let reason: String?

  /// The signature that the journal has from before any amendment, which two others sign; else the present one.
  /// - Returns: nil for a sheet that is not signed.
  static func read(_ sheet: HeldSheet, in db: Database) throws -> SheetSignature? {
    guard let signedAt = sheet.signedAt else { return nil }
    var found: SheetSignature?
    let history = try OperationTable.history(of: Stored.DataForm.row(sheet.key), in: db)
      .sorted { ($0.hlc, $0.id) < ($1.hlc, $1.id) }
    for opened in history.map({ OpenedOperation($0) }) {
      guard case .integer(let at)? = opened.body?.fields[Stored.DataForm.Field.signedAt],
        opened.reason?.hasPrefix(Amendment.reasonPrefix) != true
      else { continue }
      var staff: Int64?
      if case .integer(let key)? = opened.body?.fields[Stored.DataForm.Field.signedBy] { staff = key }
      found = SheetSignature(at: Instant(stored: at), staff: staff, reason: opened.reason)
    }
    if let found { return found }
    let present = try Int64.fetchOne(
      db, sql: "SELECT signedByID FROM dataForm WHERE uuid = ?", arguments: [sheet.key])
    return SheetSignature(at: signedAt, staff: present, reason: nil)
  }

  /// The name of who signed.
  func name(in db: Database) throws -> String? { try staff.flatMap { try personName(of: $0, in: db) } }
}

/// That two people changed answers of a signed sheet.
public struct SheetAmendment: Equatable, Sendable {
  /// The names of who amended it.
  public let people: [String]
  /// When.
  public let time: Instant?
  /// Why.
  public let reason: String

  /// In one line: `amended by Prof Dubois and Dr Mensah on 2026-12-08 09:14:03: ticked by mistake`.
  public var text: String {
    let by = people.isEmpty ? "nobody known" : people.joined(separator: " and ")
    let on = time.map { LocalTime.reading(of: $0) }.map { " on \($0.date) \($0.time)" } ?? ""
    return "amended by \(by)\(on): \(reason)"
  }

  /// The amendments of each sheet by its key, oldest first.
  static func bySheet(_ rulings: [ExamRuling], in db: Database) throws -> [String: [SheetAmendment]] {
    let made = rulings.filter { $0.kind == .amendment && $0.scope.sheet != nil }
    if made.isEmpty { return [:] }
    let names = Dictionary(
      try ReadRow.fetchAll(
        db, sql: "SELECT username, title, forename, surname FROM user WHERE entity = 'Staff' AND username IS NOT NULL"
      ).compactMap { row in personName(title: row[1], forename: row[2], surname: row[3]).map { (row[0] as String, $0) }
      },
      uniquingKeysWith: { first, _ in first })
    var found: [String: [SheetAmendment]] = [:]
    for ruling in made {
      guard let sheet = ruling.scope.sheet else { continue }
      let people = [ruling.staff, ruling.secondStaff].compactMap { $0 }.map { names[$0] ?? $0 }
      found[sheet, default: []].append(SheetAmendment(people: people, time: ruling.time, reason: ruling.reason))
    }
    return found
  }
}
