import Dispatch
import Hub
import Synchronization

/// Some connections to one server, and the transactions that wait for one of them: first come, first served.
final class PostgresLane: Sendable {
  private let address: String
  private let state: Mutex<State>

  /// How long a transaction waits for a connection at most.
  private static let patience = Duration.seconds(10)

  /// A transaction that waits for its turn.
  private struct Job: Sendable {
    let since: ContinuousClock.Instant
    /// Runs it; true: its connection had been gone before it began, and it may be tried on another.
    let run: @Sendable (PostgresLink) -> Bool
    /// Says why it was not run.
    let fail: @Sendable (PostgresFault) -> Void
  }

  private struct State {
    var jobs: [Job] = []
    /// Connections that nobody uses, the last used last.
    var links: [PostgresLink] = []
    /// Threads that run nothing.
    var idle: [DispatchQueue]
    var isClosed = false
  }

  /// - Parameter size: how many connections it has at most.
  init(_ address: String, size: Int) {
    self.address = address
    state = Mutex(State(idle: (0..<size).map { DispatchQueue(label: "osce-hub.postgres.\($0)") }))
  }

  /// Runs a transaction.
  func run<T: Sendable>(
    _ mode: PostgresLink.Mode, _ body: @escaping @Sendable (PostgresConnection) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<T, any Error>) in
      submit(
        Job(since: .now) { link in
          do throws(PostgresFault) { try link.begin(mode) } catch {
            if error.endsConnection { return true }
            continuation.resume(throwing: error)
            return false
          }
          do {
            let result = try body(PostgresConnection(link))
            try link.commit()
            continuation.resume(returning: result)
          } catch {
            if !link.isBroken { link.rollback() }
            continuation.resume(throwing: error)
          }
          return false
        } fail: {
          continuation.resume(throwing: $0)
        })
    }
  }

  /// Ends all connections that nobody uses, and lets nobody in any more.
  func close() {
    let jobs = state.withLock { state in
      (state.isClosed, state.links) = (true, [])
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in jobs { job.fail(PostgresFault(.lost, "the hub is ending")) }
  }

  private func submit(_ job: Job) {
    let (isClosed, queue) = state.withLock { state in
      if !state.isClosed { state.jobs.append(job) }
      return (state.isClosed, state.isClosed ? nil : state.idle.popLast())
    }
    if isClosed { job.fail(PostgresFault(.lost, "the hub is ending")) }
    queue?.async { self.work(queue) }
  }

  /// Runs what waits, until nothing does.
  private func work(_ queue: DispatchQueue?) {
    var link = state.withLock { $0.links.popLast() }
    while let job = next(queue, &link) {
      if job.since.duration(to: .now) > Self.patience {
        job.fail(PostgresFault(.busy, "no connection to PostgreSQL was free in time"))
        continue
      }
      // What was idle may have been gone for long: then another is tried, once.
      if let kept = link, !kept.isBroken, !job.run(kept) {
        if kept.isBroken { link = nil }
        continue
      }
      link = nil
      do {
        let fresh = try PostgresLink(address)
        if job.run(fresh) { job.fail(PostgresFault(.lost, "the connection to PostgreSQL is gone")) }
        link = fresh.isBroken ? nil : fresh
      } catch {
        // Nobody who waits would fare better, and each would wait for it.
        for other in [job] + waiting() { other.fail(error) }
      }
    }
  }

  /// The next to run; without one the connection is left to others.
  private func next(_ queue: DispatchQueue?, _ link: inout PostgresLink?) -> Job? {
    let kept = link
    let job: Job? = state.withLock { state in
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      if let kept, !state.isClosed { state.links.append(kept) }
      if let queue { state.idle.append(queue) }
      return nil
    }
    if job == nil { link = nil }
    return job
  }

  private func waiting() -> [Job] {
    state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
  }
}
