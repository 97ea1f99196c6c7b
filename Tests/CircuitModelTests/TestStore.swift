import Foundation
import GRDB
import Journal
import SystemTesting
import Timer

@testable import CircuitModel
@testable import ExamStore
@testable import Reports

/// A real store in a folder of its own, with clocks that the test sets.
final class TestStore {
  let folder: String
  let store: ExamStore
  let time: TestClock

  /// - Parameter now: the wall clock at the start, milliseconds since 1970.
  init(now: Int64 = TestClock.start) throws {
    folder = try ScratchFolder.make()
    time = TestClock(now: now)
    let isMade = FileManager.default.createFile(
      atPath: folder + "/exam.sqlite", contents: try TestStore.tables.get(), attributes: [.posixPermissions: 0o600])
    precondition(isMade)
    store = try ExamStore(StoreLocation(path: folder + "/exam.sqlite"), .existing, system: time.system)
  }

  /// The file of a store with its tables and nothing in them, no device either: as long as that takes it is made once.
  private static let tables = Result {
    let folder = try ScratchFolder.make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let location = StoreLocation(path: folder + "/exam.sqlite")
    let queue = try DatabaseQueue(path: location.path, configuration: Connection.configuration(readOnly: false))
    try queue.inDatabase { try Connection.makeDurable($0) }
    try Migrations.run(
      queue, location: location, isCopy: false, knowing: .standard, now: Instant(milliseconds: TestClock.start))
    try queue.close()
    return try Data(contentsOf: URL(fileURLWithPath: location.path))
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var path: String { store.location.path }

  /// The reason in the body of an operation, as SQL.
  static let reason = "json_extract(CAST(substr(body, 17) AS TEXT), '$.reason')"

  /// Another connection to the same store, as a second process has.
  func reopened() throws -> ExamStore { try ExamStore(store.location, .existing, system: time.system) }

  /// Loads a small exam: one circuit of two stations with one sheet, one session, two candidates, two assessors.
  @discardableResult func loadSmallExam() throws -> ImportReport {
    try store.write(.program) { try BundleImport.apply(SmallExam.rows, in: $0) }
  }
}

/// Clocks that stand still until they are set.
final class TestClock: @unchecked Sendable {
  /// 2026-12-07T09:00:00Z.
  static let start: Int64 = 1_796_634_000_000

  private let lock = NSLock()
  private var wallTime: Int64
  private var bootTime: Int64 = 1_000_000_000
  private var boot = "boot-1"

  init(now: Int64) { wallTime = now }

  var system: SystemClock {
    SystemClock(
      wall: { [self] in lock.withLock { wallTime } }, boot: { [self] in lock.withLock { bootTime } },
      bootID: { [self] in lock.withLock { boot } })
  }

  /// Lets both clocks run on.
  func pass(_ milliseconds: Int64) {
    lock.withLock {
      wallTime += milliseconds
      bootTime += milliseconds
    }
  }

  /// Sets the wall clock alone, as `date -s` does.
  func setWall(_ milliseconds: Int64) { lock.withLock { wallTime = milliseconds } }

  /// Starts the machine anew.
  func reboot() {
    lock.withLock {
      boot += "+"
      bootTime = 5_000
    }
  }
}

/// The rows of a small exam.
enum SmallExam {
  static func row(_ entity: String, _ key: String, _ fields: [String: Value]) -> ImportRow {
    ImportRow(RowKey(entity: entity, id: key), fields)
  }

  /// A second assessor at the first station.
  static let secondAssessor = row(
    "AdditionalStaff", "00000000-0000-4000-8000-0000000000aa",
    ["timetable": .integer(1), "staff": .integer(2), "seat": .text("second")])

  static func entry(_ number: Int) -> String { "00000000-0000-5000-8000-00000000000\(number)" }

