import Dispatch
import Synchronization

/// Runs what waits for tasks from a place that cannot.
/// - Throws: what it throws.
public func runBlocking<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) throws -> T {
  let outcome = Mutex<Result<T, any Error>?>(nil)
  let ended = DispatchSemaphore(value: 0)
  Task.detached {
    let result: Result<T, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    outcome.withLock { $0 = result }
    ended.signal()
  }
  while true {
    ended.wait()
    if let result = outcome.withLock({ $0 }) { return try result.get() }
  }
}
