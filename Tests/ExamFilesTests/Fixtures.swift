import Foundation
import SystemTesting

@testable import ExamFiles

/// Where the repository's examples are.
enum Fixtures {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("fixtures")

  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

/// A folder that is removed when the test is done.
final class Scratch {
  let path: String

  init() {
    path = try! ScratchFolder.make()
    try! FileManager.default.createDirectory(atPath: path + "/sheets", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) { write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) { try! Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name)) }

  func text(_ name: String) -> String { try! String(contentsOfFile: path + "/" + name, encoding: .utf8) }
}

/// A small exam that has nothing wrong; tests change one of its files.
struct SmallExam {
  var exam = """
    exam: Small exam
    timeZone: Europe/London
    phases: [rotation 5 min]
    stations:
      - { code: A, name: First }
      - { code: B, name: Second, rest: true }
      - { code: C, name: Third, sheets: A }
    circuits:
      - { code: X, name: Circuit }
    sessions:
      - date: 2026-12-07
        start: 09:00
        circuits:
          X:
            assessors: { A: ann, C: ben }
            slots: [1, empty, 2]
    """
  var candidates = "number,surname\n1,One\n2,Two\n"
  var staff = "username,surname\nann,Ann\nben,Ben\n"
  var sheet = """
    name: Sheet
    globalRating: global
    borderlineGrade: 2
    sections:
      - name: Section
        items:
          - Washes hands
          - { key: global, text: Global, scale: 1-5 }
    """

  func write() -> Scratch {
    let scratch = Scratch()
    scratch.write("exam.yaml", exam)
    scratch.write("candidates.csv", candidates)
    scratch.write("staff.csv", staff)
    scratch.write("sheets/A.yaml", sheet)
    return scratch
  }

  func read() -> (plan: ExamPlan?, problems: [String]) {
    let scratch = write()
    let result = ExamFolder.read(scratch.path)
    return (result.plan, result.problems.map(\.description))
  }
}
