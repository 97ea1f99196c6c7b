import Glibc

/// What an examination needs to know of the machine, replaceable in tests.
package struct MachineSurroundings: Sendable {
  package var system: SystemClock
  package var freeBytes: @Sendable (_ folder: String) -> Int64?
  /// Where the timed backup goes.
  package var backup: BackupChoice?
  /// Whether a process of this machine is alive, and is the one that was started then.
  package var isAlive: @Sendable (_ process: Int32, _ start: String?) -> Bool = {
    ProcessStart.isAlive($0, startedAt: $1)
  }
  /// Whether the machine's clock is kept right by a time service; nil if that cannot be told.
  package var isClockSynchronised: @Sendable () -> Bool? = { ClockSynchronisation.live() }
  /// How often the lock is tried, every tenth of a second.
  package var lockAttempts = 20

  package init(
    system: SystemClock = .live,
    freeBytes: @escaping @Sendable (_ folder: String) -> Int64? = { FileFacts.freeBytes(folder: $0) },
    backup: BackupChoice? = nil
  ) {
    self.system = system
    self.freeBytes = freeBytes
    self.backup = backup
  }
}
