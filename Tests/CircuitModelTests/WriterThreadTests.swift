import Foundation
import Synchronization
import Testing

@testable import ExamStore

@Suite("The writer thread")
struct WriterThreadTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// The first lines, once there are so many; fewer after a minute.
    func first(_ count: Int) async throws -> [String] {
      let end = Date(timeIntervalSinceNow: 60)
      while lines.withLock({ $0.count }) < count, Date() < end {
        try await Task.sleep(for: .milliseconds(10))
      }
      return lines.withLock { $0 }
    }
  }

  @Test("tidies up once in each quiet spell, in order, and not before the first job")
  func housekeeping() async throws {
    let log = Log()
    let thread = WriterThread([
      .init(after: 0) { log.add("soon") },
      .init(after: 50) { log.add("late") },
    ])
    func submit(_ line: String) { thread.submit({ log.add(line) }, refused: { log.add("\($0)") }) }
    submit("first")
    #expect(try await log.first(3) == ["first", "soon", "late"])
    submit("second")
    #expect(try await log.first(6).suffix(3) == ["second", "soon", "late"])
    #expect(thread.finish(within: 10_000))
    #expect(try await log.first(6).count == 6)
  }

  @Test("says so of a job for which the system gives no thread, and tries again with the next")
  func noThread() async throws {
    let log = Log()
    let isRefused = Mutex(true)
    let thread = WriterThread(made: { context in
      isRefused.withLock { $0 } ? EAGAIN : WriterThread.make(context)
    })
    func submit(_ line: String) {
      thread.submit({ log.add(line) }, refused: { log.add("\(line): \($0), \($0.isDiskError)") })
    }
    submit("first")
    #expect(
      try await log.first(1)
        == ["first: the system gives no further thread: Resource temporarily unavailable, true"])
    isRefused.withLock { $0 = false }
    submit("second")
    #expect(try await log.first(2).last == "second")
    #expect(thread.finish(within: 10_000))
  }
}
