import ExamStore
import Foundation
import GRDB

/// What holds for the exam as a whole: the row of `Config`.
public struct ExamSettings: Equatable, Sendable {
  /// The exam's name; nil where none was given.
  public var name: String?
  /// The IANA name of the exam's time zone; nil: the machine's own.
  public var timeZone: String?
  /// What holds at every station.
  public var stations = StationRules()
  /// What is said of a second copy of the store.
  public var backup = BackupWish(json: nil)

  /// The settings that hold here, as they are stored, for who reads a part of its own of them; nil where there are none.
  static func json(_ db: Database, for university: String? = ConfigInForce.university) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT settings FROM config WHERE dsDeleted = 0 AND \(ConfigInForce.condition) ORDER BY \(ConfigInForce.order)
          """), arguments: ["university": university])
  }

  /// Reads the settings; a store without a `Config` row has none.
  /// - Parameter university: the one that the terminal belongs to: another's settings do not hold.
  public static func read(
    _ db: Database, for university: String? = ConfigInForce.university
  ) throws -> ExamSettings {
    let row = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT examName, timeZone, CASE WHEN \(ConfigInForce.condition) THEN settings END AS settings
          FROM config WHERE dsDeleted = 0 ORDER BY \(ConfigInForce.order)
          """), arguments: ["university": university])
    guard let row else { return ExamSettings() }
    return ExamSettings(
      name: row["examName"], timeZone: row["timeZone"], stations: StationRules(json: row["settings"]),
      backup: BackupWish(json: row["settings"]))
  }
}

/// What an exam asks of every station beside its sheets: members of `Config.settings`.
public struct StationRules: Equatable, Sendable {
  /// Whether candidates' names are shown beside their numbers.
  public var showsNames: Bool
  /// How many of the last digits of the candidate's number are typed at the identity step: 0 or 2.
  public var identityDigits: Int
  /// After how many minutes without a key a terminal locks itself outside a run; 0: never.
  public var idleLockMinutes: Int

  /// A week: longer is never.
  private static let longestLockMinutes = 10_080

  /// - Parameters: see the properties; without them what holds where an exam says nothing.
  public init(showsNames: Bool = true, identityDigits: Int = 0, idleLockMinutes: Int = 0) {
    self.showsNames = showsNames
    self.identityDigits = identityDigits
    self.idleLockMinutes = idleLockMinutes
  }

  /// Reads `{"showNames":false,"identityDigits":2,"idleLockMinutes":10}`; what is absent or makes no sense is as it
  /// would be unwritten.
  init(json: String?) {
    struct Shape: Decodable {
      var showNames: Bool?
      var identityDigits: Int?
      var idleLockMinutes: Int?
    }
    self.init()
    guard let json, let shape = try? JSONDecoder().decode(Shape.self, from: Data(json.utf8)) else { return }
    showsNames = shape.showNames ?? true
    identityDigits = shape.identityDigits == 2 ? 2 : 0
    idleLockMinutes = min(max(0, shape.idleLockMinutes ?? 0), StationRules.longestLockMinutes)
  }

  /// Whether what was typed at the identity step is what the exam asks for: the last digits of the candidate's number.
  /// A number with fewer digits is typed whole.
  public func accepts(typed: String, number: String) -> Bool {
    let digits = number.filter { $0.isASCII && $0.isNumber }.suffix(identityDigits)
    return typed == String(digits)
  }
}

extension ExamSettings {
  /// A member of the settings that hold here, as JSON; nil where there is none.
  package static func member(
    _ name: String, _ db: Database, for university: String? = ConfigInForce.university
  ) throws -> String? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT json_extract(settings, '$.' || :name) FROM config
        WHERE dsDeleted = 0 AND \(ConfigInForce.condition) AND json_valid(settings)
        ORDER BY \(ConfigInForce.order) LIMIT 1
        """)
    return try ReadRow.fetchOne(statement, arguments: ["name": name, "university": university]).flatMap { $0[0] }
  }
}
