import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports

/// `--staff`: who acts.
struct ActingStaff: ParsableArguments {
  @Option(name: .long, help: "Your username (default: OSCE_STAFF).")
  var staff: String?

  /// The username that was given, here or by the environment.
  var username: String? {
    let given = staff ?? ProcessEnvironment.current["OSCE_STAFF"]
    return given?.isEmpty == true ? nil : given
  }

  /// The acting member of staff, proven by a passcode where one is set; nil if nobody is named.
  /// - Parameter toSit: whether a sitting of the person follows, for which the hub is told.
  /// - Throws: `StoreError` if there is no such person or the passcode is wrong.
  func member(in store: ExamStore, toSit: Bool = false) throws -> StaffMember? {
    guard let username else { return nil }
    let member = try store.read { db in try StaffMember.find(username: username, in: db) }
    _ = try ActingStaff.prove(member, toSit: toSit, in: store)
    return member
  }

  /// The proof of a person's passcode; nil where none is set.
  /// - Parameters:
  ///   - variable: names the file that has it; without one it is typed.
  ///   - toSit: whether a sitting of the person follows, for which the hub is told.
  private static func prove(
    _ member: StaffMember, from variable: String = PasscodeSource.variable, toSit: Bool = false, in store: ExamStore
  ) throws -> PasscodeProof? {
    guard member.hasPasscode else { return nil }
    let passcode = try PasscodeSource.passcode(
      of: member, environment: ProcessEnvironment.current, variable: variable)
    let proof = try member.prove(passcode, in: store)
    if toSit { HubPresence.keep(passcode, of: member, at: store.location) }
    return proof
  }
}

extension ActingStaff {
  /// Who acts, proved by a passcode; nil where nobody is named and nobody has to be.
  /// - Throws: `GuardRefusal` where the task is guarded and nobody is named, or it is not that person's.
  func member(for task: GuardedTask, in store: ExamStore) throws -> StaffMember? {
    guard let username else {
      if try store.read(GuardedTask.isGuarding) { throw GuardRefusal.nobodyNamed(task) }
      return nil
    }
    try store.read { try task.check(StaffMember.find(username: username, in: $0), in: $0) }
    return try member(in: store)
  }

  /// Lets a command that only reads do a guarded task. Each passcode that is tried is recorded where anything can be, so the
  /// store is opened to be written for as long as that takes.
  func permit(_ task: GuardedTask, _ reading: ExamStore, _ options: StoreOptions) throws {
    guard try reading.read(GuardedTask.isGuarding) else { return }
    if reading.takesNothing {
      _ = try member(for: task, in: reading)
      return
    }
    let store = try options.open()
    defer { store.close() }
    _ = try member(for: task, in: store)
  }

  /// Who is to stand as the author of a guarded change.
  func author(for task: GuardedTask, in store: ExamStore, reason: String? = nil) throws -> Author {
    Author(staff: try member(for: task, in: store)?.id, reason: reason, at: store.clock)
  }
}

extension ActingStaff {
  /// The exam lead who acts, proven by a passcode where one is set.
  /// - Throws: `StoreError` if nobody is named, `StaffRefusal` if that is no exam lead or the passcode is wrong.
  func lead(in store: ExamStore) throws -> ExamLead {
    guard let username else { throw StoreError("this is for an exam lead: name one with --staff USERNAME") }
    let member = try store.read { try ExamLead.find(username: username, in: $0) }
    return try ExamLead.authorise(member, by: try ActingStaff.prove(member, in: store))
  }

  /// Two people who do something together, each proved by a passcode: that of who acts from `OSCE_PASSCODE_FILE`, the
  /// second's from `OSCE_SECOND_PASSCODE_FILE`, or typed.
  func two(with second: String, in store: ExamStore) throws -> TwoPeople {
    guard let username else { throw StoreError("name the exam lead with --staff USERNAME") }
    if username == second { throw RulingRefusal.needsTwo }
    let members = try store.read { db in try [username, second].map { try StaffMember.find(username: $0, in: db) } }
    let proofs = try zip(members, [PasscodeSource.variable, PasscodeSource.secondVariable]).compactMap {
      try ActingStaff.prove($0, from: $1, in: store)
    }
    return try store.read { try TwoPeople(members[0], members[1], proofs: proofs, in: $0) }
  }
}
