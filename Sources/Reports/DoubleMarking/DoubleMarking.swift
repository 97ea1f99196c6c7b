import CircuitModel
import ExamStore
import GRDB
import Standards

/// How far the assessors of one candidate differ. For the lead alone: nothing that an assessor is given shows it.
public enum DoubleMarking {
  /// Two signed sheets of one candidate and template.
  public struct Difference: Sendable {
    /// The station session.
    public let place: StationSession
    /// The roster entry.
    public let entry: String
    /// The round in which the candidate comes.
    public let round: Int?
    /// The candidate.
    public let candidate: Candidate?
    /// The template's name.
    public let form: String
    /// What exports call the template: its code, or its name where it has none.
    public let formCode: String
    /// The sheet of the seat that comes first at the station: the lead assessor's where that is one of them.
    public let first: Score
    /// The other sheet.
    public let second: Score
    /// How far apart they are, in points of percent of the maximum.
    public let points: Double
    /// How far they may be.
    public let margin: Double

    /// Whether the lead should look.
    public var isBeyond: Bool { Agreement.isBeyond(points, margin: margin) }
  }

  /// An assessor as people and as scripts know them.
  public struct SeatAssessor: Equatable, Sendable {
    /// Title and surname, for a line.
    public let name: String
    /// The username, for a script.
    public let username: String

    fileprivate init?(of seat: Seat, at place: StationSession, _ usernames: Usernames) {
      guard let assessor = place.assessors.first(where: { $0.seat == seat }) else { return nil }
      (name, username) = (assessor.name, usernames[assessor.staff] ?? "")
    }
  }

  /// What one assessor gave.
  public struct Score: Equatable, Sendable {
    /// The sheet.
    public let sheet: String
    /// Whose it is.
    public let seat: Seat
    /// The seat's assessor; nil where nobody is assigned now.
    public let assessor: SeatAssessor?
    /// The score.
    public let score: MarkValue
    /// The largest possible, without items that could not be assessed.
    public let maximum: MarkValue

    /// The score in percent of the maximum.
    public var percent: Double { score.number * 100 / maximum.number }
  }

  /// The pairs of sheets that are both signed, in the order of sessions, stations and rounds. A sheet of which nothing
  /// could be assessed has no percentage and no difference.
  /// - Parameter session: only its pairs; nil: those of every session.
  public static func differences(_ session: Session? = nil, in db: Database) throws -> [Difference] {
    var found: [Difference] = []
    let usernames = try Usernames(db)
    for place in try session.map({ try StationSession.all(of: $0, in: db) }) ?? StationSession.all(in: db) {
      let seats = StationSession.seats(of: place)
      if seats.count < 2 { continue }
      let margin = try margin(at: place, in: db)
      let signed = try signed(at: place.timetable, in: db)
      for entry in try Roster.entries(timetable: place.timetable, seat: .lead, in: db) {
        let sheets = try (signed[entry.key] ?? []).compactMap { try Sheet.read($0, in: db) }
        for (sheet, twin) in twins(sheets, of: seats) {
          guard let first = score(sheet, place, usernames), let second = score(twin, place, usernames) else { continue }
          found.append(
            Difference(
              place: place, entry: entry.key, round: entry.round, candidate: entry.candidate,
              form: sheet.template.name, formCode: sheet.template.code ?? sheet.template.name, first: first,
              second: second, points: abs(first.percent - second.percent), margin: margin))
        }
      }
    }
    return found
  }

  /// The sheets of one template that two seats have of a candidate, that of the earlier seat first.
  private static func twins(_ sheets: [Sheet], of seats: [Seat]) -> [(Sheet, Sheet)] {
    pairs(of: seats).flatMap { seat, other in
      sheets.filter { $0.seat == seat }.compactMap { sheet in
        sheets.first { $0.seat == other && $0.template.form == sheet.template.form }.map { (sheet, $0) }
      }
    }
  }

  /// Each seat with every one after it.
  private static func pairs(of seats: [Seat]) -> [(Seat, Seat)] {
    seats.enumerated().flatMap { index, seat in seats.dropFirst(index + 1).map { (seat, $0) } }
  }

  /// Two assessors who used different sheets for one candidate: their scores cannot be compared.
  public struct Mismatch: Sendable {
    /// The station session.
    public let place: StationSession
    /// The round in which the candidate comes.
    public let round: Int?
    /// The candidate.
    public let candidate: Candidate?
    /// What the seat that comes first at the station used.
    public let first: UsedSheet
    /// What the other used.
    public let second: UsedSheet
  }

  /// Which sheet an assessor used.
  public struct UsedSheet: Equatable, Sendable {
    /// Whose it is.
    public let seat: Seat
    /// The seat's assessor; nil where nobody is assigned now.
    public let assessor: SeatAssessor?
    /// The template's name.
    public let form: String
    /// What exports call the template: its code, or its name where it has none.
    public let formCode: String
  }

