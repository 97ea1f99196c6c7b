import CircuitModel
import ExamStore
import Foundation
import GRDB
import Journal
import Testing

@testable import OsceTUI

@Suite("Changes in a file") struct PackCommandTests {
  /// Sets marks on the sheet of one candidate at the first station, as that store's terminal would.
  private func mark(_ exam: CommandRunner, item: Int, level: Int) throws {
    try exam.withStore { store in
      let author = Author(staff: 1)
      let entry = try #require(
        try store.read { db in
          let uuid = try String.fetchOne(
            db, sql: "SELECT uuid FROM timetableAttendanceLog WHERE timetableID = 1 ORDER BY \"order\"")
          return try Roster.entry(uuid ?? "", seat: .lead, in: db)
        })
      let key = try store.write(author) { try Attendance.passIdentityStep(entry: entry, seat: .lead, in: $0)[0] }
      let items = try #require(try store.read { try Sheet.read(key, in: $0) }).items
      try store.write(author) { _ = try Marking($0).mark(items[item], level: items[item].template.levels[level]) }
    }
  }

  @Test("two stores that exchanged packs both ways export the same marks, and both are sound") func exchange() throws {
    let (one, other) = (try CommandRunner(), try CommandRunner())
    try mark(one, item: 0, level: 1)
    try mark(one, item: 1, level: 0)
    try mark(other, item: 0, level: 0)
    try mark(other, item: 2, level: 1)
    let (first, second) = (one.folder + "/first.pack", other.folder + "/second.pack")
    #expect(one.run("journal", "--pack", first).code == 0)
    let taken = other.run("journal", "--unpack", first, "--json")
    #expect(taken.code == 0)
    #expect(taken.object["applied"] as? Int ?? 0 > 0 && taken.object["waiting"] as? Int == 0)
    #expect((taken.object["setAside"] as? [Any])?.isEmpty == true)
    #expect(other.run("journal", "--pack", second).code == 0)
    let text = one.run("journal", "--unpack", second)
    #expect(text.code == 0 && text.output.contains("already here"))
    let marks = one.run("export", "marks").output
    #expect(marks == other.run("export", "marks").output)
    #expect(marks.split(separator: "\r\n").contains { $0.contains(",attention,") })
    for exam in [one, other] {
      let doctor = exam.run("doctor")
      #expect(doctor.code == 0, "\(doctor.output)")
      #expect(doctor.output.contains("have two values"))
    }
    let journal = one.run("journal").output
    #expect(other.run("journal", "--unpack", first).output.contains("0 changes new"))
    #expect(one.run("journal").output == journal)
  }

  @Test("what is no pack, and what is asked for twice, is refused in one line") func refused() throws {
    let exam = try CommandRunner()
    let file = exam.folder + "/notes"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
    for arguments in [
      ["--unpack", file], ["--pack", file], ["--unpack", exam.folder + "/none"], ["--pack", exam.store],
    ] {
      let result = CommandRunner.run(["journal"] + arguments + ["--store", exam.store])
      #expect(result.code == 1)
      #expect(result.failure.hasPrefix("osce: ") && result.failure.filter { $0 == "\n" }.count == 1)
      #expect(result.output.isEmpty)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    #expect(exam.run("journal", "--pack", file, "--unpack", file).code == 64)
    #expect(exam.run("journal", "--pack", file, "--entity", "Staff", "--id", "1").code == 64)
  }
}
