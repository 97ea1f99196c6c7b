import ArgumentParser
import CircuitModel
import Console
import ExamStore
import Reports
import Timer

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
      or the backup is damaged or a store in use.
      """)
  var force = false

  @OptionGroup var acting: ActingStaff
  @OptionGroup var options: StoreOptions

  func run() throws {
    let location = try options.location()
    options.limitWaiting()
    try permit(location)
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
    for session in restore.openSessions {
      lines.append("session \(session) is running again, at the correct point")
    }
    lines.append("next: osce doctor, then osce status; marks given after that time must be entered again")
    Output.standard.text(lines.map { PlainText.cell($0) }.joined(separator: "\n") + "\n")
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
