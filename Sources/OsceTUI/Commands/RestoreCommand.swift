import ArgumentParser
import Characters
import CircuitModel
import Console
import ExamStore
import Reports

/// `osce restore`: a backup in the place of the store.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a backup; the previous store is kept.")

  @Argument(help: "The backup.")
  var path: String

  @Flag(
    name: .long,
    help: """
      Even if a run is open, other processes have the store open (end them first), the file there is no store, \
      the backup is damaged or a store in use, or the exam is locked and the backup is from before.
      """)
  var force = false

  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func run() throws {
    let location = try options.location()
    options.limitWaiting()
    try permit(location)
    if !force { try refuseUnlocking(location) }
    let line = ProgressLine()
    defer { line.end() }
    let restore = try Restore.run(from: path, to: location, isForced: force, progress: line.progress)
    line.end()
    var lines = [
      "\(location.path): restored from \(path), \(Plural.count(restore.operations, "operation"))"
    ]
    if let last = restore.lastChange { lines.append("the last change in it was made at \(Timestamp.text(last))") }
    if let caution = restore.caution { lines.append(caution) }
    if let kept = restore.kept { lines.append("previous store kept as \(kept)") }
    Output.standard.lines(lines)
    if !restore.openSessions.isEmpty { Output.standard.lines(try clocks(of: location)) }
    Output.standard.line("next: osce doctor, then osce status; marks given after that time must be entered again")
  }

  /// What the clocks show that are open, and what speaks against the time by which they go.
  private func clocks(of location: StoreLocation) throws -> [String] {
    let store = try ExamStore.toRead(location)
    defer { store.close() }
    let now = store.clock.now
    let shown = try store.read { db in
      try Circuit.all(at: now, db).flatMap { circuit in
        try Session.open(of: circuit, at: now, in: db).map { session -> String in
          let report = try ClockReport.read(session, at: now, in: db)
          return "\(circuit.name), \(session.name): \(report.line)"
        }
      }
    }
    guard let doubt = store.clock.doubt else { return shown }
    return [doubt.advice(isGuarded: try store.read { try GuardedTask.isGuarding($0) })] + shown
  }

  /// Nothing unlocks by itself: a state from before the lock would.
  private func refuseUnlocking(_ location: StoreLocation) throws {
    guard location.exists, let standing = try locks(of: location), let lock = standing.first,
      let kept = try locks(of: StoreLocation(path: path))
    else { return }
    if Set(kept.map(\.key)).isSuperset(of: standing.map(\.key)) { return }
    let what = lock.scope.isExam ? "the exam" : lock.scope.name
    throw StoreError(
      "\(what) is locked in \(location.path), and \(path) is from before the lock: nothing was changed; two people open "
        + "it with osce close --reopen, and --force restores anyway")
  }

  /// The locks that hold in a store; nil where it cannot be read.
  private func locks(of location: StoreLocation) throws -> [ExamLock]? {
    try StoreError.ifReadable(location.path) {
      let store = try ExamStore.toRead(location)
      defer { store.close() }
      return try store.read { try ExamLock.standing(in: $0) }
    }
  }

  /// Asks who replaces the store that is there. One that cannot be read or opened guards nothing: a restore is for it.
  private func permit(_ location: StoreLocation) throws {
    let path = location.path
    guard location.exists, let reading = try StoreError.ifReadable(path, { try ExamStore.toRead(location) }) else {
      return
    }
    defer { reading.close() }
    guard try StoreError.ifReadable(path, { try reading.read(GuardedTask.isGuarding) }) == true,
      let store = try StoreError.ifReadable(path, { try options.open() })
    else { return }
    defer { store.close() }
    _ = try acting.member(for: .restore, in: store)
  }
}
