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

  @Test("is the year 3 exam, byte for byte")
  func same() {
    let carried = Year3Exam.files
    #expect(Set(carried.keys) == Set(Self.files.map(\.path)))
    for file in Self.files {
      #expect(carried[file.path].map { Array($0.utf8) } == Array(file.text.utf8), "\(file.path) differs")
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
