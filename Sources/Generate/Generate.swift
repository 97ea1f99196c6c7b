import Catalogue
import Foundation

/// Writes what follows from the catalogue: the entities as types with their typed changes, a sample of each for the
/// tests, and the data model page.
///
/// `Generate ROOT` writes below the project's root; `Generate ROOT --check` writes nothing and fails, exit 1, where a
/// file is missing, stale or left over.
@main
enum Generate {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let checks = arguments.contains("--check")
    guard let root = arguments.first(where: { $0 != "--check" }), arguments.count <= 2 else {
      fail("usage: Generate ROOT [--check]", code: 64)
    }
    let catalogue = Catalogue.standard
    let problems = catalogue.problems()
    guard problems.isEmpty else { fail(problems.joined(separator: "\n"), code: 1) }

    let wanted = files(of: catalogue)
    let folder = URL(fileURLWithPath: root)
    let stale = try wanted.keys.sorted().filter { try text(at: folder.appending(path: $0)) != wanted[$0] }
    let leftOver = try generatedPaths(in: folder).filter { wanted[$0] == nil }
    if checks {
      let found = stale.map { "\($0) is stale" } + leftOver.map { "\($0) is left over" }
      if !found.isEmpty { fail(found.joined(separator: "\n") + "\nrun script/generate", code: 1) }
      return
    }
    for path in stale {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((wanted[path] ?? "").utf8).write(to: file, options: .atomic)
    }
    for path in leftOver { try FileManager.default.removeItem(at: folder.appending(path: path)) }
  }

  /// The text of every generated file, by its path from the root.
  private static func files(of catalogue: Catalogue) -> [String: String] {
    let categories = Category.allCases.map { EntitySource(category: $0, catalogue: catalogue) }
    var files = Dictionary(uniqueKeysWithValues: categories.map { ($0.path, $0.text()) })
    files[EntitySamples.path] = EntitySamples(catalogue: catalogue).text()
    files[DataModelPage.path] = DataModelPage(catalogue: catalogue).text()
    return files
  }

  private static func text(at file: URL) throws -> String? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try String(contentsOf: file, encoding: .utf8)
  }

  private static func generatedPaths(in root: URL) throws -> [String] {
    let folder = root.appending(path: EntitySource.folder)
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { "\(EntitySource.folder)/\($0)" }
  }

  private static func fail(_ text: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(code)
  }
}
