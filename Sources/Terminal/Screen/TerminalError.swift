/// Why the terminal cannot be used. The description is one line for the user.
public enum TerminalError: Error, Equatable, CustomStringConvertible {
  /// Input or output is a file or a pipe.
  case notATerminal
  /// `TERM` is not set.
  case noType
  /// The terminal type is unknown here, or cannot place a cursor.
  case unusableType(String)
  /// The system refused something; its error number.
  case system(String, code: Int32)

  /// One line: what happened and what to do.
  public var description: String {
    switch self {
    case .notATerminal:
      "this needs a terminal: input or output is a file or a pipe (over ssh, use ssh -t)"
    case .noType:
      "TERM is not set, so the kind of terminal is unknown; try TERM=xterm-256color"
    case .unusableType(let type):
      "the terminal type \(SafeText(type).truncated(to: 40).plain) cannot be used here; try TERM=xterm-256color"
    case .system(let what, let code):
      "the terminal cannot be used: \(what) (system error \(code))"
    }
  }
}
