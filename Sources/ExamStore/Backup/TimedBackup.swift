import GRDB
import Glibc
import Journal
import Synchronization

/// The second copy of a store that is made every few minutes, by whichever process comes first.
///
/// The person at the machine says where it goes; the exam, which anyone may have written, at most how often. A failure
/// is a warning to show, never an error to an assessor.
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
    var choice: BackupChoice?
    var lookedAt: Int64?
    var warning: String?
    /// The file that was found to be a backup of this exam.
    var known: FileState?
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

  /// Says where the copy goes; nil: nowhere.
  public func use(_ choice: BackupChoice?) { state.withLock { $0.choice = choice } }

  /// Looks whether a copy is due and makes it, on a thread of its own; returns at once. For screens, once a minute, and
  /// for idle time: calls in quick succession look once.
  public func keep() {
    let now = system.boot()
    let isWorthIt = state.withLock { state in
      if state.choice == nil { return false }
      if let last = state.lookedAt, now - last < TimedBackup.pause { return false }
      state.lookedAt = now
      return true
    }
    // The copy's own disk is only looked at over there: it may be one that does not answer.
    guard isWorthIt else { return }
    thread.submit({ [self] in run() }, refused: { [self] in note(.failed("\($0)")) })
  }

  /// Makes the copy on the calling thread if it is due.
  @discardableResult func run() -> Outcome {
    let outcome: Outcome
    do { outcome = try attempt() } catch { outcome = .failed("\(error)") }
    note(outcome)
    return outcome
  }

  private func note(_ outcome: Outcome) {
    state.withLock { state in
      switch outcome {
      case .failed(let reason): state.warning = "THE TIMED BACKUP FAILED: \(reason)"
      case .made, .notConfigured, .notDue: state.warning = nil
      case .elsewhere: break
      }
    }
  }

  private func attempt() throws -> Outcome {
    guard let choice = state.withLock({ $0.choice }) else { return .notConfigured }
    let (wished, device) = try reader.view { db in (try knowledge.backupMinutes(db), try DeviceBinding.known(db)) }
    let minutes = choice.minutes(wished: wished)
    let aside = choice.unsoundPath
    func isDue() -> Bool {
      self.isDue(choice.path, minutes) && (asideChanged(aside, by: device) == nil || self.isDue(aside, minutes))
    }
    if !isDue() {
      try refuseUnknown(choice.path)
      if let made = asideChanged(aside, by: device), made >= FileFacts.status(choice.path)?.changed ?? 0 {
        throw unsound(choice)
      }
      return .notDue
    }
    guard let place = try BackupPlace.take(choice.path, within: 0) else { return .elsewhere }
    // Another process may have made it between the look and the lock.
    guard isDue() else { return .notDue }
    if try BackupCopy.copy(storeAt: location, lock: lock, to: place, keepsUnsound: false) != nil {
      // Neither the last sound copy is lost nor what was marked since.
      guard let second = try BackupPlace.take(aside, within: 0) else { return .elsewhere }
      _ = try BackupCopy.copy(storeAt: location, lock: lock, to: second, keepsUnsound: true)
      throw unsound(choice)
    }
    state.withLock { $0.known = FileState(choice.path) }
    return .made(path: choice.path)
  }

  private func unsound(_ choice: BackupChoice) -> StoreError {
    let earlier =
      FileState(choice.path) == nil ? "no sound copy is at \(choice.path)" : "\(choice.path) was left as it was"
    return StoreError("the store is NOT SOUND, run: osce doctor; copied to \(choice.unsoundPath), and \(earlier)")
  }

  /// When the copy of this store that is not sound was made; nil where there is none. One that was made before a
  /// restore says nothing of the store that was put there, which writes as another device.
  private func asideChanged(_ path: String, by device: UUIDBytes?) -> Int64? {
    guard let changed = FileFacts.status(path)?.changed, let copy = try? StoreLocation.openAlone(path) else {
      return nil
    }
    defer { try? copy.close() }
    let maker = try? copy.read { db in try DeviceBinding.known(db) }
    return maker == device ? changed : nil
  }

  /// Why a file is no backup of this exam; nil if it is one, or there is none. A file is opened once, until it changes.
  package func objection(to path: String) -> String? {
    do {
      try refuseUnknown(path)
      return nil
    } catch { return "\(error)" }
  }

  /// A file of somebody else that is written all the time would look like a copy that is never due.
  private func refuseUnknown(_ path: String) throws {
    let file = FileState(path)
    if state.withLock({ $0.known }) == file { return }
    try reader.view { db in _ = try EarlierBackup.find(at: path, of: db, in: location) }
    state.withLock { $0.known = file }
  }

  private func isDue(_ path: String, _ minutes: Int) -> Bool {
    guard let changed = FileFacts.status(path)?.changed else { return true }
    let age = system.wall() - changed
    // A copy from the future was made before the wall clock was set back.
    return age >= Int64(minutes) * 60_000 || age < -60_000
  }
}
