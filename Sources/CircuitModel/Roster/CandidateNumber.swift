import ExamStore
import GRDB

/// The number by which a candidate is known, with the rules of `candidates.csv`: it is not empty, blanks around it do
/// not belong to it, and no two candidates have the same one, whatever the case of its letters.
package enum CandidateNumber {
  /// Who has a number: the keys in `Student`. Several only where a merge brought them together.
  static func holders(_ number: String, in db: Database) throws -> [Int] {
    try holders(number, areRemoved: false, in: db)
  }

  /// Makes a candidate whom the exam does not know. One that was removed from it and had the number is brought back.
  ///
  /// The key follows from the number, so that two terminals make the same row; one that a row of another number has is
  /// passed over.
  /// - Parameters:
  ///   - forename: may be empty; of somebody brought back the one that is known stays then.
  ///   - surname: empty where it is not known: the number stands in for it, or the name of somebody brought back stays.
  /// - Throws: `CandidateRefusal` if the number is empty or in use.
  /// - Returns: the key in `Student`.
  static func make(
    _ number: String, forename: String, surname: String, _ transaction: JournalTransaction
  ) throws -> Int {
    let (number, forename, surname) = (trimmed(number), trimmed(forename), trimmed(surname))
    if number.isEmpty { throw CandidateRefusal.newWithoutNumber }
    let db = transaction.db
    if try !holders(number, in: db).isEmpty {
      throw CandidateRefusal.numberInUse(number)
    }
    var changes: [FieldChange<Stored.Student>] = [.studentNumber(number)]
    if !forename.isEmpty { changes.append(.forename(forename)) }
    if !surname.isEmpty { changes.append(.surname(surname)) }
    if let removed = try holders(number, areRemoved: true, in: db).first {
      try transaction.set(Stored.Student.self, removed, changes)
      return removed
    }
    if surname.isEmpty { changes.append(.surname(number)) }
    var key = DerivedKeys.student(number: number)
    while try Bool.fetchOne(db, sql: "SELECT count(*) > 0 FROM user WHERE dsid = ?", arguments: [key]) == true {
      key = key == -0x8000_0000 ? -1 : key - 1
    }
    try transaction.create(Stored.Student.self, key, changes)
    return key
  }

  /// The form in which two numbers are the same one.
  package static func compared(_ number: String) -> String { trimmed(number).lowercased() }

  /// A text without the blanks and line breaks around it.
  static func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func holders(_ number: String, areRemoved: Bool, in db: Database) throws -> [Int] {
    try Int.fetchAll(
      db,
      sql: """
        SELECT dsid FROM user WHERE entity = 'Student' AND studentNumber = ? COLLATE NOCASE AND dsDeleted = ?
        ORDER BY dsid
        """, arguments: [trimmed(number), areRemoved])
  }
}
