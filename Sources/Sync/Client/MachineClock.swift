import Glibc

/// The machine's steady clock: it also runs while the machine sleeps.
public struct MachineClock: SteadyClock {
  /// The clock.
  public init() {}

  /// Milliseconds since the machine was started.
  public func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Waits; ends early where the task is cancelled.
  public func sleep(milliseconds: Int64) async {
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }
}
