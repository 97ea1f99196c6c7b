import CircuitModel
import ExamStore
import GRDB

/// The stations of a session to which one of its candidates never comes, as after a change of slots.
struct MissedStations {
  /// Who was planned at a station session, by the keys in `Timetable` and `Student`, or comes there by now.
  private var named: [Int: Set<Int>] = [:]
  /// Who comes.
  private var coming: [Int: Set<Int>] = [:]
  /// Who comes and is not recorded absent there, or is queued for the re-run.
  private var awaited: [Int: Set<Int>] = [:]
  /// Who was planned and not added on the day.
  private var planned: [Int: Set<Int>] = [:]
  /// The last round of a station session in which somebody was planned who was not added on the day.
  private var lastRound: [Int: Int] = [:]
  private var labels: [Int: String] = [:]

  /// The station sessions with the labels of the candidates who never come to that station, in the order of the ring.
  ///
  /// Where the planned rounds bring everybody round the whole ring, each candidate of a session is due at all its
  /// stations, else at those that were planned before any change of slots, as is who is planned in another session and
  /// was added here. A station that is met in another session is met; who is recorded absent
  /// wherever they come, and is not queued, comes to no station and is not listed.
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
    let marked = Dictionary(grouping: planned.filter { !$0.isRest }, by: \.session)
    let noShows = marked.mapValues { places in
      Set(places.flatMap { roster.coming[$0.timetable] ?? [] })
        .subtracting(places.flatMap { roster.awaited[$0.timetable] ?? [] })
    }
    return try StationSession.all(in: db).filter { !$0.isRest }.flatMap { place in
      let due = (whole[place.session] ?? []).union(roster.named[place.timetable] ?? [])
      return due.subtracting(met[place.stationCode] ?? []).subtracting(noShows[place.session] ?? []).sorted().map {
        (place, roster.labels[$0] ?? "")
      }
    }
  }

  private init(_ db: Database) throws {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT e.timetableID, u.dsid, \(CandidateLabel.column), u.dsid = e.comes, e.additional, e."order", e.awaited
        FROM (
          SELECT e.timetableID, e.studentID, e.additional, e."order", \(SlotChanges.candidate) AS comes,
            e.present IS NOT 0 OR EXISTS (
              SELECT 1 FROM rerunEntry r
              WHERE r.attendanceLogID = e.uuid AND r.status = 'queued' AND r.dsDeleted = 0
            ) AS awaited
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
      guard row[3] as Bool? == true else { continue }
      coming[timetable, default: []].insert(student)
      if row[6] as Bool? == true { awaited[timetable, default: []].insert(student) }
    }
  }
}
