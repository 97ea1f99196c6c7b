import Catalogue
import CircuitModel
import ExamStore
import Timer

/// What a row must hold beyond the bounds of its fields, which the catalogue declares.
enum BundleRules {
  /// Reports each fault.
  /// - Parameter stored: the text of a field of the row in the store, which keeps what the file leaves out; of no field its
  ///   entity. Nil where the store has none.
  static func check(_ row: BundleReader.ReadRow, stored: (String?) -> String?, _ report: (String) -> Void) {
    switch row.entity.name {
    case "CircuitStationDuration": checkLength(row, stored, report)
    case "ClinicGroup": checkWarnings(row, report)
    case "User", "Staff", "Student":
      if case .text(let kept)? = row.values["passcodeHash"], !Passcode.isUsable(kept) {
        report(
          "'passcodeHash' is not scrypt$N$r$p$salt$hash within 64 MB and a second of work; write 'passcode', or leave it out"
        )
      }
    case "Config":
      if case .text(let zone)? = row.values["timeZone"], !WrittenTime.isTimeZone(zone) {
        report(
          "'timeZone' \(Visible.quoted(zone)) is unknown" + NearestName.hint(for: zone, among: WrittenTime.timeZones))
      }
    case "AssistanceRequested":
      if case .text(let time)? = row.values["timeRequested"], !time.isEmpty, HelpCalls.time(time) == nil {
        report("'timeRequested' \(Visible.quoted(time)) is not a time; write it as 2026-12-07T09:00:00Z")
      }
    case "TypeForm": checkDocument("props", .formProperties, row, report)
    case "TypeSection": checkDocument("matrixTitles", .texts, row, report)
    default: break
    }
  }

  /// What of a row has no effect.
  static func ignored(_ row: BundleReader.ReadRow) -> [String] {
    switch row.entity.name {
    case "Config":
      guard case .text(let json)? = row.values["settings"] else { return [] }
      return BackupWish(json: json).ignoredPath.map { [BackupWish.ignored($0)] } ?? []
    case "TypeForm": return unknownProperties(row)
    default: return []
    }
  }

  /// What is said of an item that a form says something of and does not have.
  static func lackedItem(_ name: String, ofForm form: String) -> String {
    "TypeForm \(form): 'props' names the item \(Visible.quoted(name)), which the form does not have: it has no effect"
  }

  /// What is said of a value outside its bounds, where the field has words of its own for it; nil: it has none.
  static func text(for value: Bundle.Value, in attribute: Attribute) -> String? {
    switch (attribute.name, value) {
    case ("order", .integer(let order)) where order < 1: "'order' is \(order); orders count from 1"
    case ("order", .integer(let order)): "'order' is \(order); a session has at most \(Expansion.mostRounds) rounds"
    case ("duration", .integer(let minutes)): "'duration' is \(minutes); a length is not negative"
    case ("step", _): "'step' must be over 0"
    case ("warnings", .text(let json)): "'warnings': \(warningsFault(json) ?? "no list of warnings")"
    case (_, .text(let text)): wordFault(text, in: attribute)
    default: nil
    }
  }

  private static func warningsFault(_ json: String) -> String? {
    do {
      _ = try CircuitWarnings.rules(json: json)
      return nil
    } catch { return "\(error)" }
  }

  private static func wordFault(_ text: String, in attribute: Attribute) -> String? {
    guard case .text(.word(let words), _) = attribute.bounds, let fault = attribute.bounds.fault(text: text) else {
      return nil
    }
    return "'\(attribute.name)' \(fault)" + NearestName.hint(for: text, among: words)
  }

  /// Checks a JSON document that the reference calls a text; an empty one is none.
  private static func checkDocument(
    _ field: String, _ shape: JSONShape, _ row: BundleReader.ReadRow, _ report: (String) -> Void
  ) {
    guard case .text(let json)? = row.values[field], !json.isEmpty else { return }
    Bounds.json(shape, longest: Bounds.longestText).fault(text: json).map { report("'\(field)' \($0)") }
  }

  private static func unknownProperties(_ row: BundleReader.ReadRow) -> [String] {
    guard case .object(let members) = JSONShape.formProperties, case .text(let json)? = row.values["props"],
      case .object(let entries)? = (try? JSONReader.read(json))?.content
    else { return [] }
    let names = members.map(\.name)
    return entries.map(\.key).filter { !names.contains($0) }.map { key in
      "'props' has \(Visible.quoted(key)), which has no effect" + NearestName.hint(for: key, amongKeys: names)
    }
  }

  private static func checkLength(
    _ row: BundleReader.ReadRow, _ stored: (String?) -> String?, _ report: (String) -> Void
  ) {
    let fields = ["duration", "seconds"]
    guard row.wrong.isDisjoint(with: fields), row.values["dsDeleted"] != .bool(true),
      fields.contains(where: { row.values[$0] != nil }) || stored(nil) == nil
    else { return }
    let isZero = fields.allSatisfy { field in
      switch row.values[field] {
      case .integer(let number)?: number == 0
      case nil: stored(field).flatMap { Int64($0) } ?? 0 == 0
      default: true
      }
    }
    if isZero { report("'duration' and 'seconds': the length is zero") }
  }

  private static func checkWarnings(_ row: BundleReader.ReadRow, _ report: (String) -> Void) {
    guard !row.wrong.contains("warnings"), case .text(let json)? = row.values["warnings"] else { return }
    warningsFault(json).map { report("'warnings': \($0)") }
  }
}
