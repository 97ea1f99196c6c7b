/// What happens to a program.
public enum TerminalEvent: Equatable, Sendable {
  /// The loop begins, or the terminal has another size.
  case resized(Size)
  /// A key was pressed.
  case key(KeyEvent)
  /// Text was pasted.
  case paste(String)
  /// What was typed is no UTF-8: the terminal sends another character set.
  case unreadable
  /// Another thread called `Waker.wake()`, once or many times.
  case woken
  /// The frame of `prerender` is on the screen, at the instant for which it was made, in milliseconds.
  case prerenderShown(Int64)
  /// The program's deadline has come; the time in milliseconds.
  case deadline(Int64)
  /// The terminal is gone. Nothing more is drawn; commit what is open and exit. Told once. The loop ends by itself
  /// after `EventLoop.hangupGrace`.
  case hangup
  /// The process was asked to end (SIGTERM or SIGINT, its number).
  case terminated(Int32)
  /// The process will be stopped now: release locks before returning.
  case suspending
  /// The process goes on after it was stopped.
  case resumed
}

/// What a program asks of the loop.
public enum TerminalEffect: Equatable, Sendable {
  /// End the loop with this exit code.
  case exit(Int32)
  /// Paint the whole screen again, for a terminal that something else has written on.
  case repaint
  /// Ring the terminal's bell once.
  case bell
  /// The screen shows what it showed before: draw nothing. Counts only if it is the only effect.
  case unchanged
}

/// A program on the terminal: state, `update`, `view`.
@MainActor
public protocol TerminalProgram {
  /// Changes the state for one event. Must not wait for a disk, a lock or the network, but after `.hangup`,
  /// `.terminated` and `.suspending`.
  mutating func update(_ event: TerminalEvent) -> [TerminalEffect]
  /// The screen for the state. Must not change anything; called once for all input that was there together.
  func view(_ size: Size) -> Canvas
  /// When `.deadline` is wanted, in milliseconds of the loop's clock; nil for never.
  var deadline: Int64? { get }
  /// When the screen is going to change by itself, in milliseconds of the loop's clock, if what it will show then can
  /// be drawn before; nil otherwise. Many terminals of one machine then need no more than a write each at that instant.
  var prerenderDue: Int64? { get }
  /// The screen as it will be at `prerenderDue`. What is shown until then stays as it is.
  mutating func prerender(_ size: Size) -> Canvas
}

extension TerminalProgram {
  /// Nothing is drawn before its time.
  public var prerenderDue: Int64? { nil }
  /// The screen now.
  public mutating func prerender(_ size: Size) -> Canvas { view(size) }
}
