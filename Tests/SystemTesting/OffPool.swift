import Foundation

/// Runs what waits, for a process, a lock or a moment, on a thread of its own: it holds none of the few on which all
/// tests run.
public func offPool<T: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> T
) async throws(Failure) -> T {
  let result: Result<T, Failure> = await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: Result(catching: body)) }
  }
  return try result.get()
}
