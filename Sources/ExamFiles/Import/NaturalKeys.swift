import Catalogue
import CircuitModel
import ExamStore

/// Gives rows of an exam folder their numbers: the number that the same natural key had before, else the next free one.
public struct NaturalKeys: Sendable {
  /// What a person calls a row: its entity and the codes that tell it apart.
  public struct Name: Hashable, Sendable {
    /// The entity.
    public let entity: String
    /// Codes from the outside in, such as circuit and station.
    public let parts: [String]

    /// Makes a name.
    public init(_ entity: String, _ parts: [String]) {
      self.entity = entity
      self.parts = parts
    }
  }

  private var numbers: [Name: Int]
  private var last: [String: Int]

  /// Starts from what a store already holds.
  ///
  /// - Parameters:
  ///   - known: the numbers of natural keys that are taken.
  ///   - last: the highest number in use, by table; tables that are not named are empty.
  public init(known: [Name: Int] = [:], last: [String: Int] = [:]) {
    numbers = known
    self.last = last
  }

  /// The number of the row that these codes name.
  public mutating func number(_ entity: String, _ parts: [String]) -> Int {
    let name = Name(entity, parts)
    if let number = numbers[name] { return number }
    let table = Catalogue.standard[entity]?.table ?? entity
    let number = last[table, default: 0] + 1
    last[table] = number
    numbers[name] = number
    return number
  }
}

/// Keys of rows that have a UUID: UUIDv5 of their natural keys, so that every host that imports an exam makes the same.
enum RosterKeys {
  /// A roster entry.
  ///
  /// - Parameters:
  ///   - session: codes of circuit and station, date, start time.
  ///   - candidate: the candidate's number.
  static func entry(_ session: [String], candidate: String) -> String {
    key("TimetableAttendanceLog", session, candidate)
  }

  /// A second assessor of a station session.
  static func secondAssessor(_ session: [String], username: String) -> String {
    key("AdditionalStaff", session, username)
  }

  private static func key(_ entity: String, _ session: [String], _ person: String) -> String {
    DerivedKeys.key(entity, session[0], session[1], session[2], session[3], person)
  }
}
