import CircuitModel
import ExamStore
import Journal
import Terminal

/// Looks what was committed to a store since the last look, and keeps the process in the exam's time zone.
struct StoreWatch {
  private let store: ExamStore
  private var version = -1
  private var sequence: Int64
  /// The exam's time zone, which the process follows; nil until it is read, as the process has it then.
  private var timeZone: String??

  init(_ store: ExamStore) {
    self.store = store
    sequence = (try? store.lastSequence()) ?? 0
  }

  /// What was committed since the last look; nil: nothing. What could not be read is looked for again.
  /// - Parameter seen: what the screen has read since, each row with the last operation that it then saw.
  mutating func look(except seen: [RowKey: Int64] = [:]) throws -> StoreChanges? {
    let version = try store.dataVersion()
    if version == self.version { return nil }
    let changes = try store.changes(since: sequence, except: seen)
    if changes.rows.contains(where: { $0.entity == Stored.Config.entityName }) {
      follow(zone: try store.read { try ExamSettings.read($0).timeZone })
    }
    (self.version, sequence) = (version, changes.last)
    return changes
  }

  /// Follows the exam's time zone once it is another than before.
  mutating func follow(zone: String?) {
    if let shown = timeZone, shown != zone { LocalTime.follow(zone: zone) }
    timeZone = .some(zone)
  }

  /// That what is shown may be older than the store, and why.
  static func unreadLine(_ error: any Error) -> SafeText { SafeText("NOT UP TO DATE, trying again: \(error)") }
}
