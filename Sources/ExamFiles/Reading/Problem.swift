/// One thing that is wrong, or worth a look, in a file that a person wrote.
///
/// It prints as `file:line: message`, always on one line; a warning says so before its message.
/// Nothing that came out of a file reaches the terminal unescaped.
public struct Problem: Hashable, Sendable, CustomStringConvertible {
  /// An error stops an import, a warning does not.
  public enum Severity: Hashable, Sendable {
    case error, warning
  }

  /// Whether this stops an import.
  public let severity: Severity
  /// The file as the person named it, or its path inside the exam folder.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// What is wrong, in one sentence.
  public let message: String

  /// Makes a problem; `line` is raised to 1.
  public init(_ severity: Severity, file: String, line: Int, _ message: String) {
    self.severity = severity
    self.file = file
    self.line = max(1, line)
    self.message = message
  }

  /// Makes a problem at a place.
  init(_ severity: Severity, at place: Place, _ message: String) {
    self.init(severity, file: place.file, line: place.line, message)
  }

  /// The same problem of a file in a folder, as it is named beside other folders: `folder/exam.yaml`.
  func inside(_ folder: String?) -> Problem {
    guard let folder else { return self }
    let path = folder.hasSuffix("/") ? folder + file : "\(folder)/\(file)"
    return Problem(severity, file: path, line: line, message)
  }

  /// `file:line: message` on one line, safe to print.
  public var description: String {
    let word = severity == .warning ? "warning: " : ""
    return Visible.text("\(file):\(line): \(word)\(message)", limit: 4_096)
  }
}

extension Sequence where Element == Problem {
  /// Whether any of them stops an import.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// File by file, line by line, as an editor's problem list wants them.
  public func inFileOrder() -> [Problem] {
    enumerated().sorted {
      ($0.element.file, $0.element.line, $0.offset) < ($1.element.file, $1.element.line, $1.offset)
    }.map(\.element)
  }
}

/// A place in a file: what a problem found later points back to.
public struct Place: Hashable, Sendable {
  /// The file as problems name it.
  public let file: String
  /// The line, from 1.
  public let line: Int

  /// Makes a place.
  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }
}

/// Where the readers put what they find; one for a whole folder.
final class ProblemList {
  private(set) var problems: [Problem] = []
  private var known: Set<Problem> = []
  private var counts: [Problem.Severity: Int] = [:]
  private var brokenFiles: Set<String> = []
  /// A file of noise must not fill the memory with its own faults: of each severity so many are kept. Never of both
  /// together, for warnings must not hide that there is an error.
  private static let limit = 1_000

  /// Whether a file has an error, so that nothing more is to be said of what it holds.
  func hasErrors(in file: String) -> Bool { brokenFiles.contains(file) }

  func error(_ place: Place, _ message: String) {
    brokenFiles.insert(place.file)
    add(.error, place, message)
  }

  func warning(_ place: Place, _ message: String) { add(.warning, place, message) }

  private func add(_ severity: Problem.Severity, _ place: Place, _ message: String) {
    guard counts[severity, default: 0] < Self.limit else { return }
    let problem = Problem(severity, at: place, message)
    guard known.insert(problem).inserted else { return }
    counts[severity, default: 0] += 1
    problems.append(problem)
  }
}
