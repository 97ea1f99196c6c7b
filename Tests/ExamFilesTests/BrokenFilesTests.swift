import Foundation
import Testing

@testable import ExamFiles

/// Each folder in `fixtures/broken` holds one mistake, which an import refuses, and each in `fixtures/warned` one oddity
/// of a plan, which it does not; `expected.txt` has the line that must name it.
@Suite("Broken files")
struct BrokenFilesTests {
  static let broken = names(in: "broken")
  static let warned = names(in: "warned")

  private static func names(in folder: String) -> [String] {
    try! FileManager.default.contentsOfDirectory(atPath: Fixtures.path(folder)).sorted().map { folder + "/" + $0 }
  }

  @Test("each mistake is named with its file and line", arguments: broken + warned)
  func mistake(_ name: String) throws {
    let lines = Self.problems(name).map(\.description)
    let expected = try String(contentsOfFile: Fixtures.path(name + "/expected.txt"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    #expect(lines == expected)
    #expect(!expected.isEmpty)
  }

  @Test("a mistake is an error, an oddity only a warning")
  func severities() {
    for name in Self.broken { #expect(Self.problems(name).hasErrors, "\(name)") }
    for name in Self.warned { #expect(!Self.problems(name).hasErrors, "\(name)") }
  }

  @Test("every line is one line that cannot command a terminal")
  func safe() {
    for problem in (Self.broken + Self.warned).flatMap(Self.problems) {
      #expect(problem.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
    }
  }

  @Test("a row that a bundle names and lacks is refused where the store lacks it too") func namedRow() {
    let path = Fixtures.path("warned/bundle-missing-destination/bundle.json")
    #expect(!ExamCheck.problems(of: path).hasErrors)
    #expect(
      BundleReader.read(path) { entity, key, _ in entity == "ClinicGroup" && key == "2" ? entity : nil }.problems == [])
    #expect(BundleReader.read(path).bundle == nil)
  }

  static func problems(_ name: String) -> [Problem] {
    let folder = Fixtures.path(name)
    let bundle = folder + "/bundle.json"
    guard FileManager.default.fileExists(atPath: bundle) else { return ExamFolder.read(folder).problems }
    let problems = ProblemList()
    guard let source = SourceFile(path: bundle, name: "bundle.json", problems: problems) else {
      return problems.problems
    }
    return BundleReader.read(source, stored: nil).problems
  }
}
