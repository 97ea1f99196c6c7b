import CircuitModel
import ExamStore
import Terminal

/// Looks what was committed to a store since the last look, and keeps the process in the exam's time zone.
struct StoreWatch {
  private let store: ExamStore
  private var version = -1
  private var sequence: Int64
  private var timeZone: String?

  init(_ store: ExamStore) {
    self.store = store
    sequence = (try? store.lastSequence()) ?? 0
    timeZone = try? store.read { try ExamSettings.read($0).timeZone }
  }

  /// What was committed since the last look; nil: nothing. What could not be read is looked for again.
  mutating func look() throws -> StoreChanges? {
    let version = try store.dataVersion()
    if version == self.version { return nil }
    let changes = try store.changes(since: sequence)
    if changes.rows.contains(where: { $0.entity == "Config" }) { try followTimeZone() }
    (self.version, sequence) = (version, changes.last)
    return changes
  }

  /// Follows the exam's time zone once it is another than before.
  private mutating func followTimeZone() throws {
    let zone = try store.read { try ExamSettings.read($0).timeZone }
    if zone != timeZone { LocalTime.follow(zone: zone) }
    timeZone = zone
  }

  /// That what is shown may be older than the store, and why.
  static func unreadLine(_ error: any Error) -> SafeText { SafeText("NOT UP TO DATE, trying again: \(error)") }
}
