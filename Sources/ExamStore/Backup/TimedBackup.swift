import Foundation
import GRDB
import Glibc
import Synchronization

/// The second copy of a store that is made every few minutes, by whichever process comes first.
///
/// Configured by `{"backup":{"path":…,"minutes":5}}` in `Config.settings`, or by `OSCE_BACKUP` and
/// `OSCE_BACKUP_MINUTES`, which stand before it. A failure is a warning to show, never an error to an assessor.
public final class TimedBackup: Sendable {
  private let location: StoreLocation
  private let lock: StoreLock
  private let reader: DatabaseQueue
  private let knowledge: ExamKnowledge
  private let system: SystemClock
  private let state = Mutex(State())
  /// A thread of its own, so that a long copy never holds up a save.
  private let thread = WriterThread()

  private struct State {
    var lookedAt: Int64?
    var warning: String?
  }

  /// How often it is worth looking whether a copy is due, in milliseconds.
  private static let pause: Int64 = 30_000

  /// What came of a look.
  public enum Outcome: Equatable, Sendable {
    /// No timed backup is configured.
    case notConfigured
    /// The copy is young enough.
    case notDue
    /// Another process is at it.
    case elsewhere
    /// A copy was made.
    case made(path: String)
    /// No copy could be made, and why.
    case failed(String)
  }

  init(
    location: StoreLocation, lock: StoreLock, reader: DatabaseQueue, knowing knowledge: ExamKnowledge,
    system: SystemClock
  ) {
    self.location = location
    self.lock = lock
    self.reader = reader
    self.knowledge = knowledge
    self.system = system
  }

  /// What a person ought to know: the last copy that was due could not be made. Nil when all is well.
  public var warning: String? { state.withLock { $0.warning } }

  /// Looks whether a copy is due and makes it, on a thread of its own; returns at once. For screens, once a minute, and
  /// for idle time: calls in quick succession look once.
  public func keep() {
    let now = system.boot()
    let isWorthIt = state.withLock { state in
      if let last = state.lookedAt, now - last < TimedBackup.pause { return false }
      state.lookedAt = now
      return true
    }
    guard isWorthIt else { return }
    let environment = ProcessInfo.processInfo.environment
    // The copy's own disk is only looked at over there: it may be one that does not answer.
    guard (try? settings(environment)) != nil else { return }
    thread.submit { [self] in run(environment: environment) }
  }

  /// Makes the copy on the calling thread if it is due.
  @discardableResult func run(environment: [String: String]) -> Outcome {
    let outcome: Outcome
    do { outcome = try attempt(environment) } catch { outcome = .failed("\(error)") }
    state.withLock { state in
      switch outcome {
      case .failed(let reason): state.warning = "THE TIMED BACKUP FAILED: \(reason)"
      case .made, .notConfigured, .notDue: state.warning = nil
      case .elsewhere: break
      }
    }
    return outcome
  }

  private func attempt(_ environment: [String: String]) throws -> Outcome {
    guard let settings = try settings(environment) else { return .notConfigured }
    guard isDue(settings) else { return .notDue }
    let descriptor = open(location.path + ".backup-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("cannot open \(location.path).backup-lock: \(systemError())") }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return .elsewhere }
    // Another process may have made it between the look and the lock.
    guard isDue(settings) else { return .notDue }
    try BackupCopy.copy(storeAt: location, lock: lock, to: settings.path)
    return .made(path: settings.path)
  }

  private func settings(_ environment: [String: String]) throws -> BackupSettings? {
    BackupSettings.chosen(try reader.view { db in try knowledge.backup(db) }, environment: environment)
  }

  private func isDue(_ settings: BackupSettings) -> Bool {
    guard let changed = FileFacts.status(settings.path)?.changed else { return true }
    let age = system.wall() - changed
    // A copy from the future was made before the wall clock was set back.
    return age >= Int64(settings.minutes) * 60_000 || age < -60_000
  }
}

/// The timed backup as it is configured.
public struct BackupSettings: Equatable, Sendable {
  /// The file that is written, on another disk if there is one.
  public var path: String
  /// How often, in minutes, 1 or more.
  public var minutes: Int

  /// How often a backup is made where nothing else is said.
  public static let usualMinutes = 5

  /// A week.
  private static let mostMinutes = 10_080

  /// - Parameters: see the properties; minutes below 1 count as 1, those beyond a week as a week.
  public init(path: String, minutes: Int = BackupSettings.usualMinutes) {
    self.path = path
    self.minutes = min(max(1, minutes), BackupSettings.mostMinutes)
  }

  /// Reads `{"backup":{"path":…,"minutes":5}}`; nil where there is no backup in it.
  public init?(json: String?) {
    struct Shape: Decodable {
      struct Backup: Decodable {
        var path: String
        var minutes: Int?
      }
      var backup: Backup?
    }
    guard let json, let shape = try? JSONDecoder().decode(Shape.self, from: Data(json.utf8)),
      let backup = shape.backup, !backup.path.isEmpty
    else { return nil }
    self.init(path: backup.path, minutes: backup.minutes ?? BackupSettings.usualMinutes)
  }

  /// What `OSCE_BACKUP` and `OSCE_BACKUP_MINUTES` say, which stands before the exam's own settings.
  public static func chosen(_ settings: BackupSettings?, environment: [String: String]) -> BackupSettings? {
    guard let path = environment["OSCE_BACKUP"], !path.isEmpty else { return settings }
    let minutes = environment["OSCE_BACKUP_MINUTES"].flatMap { Int($0) }
    return BackupSettings(path: path, minutes: minutes ?? settings?.minutes ?? usualMinutes)
  }
}
