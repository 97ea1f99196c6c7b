import Glibc

/// Milliseconds since the machine started, time asleep included. Never steps.
public enum MonotonicClock {
  /// The time now.
  public static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
