import Damage
import Foundation
import GRDB
import SeededNumbers
import SystemTesting
import Testing

@testable import ExamStore
@testable import Reports

/// A few of what `script/faults corruptions` and `script/faults changes` do by the thousand.
@Suite("A damaged store") struct DamagedStoreTests {
  private static var caseCount: Int { getenv("OSCE_CASES").flatMap { Int(String(cString: $0)) } ?? 15 }

  private func inExam(_ body: (DamagedExam, _ folder: String) throws -> Void) throws {
    let folder = try ScratchFolder.make()
    let work = folder + "/work"
    try FileManager.default.createDirectory(
      atPath: work, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(try DamagedExam.make(in: folder), work)
  }

  @Test("that nobody damaged is sound") func sound() throws {
    try inExam { exam, folder in
      for path in [exam.closed, exam.open] {
        try Data().write(to: URL(fileURLWithPath: path + ".lock"))
        chmod(path + ".lock", 0o600)
        let diagnosis = try Doctor(StoreLocation(path: path), program: "test").examine()
        // It holds what was refused, which a person has to settle.
        #expect(diagnosis.failures.map { $0.prefix(7) } == ["outbox:"])
        for name in ["contradictions", "parked", "refused"] { #expect(diagnosis.result(name) == .warning, "\(name)") }
        #expect(diagnosis.result("erasures") == .ok)
        let verdict = Verdict.of(path, before: try exam.content(of: path))
        #expect("\(verdict)" == "identical", "a line about it is in words of a damage")
      }
    }
  }

  @Test("whose list of tables names a table otherwise is not sound") func renamedTable() throws {
    try inExam { exam, folder in
      let path = folder + "/renamed.sqlite"
      try FileManager.default.copyItem(atPath: exam.closed, toPath: path)
      do {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA writable_schema = 1")
          try db.execute(
            sql: "UPDATE sqlite_master SET tbl_name = 'dataFOrm' WHERE type = 'table' AND name = 'dataForm'")
        }
        try queue.close()
      }
      chmod(path, 0o600)
      let diagnosis = try Doctor(StoreLocation(path: path), program: "test").examine()
      #expect(diagnosis.failures.contains { $0.contains("the table dataForm was changed") }, "\(diagnosis.failures)")
    }
  }

  @Test("whose deleted row is marked with another number is not sound") func otherTruth() throws {
    try inExam { exam, folder in
      let path = folder + "/marked.sqlite"
      try FileManager.default.copyItem(atPath: exam.closed, toPath: path)
      let queue = try DatabaseQueue(path: path)
      let changed = try queue.write { db in
        try db.execute(sql: "UPDATE studentGroup SET dsDeleted = 7 WHERE dsDeleted = 1")
        return db.changesCount
      }
      try queue.close()
      #expect(changed > 0)
      let diagnosis = try Doctor(StoreLocation(path: path), program: "test").examine()
      #expect(
        diagnosis.failures.contains { $0.contains("dsDeleted is stored as 7, the journal says 1") },
        "\(diagnosis.failures)")
    }
  }

  @Test("is named by the doctor, or reads as before: random damage to its bytes") func corruptions() throws {
    try inExam { exam, folder in
      let contents = (try exam.content(of: exam.closed), try exam.content(of: exam.open))
      let seed = Seeded.seed
      for number in 0..<UInt64(DamagedStoreTests.caseCount) {
        let damage = try Corruption(exam, into: folder, seed: seed &+ number)
        let verdict = Verdict.of(damage.path, before: damage.isOpen ? contents.1 : contents.0)
        #expect(verdict.isGood, "OSCE_SEED=\(seed), number \(number): \(damage.description): \(verdict)")
      }
    }
  }

  @Test("is named by the doctor, or reads as before: changes by SQL") func changes() throws {
    try inExam { exam, folder in
      let content = try exam.content(of: exam.closed)
      let seed = Seeded.seed
      for number in 0..<UInt64(DamagedStoreTests.caseCount) {
        let change = try TypedChange(exam, into: folder, seed: seed &+ number)
        let verdict = Verdict.of(change.path, before: content)
        #expect(verdict.isGood, "OSCE_SEED=\(seed), number \(number): \(change.description): \(verdict)")
      }
    }
  }

  @Test("has the same faults in its rows by what was kept of each as by replaying every one") func replayed() throws {
    try inExam { exam, folder in
      let seed = Seeded.seed
      var compared = 0
      for number in 0..<UInt64(DamagedStoreTests.caseCount) {
        let change = try TypedChange(exam, into: folder, seed: seed &+ number)
        let store = try DatabaseQueue(path: change.path, configuration: Connection.configuration(readOnly: false))
        defer { try? store.close() }
        // Some changes make a file that cannot even be read to an end.
        try? store.read { db in
          var (kept, replayed, other) = (Diagnosis(), Diagnosis(), Diagnosis())
          guard let journal = try? JournalCheck.run(db, &other), journal.isWhole else { return }
          compared += 1
          let text = "OSCE_SEED=\(seed), number \(number): \(change.description)"
          let one = Result { try RowCheck.run(db, journal, &kept) }
          let all = Result { try RowCheck.run(db, journal, replaysAll: true, &replayed) }
          #expect(((try? one.get()) == nil) == ((try? all.get()) == nil), "\(text)")
          #expect(kept.checks == replayed.checks, "\(text)")
        }
      }
      #expect(compared > DamagedStoreTests.caseCount / 16, "OSCE_SEED=\(seed): \(compared) compared")
    }
  }
}

extension Verdict {
  fileprivate var isGood: Bool {
    switch self {
    case .found, .identical: true
    case .missed, .foreignText: false
    }
  }
}