  static let rows: [ImportRow] = [
    row("Config", "1", ["examName": .text("Small"), "timeZone": .text("Europe/London")]),
    row("ClinicGroup", "1", ["name": .text("Blue"), "code": .text("B")]),
    row("CircuitStationDuration", "1", phase("reading", seconds: 60, order: 1)),
    row("CircuitStationDuration", "2", phase("rotation", seconds: 300, order: 2)),
    row("CircuitStationDuration", "3", phase("changeover", seconds: 60, order: 3)),
    row("Staff", "1", ["username": .text("adavies"), "surname": .text("Davies"), "title": .text("Dr")]),
    row("Staff", "2", ["username": .text("bmurphy"), "surname": .text("Murphy")]),
    row("Student", "11", ["studentNumber": .text("1001"), "surname": .text("Okoro"), "forename": .text("Ada")]),
    row("Student", "12", ["studentNumber": .text("1002"), "surname": .text("O'Brien")]),
    row(
      "ActivityType", "1",
      ["name": .text("History"), "code": .text("H"), "clinicGroup": .integer(1), "order": .integer(1)]),
    row(
      "ActivityType", "2",
      ["name": .text("Rest"), "code": .text("R"), "clinicGroup": .integer(1), "order": .integer(2)]),
    row("TypeForm", "1", ["name": .text("History sheet"), "code": .text("H")]),
    row("TypeSection", "1", ["name": .text("Opening")]),
    row("SectionToForm", "1", ["section": .integer(1), "form": .integer(1), "order": .integer(1)]),
    row(
      "TypeQuestion", "1", ["text": .text("Washes hands"), "questionType": .text("binary"), "mandatory": .bool(true)]),
    row("TypeQuestion", "2", ["text": .text("Listens"), "questionType": .text("rating"), "mandatory": .bool(true)]),
    row("TypeQuestion", "3", ["text": .text("Remarks"), "questionType": .text("text")]),
    row("QuestionToSection", "1", ["question": .integer(1), "section": .integer(1), "order": .integer(1)]),
    row("QuestionToSection", "2", ["question": .integer(2), "section": .integer(1), "order": .integer(2)]),
    row("QuestionToSection", "3", ["question": .integer(3), "section": .integer(1), "order": .integer(3)]),
    row("AvailableForm", "1", ["typeForm": .integer(1), "activityType": .integer(1)]),
    row("Timetable", "1", session(station: 1, staff: 1)), row("Timetable", "2", session(station: 2, staff: nil)),
    row("TimetableAttendanceLog", entry(1), place(timetable: 1, student: 11, round: 1)),
    row("TimetableAttendanceLog", entry(2), place(timetable: 1, student: 12, round: 2)),
    row("TimetableAttendanceLog", entry(3), place(timetable: 2, student: 12, round: 1)),
    row("TimetableAttendanceLog", entry(4), place(timetable: 2, student: 11, round: 2)),
  ]

  static func phase(_ type: String, seconds: Int64, order: Int64) -> [String: Value] {
    [
      "durationType": .text(type), "duration": .integer(seconds / 60), "seconds": .integer(seconds % 60),
      "order": .integer(order), "clinicGroup": .integer(1),
    ]
  }

  private static func session(station: Int64, staff: Int64?) -> [String: Value] {
    var fields: [String: Value] = [
      "activityType": .integer(station), "date": .text("2026-12-07"), "startTime": .text("09:00"),
    ]
    if let staff { fields["staff"] = .integer(staff) }
    return fields
  }

  static func place(timetable: Int64, student: Int64, round: Int64) -> [String: Value] {
    ["timetable": .integer(timetable), "student": .integer(student), "order": .integer(round)]
  }
}

extension ExamStore {
  /// Takes a place at a hub that is not there.
  func enrol(as role: DeviceRole = .station) throws {
    try enrol(
      Enrolment(
        url: "https://hub.example:8443", exam: UUIDBytes.random(), epoch: UUIDBytes.random(), role: role,
        enrolledAt: clock.now, cursorHash: [UInt8](repeating: 0, count: 32), scope: "{}"))
  }

  /// Plays a hub that takes what it lacks, in the order of the chains.
  /// - Parameters:
  ///   - most: how many operations it takes.
  ///   - results: what it says of some of them instead of taking them as they are.
  func acknowledge(most: Int = .max, _ results: [OperationID: HubResult] = [:]) throws {
    if try !read({ try Enrolment.exists($0) }) { try enrol() }
    let answers = try read { db in
      let last = try Int64.fetchOne(db, sql: "SELECT max(hubSeq) FROM operation") ?? 0
      return try Row.fetchAll(
        db, sql: "SELECT id, sends = 0 FROM operation WHERE hubSeq IS NULL ORDER BY device, deviceSeq"
      ).prefix(most).enumerated().map { place, row in
        let id = OperationID(row[0])!
        return HubAnswer(
          id: id, hubSeq: last + 1 + Int64(place), result: row[1] ? .withheld : results[id] ?? .applied)
      }
    }
    try ingest(answers: answers) { _ in }
  }
}
