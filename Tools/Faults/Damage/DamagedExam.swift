import CircuitModel
import ExamStore
import GRDB
import Glibc
import Journal

/// A small exam with everything in it that a store can hold: marks, changes, a clock that runs, and what another device
/// sent: what counts, what waits, what contradicts, what was rejected, and content that an erasure names.
///
/// Made once, as files that are copied and damaged: closed, open with its log, and as it was in the middle.
public struct DamagedExam: Sendable {
  /// Where the files lie.
  public let folder: String

  /// The store closed: one file.
  public var closed: String { folder + "/closed.sqlite" }
  /// The store as a process that was killed leaves it: with a log, and its index.
  public var open: String { folder + "/open.sqlite" }
  /// The same store earlier.
  public var older: String { folder + "/older.sqlite" }

  /// Takes the files that `make` made.
  public init(folder: String) { self.folder = folder }

  /// What cannot be done with a test's own files.
  public struct Failure: Error, CustomStringConvertible {
    /// What it is, in one line.
    public let description: String
  }

  /// Makes the files in a folder of one's own.
  /// - Throws: what the store throws.
  public static func make(in folder: String) throws -> DamagedExam {
    let exam = DamagedExam(folder: folder)
    let path = folder + "/exam.sqlite"
    var store = try ExamStore(StoreLocation(path: path), .createIfMissing)
    _ = try store.write(.program) { try BundleImport.apply(rows, in: $0) }
    try mark(store, entry: 1)
    try clock(store, .start)
    store.close()
    try copy(path, to: exam.older)
    let other = try arrivals(of: path, in: folder)
    store = try ExamStore(StoreLocation(path: path))
    try mark(store, entry: 2)
    try meet(other, store)
    try clock(store, .pause)
    store.close()
    try copy(path, to: exam.closed)
    store = try ExamStore(StoreLocation(path: path))
    try mark(store, entry: 3)
    try write(store, "noted at the end")
    for suffix in ["", "-wal", "-shm"] { try copy(path + suffix, to: exam.open + suffix) }
    store.close()
    return exam
  }

  // MARK: What is in it

  private static let author = Author(staff: 1)
  private static let session = Session(circuit: 1, date: "2026-12-07", startTime: "09:00")

  private static func row(_ entity: String, _ key: String, _ fields: [String: Value]) -> ImportRow {
    ImportRow(RowKey(entity: entity, id: key), fields)
  }

  private static func entry(_ number: Int) -> String { DerivedKeys.key("DamagedEntry", String(number)) }

  private static let rows: [ImportRow] = plan + (1...12).flatMap { item($0) } + (1...4).flatMap { candidate($0) }

  private static let plan: [ImportRow] = [
    row("Config", "1", ["examName": .text("Naïve exam \u{FFFD}"), "timeZone": .text("Europe/London")]),
    row("ClinicGroup", "1", ["name": .text("Red circuit"), "code": .text("RED")]),
    row("CircuitStationDuration", "1", phase("reading", 60, 1)),
    row("CircuitStationDuration", "2", phase("rotation", 420, 2)),
    row("ActivityType", "1", ["name": .text("History"), "code": .text("HX"), "clinicGroup": .integer(1)]),
    row("TypeForm", "1", ["name": .text("History sheet"), "code": .text("H")]),
    row("TypeSection", "1", ["name": .text("Opening")]),
    row("SectionToForm", "1", ["section": .integer(1), "form": .integer(1), "order": .integer(1)]),
    row("AvailableForm", "1", ["typeForm": .integer(1), "activityType": .integer(1)]),
    row("Staff", "1", ["username": .text("abell"), "forename": .text("Ann"), "surname": .text("Bell")]),
    row("Staff", "2", ["username": .text("cdole"), "forename": .text("Cy"), "surname": .text("Dole")]),
    row(
      "Timetable", "1",
      [
        "activityType": .integer(1), "date": .text(session.date), "startTime": .text(session.startTime),
        "staff": .integer(1),
      ]),
  ]

