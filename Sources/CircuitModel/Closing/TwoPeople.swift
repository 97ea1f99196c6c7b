import GRDB

/// Two different people who have proved who they are, for what one alone may not do.
public struct TwoPeople: Sendable {
  /// The exam lead.
  public let first: ExamLead
  /// A second lead, or somebody of the exam office.
  public let second: StaffMember

  /// - Parameters:
  ///   - proofs: those of both passcodes.
  /// - Throws: `RulingRefusal` if they are one person, without a passcode, or the second may not; `StaffRefusal` where a
  ///   proof is not theirs.
  public init(
    _ first: StaffMember, _ second: StaffMember, proofs: [PasscodeProof], in db: Database
  ) throws {
    try TwoPeople.check(first, second, in: db)
    for member in [first, second] {
      if !proofs.contains(where: { $0.staff == member.id }) {
        throw StaffRefusal.wrongPasscode(member.name, wait: 0)
      }
    }
    let lead = try ExamLead.find(username: first.username, in: db)
    self.first = try ExamLead.authorise(lead, by: proofs.first { $0.staff == first.id })
    self.second = second
  }

  /// Asks of two people what does not depend on their passcodes.
  /// - Throws: `RulingRefusal` if they are one person, without a passcode, or the second may not.
  public static func check(_ first: StaffMember, _ second: StaffMember, in db: Database) throws {
    if first.id == second.id { throw RulingRefusal.needsTwo }
    for member in [first, second] where !member.hasPasscode { throw RulingRefusal.withoutPasscode(member.name) }
    guard let role = try second.role(in: db), ExamRole.besideALead.contains(role) else {
      throw RulingRefusal.mayNot(second.name)
    }
  }

  /// Whether two people, by their keys, are a lead and a second lead or somebody of the office. What comes from another
  /// store holds no passcode, so that more cannot be asked of it.
  static func areNamed(_ first: Int64, _ second: Int64, in db: Database) throws -> Bool {
    let roles = try StaffRoles.read(db)
    func role(_ key: Int64) throws -> ExamRole? {
      try String.fetchOne(
        db, sql: "SELECT username FROM user WHERE dsid = ? AND dsDeleted = 0", arguments: [key]
      ).flatMap { roles[$0] }
    }
    guard first != second, try role(first) == .lead, let beside = try role(second) else { return false }
    return ExamRole.besideALead.contains(beside)
  }
}
