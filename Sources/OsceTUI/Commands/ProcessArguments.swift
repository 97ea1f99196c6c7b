import CircuitModel
import ExamStore
import Reports

/// This process's own arguments.
enum ProcessArguments {
  /// The arguments after the program's name.
  ///
  /// Read from the kernel: the runtime looks for them beside the environment, where they are not found any more once a
  /// preloaded library has moved that, as libfaketime does.
  static var own: [String] {
    guard let text = readSmallFile("/proc/self/cmdline", limit: 1 << 22), text.hasSuffix("\0") else {
      return Array(CommandLine.arguments.dropFirst())
    }
    return text.dropLast().split(separator: "\0", omittingEmptySubsequences: false).dropFirst().map(String.init)
  }
}
