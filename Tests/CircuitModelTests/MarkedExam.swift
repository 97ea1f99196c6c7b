import GRDB
import Journal
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// The small exam with somebody who marks.
final class MarkedExam {
  let test: TestStore
  let author: Author

  init(_ rows: [ImportRow] = []) throws {
    test = try TestStore()
    LocalTime.use(zone: "Europe/London")
    author = Author(staff: 1)
    try test.loadSmallExam()
    if !rows.isEmpty { _ = try store.write(.program) { try BundleImport.apply(rows, in: $0) } }
  }

  var store: ExamStore { test.store }
  var session: Session { Session(circuit: 1, date: "2026-12-07", startTime: "09:00") }

  func clock(_ action: ClockAction, at instant: Instant? = nil) throws {
    _ = try store.write(author) { try ClockLog.append(action, to: session, at: instant ?? store.clock.now, in: $0) }
  }

  func entry(_ number: Int, seat: Seat = .lead) throws -> RosterEntry {
    try store.read { db in try Roster.entry(SmallExam.entry(number), seat: seat, in: db)! }
  }

  /// Passes the identity step of an entry at station 1.
  @discardableResult func open(_ number: Int, seat: Seat = .lead) throws -> Sheet {
    let entry = try entry(number, seat: seat)
    let key = try store.write(author) { try Attendance.passIdentityStep(entry: entry, seat: seat, in: $0)[0] }
    return try sheet(key)
  }

  func sheet(_ key: String) throws -> Sheet { try store.read { db in try Sheet.read(key, in: db)! } }

  /// Marks an item by its place in the sheet, from 0, with a level by its place from the left, from 0.
  func mark(_ key: String, item: Int, level: Int) throws {
    let item = try sheet(key).items[item]
    try store.write(author) { _ = try Marking($0).mark(item, level: item.template.levels[level]) }
  }

  func write(_ key: String, item: Int, _ text: String) throws {
    let item = try sheet(key).items[item]
    try store.write(author) { _ = try Marking($0).write(item, text) }
  }

  func sign(_ key: String) throws {
    let sheet = try sheet(key)
    try store.write(author) { try Signing.sign(sheet, in: $0) }
  }

  /// Lets the hub have everything.
  func acknowledge() throws { try store.acknowledge() }

  /// Changes the file behind the program's back.
  func tamper(_ sql: String) throws {
    try store.writer.inDatabase { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: sql)
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
  }

  /// The rows of an export by column name.
  func rows(_ kind: ExportKind) throws -> [[String: ExportCell]] {
    let export = Export(kind, format: .csv)
    var rows: [[String: ExportCell]] = []
    try store.read { db in
      try export.forEachRow(in: db, at: store.clock.now) { cells in
        precondition(cells.count == export.columns.count)
        rows.append(Dictionary(uniqueKeysWithValues: zip(export.columns, cells)))
      }
    }
    return rows
  }

  func status() throws -> StatusReport { try store.read { db in try StatusReport.read(db) } }

  func missing() throws -> [String] {
    var lines: [String] = []
    try store.read { db in
      try MissingMark.forEach(in: db, at: store.clock.now) { missing in
        lines.append("\(missing.sheet.entry.number) \(missing.kind.word) \(missing.item?.number ?? 0)")
      }
    }
    return lines
  }

  func examine(before: Bool = false, since: [ChainHash] = [], _ change: (inout MachineSurroundings) -> Void = { _ in })
    throws -> Diagnosis
  {
    var surroundings = MachineSurroundings(system: test.time.system, freeBytes: { _ in 1 << 40 })
    change(&surroundings)
    return try Doctor(store.location, surroundings: surroundings).examine(before: before, since: since)
  }
}

extension Diagnosis {
  func result(_ name: String) -> Result? { checks.last { $0.name == name }?.result }
  var failures: [String] { checks.filter { $0.result == .failed }.map { "\($0.name): \($0.detail)" } }
}
