/// What the event loop draws on and reads from: a terminal, or memory in tests.
@MainActor
public protocol Screen: AnyObject {
  /// Columns and rows now.
  var size: Size { get }
  /// Descriptor to poll and read keys from; reads never wait.
  var input: Int32 { get }
  /// Descriptor to poll for room while `isStalled`.
  var output: Int32 { get }
  /// Whether the terminal is this process's: false where it goes on in the background of a shell.
  var isInForeground: Bool { get }
  /// True while the terminal has not taken the last frame whole. Frames are dropped then.
  var isStalled: Bool { get }
  /// Shows a canvas. Must not be called while stalled.
  func draw(_ canvas: Canvas)
  /// Works a frame out and keeps it back until `release`. A frame drawn before that takes its place: what is kept back
  /// then goes out before it, in one piece, so that it is never seen.
  func prepare(_ canvas: Canvas)
  /// Shows the frame that was kept back.
  func release()
  /// Goes on sending the last frame.
  func drain()
  /// Reads the terminal's size again. True if it changed.
  func refreshSize() -> Bool
  /// The next frame paints every cell.
  func repaint()
  /// Rings the bell with the next frame.
  func ring()
  /// Gives the terminal to the shell for a while.
  func suspend()
  /// Takes the terminal back, also after someone else had it unasked.
  func resume()
  /// Gives the terminal back for good. A second call does nothing.
  func close()
}

extension Screen {
  /// Memory is nobody else's.
  public var isInForeground: Bool { true }
}
