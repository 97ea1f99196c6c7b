import Testing

/// For suites that are over late, because their tests wait for something outside or go one after another for long: they
/// begin ahead of the others and go on beside them.
///
/// All tests stand in one queue, and who has waited goes to its end. A higher priority has a queue of its own.
public struct Ahead: SuiteTrait, TestScoping {
  /// Runs the suite's tests ahead of the others.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(body) { body in
      try await Task(priority: .high) { try await body() }.value
    }
  }
}

extension Trait where Self == Ahead {
  /// Lets the suite's tests begin ahead of the others.
  public static var ahead: Self { Self() }
}
