import CircuitModel
import ExamStore
import GRDB
import Timer

/// Which part of the plan is asked for; what is nil is any.
public struct PlanFilter: Equatable, Sendable {
  /// The circuit, by number, code or name.
  public var circuit: String?
  /// The station's code.
  public var station: String?
  /// The candidate's number.
  public var candidate: String?
  /// An assessor's username.
  public var assessor: String?

  /// The whole plan.
  public init(circuit: String? = nil, station: String? = nil, candidate: String? = nil, assessor: String? = nil) {
    (self.circuit, self.station, self.candidate, self.assessor) = (circuit, station, candidate, assessor)
  }

  /// Whether it is the whole plan.
  public var isAll: Bool { self == PlanFilter() }

  /// Whether it is about a station or a person rather than about whole circuits.
  var isForOne: Bool { station != nil || candidate != nil || assessor != nil }

  /// The station sessions that are asked for, no matter who comes there.
  /// - Throws: `StoreError` where the exam has nothing of that name.
  func places(in db: Database, at now: Instant) throws -> [StationSession] {
    let all = try StationSession.all(in: db)
    var chosen = all
    if let circuit {
      let id = try Circuit.find(circuit, at: now, in: db).id
      chosen.removeAll { $0.circuit.id != id }
    }
    if let station {
      let codes = Set(all.map(\.stationCode))
      if !codes.contains(station) {
        throw StoreError("station \"\(station)\" is not in the exam; osce plan lists them")
      }
      chosen.removeAll { $0.stationCode != station }
    }
    if let assessor {
      let member = try StaffMember.find(username: assessor, in: db)
      chosen.removeAll { place in !place.assessors.contains { $0.staff == member.id } }
    }
    if let candidate {
      let known = try Bool.fetchOne(
        db,
        sql: "SELECT EXISTS (SELECT 1 FROM user WHERE studentNumber = ? AND entity = 'Student' AND dsDeleted = 0)",
        arguments: [candidate])
      if known != true { throw StoreError("candidate \"\(candidate)\" is not in the exam; osce plan lists them") }
    }
    return chosen
  }
}

extension PlanReport {
  /// The part of the plan that is asked for: sessions and stations without what is left are left out.
  public func only(_ filter: PlanFilter, in db: Database, at now: Instant) throws -> PlanReport {
    if filter.isAll { return self }
    let places = Set(try filter.places(in: db, at: now).map(\.timetable))
    return PlanReport(
      sessions: sessions.compactMap { session in
        let stations = session.stations.filter { places.contains($0.place.timetable) }.compactMap { station in
          guard let candidate = filter.candidate else { return station }
          let entries = station.entries.filter { $0.candidate?.number == candidate }
          return entries.isEmpty ? nil : Station(place: station.place, assessors: station.assessors, entries: entries)
        }
        guard !stations.isEmpty else { return nil as PlannedSession? }
        return PlannedSession(
          circuit: session.circuit, session: session.session, rounds: session.rounds, end: session.end,
          stations: stations, withdrawn: filter.isForOne ? [] : session.withdrawn)
      })
  }

  /// A candidate's way through the exam in lines: when, which round, where, and what is adjusted.
  public func itinerary(of number: String) -> [String] {
    let entries = sessions.flatMap { session in
      session.stations.flatMap { station in
        station.entries.filter { $0.candidate?.number == number }.map { (session, station, $0) }
      }
    }
    guard let candidate = entries.first?.2.candidate else { return ["\(number) is assigned to no station"] }
    let adjustments = [
      candidate.extraReadingSeconds > 0 ? "\(candidate.extraReadingSeconds) s more reading" : nil,
      candidate.extraStationSeconds > 0 ? "\(candidate.extraStationSeconds) s more at each station" : nil,
      candidate.access,
    ].compactMap { $0 }
    var lines = [
      "\(number) \(candidate.name)" + (adjustments.isEmpty ? "" : " · " + adjustments.joined(separator: ", "))
    ]
    for session in sessions {
      let own = entries.filter { $0.0.session == session.session }.sorted { ($0.2.round ?? 0) < ($1.2.round ?? 0) }
      if own.isEmpty { continue }
      lines.append("\(session.circuit.name), \(session.session.name)")
      lines += own.map { _, station, entry in
        let round = session.rounds.first { $0.number == entry.round }
        let time = round?.start.map { LocalTime.reading(of: $0).minute } ?? "     "
        let where_ = station.place.isRest ? "rest" : station.place.stationTitle
        let absent = entry.isPresent == false ? " · absent" : ""
        return "  \(time)  round \(entry.round.map { String($0) } ?? "-")  \(where_)\(absent)"
      }
    }
    return lines
  }
}
