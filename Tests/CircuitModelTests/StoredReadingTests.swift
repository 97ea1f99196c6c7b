import Foundation
import GRDB
import Journal
import Testing

@testable import CircuitModel
@testable import ExamStore

/// What a file holds was not always written by a program: reading it must neither end the program nor go on for ever.
@Suite("Values that no program wrote") struct StoredReadingTests {
  private func spoil(_ exam: MarkedExam, _ sql: String) throws {
    try exam.store.outsideTransaction { try $0.execute(sql: sql) }
  }

  @Test(
    "a chain's end that cannot be stops a save in one line",
    arguments: ["lastSeq = 9223372036854775807", "lastSeq = -1", "lastHash = 0", "lastHash = 1.5"])
  func chain(_ change: String) throws {
    let exam = try MarkedExam()
    let key = try exam.open(1).key
    try spoil(exam, "UPDATE chain SET \(change)")
    let error = #expect(throws: StoreError.self) { try exam.mark(key, item: 1, level: 2) }
    #expect(error?.description.hasPrefix("the journal holds a broken last") == true, "\(error?.description ?? "")")
  }

  @Test(
    "a mark's place that cannot be ends no look at what was done",
    arguments: ["deviceSeq = 9223372036854775807", "txSize = 9223372036854775807", "txIndex = -9223372036854775808"])
  func place(_ change: String) throws {
    let exam = try MarkedExam()
    try exam.mark(try exam.open(1).key, item: 1, level: 2)
    try spoil(exam, "UPDATE operation SET \(change) WHERE seq = (SELECT max(seq) FROM operation)")
    #expect(throws: StoreError.self) {
      try exam.store.read { try SessionUndo.last(staff: 1, timetable: 1, in: $0) }
    }
  }

  @Test("a change that takes itself back is gone through once", .timeLimit(.minutes(15))) func circle() throws {
    let exam = try MarkedExam()
    try exam.mark(try exam.open(1).key, item: 1, level: 2)
    let id = try exam.store.read { try OperationTable.fetch("true", [], in: $0).last!.id }
    let body = OperationBody(fields: ["rating": .null], replaces: [OperationBody.undoing: [id]])
    try exam.store.outsideTransaction { db in
      let sealed = Operation.seal(
        id: id, device: exam.store.device, deviceSeq: 1, tx: id, txIndex: 0, txSize: 1, kind: .set,
        row: RowKey(entity: "RatingQuestion", id: "x"), body: body, hlc: HybridTime(raw: 1), wallTime: 0, clockError: 0,
        examTime: nil, staff: nil, sitting: nil, reason: nil, schema: OperationTable.schema,
        prevHash: Operation.genesisHash)
      try db.execute(
        sql: "UPDATE operation SET body = ? WHERE id = ?",
        arguments: [sealed.sealedBody.map { Data($0) }, id.description])
    }
    let (named, depth) = try exam.store.read { db in
      (
        try OperationTable.find(id, in: db)?.body()?.undone,
        try OperationTable.undoDepth(of: id, in: db)
      )
    }
    #expect(named == [id] && depth == 0)
  }

  @Test("an item is counted whatever the template that it was made from holds") func template() throws {
    let exam = try MarkedExam()
    let sheet = try exam.open(1)
    try exam.store.write(exam.author) {
      try $0.set("RatingQuestion", sheet.items[0].key, ["note": .text("slow")])
    }
    for content in ["[\"abc\"]", "[1]", "[{\"items\":[\"abc\", 1]}]", "[{\"items\":\"abc\"}]", "\"abc\""] {
      try spoil(exam, "UPDATE formVersion SET content = '{\"sections\":\(content)}'")
      let answered = try exam.store.read {
        try Int.fetchOne($0, sql: "SELECT sum(\(AnsweredItem.condition)) FROM dataQuestion q")
      }
      #expect(answered == 0, "\(content)")
    }
  }

  @Test("rows are read as rows of a file that anything may have written: GRDB's own way ends the program")
  func sources() throws {
    let root =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path + "/Sources"
    var found: Set<String> = []
    for name in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? []
    where name.hasSuffix(".swift") {
      let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
      if text.contains(/\bRow\.fetch/) { found.insert(name) }
    }
    #expect(
      found == [
        "ExamStore/Store/StoredReading.swift", "ExamStore/Checks/StoredCell.swift",
      ])
  }
}
