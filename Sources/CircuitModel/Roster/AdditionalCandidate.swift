import GRDB
import Journal

/// A candidate who stands at the station and is not on its roster.
public enum AdditionalCandidate {
  /// Puts a candidate on the roster of one station session.
  /// - Parameters:
  ///   - number: the candidate number; a number that the exam does not know makes a new candidate.
  ///   - surname: the name of a candidate whom the exam does not know; it may be empty.
  ///   - timetable: the station session.
  ///   - round: the round in which the candidate comes; nil: none.
  /// - Returns: the key of the roster entry.
  /// - Throws: `StoreError` if the number is blank or several candidates have it, the candidate is on this roster
  ///   already, or somebody else comes in that round.
  @discardableResult public static func add(
    number: String, surname: String = "", timetable: Int, round: Int?, in transaction: JournalTransaction
  ) throws -> String {
    let number = String(number.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    if number.isEmpty { throw StoreError("a candidate number is needed") }
    let session = try StationSession.find(timetable, in: transaction.db)
    if session.isRest { throw StoreError("\(session.stationTitle) has no mark sheet: nobody is added there") }
    let known = try Int.fetchAll(
      transaction.db,
      sql: "SELECT dsid FROM user WHERE entity = 'Student' AND studentNumber = ? AND dsDeleted = 0",
      arguments: [number])
    if known.count > 1 { throw StoreError("\(known.count) candidates have the number \(number): ask the lead") }
    if let round { try refuseIfTaken(round, timetable, transaction.db) }
    let student = try known.first ?? make(number, surname, transaction)
    let roster = try Roster.entries(timetable: timetable, seat: .lead, in: transaction.db)
    if let there = roster.first(where: { $0.candidate?.id == student }) {
      throw StoreError("\(number) is on this roster already" + (there.round.map { ", in round \($0)" } ?? ""))
    }
    var fields: [String: Value] = [
      "timetable": .integer(Int64(timetable)), "student": .integer(Int64(student)), "additional": .bool(true),
      "addedInApp": .bool(true),
    ]
    if let round { fields["order"] = .integer(Int64(round)) }
    let key = DerivedKeys.key("Additional", String(timetable), String(student))
    if try transaction.create("TimetableAttendanceLog", key, fields) == nil {
      throw StoreError("\(number) was added here before and taken off: ask the lead")
    }
    return key
  }

  /// Whether the exam has a candidate of this number.
  public static func isKnown(number: String, in db: Database) throws -> Bool {
    try Int.fetchOne(
      db,
      sql: "SELECT 1 FROM user WHERE entity = 'Student' AND studentNumber = ? AND dsDeleted = 0 LIMIT 1",
      arguments: [number]) != nil
  }

  private static func refuseIfTaken(_ round: Int, _ timetable: Int, _ db: Database) throws {
    guard round >= 1 else { throw StoreError("rounds count from 1") }
    let roster = try Roster.entries(timetable: timetable, seat: .lead, in: db)
    if let other = roster.first(where: { $0.round == round })?.candidate {
      throw StoreError("\(other.number) comes in round \(round)")
    }
  }

  /// The key follows from the number, below zero where no import puts one: two terminals that add the same candidate
  /// make the same row.
  private static func make(_ number: String, _ surname: String, _ transaction: JournalTransaction) throws -> Int {
    let digest = UUIDBytes.v5(namespace: DerivedKeys.namespace, name: "Student\u{1F}" + number)
    let key = -1 - Int(digest.low & 0x7FFF_FFFF)
    try transaction.create(
      "Student", String(key), ["studentNumber": .text(number), "surname": .text(surname.isEmpty ? number : surname)])
    return key
  }
}
