import Console
import ExamStore

extension StoreOptions {
  /// Opens the store for a command that a person waits for.
  func open(_ opening: ExamStore.Opening = .existing) throws -> ExamStore {
    StoreWait.limit(to: wait)
    return try ExamStore(location(), opening)
  }
}