  private static func item(_ number: Int) -> [ImportRow] {
    let question: [String: Value] = [
      "text": .text("Item \(number): what is asked, and what a good answer says"),
      "questionType": .text(number % 3 == 0 ? "binary" : "rating"), "tags": .text(#"["clear","kind"]"#),
    ]
    let link: [String: Value] = [
      "question": .integer(Int64(number)), "section": .integer(1), "order": .integer(Int64(number)),
    ]
    return [row("TypeQuestion", String(number), question), row("QuestionToSection", String(number), link)]
  }

  private static func candidate(_ number: Int) -> [ImportRow] {
    let student: [String: Value] = [
      "username": .text("s\(number)"), "forename": .text("Zoë"), "surname": .text("Okoro \(number)"),
      "studentNumber": .text("100\(number)"),
    ]
    let place: [String: Value] = [
      "timetable": .integer(1), "student": .integer(Int64(10 + number)), "order": .integer(Int64(number)),
    ]
    return [
      row("Student", String(10 + number), student), row("TimetableAttendanceLog", entry(number), place),
    ]
  }

  private static func phase(_ type: String, _ seconds: Int64, _ order: Int64) -> [String: Value] {
    [
      "durationType": .text(type), "duration": .integer(seconds / 60), "seconds": .integer(seconds % 60),
      "order": .integer(order), "clinicGroup": .integer(1),
    ]
  }

  private static func clock(_ store: ExamStore, _ action: ClockAction) throws {
    _ = try store.write(author) { try ClockLog.append(action, to: session, at: store.clock.now, in: $0) }
  }

  /// Opens a sheet, marks its items, some of them twice, tags two and signs.
  private static func mark(_ store: ExamStore, entry number: Int) throws {
    let found = try store.read { try Roster.entry(entry(number), seat: .lead, in: $0) }
    guard let found else { throw Failure(description: "there is no roster entry \(number)") }
    let key = try store.write(author) { try Attendance.passIdentityStep(entry: found, seat: .lead, in: $0)[0] }
    func sheet() throws -> Sheet {
      guard let sheet = try store.read({ try Sheet.read(key, in: $0) }) else {
        throw Failure(description: "there is no sheet \(key)")
      }
      return sheet
    }
    for round in 0..<2 {
      for (index, item) in try sheet().items.enumerated() where round == 0 || index % 4 == 0 {
        let level = item.template.levels[(index + round) % item.template.levels.count]
        try store.write(author) { _ = try Marking($0).mark(item, level: level) }
      }
    }
    for item in try sheet().items.prefix(2) {
      try store.write(author) { _ = try Marking($0).set(tag: "kind", true, on: item) }
    }
    if number == 1 {
      let sheet = try sheet()
      try store.write(author) { try Signing.sign(sheet, in: $0) }
    }
  }

  private static func write(_ store: ExamStore, _ text: String) throws {
    try store.write(author.because("asked")) { _ = try Comments.add(text, to: .candidate(entry(1)), in: $0) }
  }

  // MARK: What another device sent

  private struct Other {
    var all: [Journal.Operation] = []
    var counting: [Journal.Operation] = []
    var waiting: [Journal.Operation] = []
    var rejected: [OperationID] = []
  }

  private static func operations(_ store: ExamStore, of device: UUIDBytes) throws -> [Journal.Operation] {
    var found: [Journal.Operation] = []
    try store.read { db in
      try OperationTable.forEachNumbered(in: db) { if $1.device == device { found.append($1) } }
    }
    return found
  }

  /// A copy of the store on another machine goes its own way.
  private static func arrivals(of path: String, in folder: String) throws -> Other {
    let there = folder + "/other.sqlite"
    try copy(path, to: there)
    let store = try ExamStore(StoreLocation(path: there))
    defer { store.close() }
    var other = Other()
    let second = Author(staff: 2)
    func change(_ student: String, _ fields: [String: Value]) throws -> OperationID {
      try store.write(second) { try $0.set("Student", student, fields) }
    }
    _ = try change("11", ["surname": .text("Adams")])
    let withdrawn = try change("12", ["forename": .text("Rejected")])
    let erased = try change("13", ["forename": .text("Erased")])
    let missing = try change("14", ["forename": .text("Missing")])
    _ = try change("14", ["forename": .text("Waiting")])
    let link = try store.write(second) {
      try $0.create("StudentGroup", "5", ["name": .text("Tuesday")])
    }
    _ = try store.write(second) { try $0.delete("StudentGroup", "5") }
    guard link != nil else { throw Failure(description: "the group was there already") }
    let all = try operations(store, of: store.device)
    other.rejected = [withdrawn]
    other.all = all
    other.counting = all.filter { $0.id != missing }
    guard let last = all.last, let gone = all.first(where: { $0.id == erased }) else {
      throw Failure(description: "the other device made nothing")
    }
    let erasure = Operation.seal(
      id: .v7(milliseconds: last.hlc.milliseconds), device: store.device, deviceSeq: last.deviceSeq + 1,
      tx: .random(), kind: .erase, row: gone.row, body: OperationBody(replaces: [OperationBody.erased: [erased]]),
      hlc: HybridTime(raw: last.hlc.raw + 1), wallTime: last.wallTime, schema: 1, prevHash: last.hash)
    other.counting += [erasure, gone.withoutBody()]
    return other
  }

  /// The other device's work arrives, after this one has gone on.
  private static func meet(_ other: Other, _ store: ExamStore) throws {
    try store.write(author) { _ = try $0.set("Student", "11", ["surname": .text("Baker")]) }
    try store.apply(other.counting)
    try store.apply([], rejected: other.rejected)
    try store.write(author) { _ = try $0.set("Student", "12", ["surname": .text("Chen")]) }
  }

  // MARK: Files

  /// Everything that a reader of one of the stores meets.
  /// - Throws: if it cannot be read.
  public func content(of store: String) throws -> String {
    // Reading a store makes the index of its log again: that is for a copy.
    let copy = folder + "/read.sqlite"
    let suffixes = ["", "-wal", "-shm"]
    for suffix in suffixes where suffix.isEmpty || access(store + suffix, F_OK) == 0 {
      try DamagedExam.copy(store + suffix, to: copy + suffix)
    }
    defer { for suffix in suffixes { unlink(copy + suffix) } }
    return try StoreContent.read(copy)
  }

  /// Copies a file; one that is not there is none there either.
  static func copy(_ from: String, to path: String) throws { try write(read(from), to: path) }

  static func read(_ path: String) -> [UInt8] {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return Array(bytes.prefix(max(0, count)))
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
    if file < 0 || count != bytes.count { throw Failure(description: "cannot write \(path)") }
  }
}
