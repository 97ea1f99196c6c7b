import CircuitModel
import ExamStore
import Foundation
import GRDB
import Testing

@testable import ExamFiles

/// What cannot be read is not empty: an import that took it for that would take away what the store holds of it.
@Suite("Unreadable exam folder")
struct UnreadableFolderTests {
  /// What stands where a file or folder belongs, so that even root cannot read it as that.
  enum Obstacle: String, CaseIterable {
    case nothing, folder, file, linkToNothing, linkToItself, queue

    func put(at path: String) throws {
      let files = FileManager.default
      try files.removeItem(atPath: path)
      switch self {
      case .nothing: break
      case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .file: #expect(files.createFile(atPath: path, contents: Data("x".utf8)))
      case .linkToNothing: try files.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
      case .linkToItself: try files.createSymbolicLink(atPath: path, withDestinationPath: path)
      case .queue: #expect(mkfifo(path, 0o600) == 0)
      }
    }
  }

  private func loaded(_ exam: Scratch, _ body: (ExamStore, () throws -> [String]) throws -> Void) throws {
    let scratch = Scratch()
    let store = try ExamStore(StoreLocation(path: scratch.path + "/store/exam.sqlite"), .createIfMissing)
    defer { store.close() }
    #expect(try ExamImport.load([exam.path], into: store).report != nil)
    try body(store) {
      try store.read { db in
        try ["user", "availableForm", "typeForm", "timetableAttendanceLog", "additionalStaff", "operation"].flatMap {
          try Row.fetchAll(db, sql: "SELECT * FROM \($0) ORDER BY 1").map { "\($0)" }
        }
      }
    }
    withExtendedLifetime(scratch) {}
  }

  @Test("a sheets folder that is missing or unreadable takes no station's sheet away", arguments: Obstacle.allCases)
  func sheetsFolder(_ obstacle: Obstacle) throws {
    if obstacle == .folder { return }
    let exam = SmallExam()
    // A station that names its sheet itself would be refused for that.
    var plain = exam
    plain.exam = exam.exam.replacingOccurrences(of: ", sheets: A", with: ", rest: true")
      .replacingOccurrences(of: ", C: ben", with: "")
    let folder = plain.write()
    try loaded(folder) { store, contents in
      let before = try contents()
      try obstacle.put(at: folder.path + "/sheets")
      let outcome = try ExamImport.load([folder.path], into: store)
      #expect(outcome.report == nil)
      let errors = outcome.problems.filter { $0.severity == .error }.map(\.description)
      #expect(errors.count == 1)
      #expect(errors.first?.hasPrefix("sheets:1: ") == true && errors.first?.contains("; ") == true, "\(errors)")
      #expect(try contents() == before)
      let isMissing = obstacle == .nothing
      #expect(ExamFolder.read(folder.path).problems.hasErrors == !isMissing, "osce check")
    }
  }

  @Test("an empty sheets folder takes the sheets away only where a person forces it")
  func emptyFolder() throws {
    var exam = SmallExam()
    exam.exam = exam.exam.replacingOccurrences(of: ", sheets: A", with: ", rest: true")
      .replacingOccurrences(of: ", C: ben", with: "")
    let folder = exam.write()
    try loaded(folder) { store, _ in
      try FileManager.default.removeItem(atPath: folder.path + "/sheets/A.yaml")
      let refused = try ExamImport.load([folder.path], into: store)
      #expect(refused.report == nil && refused.problems.contains { $0.description.contains("--force") })
      #expect(
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM availableForm WHERE dsDeleted = 0") } == 1)
      #expect(try ExamImport.load([folder.path], into: store, isForced: true).report != nil)
      #expect(
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM availableForm WHERE dsDeleted = 0") } == 0)
    }
  }

  @Test("an exam that never had sheets may do without the folder")
  func neverHadSheets() throws {
    var exam = SmallExam()
    exam.exam = exam.exam.replacingOccurrences(of: ", sheets: A", with: "")
    let folder = exam.write()
    try FileManager.default.removeItem(atPath: folder.path + "/sheets")
    try loaded(folder) { store, _ in
      let report = try ExamImport.load([folder.path], into: store).report
      #expect(report != nil)
    }
  }

  @Test(
    "a file that cannot be read stops check and import, and changes nothing",
    arguments: ["sheets/A.yaml", "candidates.csv", "staff.csv", "exam.yaml"],
    [Obstacle.nothing, .folder, .linkToNothing, .linkToItself, .queue])
  func file(_ name: String, _ obstacle: Obstacle) throws {
    let folder = SmallExam().write()
    try loaded(folder) { store, contents in
      let before = try contents()
      try obstacle.put(at: folder.path + "/" + name)
      let outcome = try ExamImport.load([folder.path], into: store)
      #expect(outcome.report == nil)
      let told = outcome.problems.filter { $0.severity == .error }
      // Without the sheet it is the station that names it which is wrong.
      if !(obstacle == .nothing && name.hasPrefix("sheets")) { #expect(told.contains { $0.file == name }, "\(told)") }
      #expect(try contents() == before)
      #expect(ExamFolder.read(folder.path).problems.hasErrors)
    }
  }
}
