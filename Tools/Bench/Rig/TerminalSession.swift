import CRig
import Glibc

/// A program on a pseudo-terminal, its screen followed.
public final class TerminalSession {
  /// The program.
  public let child: Child
  /// What it shows.
  public private(set) var screen: ScreenText
  /// How many bytes it has written.
  public private(set) var bytes = 0
  /// How often it has rung the bell.
  public var bells: Int { screen.bells }
  /// Called after each piece of output.
  public var onOutput: (ScreenText) -> Void = { _ in }

  /// Starts a program on a terminal.
  /// - Parameters:
  ///   - environment: added to a small environment of its own: no variable of this process is passed on but PATH.
  /// - Throws: `RigError` if that fails.
  public init(
    _ program: String, _ arguments: [String], terminal: String = "xterm-256color", environment: [String: String] = [:],
    rows: Int = 24, columns: Int = 80
  ) throws {
    var variables = [
      "TERM": terminal, "LANG": "C.UTF-8", "HOME": "/nonexistent", "TZ": "UTC",
      "PATH": Child.environment["PATH"] ?? "/usr/bin:/bin",
    ]
    variables.merge(environment) { $1 }
    screen = ScreenText(rows: rows, columns: columns)
    child = try Child(onTerminal: program, arguments, environment: variables, rows: rows, columns: columns)
  }

  /// Gives the terminal another size; its screen is blank until the program paints it.
  public func resize(rows: Int, columns: Int) {
    rig_resize(child.descriptor, Int32(rows), Int32(columns))
    screen = ScreenText(rows: rows, columns: columns)
  }

  /// The mode words of the terminal.
  public var modes: [UInt32] {
    var words: [UInt32] = [0, 0, 0, 0]
    rig_modes(child.descriptor, &words)
    return words
  }

  /// Takes in what the program writes until nothing came for `quiet` milliseconds.
  /// - Returns: whether the terminal is still open.
  @discardableResult public func pump(quiet: Int) -> Bool {
    while true {
      guard let output = child.read(within: quiet) else { return false }
      if output.isEmpty { return true }
      take(output)
    }
  }

  /// Takes in what the program writes until a time of the monotonic clock, in nanoseconds.
  public func pump(until instant: Int64) {
    while true {
      let left = instant - rig_now()
      if left <= 0 { return }
      guard let output = child.read(within: Int((left + 999_999) / 1_000_000)) else { return }
      take(output)
    }
  }

  /// Waits until the screen is as wanted.
  /// - Throws: `RigError` with the screen's lines if that does not come about.
  public func wait(_ what: String, within milliseconds: Int = 10_000, _ isWanted: (ScreenText) -> Bool) throws {
    let deadline = rig_now() + Int64(milliseconds) * 1_000_000
    while !isWanted(screen) {
      guard rig_now() < deadline, let output = child.read(within: 50) else {
        throw RigError("\(what) did not come; the screen shows:\n" + screen.lines.joined(separator: "\n"))
      }
      take(output)
    }
  }

  /// Answers the identity step as a person does, who has looked: a quicker Enter is refused. A sheet that is open
  /// already asks nothing, and one of somebody whose rotation has not begun asks twice.
  /// - Throws: `RigError` if neither comes.
  public func passIdentityStep() throws {
    try wait("the identity step or the mark sheet") { $0.shows("Check the candidate") || MarkSheetScreen($0).isOpen }
    guard screen.shows("Check the candidate") else { return }
    pump(until: rig_now() + 500_000_000)
    if screen.shows("not due yet: open early") {
      for key in ["E", "\r"] {
        child.type(key)
        pump(until: rig_now() + 500_000_000)
      }
    }
    child.type("\r")
  }

  /// What was on the screen after a piece of output, and when that output was there.
  public struct Piece: Sendable {
    /// Nanoseconds since the key or the start.
    public let time: Int64
    /// The screen with this output.
    public let screen: ScreenText
  }

  /// Types a key and takes the times of what the program writes; the screen is followed only afterwards.
  /// - Parameters:
  ///   - quiet: how many milliseconds without output end it.
  ///   - isIt: what is waited for: while no piece is that, it goes on for a second without output.
  public func react(to key: String, quiet: Int, until isIt: (Piece) -> Bool = { _ in true }) -> [Piece] {
    let bytes = Array(key.utf8)
    let begin = rig_now()
    child.type(bytes)
    let pieces = collect(since: begin, quiet: quiet)
    return pieces.contains(where: isIt) ? pieces : pieces + collect(since: begin, quiet: TerminalSession.patience)
  }

  /// How long a program is given in which other work on the machine holds it up, in milliseconds.
  private static let patience = 1000

  /// Takes the times of what the program writes; the screen is followed only afterwards.
  public func collect(since begin: Int64, quiet: Int) -> [Piece] {
    var pieces: [(Int64, [UInt8])] = []
    while let output = child.read(within: quiet), !output.isEmpty { pieces.append((rig_now() - begin, output)) }
    return pieces.map { time, output in
      take(output)
      return Piece(time: time, screen: screen)
    }
  }

  private func take(_ output: [UInt8]) {
    bytes += output.count
    screen.feed(output)
    if !output.isEmpty { onOutput(screen) }
  }
}
