import Terminal
import Timer

/// Runs the configured announcement command: once for each instant on this machine, for a limited time.
@MainActor
final class AnnouncementHook {
  private let command: [String]
  private let limit: Int64
  private let claims: AnnouncementClaims
  private let environment: [String: String]
  private var waiting: [AnnouncementCall] = []
  private var running: [(process: ChildProcess, until: Int64, isStopped: Bool)] = []
  private var failure: (text: String, until: Int64)?

  /// How long a failure is shown, in milliseconds.
  private static let failureMs: Int64 = 60_000
  /// More than this at once is a command that hangs.
  private static let most = 4

  /// - Parameters:
  ///   - command: the command and its arguments, at least one.
  ///   - seconds: how long it may run.
  ///   - storePath: the store whose announcements are made.
  ///   - environment: what the command inherits.
  init(
    command: [String], seconds: Int, storePath: String, environment: [String: String] = ProcessEnvironment.current
  ) {
    self.command = command
    limit = Int64(seconds) * 1000
    claims = AnnouncementClaims(storePath: storePath)
    self.environment = environment
  }

  /// What is wrong, in a line; nil if nothing is.
  var problem: String? { failure?.text }

  /// Takes a call; it is made at the next tick, by whichever terminal of this machine claims it first.
  func announce(_ call: AnnouncementCall) { waiting.append(call) }

  /// Makes what is due and looks after what runs.
  func tick(now: Instant, loop: Int64) {
    waiting = waiting.filter { call in
      guard now - call.at <= Announcements.graceMs else { return false }
      switch claims.claim(call.at, now: now) {
      case .ours: run(call, loop)
      case .taken: break
      case .busy: return true
      case .failed(let reason): failure = ("on_announcement: \(reason)", loop + AnnouncementHook.failureMs)
      }
      return false
    }
    if !running.isEmpty { reapFinished(loop) }
    if let until = failure?.until, loop >= until { failure = nil }
  }

  private func run(_ call: AnnouncementCall, _ loop: Int64) {
    let busy = running.count { $0.process.ending == nil }
    guard busy < AnnouncementHook.most else {
      return showError("\"\(call.text)\" skipped: \(busy) commands still running", loop)
    }
    do throws(SpawnFailure) {
      let process = try ChildProcess(
        call.filled(command), environment: environment.merging(call.environment) { _, ours in ours })
      running.append((process, loop + limit, false))
    } catch {
      showError("cannot be run: \(error.reason)", loop)
    }
  }

  private func reapFinished(_ loop: Int64) {
    for index in running.indices {
      let process = running[index].process
      let before = process.ending
      process.look()
      if let ending = process.ending, before == nil, !running[index].isStopped {
        switch ending {
        case .status(0): break
        case .status(let number): showError("ended with status \(number)", loop)
        case .signal(let number): showError("was ended by signal \(number)", loop)
        }
      }
      guard loop >= running[index].until else { continue }
      if process.ending == nil, !running[index].isStopped {
        showError("took longer than \(limit / 1000) s and was stopped", loop)
      }
      running[index].isStopped = true
    }
    running.removeAll { $0.isStopped && $0.process.stop() }
  }

  private func showError(_ text: String, _ loop: Int64) {
    failure = ("on_announcement: \(command.first ?? "") \(text)", loop + AnnouncementHook.failureMs)
  }

  /// Ends what runs.
  func close() {
    for run in running { run.process.abandon() }
    running = []
  }
}
