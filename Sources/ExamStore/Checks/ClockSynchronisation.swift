import Glibc

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
