import ExamStore
import Foundation
import GRDB

/// What each member of staff is in the exam.
package enum StaffRoles {
  /// The roles by username, where the exam names any.
  static func read(_ db: Database) throws -> [String: ExamRole] { read(settings: try ExamSettings.json(db)) }

  /// The roles by username in the exam's settings as they are stored.
  package static func read(settings json: String?) -> [String: ExamRole] {
    struct Shape: Decodable { var roles: [String: String]? }
    let words = json.flatMap { try? JSONDecoder().decode(Shape.self, from: Data($0.utf8)) }?.roles ?? [:]
    return words.mapValues { ExamRole(stored: $0) }
  }
}

extension StaffMember {
  /// The role of somebody whose task the hall is not, where the exam knows it; nil for invigilators, leads and people
  /// without one.
  public func roleAwayFromTheHall(_ db: Database) throws -> ExamRole? {
    try role(in: db).flatMap { ExamRole.ofTheHall.contains($0) ? nil : $0 }
  }

  /// What this person is in the exam; nil where the exam does not say.
  public func role(in db: Database) throws -> ExamRole? {
    try StaffRoles.read(db)[username].flatMap { $0.name.isEmpty ? nil : $0 }
  }

  /// Those whose task the hall is.
  public static func ofTheHall(_ db: Database) throws -> [StaffMember] {
    let roles = try StaffRoles.read(db)
    return try active(db).filter { roles[$0.username].map(ExamRole.ofTheHall.contains) == true }
  }
}

/// The word of an exam lead for what an assessor may not do alone. It is had by signing in as one, or by the lead's
/// username and passcode at the assessor's terminal.
public struct ExamLead: Hashable, Sendable {
  /// Who says so.
  public let member: StaffMember

  private init(_ member: StaffMember) { self.member = member }

  /// The active staff with the role `lead` in the exam, by surname. Without any, nobody can give that word.
  public static func all(in db: Database) throws -> [StaffMember] {
    let roles = try StaffRoles.read(db)
    return try StaffMember.active(db).filter { roles[$0.username] == .lead }
  }

  /// The person who is signed in, if that is an exam lead.
  public static func signedIn(_ sitting: SignIn?, in db: Database) throws -> ExamLead? {
    guard let staff = sitting?.staff.id else { return nil }
    return try all(in: db).first { $0.id == staff }.map { ExamLead($0) }
  }

  /// The exam lead with this username, who is to be asked for a passcode where one is set.
  /// - Throws: `StaffRefusal` if there is no such lead.
  public static func find(username: String, in db: Database) throws -> StaffMember {
    let name = username.trimmingCharacters(in: .whitespaces)
    guard let member = try all(in: db).first(where: { $0.username == name }) else {
      throw StaffRefusal.notLead(name)
    }
    return member
  }

  /// The word of an exam lead who has been found.
  /// - Parameter proof: that of the lead's passcode; where the lead has none it is not looked at, as in signing in.
  /// - Throws: `StaffRefusal` without it.
  public static func authorise(_ member: StaffMember, by proof: PasscodeProof?) throws -> ExamLead {
    if member.hasPasscode, proof?.staff != member.id { throw StaffRefusal.wrongPasscode(member.name, wait: 0) }
    return ExamLead(member)
  }

  /// A reason with the lead's name, as it stands in the journal.
  func signing(_ reason: String) -> String { "\(reason) [authorised by the lead \(member.username)]" }
}

/// Why somebody does not act as a member of staff.
public enum StaffRefusal: RuleRefusal {
  /// No active member of staff has the username.
  case unknown(String)
  /// Several have it.
  case ambiguous(String, count: Int)
  /// The person, by name or by the username that was written, empty where none was, is no exam lead.
  case notLead(String)
  /// Nothing was given where the person, by name, has a passcode.
  case noPasscode(String)
  /// The passcode is not that of the person, by name; the next one waits for so many seconds, 0 for none.
  case wrongPasscode(String, wait: Int)
  /// Too many passcodes were wrong for the person by name, nil: at this terminal. The next one waits.
  case tooManyWrong(String?, seconds: Int)
  /// What is kept as the passcode of the person, by name, fits none.
  case unusablePasscode(String)
}
