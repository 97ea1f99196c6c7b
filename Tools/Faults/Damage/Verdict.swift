import ExamStore
import Reports

/// What became of a damaged store.
public enum Verdict: Equatable, Sendable {
  /// The doctor names it, by these checks.
  case found(String)
  /// The doctor finds nothing, and everything reads as before.
  case identical
  /// The doctor finds nothing, and something reads otherwise.
  case missed(String)
  /// The doctor says something that only who knows SQLite understands.
  case foreignText(String)

  /// Lets the doctor look at a store, and where he finds nothing holds its content against the one before.
  public static func of(_ path: String, before content: String) -> Verdict {
    let diagnosis: Diagnosis
    do {
      diagnosis = try Doctor(StoreLocation(path: path), program: "test").examine()
    } catch { return foreign("\(error)") ?? .found("\(error)") }
    for check in diagnosis.checks where check.name != "integrity" {
      for line in [check.detail] + check.problems {
        if let verdict = foreign("\(check.name): \(line)") { return verdict }
      }
    }
    // What was refused is in the undamaged store too: a person settles it, and it says nothing of damage.
    let failed = diagnosis.checks.filter { $0.result == .failed && $0.name != "outbox" }.map(\.name)
    if !failed.isEmpty { return .found(failed.joined(separator: ", ")) }
    do {
      let now = try StoreContent.read(path)
      return now == content ? .identical : .missed(difference(content, now))
    } catch { return .missed("it cannot be read: \(error)") }
  }

  /// Words of the libraries below.
  private static let foreignWords = [
    "sqlite error", "sqlite_", "malformed", "no such ", "disk image", "databasevalue", "grdb", "syntax error",
    "decoding", "could not", "constraint",
  ]

  private static func foreign(_ line: String) -> Verdict? {
    // Names of tables are named as they are, and an entity that is none is a finding.
    let names = ["grdb_migrations", "sqlite_stat", "sqlite_sequence", "sqlite_autoindex", "no such entity"]
    let text = names.reduce(line.lowercased()) { $0.replacing($1, with: "") }
    return foreignWords.contains { text.contains($0) } ? .foreignText(line) : nil
  }

  private static func difference(_ before: String, _ now: String) -> String {
    let (old, new) = (before.split(separator: "\n"), now.split(separator: "\n"))
    let gone = Set(old).subtracting(new).sorted().first.map { "- \($0.prefix(300))" } ?? ""
    let come = Set(new).subtracting(old).sorted().first.map { "+ \($0.prefix(300))" } ?? ""
    return [gone, come].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
