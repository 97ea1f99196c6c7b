import CircuitModel
import ExamStore
import GRDB

/// The stations of a session to which one of its candidates never comes, as after a change of slots.
struct MissedStations {
  /// Who was planned at a station session, by the keys in `Timetable` and `Student`, or comes there by now.
  private var named: [Int: Set<Int>] = [:]
  /// Who comes.
  private var coming: [Int: Set<Int>] = [:]
  /// Who was planned and not added on the day.
  private var planned: [Int: Set<Int>] = [:]
  /// The last round of a station session in which somebody was planned who was not added on the day.
  private var lastRound: [Int: Int] = [:]
  private var labels: [Int: String] = [:]

  /// The station sessions with the labels of the candidates who never come to that station, in the order of the ring.
  ///
  /// Where the planned rounds bring everybody round the whole ring, each candidate of a session is due at all its
  /// stations, else at those that were planned before any change of slots, as is who is planned in another session and
  /// was added here. A station that is met in another session is met.
  static func all(in db: Database) throws -> [(place: StationSession, candidate: String)] {
    let roster = try MissedStations(db)
    let planned = try StationSession.planned(in: db)
    var met: [String: Set<Int>] = [:]
    for place in planned { met[place.stationCode, default: []].formUnion(roster.coming[place.timetable] ?? []) }
    var whole: [Session: Set<Int>] = [:]
    let everywhere = Set(roster.planned.values.joined())
    for (session, ring) in Dictionary(grouping: planned, by: \.session)
    where ring.compactMap({ roster.lastRound[$0.timetable] }).max() ?? 0 >= ring.count {
      let guests = everywhere.subtracting(ring.flatMap { roster.planned[$0.timetable] ?? [] })
      whole[session] = Set(ring.flatMap { roster.named[$0.timetable] ?? [] }).subtracting(guests)
    }
    return try StationSession.all(in: db).filter { !$0.isRest }.flatMap { place in
      let due = (whole[place.session] ?? []).union(roster.named[place.timetable] ?? [])
      return due.subtracting(met[place.stationCode] ?? []).sorted().map { (place, roster.labels[$0] ?? "") }
    }
  }

  private init(_ db: Database) throws {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT e.timetableID, u.dsid, \(CandidateLabel.column), u.dsid = e.comes, e.additional, e."order"
        FROM (
          SELECT e.timetableID, e.studentID, e.additional, e."order", \(SlotChanges.candidate) AS comes
          FROM timetableAttendanceLog e
          WHERE e.dsDeleted = 0 AND e.practice = 0
        ) e JOIN user u ON u.dsid IN (e.studentID, e.comes) WHERE u.dsDeleted = 0
        """)
    for row in rows {
      guard let timetable = row[0] as Int?, let student = row[1] as Int? else { continue }
      named[timetable, default: []].insert(student)
      labels[student] = row[2]
      if row[4] as Bool? != true {
        planned[timetable, default: []].insert(student)
        lastRound[timetable] = max(lastRound[timetable] ?? 0, row[5] as Int? ?? 0)
      }
      if row[3] as Bool? == true { coming[timetable, default: []].insert(student) }
    }
  }
}
