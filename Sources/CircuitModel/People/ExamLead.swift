import ExamStore
import Foundation
import GRDB

/// The word of an exam lead for what an assessor may not do alone. It is had by signing in as one, or by the lead's
/// username and passcode at the assessor's terminal.
public struct ExamLead: Hashable, Sendable {
  /// Who says so.
  public let member: StaffMember

  private init(_ member: StaffMember) { self.member = member }

  /// The active staff with the role `lead` in the exam, by surname. Without any, nobody can give that word.
  public static func all(in db: Database) throws -> [StaffMember] {
    let roles = try StaffRoles.read(db)
    return try StaffMember.active(db).filter { roles[$0.username] == "lead" }
  }

  /// Whoever is signed in, if that is an exam lead.
  public static func signedIn(_ sitting: Sitting?, in db: Database) throws -> ExamLead? {
    guard let staff = sitting?.staff.id else { return nil }
    return try all(in: db).first { $0.id == staff }.map { ExamLead($0) }
  }

  /// The exam lead with this username.
  /// - Parameter passcode: as typed; where the lead has none it is not looked at, as in signing in.
  /// - Throws: `StaffRefusal` if there is no such lead, or the passcode is another.
  public static func authorise(username: String, passcode: String, in db: Database) throws -> ExamLead {
    let name = username.trimmingCharacters(in: .whitespaces)
    guard let member = try all(in: db).first(where: { $0.username == name }) else {
      throw StaffRefusal.notLead(name)
    }
    guard try member.accepts(passcode: passcode, in: db) else {
      throw StaffRefusal.wrongPasscode(member.name)
    }
    return ExamLead(member)
  }

  /// A reason with the lead's name, as it stands in the journal.
  func signing(_ reason: String) -> String { "\(reason) [authorised by the lead \(member.username)]" }
}
