import Foundation
import Testing

/// What the pages tell a reader to run.
@Suite("Pages")
struct PageTests {
  /// The names by which tests can be chosen: targets, suites, and what stands in them.
  private static func testNames() throws -> Set<String> {
    let root = Fixture.root + "/Tests"
    var names = Set(try FileManager.default.contentsOfDirectory(atPath: root))
    let files = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
      names.formUnion(text.matches(of: #/\b(?:struct|class|enum|func|extension) (\w+)/#).map { String($0.output.1) })
    }
    return names
  }

  @Test("name only tests that there are: a promise whose check finds none would pass unseen") func filters() throws {
    let names = try Self.testNames()
    let pages = try FileManager.default.contentsOfDirectory(atPath: Fixture.root + "/docs")
      .filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
    var (missing, count) = ([String](), 0)
    for page in pages + ["README.md", "CONTRIBUTING.md", "deploy/ssh/README.md"] {
      let text = try String(contentsOfFile: Fixture.root + "/" + page, encoding: .utf8)
      for match in text.matches(of: #/--filter (?:"([^"]+)"|'([^']+)'|([\w\\|]+))/#) {
        let suites = (match.output.1 ?? match.output.2 ?? match.output.3 ?? "").replacing("\\", with: "")
        for wanted in suites.split(separator: "|") {
          count += 1
          if !names.contains(where: { $0.contains(wanted) }) { missing.append("\(page): \(wanted)") }
        }
      }
    }
    #expect(missing == [] && count > 30)
  }
}
