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

/// What the kernel says of the machine's wall clock.
enum ClockSynchronisation {
  /// What `adjtimex` returns while nobody keeps the clock right (`TIME_ERROR`).
  private static let unsynchronised: Int32 = 5
  /// Room for a `struct timex`, which has 208 bytes.
  private static let room = 512

  /// Whether a time service keeps the clock right; nil if the kernel does not tell.
  static func live() -> Bool? {
    // Swift's view of the C library lacks <sys/timex.h>.
    typealias Adjust = @convention(c) (UnsafeMutableRawPointer) -> Int32
    guard let symbol = dlsym(nil, "adjtimex") else { return nil }
    let adjust = unsafeBitCast(symbol, to: Adjust.self)
    // All zero: nothing is changed, only read.
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
    defer { buffer.deallocate() }
    memset(buffer, 0, room)
    let state = adjust(buffer)
    return state < 0 ? nil : state != unsynchronised
  }
}
