import CircuitModel
import Console
import ExamStore

extension StoreOptions {
  /// Makes this process wait for locks as long as is asked for, and say who keeps it waiting.
  func limitWaiting() {
    StoreLock.longWait.withLock { $0 = StoreOptions.tellOfWaiting }
    StoreWait.limit(to: wait)
  }

  /// Opens the store and makes the exam's time zone, and the terminal's university, the process's own.
  func open(_ opening: ExamStore.Opening = .existing) throws -> ExamStore {
    limitWaiting()
    let location = try location()
    do { return try inItsZone(ExamStore(location, opening)) } catch {
      guard location.exists, let obstacle = location.obstacle else { throw error }
      if opening == .createIfMissing, (try? ExamStore.toRead(location).close()) == nil {
        throw StoreError("no exam was loaded: nothing can be written there (\(obstacle))")
      }
      throw StoreError.unwritable(obstacle)
    }
  }

  /// Opens the store for a command that changes nothing: also where nothing can be written, which is said.
  func openToRead() throws -> ExamStore {
    limitWaiting()
    let store = try inItsZone(ExamStore.toRead(location()))
    try store.keepMore()
    if store.obstacle != nil, let obstacle = store.location.obstacle {
      Output.failure.line("osce: nothing can be written there (\(obstacle)): read from a copy")
    }
    return store
  }

  private func inItsZone(_ store: ExamStore) throws -> ExamStore {
    if let lost = store.lostLog { Output.failure.line("osce: \(lost)") }
    Configuration.useUniversity()
    LocalTime.use(zone: try store.read { db in try ExamSettings.read(db).timeZone })
    return store
  }

  /// Says on standard error who keeps a command waiting.
  private static let tellOfWaiting: @Sendable (LockHolder?) -> Void = { holder in
    let who = holder.map { "\($0.name) has the store locked" } ?? "the store is locked"
    Output.failure.line("osce: waiting: \(who); Ctrl-C gives up and changes nothing")
  }
}
