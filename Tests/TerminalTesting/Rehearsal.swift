import Terminal

/// Plays a program without a terminal and without time: press keys by name, look at the canvas. For tests of screens.
@MainActor
public struct Rehearsal<Program: TerminalProgram> {
  /// The program in its present state.
  public var program: Program
  /// Columns and rows.
  public private(set) var size: Size
  /// What the program asked of the loop so far.
  public private(set) var effects: [TerminalEffect] = []
  /// The time given to keys, in milliseconds; every key adds `pace`.
  public var now: Int64
  /// Milliseconds between two keys. Under 50 they are a burst.
  public var pace: Int64

  /// Starts a program on a terminal of a size.
  public init(_ program: Program, size: Size = Size(width: 80, height: 24), now: Int64 = 0, pace: Int64 = 1_000) {
    self.program = program
    self.size = size
    self.now = now
    self.pace = pace
    send(.resized(size))
  }

  /// Delivers an event; none once the program has exited, as the loop does.
  public mutating func send(_ event: TerminalEvent) {
    if hasExited { return }
    let asked = program.update(event)
    effects += asked
    hasExited = hasExited || asked.contains { if case .exit = $0 { true } else { false } }
  }

  /// Presses keys by their names, in order.
  public mutating func press(_ keys: Key...) {
    for key in keys {
      now += pace
      send(.key(KeyEvent(key, at: now)))
    }
  }

  /// Types a text, character by character; a line break is Enter.
  public mutating func type(_ text: String) {
    for character in text { press(character == "\n" ? .enter : .character(character)) }
  }

  /// Changes the terminal's size.
  public mutating func resize(_ size: Size) {
    self.size = size
    send(.resized(size))
  }

  /// Lets time pass, and delivers the program's deadlines that fall into it.
  public mutating func pass(milliseconds: Int64) {
    let end = now + milliseconds
    while let deadline = program.deadline, deadline <= end {
      let due = max(now, deadline)
      now = due
      send(.deadline(due))
      // A program that asks for the same instant again has nothing more to do at it.
      if program.deadline == deadline { break }
    }
    now = end
  }

  /// The screen now.
  public var canvas: Canvas { program.view(size) }
  /// The screen now as text.
  public var screen: String { canvas.plainText }
  /// True once the program asked to exit.
  public private(set) var hasExited = false
}
