import CircuitModel
import ExamStore
import GRDB
import Timer

/// Looks at what the exam says of its surroundings: the clock, the time zone, the second copy.
struct SettingsChecks {
  let db: Database
  let surroundings: MachineSurroundings
  /// Why the file at the timed backup's place is no backup of this exam.
  let copyObjection: String?

  /// How far the wall clock may stand from the exam's before that is worth a look, in milliseconds.
  private static let tolerableLead: Int64 = 2000

  /// - Parameter isBefore: whether clock and second copy are looked at more strictly elsewhere.
  func run(before isBefore: Bool, _ diagnosis: inout Diagnosis) throws {
    if !isBefore { try MachineChecks.clock(db, surroundings, good: Self.tolerableLead, &diagnosis) }
    try timeZone(&diagnosis)
    if !isBefore { try backup(&diagnosis) }
    if let text = try ConfigInForce.foreignText(db) { diagnosis.add("settings", .warning, text) }
    if let path = try ExamSettings.read(db).backup.ignoredPath {
      diagnosis.add("backup setting", .warning, BackupWish.ignored(path))
    }
    if !isBefore, let copyObjection { diagnosis.add("backup place", .warning, copyObjection) }
  }

  private func timeZone(_ diagnosis: inout Diagnosis) throws {
    guard let zone = try ExamSettings.read(db).timeZone else {
      let now = try MachineChecks.now(db, surroundings)
      return diagnosis.add("time zone", .warning, LocalTime.machineZoneText(at: now))
    }
    if LocalTime.isKnown(zone: zone) {
      diagnosis.add("time zone", .ok, zone)
    } else {
      diagnosis.add("time zone", .failed, "this machine does not know \(zone): planned starts would be wrong")
    }
  }

  private func backup(_ diagnosis: inout Diagnosis) throws {
    guard let choice = surroundings.backup else {
      diagnosis.add("backup", .ok, "no timed backup is configured")
      return
    }
    let due = choice.minutes(wished: try ExamSettings.read(db).backup.minutes)
    guard let status = FileFacts.status(choice.path) else {
      diagnosis.add("backup", .warning, "none yet at \(choice.path)")
      return
    }
    let age = CopyAge(changed: status.changed, at: surroundings.system.wall())
    diagnosis.add(
      "backup", age.isBeyond(minutes: 3 * Int64(due)) ? .warning : .ok, "\(choice.path), \(age.text)")
  }
}
