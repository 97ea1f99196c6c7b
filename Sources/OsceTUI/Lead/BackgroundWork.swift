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