  /// The candidates for whom two assessors used different sheets of a station that asks for one of several, in the order
  /// of sessions, stations and rounds. A sheet is used once anything is marked on it, or it is signed.
  public static func mismatches(in db: Database) throws -> [Mismatch] {
    var found: [Mismatch] = []
    let usernames = try Usernames(db)
    for place in try StationSession.all(in: db) {
      let seats = StationSession.seats(of: place)
      if seats.count < 2 { continue }
      if try !StationForms.read(station: place.station, in: db).isOne { continue }
      let everybodys = try used(at: place, usernames, in: db)
      for entry in try Roster.entries(timetable: place.timetable, seat: .lead, in: db) {
        let used = everybodys[entry.key] ?? []
        for (seat, other) in pairs(of: seats) {
          guard let first = used.first(where: { $0.seat == seat }),
            let second = used.first(where: { $0.seat == other }), first.form != second.form
          else { continue }
          found.append(
            Mismatch(
              place: place, round: entry.round, candidate: entry.candidate, first: first.sheet, second: second.sheet))
        }
      }
    }
    return found
  }

  /// How far two assessors of a station may differ, in points of percent of the maximum.
  static func margin(at place: StationSession, in db: Database) throws -> Double {
    try Double.fetchOne(
      db, sql: "SELECT doubleMarkingMargin FROM activityType WHERE dsid = ?", arguments: [place.station])
      ?? Agreement.usualMargin
  }

  private static func used(
    at place: StationSession, _ usernames: Usernames, in db: Database
  ) throws -> [String: [(seat: Seat, form: Int, sheet: UsedSheet)]] {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.attendanceLogID, f.seat, f.typeID, y.name, y.code FROM timetableAttendanceLog e
            CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid JOIN typeForm y ON y.dsid = f.typeID
          WHERE e.timetableID = ? AND f.dsDeleted = 0 AND \(MarkedSheet.condition)
          ORDER BY f.signedAt IS NULL, f.uuid
          """), arguments: [place.timetable])
    return Dictionary(grouping: rows) { $0[0] as String }.mapValues { rows in
      rows.map { row in
        let seat = Seat(name: row[1])
        let assessor = SeatAssessor(of: seat, at: place, usernames)
        let name: String = row[3] ?? ""
        return (seat, row[2], UsedSheet(seat: seat, assessor: assessor, form: name, formCode: row[4] ?? name))
      }
    }
  }

  /// The keys of the signed sheets of each entry that has more than one.
  private static func signed(at timetable: Int, in db: Database) throws -> [String: [String]] {
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT f.attendanceLogID, f.uuid FROM timetableAttendanceLog e
            CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid
          WHERE e.timetableID = ? AND f.signedAt IS NOT NULL AND f.dsDeleted = 0 ORDER BY f.typeID, f.uuid
          """), arguments: [timetable])
    return Dictionary(grouping: rows) { $0[0] as String }.filter { $0.value.count > 1 }
      .mapValues { $0.map { $0[1] } }
  }

  private static func score(_ sheet: Sheet, _ place: StationSession, _ usernames: Usernames) -> Score? {
    let total = sheet.total
    if total.maximum.scaled <= 0 { return nil }
    return Score(
      sheet: sheet.key, seat: sheet.seat, assessor: SeatAssessor(of: sheet.seat, at: place, usernames),
      score: total.score, maximum: total.maximum)
  }
}

extension DoubleMarking {
  /// Where two assessors met a candidate.
  fileprivate static func members(
    _ place: StationSession, _ round: Int?, _ candidate: Candidate?
  ) -> [(String, JSONDocument)] {
    [
      ("date", .text(place.session.date)), ("start", .text(place.session.startTime)),
      ("circuit", .text(place.circuit.name)), ("station", .text(place.stationCode)),
      ("timetable", .number(place.timetable)), ("round", .number(round)),
      ("student_number", .optional(candidate?.number)), ("candidate", .optional(candidate?.name)),
    ]
  }
}

extension DoubleMarking.Difference {
  /// `{"date","start","circuit","station","timetable","round","student_number","candidate","form","first":SCORE,
  /// "second":SCORE,"points","margin","beyond":BOOL}` with SCORE `{"seat","assessor","score","maximum","percent"}`;
  /// percents and points have two decimals.
  public var json: JSONDocument {
    .object(
      DoubleMarking.members(place, round, candidate) + [
        ("form", .text(formCode)), ("first", first.json), ("second", second.json), ("points", .hundredths(points)),
        ("margin", .hundredths(margin)), ("beyond", .bool(isBeyond)),
      ])
  }
}

extension DoubleMarking.Mismatch {
  /// The same as of a difference, without scores: `form`, `points` and `margin` are null, `beyond` is true, the scores
  /// are null and have a `form` beside them.
  public var json: JSONDocument {
    .object(
      DoubleMarking.members(place, round, candidate) + [
        ("form", .null), ("first", first.json), ("second", second.json), ("points", .null), ("margin", .null),
        ("beyond", .bool(true)),
      ])
  }
}

extension DoubleMarking.UsedSheet {
  fileprivate var json: JSONDocument {
    .object([
      ("seat", .text(seat.name)), ("assessor", .optional(assessor?.username)), ("score", .null), ("maximum", .null),
      ("percent", .null), ("form", .text(formCode)),
    ])
  }
}

extension DoubleMarking.Score {
  fileprivate var json: JSONDocument {
    .object([
      ("seat", .text(seat.name)), ("assessor", .optional(assessor?.username)), ("score", .mark(score)),
      ("maximum", .mark(maximum)), ("percent", .hundredths(percent)),
    ])
  }
}

extension JSONDocument {
  fileprivate static func hundredths(_ number: Double) -> JSONDocument {
    MarkValue((number * 100).rounded() / 100).map { .mark($0) } ?? .null
  }
}
