import Foundation
import Testing

@testable import ExamFiles

/// Each folder in `fixtures/broken` holds one mistake and, in `expected.txt`, the line that must name it.
@Suite("Broken files")
struct BrokenFilesTests {
  static let names = try! FileManager.default.contentsOfDirectory(atPath: Fixtures.path("broken")).sorted()

  @Test("each mistake is named with its file and line", arguments: names)
  func mistake(_ name: String) throws {
    let lines = Self.problems(name).map(\.description)
    let expected = try String(contentsOfFile: Fixtures.path("broken/\(name)/expected.txt"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    #expect(lines == expected)
    #expect(!expected.isEmpty)
  }

  @Test("every line is one line that cannot command a terminal")
  func safe() {
    for problem in Self.names.flatMap(Self.problems) {
      #expect(problem.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
    }
  }

  static func problems(_ name: String) -> [Problem] {
    let folder = Fixtures.path("broken/" + name)
    let bundle = folder + "/bundle.json"
    guard FileManager.default.fileExists(atPath: bundle) else { return ExamFolder.read(folder).problems }
    let problems = ProblemList()
    guard let source = SourceFile(path: bundle, name: "bundle.json", problems: problems) else {
      return problems.problems
    }
    return BundleReader.read(source).problems
  }
}
