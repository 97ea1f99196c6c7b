import CircuitModel
import ExamStore
import Terminal

/// Runs the public clock on this process's terminal.
@MainActor
enum WallTerminal {
  /// Shows circuits until the wall is left.
  /// - Parameter bell: nil: the configured one.
  /// - Returns: the exit code.
  /// - Throws: `TerminalError` if there is no usable terminal.
  static func run(
    _ store: ExamStore, _ circuits: [Circuit], bell: Bell? = nil, pages: Bool = false, session: String? = nil
  ) throws -> Int32 {
    try TerminalRun.run(store) { theme in
      let configuration = Configuration.current
      return WallProgram(
        store, circuits: circuits, theme: theme,
        options: .init(
          bell: bell ?? configuration.bell ?? .audible, hasPages: pages, session: session, configuration: configuration)
      )
    }
  }
}
