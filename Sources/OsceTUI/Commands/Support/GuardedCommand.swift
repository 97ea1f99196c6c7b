import CircuitModel
import Console
import ExamStore
import Journal
import Reports

extension ActingStaff {
  /// Who acts, proved by a passcode; nil where nobody is named and nobody has to be.
  /// - Throws: `GuardRefusal` where the task is guarded and nobody is named, or it is not that person's.
  func member(for task: GuardedTask, in store: ExamStore) throws -> StaffMember? {
    guard try store.read(GuardedTask.isGuarding) else { return try member(in: store) }
    guard let username else { throw GuardRefusal.nobodyNamed(task) }
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
    Author(
      staff: try member(for: task, in: store)?.id, reason: reason,
      examTime: ExamTime(milliseconds: store.clock.now.milliseconds))
  }
}
