import Glibc
import Terminal

/// A screen in memory, for tests of the event loop: keys come from a pipe, frames are kept.
@MainActor
public final class HeadlessScreen: Screen {
  /// Columns and rows.
  public private(set) var size: Size
  /// The reading end of a pipe.
  public let input: Int32
  /// Always has room.
  public var output: Int32 { writing }
  /// Set to play a terminal that takes no output.
  public var isStalled = false
  /// Frames drawn so far.
  public private(set) var frames: [Canvas] = []
  /// Calls to `repaint`, `ring`, `suspend` and `resume` so far, by name.
  public private(set) var calls: [String] = []
  private var held: Canvas?
  private let writing: Int32
  private var nextSize: Size?
  private var isOpen = true
  private var isHungUp = false

  /// A screen of a size.
  public init(size: Size) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { preconditionFailure("no pipe for a test") }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    input = ends[0]
    writing = ends[1]
    self.size = size
  }

  /// Types bytes as a terminal sends them. At most what a pipe holds, 64 kB.
  public func type(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    _ = write(writing, bytes, bytes.count)
  }

  /// Closes the terminal's other end.
  public func hangUp() {
    if isHungUp { return }
    isHungUp = true
    Glibc.close(writing)
  }

  /// The size that the next `refreshSize` finds.
  public func resize(to size: Size) { nextSize = size }

  /// Keeps the frame.
  public func draw(_ canvas: Canvas) {
    held = nil
    frames.append(canvas)
  }
  /// Keeps the frame back.
  public func prepare(_ canvas: Canvas) { held = canvas }
  /// Keeps the frame that was kept back.
  public func release() {
    if let held { frames.append(held) }
    held = nil
  }
  /// Ends the stall.
  public func drain() { isStalled = false }
  /// Takes the size given to `resize(to:)`.
  public func refreshSize() -> Bool {
    defer { nextSize = nil }
    guard let nextSize, nextSize != size else { return false }
    size = nextSize
    return true
  }
  /// Noted.
  public func repaint() { calls.append("repaint") }
  /// Noted.
  public func ring() { calls.append("ring") }
  /// Noted.
  public func suspend() { calls.append("suspend") }
  /// Noted.
  public func resume() { calls.append("resume") }
  /// Closes the pipe.
  public func close() {
    if !isOpen { return }
    isOpen = false
    hangUp()
    Glibc.close(input)
  }
}
