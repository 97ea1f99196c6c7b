import CircuitModel
import ExamStore
import Journal
import Sync
import Timer

/// How long an exam keeps what tells of its candidates, and who is past it.
public struct ExamRetention: Sendable {
  /// The exam.
  public let exam: UUIDBytes
  /// What people call it.
  public let name: String
  /// For how many days after a candidate's last session; nil: nobody said.
  public let days: Int64?
  /// The day of the exam's last session, YYYY-MM-DD; nil where it has none.
  public let last: String?
  /// The last day on which everything of it is kept; nil where that is not known.
  public let until: String?
  /// Whether that day is over.
  public let isPast: Bool
  /// The candidates whose last day is over, by number.
  public let past: [Candidate]

  /// A candidate who is past it.
  public struct Candidate: Sendable, Equatable {
    /// The candidate's number.
    public let number: String
    /// The day of the last session.
    public let last: String
    /// The last day on which they are kept.
    public let until: String
  }
}

extension Hub {
  /// What an exam's retention says today. Nothing is changed but that the question is noted.
  public func retention(of exam: UUIDBytes) async throws -> ExamRetention {
    let now = clock.now()
    let found = try await database.read { connection in
      try RetentionReader(ExamLog(exam, in: connection, at: now, forChange: false)).read()
    }
    try await database.write(weight: 1) { connection in
      let log = try ExamLog(exam, in: connection, at: now, forChange: true)
      try log.audit(.retain, "\(found.past.count) past")
    }
    return found
  }
}

struct RetentionReader {
  private let rows: ExamRows
  private var log: ExamLog { rows.log }

  init(_ log: ExamLog) { rows = ExamRows(log) }

  func read() throws -> ExamRetention {
    let days = try days()
    let dates = try lastDates()
    let numbers = Dictionary(
      try rows.standing(SubjectRows.number, of: SubjectRows.entity).compactMap { key, value in
        value.text.map { (key, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let last = try lastDate()
    let past = numbers.compactMap { key, number -> ExamRetention.Candidate? in
      guard let last = dates[key] ?? last, let until = Self.day(last, plus: days), isOver(until) else { return nil }
      return ExamRetention.Candidate(number: number, last: last, until: until)
    }
    let until = last.flatMap { Self.day($0, plus: days) }
    return ExamRetention(
      exam: log.exam, name: log.name, days: days, last: last, until: until, isPast: until.map(isOver) ?? false,
      past: past.sorted { ($0.number.count, $0.number) < ($1.number.count, $1.number) })
  }

  /// The last day on which a candidate is kept, and whether it is over; nil where nobody said.
  func retention(of candidate: RowKey) throws -> (until: String?, isPast: Bool) {
    let days = try days()
    let until = try (lastDates()[candidate.id] ?? lastDate()).flatMap { Self.day($0, plus: days) }
    return (until, until.map(isOver) ?? false)
  }

  /// For how many days a candidate is kept; nil where nobody said.
  private func days() throws -> Int64? {
    try rows.standing("retentionDays", of: Stored.Config.entityName).compactMap { $0.value.integer }.max()
  }

  /// The day of the exam's last session; nil where it has none.
  private func lastDate() throws -> String? {
    try rows.standing("date", of: Stored.Timetable.entityName).compactMap { $0.value.text }.filter(Self.isDay).max()
  }

  /// The day of each candidate's last session, by the candidate's key. Of a value that contradicts itself the later day.
  private func lastDates() throws -> [String: String] {
    var dates: [String: String] = [:]
    for (key, value) in try rows.standing("date", of: Stored.Timetable.entityName) {
      guard let date = value.text, Self.isDay(date) else { continue }
      dates[key] = max(dates[key] ?? date, date)
    }
    var sessions: [String: String] = [:]
    for (key, value) in try rows.standing("timetable", of: Stored.TimetableAttendanceLog.entityName) {
      guard let date = value.integer.flatMap({ dates[String($0)] }) else { continue }
      sessions[key] = max(sessions[key] ?? date, date)
    }
    var last: [String: String] = [:]
    for (key, value) in try rows.standing("student", of: Stored.TimetableAttendanceLog.entityName) {
      guard let student = value.integer.map({ String($0) }), let date = sessions[key] else { continue }
      last[student] = max(last[student] ?? date, date)
    }
    return last
  }

  /// Whether a day is over, in every time zone.
  private func isOver(_ day: String) -> Bool {
    guard let start = Self.start(of: day) else { return false }
    return log.now >= start + Self.dayLength + Self.latestZone
  }

  private static let dayLength: Int64 = 86_400_000
  /// How much later than in UTC a day ends where it ends last.
  private static let latestZone: Int64 = 12 * 3_600_000

  private static func start(of day: String) -> Int64? { Timestamp.parse(day + "T00:00:00Z")?.milliseconds }

  private static func isDay(_ text: String) -> Bool { text.utf8.count == 10 && start(of: text) != nil }

  private static func day(_ day: String, plus days: Int64?) -> String? {
    guard let days, 1...36_500 ~= days, let start = start(of: day) else { return nil }
    return String(Timestamp.text(Instant(stored: start + days * dayLength)).prefix(10))
  }
}

extension Value {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}
