import CircuitModel
import ExamStore
import Journal
import Reports

/// What a command does to an exam that is guarded where its lead has a passcode, and whose task it is. Where no exam lead
/// has one, nobody has to be named: there is nothing by which a name could be proved.
enum GuardedTask {
  /// Loads an exam.
  case load
  /// Changes its clocks.
  case clocks
  /// Gives its marks away.
  case reveal

  fileprivate var roles: [String] {
    switch self {
    case .load: ["lead", "office"]
    case .clocks: ["lead", "invigilator"]
    case .reveal: ["lead", "office", "auditor"]
    }
  }

  fileprivate var words: String {
    switch self {
    case .load: "loading"
    case .clocks: "changing its clocks"
    case .reveal: "exporting"
    }
  }
}

extension ActingStaff {
  /// Who acts, proved by a passcode; nil where nobody is named and nobody has to be.
  /// - Throws: `StoreError` where the task is guarded and nobody is named, or it is not that person's.
  func member(for task: GuardedTask, in store: ExamStore) throws -> StaffMember? {
    let isGuarded = try store.read { try ExamLead.all(in: $0).contains(where: \.hasPasscode) }
    guard isGuarded else { return try member(in: store) }
    guard let username else {
      throw StoreError("the exam lead has a passcode, so \(task.words) asks who you are: --staff USERNAME")
    }
    let (member, role) = try store.read { db in
      let member = try StaffMember.find(username: username, in: db)
      return (member, try member.role(in: db))
    }
    guard task.roles.contains(role ?? "") else {
      throw StoreError("\(member.name) may not do this: \(task.words) is for \(task.roles.joined(separator: ", "))")
    }
    guard member.hasPasscode else { throw RulingRefusal.withoutPasscode(member.name) }
    let passcode = try PasscodeSource.passcode(of: member, environment: ProcessEnvironment.current)
    try member.prove(passcode, in: store)
    return member
  }

  /// Lets a command that only reads do a guarded task. Each passcode that is tried is recorded, so the store is opened to be
  /// written for as long as that takes.
  func permit(_ task: GuardedTask, _ reading: ExamStore, _ options: StoreOptions) throws {
    guard try reading.read({ try ExamLead.all(in: $0).contains(where: \.hasPasscode) }) else { return }
    let store = try options.open()
    defer { store.close() }
    _ = try member(for: task, in: store)
  }

  /// Who is to stand as the author of a guarded change.
  func author(for task: GuardedTask, in store: ExamStore, reason: String? = nil) throws -> Author {
    Author(
      staff: try member(for: task, in: store)?.id, reason: reason,
      examTime: ExamTime(milliseconds: store.clock.now.milliseconds))
  }
}
