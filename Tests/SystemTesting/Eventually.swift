import Glibc
import Testing

/// Waits until something holds that another thread or process brings about, and records an issue at the caller's place
/// if it never does.
/// - Parameters:
///   - limit: as long as the slowest machine may need.
///   - pause: between two looks.
/// - Returns: whether it holds.
@discardableResult public func eventually(
  within limit: Duration = .seconds(90), every pause: Duration = .milliseconds(5),
  at place: SourceLocation = #_sourceLocation, _ holds: () -> Bool
) -> Bool {
  let end = ContinuousClock.now + limit
  while !holds() {
    if isOver(end, limit, place) { return false }
    usleep(UInt32(pause / .microseconds(1)))
  }
  return true
}

/// The same, where a thread that waits would be missed: tests that are `async` share a few. What is waited for may stand
/// behind all of them in the queue, as each look does: however long that takes, it is looked a hundred times.
@discardableResult public func eventually(
  within limit: Duration = .seconds(90), every pause: Duration = .milliseconds(5),
  at place: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation, _ holds: () -> Bool
) async -> Bool {
  let end = ContinuousClock.now + limit
  var looks = 0
  while !holds() {
    looks += 1
    if looks > 100, isOver(end, limit, place) { return false }
    // A test that is cancelled waits no longer.
    do { try await Task.sleep(for: pause) } catch { return holds() }
  }
  return true
}

private func isOver(_ end: ContinuousClock.Instant, _ limit: Duration, _ place: SourceLocation) -> Bool {
  let isOver = ContinuousClock.now > end
  if isOver { Issue.record("what is waited for has not come within \(limit)", sourceLocation: place) }
  return isOver
}
