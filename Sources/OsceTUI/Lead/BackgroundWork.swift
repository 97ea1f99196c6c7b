import Foundation
import Synchronization

/// Work on a thread of its own, so that keys and clock go on meanwhile.
final class BackgroundWork<Value: Sendable>: Sendable {
  private let found = Mutex<Result<Value, any Error>?>(nil)

  /// Begins.
  init(_ work: @escaping @Sendable () throws -> Value) {
    let thread = Thread { [self] in
      let result = Result { try work() }
      found.withLock { $0 = result }
    }
    thread.stackSize = 4 << 20
    thread.start()
  }

  /// What came of it; nil while it is under way.
  var result: Result<Value, any Error>? { found.withLock { $0 } }
}

/// What a screen reads on a thread of its own, one reading at a time: of what is asked for meanwhile the last counts.
@MainActor
final class BackgroundReading<Value: Sendable> {
  private var work: BackgroundWork<Value>?
  private var next: (@Sendable () throws -> Value)?

  /// Whether what was asked for last is not there yet.
  var isUnderWay: Bool { work != nil }

  /// Begins, or begins once what is under way has ended: many threads at once would only be slower.
  func begin(_ read: @escaping @Sendable () throws -> Value) {
    if work == nil { work = BackgroundWork(read) } else { next = read }
  }

  /// What came of the last that was asked for, once; nil while it is under way.
  func take() -> Result<Value, any Error>? {
    guard let result = work?.result else { return nil }
    work = next.map { BackgroundWork($0) }
    next = nil
    return work == nil ? result : nil
  }
}
