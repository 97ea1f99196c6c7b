import CircuitModel
import Foundation
import GRDB
import SeededNumbers
import Synchronization
import Testing

@testable import ExamFiles
@testable import ExamStore
@testable import Reports

/// The year 3 exam as it is when the last bell has rung: marked by able and by less able candidates' assessors, with
/// what happens on a day: an absence, blanks, items that could not be assessed, sheets that nobody signed.
final class MarkedYear3Exam {
  let folder = Scratch()
  let store: ExamStore
  private var random: Seeded

  /// - Parameters:
  ///   - seed: of what its assessors gave; most tests need no other than the first, which is marked once for all of them.
  ///   - results: `results:` as it is appended to exam.yaml.
  ///   - isWhole: whether every sheet is answered and signed.
  ///   - candidates: of each circuit in a session, at most 8; few are enough where numbers do not matter.
  init(seed: UInt64 = 1, results: String = "", isWhole: Bool = false, candidates: Int = 3) throws {
    random = Seeded(seed: seed)
    chmod(folder.path, 0o700)
    let path = folder.path + "/exam.sqlite"
    try MarkedOnce.shared.store(Marked(seed: seed, isWhole: isWhole, candidates: candidates))
      .write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    store = try ExamStore(StoreLocation(path: path))
    if results.isEmpty {
      try Self.writeYear3(to: folder.path + "/exam", candidates: candidates)
    } else {
      try load { try Self.writeYear3(to: $0, results: results, candidates: candidates) }
    }
  }

  /// Another exam, marked in the same way.
  /// - Parameter write: writes its folder at a path.
  init(seed: UInt64, isWhole: Bool = false, write: (String) throws -> Void) throws {
    random = Seeded(seed: seed)
    chmod(folder.path, 0o700)
    store = try ExamStore(StoreLocation(path: folder.path + "/exam.sqlite"), .createIfMissing)
    try load(write)
    try mark(isWhole: isWhole)
  }

  private func load(_ write: (String) throws -> Void) throws {
    let copy = folder.path + "/exam"
    try write(copy)
    let outcome = try ExamImport.load([copy], into: store)
    #expect(outcome.report != nil, "\(outcome.problems)")
  }

  private static func writeYear3(to copy: String, results: String = "", candidates: Int) throws {
    try FileManager.default.copyItem(atPath: Fixtures.path("year3-osce"), toPath: copy)
    var exam = try String(contentsOfFile: copy + "/exam.yaml", encoding: .utf8)
    if candidates < 8 {
      var left: Set<Substring> = []
      exam.replace(#/slots: \[([^\]]*)\]/#) { match in
        let slots = match.1.split(separator: ", ")
        left.formUnion(slots.dropFirst(candidates))
        return "slots: ["
          + (slots.prefix(candidates) + slots.dropFirst(candidates).map { _ in "empty" }).joined(separator: ", ") + "]"
      }
      let people = try String(contentsOfFile: copy + "/candidates.csv", encoding: .utf8)
        .split(separator: "\n").filter { line in !left.contains { line.hasPrefix($0 + ",") } }
      try (people.joined(separator: "\n") + "\n").write(
        toFile: copy + "/candidates.csv", atomically: true, encoding: .utf8)
    }
    try (exam + "\n" + results).write(toFile: copy + "/exam.yaml", atomically: true, encoding: .utf8)
  }

  /// What an exam was marked with.
  private struct Marked: Hashable {
    let seed: UInt64
    let isWhole: Bool
    let candidates: Int
  }

  /// The closed stores of exams that were marked already.
  private final class MarkedOnce: Sendable {
    static let shared = MarkedOnce()
    private let stores = Mutex<[Marked: Data]>([:])

    func store(_ marked: Marked) throws -> Data {
      // Held while one is made: whoever wants the same waits for it.
      try stores.withLock { stores in
        if let made = stores[marked] { return made }
        let exam = try MarkedYear3Exam(seed: marked.seed, isWhole: marked.isWhole) {
          try MarkedYear3Exam.writeYear3(to: $0, candidates: marked.candidates)
        }
        #expect(exam.store.close())
        // Its folder goes with it.
        let made = try withExtendedLifetime(exam) {
          try Data(contentsOf: URL(fileURLWithPath: exam.store.location.path))
        }
        stores[marked] = made
        return made
      }
    }
  }

