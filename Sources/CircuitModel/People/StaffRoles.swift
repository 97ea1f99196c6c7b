import ExamStore
import Foundation
import GRDB

/// What each member of staff is in the exam: `assessor`, `invigilator`, `lead`, `office`, `auditor` or `display`.
enum StaffRoles {
  /// The roles by username, where the exam names any.
  static func read(_ db: Database) throws -> [String: String] {
    struct Shape: Decodable { var roles: [String: String]? }
    let json = try ExamSettings.json(db)
    return json.flatMap { try? JSONDecoder().decode(Shape.self, from: Data($0.utf8)) }?.roles ?? [:]
  }
}

extension StaffMember {
  /// The active staff who may have judged, by surname: assessors, leads, and whoever is planned at a station.
  public static func judges(_ db: Database) throws -> [StaffMember] {
    let roles = try StaffRoles.read(db)
    let planned = Set(try StationSession.all(in: db).flatMap { $0.assessors.map(\.staff) })
    return try active(db).filter { member in
      ["assessor", "lead"].contains(roles[member.username] ?? "assessor") || planned.contains(member.id)
    }
  }

  /// The role of somebody whose task the hall is not, where the exam knows it; nil for invigilators, leads and whoever
  /// has none.
  public func roleAwayFromTheHall(_ db: Database) throws -> String? {
    let role = try StaffRoles.read(db)[username].flatMap { $0.isEmpty ? nil : $0 }
    return ["invigilator", "lead"].contains(role ?? "lead") ? nil : role
  }

  /// Those whose task the hall is.
  public static func ofTheHall(_ db: Database) throws -> [StaffMember] {
    let roles = try StaffRoles.read(db)
    return try active(db).filter { ["invigilator", "lead"].contains(roles[$0.username] ?? "") }
  }
}
