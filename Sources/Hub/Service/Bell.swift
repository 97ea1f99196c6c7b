import Journal
import Synchronization

/// Wakes those who wait for a log to grow. It carries nothing: a ring that is lost or false costs one look.
final class Bell: Sendable {
  private struct Waiter {
    let exam: UUIDBytes
    let device: UUIDBytes
    let after: Int64
    let wake: CheckedContinuation<Int64?, Never>
  }

  private struct State {
    /// What the last ring of each exam said, and how many there were. A log can become shorter, when another process
    /// puts a copy in its place: no head is believed for longer than a look at the database takes.
    var rung: [UUIDBytes: (head: Int64, count: Int)] = [:]
    var waiters: [Int64: Waiter] = [:]
    var next: Int64 = 0
    var isStopping = false
  }

  private let state = Mutex(State())

  /// Says that an exam's log has grown to a number.
  func ring(_ exam: UUIDBytes, head: Int64) {
    let woken = state.withLock { state in
      state.rung[exam] = (head, (state.rung[exam]?.count ?? 0) + 1)
      let due = state.waiters.filter { $0.value.exam == exam && $0.value.after < head }
      for key in due.keys { state.waiters[key] = nil }
      return Array(due.values)
    }
    for waiter in woken { waiter.wake.resume(returning: head) }
  }

  /// The exams for whose logs anybody waits, each with the first number past which somebody does.
  var exams: [UUIDBytes: Int64] {
    state.withLock { Dictionary($0.waiters.values.map { ($0.exam, $0.after) }, uniquingKeysWith: min) }
  }

  /// How often it rang for an exam: to be asked before the log is looked at, and then handed to `wait`.
  func rings(of exam: UUIDBytes) -> Int { state.withLock { $0.rung[exam]?.count ?? 0 } }

  /// How many wait.
  var count: Int { state.withLock { $0.waiters.count } }

  /// Waits until an exam's log is past a number. A device that waits already waits no longer.
  /// - Parameter rings: what `rings` said before the log was looked at: what rang since is not missed.
  /// - Returns: the last number of the log; nil where nothing came in time.
  func wait(_ exam: UUIDBytes, device: UUIDBytes, after: Int64, since rings: Int, seconds: Int64) async -> Int64? {
    if seconds <= 0 { return nil }
    let key = state.withLock { state in
      state.next += 1
      return state.next
    }
    let timer = Task {
      try await Task.sleep(for: .seconds(seconds))
      self.end(key)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Int64?, Never>) in
        let (head, replaced): (Int64??, Waiter?) = state.withLock { state in
          if let rung = state.rung[exam], rung.count != rings, rung.head > after { return (.some(rung.head), nil) }
          if state.isStopping || Task.isCancelled { return (.some(nil), nil) }
          let former = state.waiters.first { $0.value.device == device && $0.value.exam == exam }
          if let former { state.waiters[former.key] = nil }
          state.waiters[key] = Waiter(exam: exam, device: device, after: after, wake: continuation)
          return (nil, former?.value)
        }
        replaced?.wake.resume(returning: nil)
        if let head { continuation.resume(returning: head) }
      }
    } onCancel: {
      end(key)
    }
  }

  private func end(_ key: Int64) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: key) }
    waiter?.wake.resume(returning: nil)
  }

  /// Ends every wait, and lets nobody wait any more.
  func stop() {
    let waiters = state.withLock { state in
      state.isStopping = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.wake.resume(returning: nil) }
  }
}