  deinit { store.close() }

  private func mark(isWhole: Bool) throws {
    let places = try store.read { try StationSession.all(in: $0) }.filter { !$0.isRest }
    var abilities: [String: Double] = [:]
    for place in places {
      for seat in StationSession.seats(of: place) {
        let staff = try #require(place.assessors.first { $0.seat == seat }?.staff)
        let entries = try store.read { try Roster.entries(timetable: place.timetable, seat: seat, in: $0) }
        for entry in entries {
          guard let candidate = entry.candidate else { continue }
          let ability = abilities[candidate.number] ?? Double.random(in: 0.2...0.95, using: &random)
          abilities[candidate.number] = ability
          if !isWhole && random.chance(3) { continue }
          try mark(entry, seat, staff: staff, ability: ability, isWhole: isWhole)
        }
      }
    }
  }

  private func mark(
    _ entry: RosterEntry, _ seat: Seat, staff: Int, ability: Double, isWhole: Bool
  ) throws {
    var random = random
    defer { self.random = random }
    try store.write(Author(staff: staff)) { transaction in
      for key in try SheetGenerator.makeSheets(entry: entry.key, seat: seat, in: transaction) {
        let marking = Marking(transaction)
        let sheet = try #require(try Sheet.read(key, in: transaction.db))
        for item in sheet.items where item.template.kind.takesLevel {
          if !isWhole && random.chance(3) && item.template.link != sheet.template.globalRating { continue }
          if !isWhole && item.template.allowsUnable && random.chance(5) {
            _ = try marking.markUnable(item)
            continue
          }
          let levels = item.template.levels.sorted { $0.value < $1.value }
          let place = Double(levels.count) * ability + Double.random(in: -0.9...0.9, using: &random)
          _ = try marking.mark(item, level: levels[min(max(Int(place), 0), levels.count - 1)])
        }
        if isWhole || !random.chance(4) {
          try Signing.sign(try #require(try Sheet.read(key, in: transaction.db)), in: transaction)
        }
      }
    }
  }

  /// Takes a candidate off a station's roster with what was marked there, past the journal, as after a change of slots.
  func loseRound(of candidate: String, at station: String) throws {
    try store.writer.inDatabase { db in
      let entry = try String.fetchOne(
        db,
        sql: """
          SELECT e.uuid FROM timetableAttendanceLog e JOIN timetable t ON t.dsid = e.timetableID
            JOIN activityType a ON a.dsid = t.activityTypeID JOIN user u ON u.dsid = e.studentID
          WHERE u.studentNumber = ? AND a.code = ?
          """, arguments: [candidate, station])
      let key = try #require(entry)
      try db.execute(sql: "UPDATE dataForm SET dsDeleted = 1 WHERE attendanceLogID = ?", arguments: [key])
      try db.execute(sql: "UPDATE timetableAttendanceLog SET dsDeleted = 1 WHERE uuid = ?", arguments: [key])
    }
  }

  /// The rows of an export by column name, each as text.
  func rows(_ kind: ExportKind) throws -> [[String: String]] {
    let export = Export(kind, format: .csv)
    var bytes: [UInt8] = []
    try store.read { db in try ExportWriter.write(export, in: db, at: store.clock.now) { bytes += $0 } }
    return Self.table(bytes)
  }

  /// A table of comma-separated values.
  static func table(_ bytes: [UInt8]) -> [[String: String]] {
    let source = SourceFile(bytes: bytes, name: "export", problems: ProblemList())!
    let rows = CSVReader.read(source, problems: ProblemList())
    return rows.dropFirst().map { row in
      Dictionary(uniqueKeysWithValues: zip(rows[0].cells, row.cells + Array(repeating: "", count: 60)))
    }
  }
}
