import ExamStore
import GRDB
import Journal

/// By what two stores without a hub know that they hold the same exam: each row of its plan has the same number in both.
///
/// Marks name stations, sheets and people by these numbers, which an import gives in the order of its files. A number that
/// means another person elsewhere would put marks under a wrong name, so one contradiction is enough to take nothing;
/// rows that only one of the two has, such as a candidate who was added later, are none.
public struct ExamIdentity: Equatable, Sendable {
  /// What each row is called, shortened to a hash, by entity and key.
  public let names: [String: [String: String]]

  /// What speaks against two stores being of one exam.
  public enum Difference: Equatable, Sendable {
    /// They have no station session in common.
    case nothingShared
    /// This row is something else in the other.
    case other(entity: String, key: String)
  }

  /// An identity as it came.
  public init(names: [String: [String: String]]) { self.names = names }

  /// The entities whose numbers marks rely on, each with what people call its rows.
  private static let queries = [
    ("ClinicGroup", "SELECT dsid, coalesce(nullif(code, ''), name) FROM clinicGroup"),
    ("ActivityType", "SELECT dsid, clinicGroupID || '/' || coalesce(nullif(code, ''), name) FROM activityType"),
    ("Timetable", "SELECT dsid, activityTypeID || '/' || date || '/' || startTime FROM timetable"),
    ("TypeForm", "SELECT dsid, coalesce(nullif(key, ''), nullif(code, ''), name) FROM typeForm"),
    ("TypeSection", "SELECT dsid, nullif(key, '') FROM typeSection"),
    ("TypeQuestion", "SELECT dsid, nullif(key, '') FROM typeQuestion"),
    ("Staff", "SELECT dsid, username FROM user WHERE entity = 'Staff' AND dsid > 0"),
    ("Student", "SELECT dsid, studentNumber FROM user WHERE entity = 'Student' AND dsid > 0"),
  ]

  /// Reads a store's.
  public static func read(_ db: Database) throws -> ExamIdentity {
    var names: [String: [String: String]] = [:]
    for (entity, sql) in queries {
      let rows = try ReadRow.fetchCursor(db, sql: sql)
      while let row = try rows.next() {
        let (key, name): (Int64, String?) = (row[0], row[1])
        if let name, !name.isEmpty { names[entity, default: [:]]["\(key)"] = short(entity, key, name) }
      }
    }
    return ExamIdentity(names: names)
  }

  /// Twelve hexadecimal digits, so that a file does not carry the numbers and names of people.
  private static func short(_ entity: String, _ key: Int64, _ name: String) -> String {
    var digest = StreamDigest()
    digest.update(Array("\(entity)\u{0}\(key)\u{0}\(name)".utf8))
    return String(digest.text.prefix(12))
  }

  /// What speaks against another store being of this exam; nil: nothing does.
  public func difference(from other: ExamIdentity) -> Difference? {
    let (mine, theirs) = (names["Timetable"] ?? [:], other.names["Timetable"] ?? [:])
    guard mine.contains(where: { theirs[$0.key] == $0.value }) else { return .nothingShared }
    for (entity, _) in ExamIdentity.queries {
      let others = other.names[entity] ?? [:]
      let keys = (names[entity] ?? [:]).filter { key, name in others[key] ?? name != name }.keys
      if let key = keys.min(by: { ($0.count, $0) < ($1.count, $1) }) { return .other(entity: entity, key: key) }
    }
    return nil
  }
}
