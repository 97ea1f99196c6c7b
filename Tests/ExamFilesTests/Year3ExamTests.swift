import Foundation
import Testing

@testable import ExamFiles

@Suite("The exam that the program carries")
struct Year3ExamTests {
  private static let folder = Fixtures.path("year3-osce")

  private static var files: [(path: String, text: String)] {
    let sheets = try! FileManager.default.contentsOfDirectory(atPath: folder + "/sheets").sorted().map {
      "sheets/" + $0
    }
    return (["exam.yaml", "candidates.csv", "staff.csv"] + sheets).map {
      ($0, try! String(contentsOfFile: folder + "/" + $0, encoding: .utf8))
    }
  }

  private static var source: String {
    var text = """
      // swift-format-ignore-file
      // Generated from fixtures/year3-osce; a test holds the two together and, with OSCE_WRITE_YEAR3 set, writes this file anew.

      /// The year 3 exam, carried in the program as an example.
      public enum Year3Exam {
        /// The files of its folder, by path.
        public static let files: [String: String] = [

      """
    for file in files { text += "    \"\(file.path)\": #\"\"\"\n\(file.text)\n\"\"\"#,\n" }
    return text + "  ]\n}\n"
  }

  @Test("is the year 3 exam, byte for byte")
  func same() throws {
    if ProcessInfo.processInfo.environment["OSCE_WRITE_YEAR3"] != nil {
      let path = Fixtures.folder.deletingLastPathComponent().appendingPathComponent(
        "Sources/ExamFiles/Examples/Year3Exam.swift")
      try Self.source.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(Set(Year3Exam.files.keys) == Set(Self.files.map(\.path)))
    for file in Self.files {
      #expect(Year3Exam.files[file.path].map { Array($0.utf8) } == Array(file.text.utf8), "\(file.path) differs")
    }
  }

  @Test("can be read without a disk")
  func read() {
    let (plan, problems) = ExamFolder.read(Year3Exam.files)
    #expect(problems.map(\.message) == ["item 'quality': no key marks 10 levels from 11 to 20; '=' and the value does"])
    #expect(plan?.candidates.count == 30)
    #expect(ExamFolder.read([:]).problems.count == 3)
  }
}
