import CircuitModel
import ExamStore
import GRDB
import Timer

/// What cost time in the hall: an incident at a station, or a pause or wait of a circuit's clock.
struct LostTime: Sendable {
  let session: Session
  /// The circuit's name.
  let circuit: String
  /// The station's code; nil where every station of the circuit lost the time.
  var station: String?
  /// The station session's key in `Timetable`.
  var timetable: Int?
  var round: Int?
  /// The candidate who was there, by number.
  var number: String?
  /// The candidate's name.
  var candidate: String?
  /// What it was, as it is stored.
  let kind: String
  /// The same for people.
  let name: String
  let at: Instant?
  /// In milliseconds; nil where that is not known.
  let lostMs: Int64?
  let reason: String?
  /// The name of who reported it.
  let who: String?

  /// All of it, session by session: incidents, then what the clock lost.
  static func all(in db: Database, at now: Instant) throws -> [LostTime] {
    var moments = try StationMoments(db, at: now)
    var done: Set<Session> = []
    var found: [LostTime] = []
    for first in try StationSession.all(in: db) where done.insert(first.session).inserted {
      let places = Dictionary(
        try StationSession.all(of: first.session, in: db).map { ($0.timetable, $0) }
      ) { first, _ in first }
      for incident in try Incidents.all(of: first.session, in: db) {
        let whose = try whose(incident, places[incident.timetable], &moments, in: db)
        found.append(
          LostTime(
            session: first.session, circuit: first.circuit.name, station: incident.stationCode,
            timetable: incident.timetable, round: whose.round, number: whose.number, candidate: whose.candidate,
            kind: incident.kind.rawValue, name: incident.kind.name, at: incident.time,
            lostMs: incident.secondsLost.map { Int64($0) * 1000 }, reason: incident.text, who: incident.reporter))
      }
      // What a clock lost, every station of the circuit lost.
      for line in try SessionTimeline.read(first.session, at: now, in: db).lines
      where line.kind == .pause || line.kind == .wait {
        found.append(
          LostTime(
            session: first.session, circuit: first.circuit.name, round: line.passage?.round,
            kind: line.kind.rawValue, name: line.kind.rawValue, at: line.at, lostMs: line.lostMs,
            reason: line.reason, who: line.who))
      }
    }
    return found
  }

  /// In which round an incident was, and whose: of those whom it left without an examination, else of who comes in the
  /// round of the outage, or who was there.
  private static func whose(
    _ incident: Incident, _ place: StationSession?, _ moments: inout StationMoments, in db: Database
  ) throws -> (round: Int?, number: String?, candidate: String?) {
    if let entries = incident.entries {
      let entry = try entries.min().flatMap { try Roster.entry($0, seat: .lead, in: db) }
      return (entry?.round, entry?.candidate?.number, entry?.candidate?.name)
    }
    let there = try place.map { place in
      try incident.outageRound.map { try moments.place(place, round: $0, in: db) }
        ?? moments.place(place, at: incident.time, in: db)
    }
    return (there?.slot?.round, there?.number, there?.candidate)
  }

  /// Where, what, how long and why; nobody's name.
  var text: String {
    let place = [
      session.name, circuit, station ?? "every station", round.map { "round \($0)" }, number,
    ].compactMap { $0 }.joined(separator: " · ")
    let lost = lostMs.map { ", \(PhaseText.span($0)) lost" } ?? ""
    return "\(place): \(name)\(lost)" + (reason.map { ": \($0)" } ?? "")
  }
}
