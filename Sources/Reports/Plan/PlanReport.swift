import CircuitModel
import ExamStore
import GRDB
import Timer

/// Who is where, when: each session as it is planned.
public struct PlanReport: Sendable {
  /// The sessions in the order of their starts.
  public let sessions: [PlannedSession]

  /// One session.
  public struct PlannedSession: Sendable {
    /// The circuit.
    public let circuit: Circuit
    /// The session.
    public let session: Session
    /// The rounds in order, with when their rotations are to begin and end if it starts on time and nobody waits.
    public let rounds: [Round]
    /// Whether rounds and end are those that its running clock goes by, and another plan was imported since.
    public let hasEarlierPlan: Bool
    /// What is said of that; nil where the times are those of the plan.
    public var earlierPlanNote: String? {
      hasEarlierPlan ? "the running clock keeps these times; the plan imported since has others" : nil
    }
    /// When it is all over, on the same terms.
    public let end: Instant?
    /// The stations in the order of the ring.
    public let stations: [Station]
    /// The stations that were taken out of it, with who would have come: in that round they rest.
    public let withdrawn: [Withdrawn]
  }

  /// A station that was taken out of a session.
  public struct Withdrawn: Sendable {
    /// The station.
    public let station: WithdrawnStation
    /// Who was planned there in which round.
    public let entries: [PlannedEntry]
  }

  /// A round's rotation.
  public struct Round: Equatable, Sendable {
    /// From 1.
    public let number: Int
    /// When it is to begin; nil if the session has no valid date and time.
    public let start: Instant?
    /// When it is to end.
    public let end: Instant?
  }

  /// A station of a session.
  public struct Station: Sendable {
    /// The station session.
    public let place: StationSession
    /// The usernames of the assessors, the lead first.
    public let assessors: [String]
    /// Who comes in which round; a round that nobody is planned for has no entry.
    public let entries: [PlannedEntry]
  }

  /// Reads the plan of the whole exam.
  /// - Parameter now: as of when running clocks are asked what they go by; nil: the plan as it stands in the store.
  public static func read(_ db: Database, at now: Instant? = nil) throws -> PlanReport {
    let kept = try now.map { try OutdatedRun.plans(in: db, at: $0) } ?? []
    let running = Dictionary(kept.map { ($0.session, $0.plan) }, uniquingKeysWith: { $1 })
    let usernames = try Usernames(db)
    let planned = try Roster.planned(in: db)
    var order: [Session] = []
    var places: [Session: [StationSession]] = [:]
    for place in try StationSession.all(in: db) {
      if places[place.session] == nil { order.append(place.session) }
      places[place.session, default: []].append(place)
    }
    let withdrawn = Dictionary(grouping: try WithdrawnStation.all(in: db), by: \.session)
    return PlanReport(
      sessions: try order.compactMap { session in
        guard let stations = places[session], let first = stations.first else { return nil }
        let plan = try running[session] ?? StartPlan.made(for: session, in: db)
        return PlannedSession(
          circuit: first.circuit, session: session, rounds: rounds(of: plan, from: session.plannedStart),
          hasEarlierPlan: running[session] != nil,
          end: session.plannedStart.map { $0 + plan.list.plannedMs },
          stations: stations.map { place in
            Station(
              place: place, assessors: place.assessors.compactMap { usernames[$0.staff] },
              entries: planned[place.timetable] ?? [])
          },
          withdrawn: (withdrawn[session] ?? []).map { Withdrawn(station: $0, entries: planned[$0.timetable] ?? []) })
      })
  }

  private static func rounds(of plan: StartPlan, from start: Instant?) -> [Round] {
    plan.list.plannedRotations.enumerated().map { index, rotation in
      Round(
        number: index + 1, start: start.map { $0 + rotation.lowerBound }, end: start.map { $0 + rotation.upperBound })
    }
  }
}

extension PlanReport {
  /// `{"sessions":[{"circuit","name","session","start","end","earlierPlan","rounds":[{"round","start","end"}],"stations":[{"timetable",
  /// "station","name","rest","assessors":[…],"roster":[{"round","student_number","candidate","present"}]}],
  /// "withdrawn":[{"station","name","reason","roster":[…]}]}]}`.
  public var json: JSONDocument {
    .object([("sessions", .array(sessions.map(\.json)))])
  }
}

extension PlanReport.PlannedSession {
  fileprivate var json: JSONDocument {
    .object([
      ("circuit", .number(circuit.id)), ("name", .text(circuit.name)), ("session", .text(session.name)),
      ("start", .time(session.plannedStart)), ("end", .time(end)), ("earlierPlan", .bool(hasEarlierPlan)),
      (
        "rounds",
        .array(
          rounds.map {
            .object([("round", .number($0.number)), ("start", .time($0.start)), ("end", .time($0.end))])
          })
      ),
      (
        "stations",
        .array(
          stations.map { station in
            .object([
              ("timetable", .number(station.place.timetable)), ("station", .text(station.place.stationCode)),
              ("name", .text(station.place.stationName)), ("rest", .bool(station.place.isRest)),
              ("assessors", .array(station.assessors.map { .text($0) })),
              ("roster", .array(station.entries.map(\.json))),
            ])
          })
      ),
      (
        "withdrawn",
        .array(
          withdrawn.map {
            .object([
              ("station", .text($0.station.code)), ("name", .text($0.station.name)),
              ("reason", .optional($0.station.reason)), ("roster", .array($0.entries.map(\.json))),
            ])
          })
      ),
    ])
  }
}

extension PlannedEntry {
  fileprivate var json: JSONDocument {
    .object([
      ("round", .number(round)), ("student_number", .optional(candidate?.number)),
      ("candidate", .optional(candidate?.name)), ("present", .flag(isPresent)),
    ])
  }
}
