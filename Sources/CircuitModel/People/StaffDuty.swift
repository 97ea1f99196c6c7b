import ExamStore
import GRDB
import Timer

/// What a member of staff does next in the exam.
public enum StaffDuty: Sendable {
  /// Marks at a station session, of which the clock may be on.
  case station(StationSession, as: StationSession.Role, isRunning: Bool)
  /// Marks at none: what the exam calls the person.
  case role(ExamRole)

  /// How near a session is: one that has begun, or begins soon, comes before any other.
  private enum Nearness: Comparable {
    case begun(agoMs: Int64)
    case ahead(byMs: Int64)

    init(_ start: Instant, at now: Instant) {
      self = start - now <= Session.lateMs ? .begun(agoMs: max(0, now - start)) : .ahead(byMs: start - now)
    }
  }

  /// What each of these people does next, by their keys; nothing of somebody of whom the exam says nothing.
  public static func next(of staff: [StaffMember], at now: Instant, in db: Database) throws -> [Int: StaffDuty] {
    var found: [Int: (nearness: Nearness, duty: StaffDuty)] = [:]
    let stations = try StationSession.all(in: db)
    let running = try Session.running(in: Set(stations.map(\.circuit)), at: now, db)
    for station in stations {
      guard let start = station.session.plannedStart else { continue }
      let nearness = Nearness(start, at: now)
      for assessor in station.assessors {
        // The one that began last counts until half an hour before the next begins.
        if let other = found[assessor.staff], other.nearness <= nearness { continue }
        found[assessor.staff] = (
          nearness, .station(station, as: assessor.role, isRunning: running.contains(station.session))
        )
      }
    }
    var duties = found.mapValues(\.duty)
    let roles = try StaffRoles.read(db)
    for member in staff where duties[member.id] == nil {
      duties[member.id] = roles[member.username].flatMap { $0.name.isEmpty ? nil : .role($0) }
    }
    return duties
  }
}

extension Session {
  /// The sessions of circuits with a run that is open, without those that were left standing on an earlier day.
  public static func running(in circuits: Set<Circuit>, at now: Instant, _ db: Database) throws -> Set<Session> {
    Set(
      try circuits.flatMap { try Session.open(of: $0, at: now, in: db) }.filter { try !$0.wasLeft(at: now, in: db) })
  }

  /// The minutes to the planned start, within the half hour before it; nil at any other time.
  public func minutesToStart(at now: Instant) -> Int64? {
    guard let start = plannedStart, start > now, start - now <= Session.lateMs else { return nil }
    return (start - now + 59_999) / 60_000
  }
}
