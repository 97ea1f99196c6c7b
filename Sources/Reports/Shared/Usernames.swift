import CircuitModel
import ExamStore
import GRDB

/// The staff's usernames by key.
struct Usernames {
  private let names: [Int: String]

  init(_ db: Database) throws {
    names = Dictionary(
      try ReadRow.fetchAll(
        db, sql: "SELECT dsid, username, title, forename, surname FROM user WHERE entity = 'Staff'"
      ).map { row in
        let name = personName(title: row[2], forename: row[3], surname: row[4])
        return (row[0] as Int, row[1] ?? name ?? String(row[0] as Int))
      }, uniquingKeysWith: { first, _ in first })
  }

  subscript(staff: Int) -> String? { names[staff] }
}
