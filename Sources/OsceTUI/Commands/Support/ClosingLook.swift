import CircuitModel
import Console
import ExamStore
import Reports

/// A look at what is open.
enum ClosingLook {
  /// Examines a store before two people lock it, or change what is locked in it.
  static func examine(_ store: ExamStore) throws -> StoreLook {
    let line = ProgressLine()
    defer { line.end() }
    line.say("examining the store")
    return try StoreLook.take(store, backup: Configuration.backup(), progress: line.progress)
  }

  /// Examines the store and opens it to be read.
  /// - Parameters:
  ///   - scope: what of the exam is asked about.
  ///   - acting: who is to read it, asked first; nil: somebody who has been proved, or who is shown nothing.
  static func take(
    _ options: StoreOptions, _ scope: (ExamStore) throws -> ExamLock.Scope = { _ in .init() },
    for acting: ActingStaff? = nil
  ) throws -> (ExamStore, ClosingReport) {
    let store = try options.openToRead()
    try acting?.permit(.reveal, store, options)
    let scope = try scope(store)
    let line = ProgressLine()
    defer { line.end() }
    let look = try StoreLook.take(store, backup: Configuration.backup(), progress: line.progress)
    line.say("computing the results")
    return (
      store,
      try store.read { try ClosingReport.read(look.examined, look.readiness, of: scope, in: $0, at: store.clock.now) }
    )
  }
}
