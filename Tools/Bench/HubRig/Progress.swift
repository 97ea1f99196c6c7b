import Foundation

/// Says on standard error what is going on, for a measurement that takes its time; the figures are on standard output.
public func say(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data("  \(line)\n".utf8)) }
