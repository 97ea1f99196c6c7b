import Sync
import Synchronization

/// Virtual time, and the place where every client waits for it or for an answer: only one of them runs at any moment.
final class Stage: Sendable {
  typealias Answer = Result<WireResponse, TransportFailure>

  /// What a client waits for.
  enum Waiting {
    case sleep(until: Int64, CheckedContinuation<Void, Never>)
    case request(WireRequest, wait: Int64, CheckedContinuation<Answer, Never>)
  }

  struct Parked {
    let key: Int64
    let since: Int64
    let waiting: Waiting
  }

  private struct State {
    var time: Int64 = 0
    var next: Int64 = 0
    var parked: [Int: Parked] = [:]
    var ended: Set<Int> = []
    var settler: (client: Int, CheckedContinuation<Void, Never>)?
  }

  private let state = Mutex(State())

  var time: Int64 { state.withLock { $0.time } }
  func advance(_ milliseconds: Int64) { state.withLock { $0.time += milliseconds } }

  func parked(_ client: Int) -> Parked? { state.withLock { $0.parked[client] } }

  // MARK: From the clients

  func sleep(_ client: Int, _ milliseconds: Int64) async {
    let key = newKey()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        park(client, key) { .sleep(until: $0 + max(0, milliseconds), continuation) }
      }
    } onCancel: {
      cancel(client, key)
    }
  }

  func send(_ client: Int, _ request: WireRequest, wait: Int64) async -> Answer {
    let key = newKey()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        park(client, key) { _ in .request(request, wait: wait, continuation) }
      }
    } onCancel: {
      cancel(client, key)
    }
  }

  private func newKey() -> Int64 {
    state.withLock {
      $0.next += 1
      return $0.next
    }
  }

  private func park(_ client: Int, _ key: Int64, _ waiting: (Int64) -> Waiting) {
    let isCancelled = Task.isCancelled
    let (settler, refused) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Waiting?) in
      let parked = Parked(key: key, since: state.time, waiting: waiting(state.time))
      if isCancelled || state.ended.contains(client) { return (nil, parked.waiting) }
      state.parked[client] = parked
      guard let settler = state.settler, settler.client == client else { return (nil, nil) }
      state.settler = nil
      return (settler.1, nil)
    }
    if let refused { Self.give(refused, nil) }
    settler?.resume()
  }

  private func cancel(_ client: Int, _ key: Int64) {
    let parked = state.withLock { state -> Parked? in
      guard state.parked[client]?.key == key else { return nil }
      return state.parked.removeValue(forKey: client)
    }
    if let parked { Self.give(parked.waiting, nil) }
  }

  private static func give(_ waiting: Waiting, _ answer: Answer?) {
    switch waiting {
    case .sleep(_, let continuation): continuation.resume()
    case .request(_, _, let continuation): continuation.resume(returning: answer ?? .failure(.cancelled))
    }
  }

  // MARK: From the history

  /// Waits until a client waits, or has ended.
  func settle(_ client: Int) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isSettled = state.withLock { state in
        if state.parked[client] != nil || state.ended.contains(client) { return true }
        state.settler = (client, continuation)
        return false
      }
      if isSettled { continuation.resume() }
    }
  }

  /// Lets a client go on, and waits until it waits again.
  func resume(_ client: Int, _ answer: Answer? = nil) async {
    let parked = state.withLock { $0.parked.removeValue(forKey: client) }
    guard let parked else { return }
    Self.give(parked.waiting, answer)
    await settle(client)
  }

  /// Says that a client ends: nothing of it waits any more.
  func end(_ client: Int) {
    let (parked, settler) = state.withLock { state -> (Parked?, CheckedContinuation<Void, Never>?) in
      state.ended.insert(client)
      let settler = state.settler?.client == client ? state.settler?.1 : nil
      if settler != nil { state.settler = nil }
      return (state.parked.removeValue(forKey: client), settler)
    }
    if let parked { Self.give(parked.waiting, nil) }
    settler?.resume()
  }
}

/// A client's view of the stage's time.
struct StageClock: SteadyClock {
  let stage: Stage
  let client: Int
  func now() -> Int64 { stage.time }
  func sleep(milliseconds: Int64) async { await stage.sleep(client, milliseconds) }
}

/// A client's way to the hub.
struct StageRoad: Transport {
  let stage: Stage
  let client: Int
  func send(_ request: WireRequest, wait: Int64) async throws(TransportFailure) -> WireResponse {
    try await stage.send(client, request, wait: wait).get()
  }
}
