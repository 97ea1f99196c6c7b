import Foundation

/// Standard error, for what goes on during a measurement that takes its time: the figures are on standard output.
public enum StandardError {
  /// Writes a line of progress.
  public static func note(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("  \(line)\n".utf8))
  }
}
