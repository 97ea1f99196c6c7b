import ExamStore
import GRDB

/// What is guarded where an exam lead has a passcode, and whose task it is. Where no exam lead has one, nobody has to be
/// named: there is nothing by which a name could be proved.
public enum GuardedTask: Sendable {
  /// Loads an exam.
  case load
  /// Changes its clocks.
  case clocks
  /// Gives its marks away.
  case reveal
  /// Prints its mark sheets and the candidates' names.
  case print
  /// Puts a backup in its place.
  case restore

  /// Whose task it is.
  public var roles: [ExamRole] {
    switch self {
    case .load, .restore: [.lead, .office]
    case .clocks: [.lead, .invigilator]
    case .reveal: [.lead, .office, .auditor]
    case .print: [.lead, .office, .invigilator]
    }
  }

  /// Whether the exam guards its tasks.
  public static func isGuarding(_ db: Database) throws -> Bool {
    try ExamLead.all(in: db).contains(where: \.hasPasscode)
  }

  /// Refuses somebody whose task it is not, or whom no passcode can prove, where the exam guards its tasks; and whose
  /// clocks the store's hub would not take.
  /// - Throws: `GuardRefusal`.
  public func check(_ member: StaffMember, in db: Database) throws {
    if case .clocks = self { try member.checkHubTakesClocks(db) }
    guard try GuardedTask.isGuarding(db) else { return }
    guard let role = try member.role(in: db), roles.contains(role) else {
      throw GuardRefusal.otherRole(member.name, self)
    }
    guard member.hasPasscode else { throw GuardRefusal.withoutPasscode(member.name, self) }
  }
}

extension StaffMember {
  /// Refuses somebody of whom the store's hub takes no clock: what it does not take does not stand here either. Without
  /// a hub nobody is refused.
  /// - Throws: `GuardRefusal`.
  public func checkHubTakesClocks(_ db: Database) throws {
    guard try Enrolment.exists(db), let role = try role(in: db), !ExamRole.ofTheHallAtHub.contains(role) else { return }
    throw GuardRefusal.noClockAtHub(name, role)
  }
}

/// Why somebody does not do a guarded task.
public enum GuardRefusal: RuleRefusal {
  /// The exam lead has a passcode, and nobody is named.
  case nobodyNamed(GuardedTask)
  /// It is not the task of the person, by name.
  case otherRole(String, GuardedTask)
  /// The person, by name, has no passcode.
  case withoutPasscode(String, GuardedTask)
  /// The store's hub takes no clock of the person, by name, who has this role.
  case noClockAtHub(String, ExamRole)
}
