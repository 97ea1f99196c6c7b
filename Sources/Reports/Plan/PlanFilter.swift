import Characters
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

  /// The same with the candidate as plan and results name it, however the number was typed.
  /// - Throws: `CandidateRefusal` where several candidates have the number.
  public func withKnownCandidate(in db: Database) throws -> PlanFilter {
    var filter = self
    filter.candidate = try candidate.map { try CandidateLabel.known($0, in: db) }
    return filter
  }

  /// Whether it is the whole plan.
  public var isAll: Bool { self == PlanFilter() }

  /// Whether it is about a station or a person rather than about whole circuits.
  var isForOne: Bool { station != nil || candidate != nil || assessor != nil }

  /// What is asked for, found in the exam.
  struct Found {
    /// The station sessions, no matter who comes there.
    var places: [StationSession]
    /// The circuit's key; nil: any.
    var circuit: Int?
    /// The assessor's key; nil: any.
    var assessor: Int?
  }

  /// Finds what is asked for.
  /// - Throws: `StoreError` where the exam has nothing of that name.
  func find(in db: Database, at now: Instant) throws -> Found {
    let all = try StationSession.all(in: db)
    var found = Found(places: all)
    if let circuit {
      let id = try Circuit.find(circuit, at: now, in: db).id
      found.circuit = id
      found.places.removeAll { $0.circuit.id != id }
    }
    if let station {
      let codes = try Set(all.map(\.stationCode) + WithdrawnStation.all(in: db).map(\.code))
      if !codes.contains(station) {
        throw StoreError("station \"\(station)\" is not in the exam; osce plan lists them")
      }
      found.places.removeAll { $0.stationCode != station }
    }
    if let assessor {
      let member = try StaffMember.find(username: assessor, in: db)
      found.assessor = member.id
      found.places.removeAll { place in !place.assessors.contains { $0.staff == member.id } }
    }
    if let candidate {
      if try CandidateLabel.find(candidate, in: db)?.label != candidate {
        throw StoreError("candidate \"\(candidate)\" is not in the exam; osce plan lists them")
      }
    }
    return found
  }
}

extension PlanReport {
  /// The part of the plan that is asked for: sessions and stations without what is left are left out.
  public func only(_ filter: PlanFilter, in db: Database, at now: Instant) throws -> PlanReport {
    if filter.isAll { return self }
    let found = try filter.find(in: db, at: now)
    let places = Set(found.places.map(\.timetable))
    func withdrawn(_ session: PlannedSession) -> [Withdrawn] {
      session.withdrawn.compactMap { withdrawn in
        let station = withdrawn.station
        guard found.circuit ?? session.circuit.id == session.circuit.id, filter.station ?? station.code == station.code,
          found.assessor.map(station.staff.contains) ?? true
        else { return nil }
        guard let candidate = filter.candidate else { return withdrawn }
        let entries = withdrawn.entries.filter { $0.candidate?.label == candidate }
        return entries.isEmpty ? nil : Withdrawn(station: station, entries: entries)
      }
    }
    return PlanReport(
      sessions: sessions.compactMap { session in
        let stations = session.stations.filter { places.contains($0.place.timetable) }.compactMap { station in
          guard let candidate = filter.candidate else { return station }
          let entries = station.entries.filter { $0.candidate?.label == candidate }
          return entries.isEmpty ? nil : Station(place: station.place, assessors: station.assessors, entries: entries)
        }
        let withdrawn = withdrawn(session)
        guard !stations.isEmpty || !withdrawn.isEmpty else { return nil as PlannedSession? }
        return PlannedSession(
          circuit: session.circuit, session: session.session, rounds: session.rounds,
          hasEarlierPlan: session.hasEarlierPlan, end: session.end, stations: stations, withdrawn: withdrawn)
      })
  }

  /// A candidate's way through the exam in lines: when, which round, where, and what is adjusted.
  public func itinerary(of number: String) -> [String] {
    struct Stop {
      let entry: PlannedEntry
      let place: String
    }
    func stops(_ session: PlannedSession) -> [Stop] {
      let held = session.stations.flatMap { station in
        station.entries.map { Stop(entry: $0, place: station.place.isRest ? "rest" : station.place.stationTitle) }
      }
      let withdrawn = session.withdrawn.flatMap { withdrawn in
        withdrawn.entries.map { Stop(entry: $0, place: withdrawn.station.text) }
      }
      return (held + withdrawn).filter { $0.entry.candidate?.label == number }
        .sorted { ($0.entry.round ?? 0) < ($1.entry.round ?? 0) }
    }
    let ways = sessions.map { (session: $0, stops: stops($0)) }.filter { !$0.stops.isEmpty }
    guard let candidate = ways.first?.stops.first?.entry.candidate else {
      return ["\(number) is assigned to no station"]
    }
    func span(_ seconds: Int) -> String { PhaseText.span(Int64(seconds) * 1000) }
    let adjustments = [
      candidate.extraReadingSeconds > 0 ? "\(span(candidate.extraReadingSeconds)) more reading" : nil,
      candidate.extraStationSeconds > 0 ? "\(span(candidate.extraStationSeconds)) more at each station" : nil,
      candidate.access,
    ].compactMap { $0 }
    var lines = TextLines.wrapped(
      "\(number) \(candidate.name)" + (adjustments.isEmpty ? "" : " · " + adjustments.joined(separator: ", ")),
      indent: 2)
    for (session, stops) in ways {
      lines.append("\(session.circuit.name), \(session.session.name)")
      if let note = session.earlierPlanNote { lines.append("  " + note) }
      lines += stops.map { stop in
        let round = session.rounds.first { $0.number == stop.entry.round }
        let time = round?.start.map { LocalTime.reading(of: $0).minute } ?? "     "
        let absent = stop.entry.isPresent == false ? " · absent" : ""
        return "  \(time)  round \(stop.entry.round.map { String($0) } ?? "-")  \(stop.place)\(absent)"
      }
    }
    return lines
  }
}
