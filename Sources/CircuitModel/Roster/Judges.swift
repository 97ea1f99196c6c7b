import ExamStore
import GRDB

extension StaffMember {
  /// The active staff who may have judged, by surname: assessors, leads, and people planned at a station.
  public static func judges(_ db: Database) throws -> [StaffMember] {
    let roles = try StaffRoles.read(db)
    let planned = Set(try StationSession.all(in: db).flatMap { $0.assessors.map(\.staff) })
    return try active(db).filter { member in
      ExamRole.judging.contains(roles[member.username] ?? .assessor) || planned.contains(member.id)
    }
  }
}
