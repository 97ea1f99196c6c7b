import Glibc

/// The machine's clocks, replaceable so that tests can step, jump and reboot.
public struct SystemClock: Sendable {
  /// The wall clock, milliseconds since the Unix epoch.
  public var wall: @Sendable () -> Int64
  /// Milliseconds since the machine was started, suspended time included.
  public var boot: @Sendable () -> Int64
  /// What identifies this start of the machine.
  public var bootID: @Sendable () -> String

  /// - Parameters: see the properties.
  public init(
    wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64,
    bootID: @escaping @Sendable () -> String
  ) {
    self.wall = wall
    self.boot = boot
    self.bootID = bootID
  }

  /// The kernel's clocks.
  public static let live = SystemClock(
    wall: { milliseconds(CLOCK_REALTIME) },
    boot: { milliseconds(CLOCK_BOOTTIME) },
    bootID: {
      readSmallFile("/proc/sys/kernel/random/boot_id", limit: 64).map { String($0.prefix { $0 != "\n" }) } ?? "unknown"
    })

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }
}
