import CircuitModel
import Foundation
import GRDB
import Gzip
import Journal
import Testing

@testable import ExamFiles
@testable import ExamStore
@testable import Reports

/// Stores of the small exam, each in a folder of its own.
final class PackHall {
  let scratch = Scratch()
  private(set) var stores: [ExamStore] = []

  /// - Parameters:
  ///   - copies: stores that are copies of the first.
  ///   - others: stores that imported the exam themselves.
  init(copies: Int, others: Int = 0) throws {
    let exam = SmallExam().write()
    func add(_ number: Int) throws -> ExamStore {
      try ExamStore(StoreLocation(path: scratch.path + "/\(number)/exam.sqlite"), .createIfMissing)
    }
    for number in 0..<others + 1 {
      let store = try add(number)
      stores.append(store)
      let outcome = try withExtendedLifetime(exam) { try ExamImport.load([exam.path], into: store) }
      precondition(outcome.report != nil, "\(outcome.problems)")
    }
    let first = stores[0].location
    #expect(stores[0].close())
    for number in others + 1..<others + 1 + copies {
      let folder = scratch.path + "/\(number)"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try FileManager.default.copyItem(atPath: first.path, toPath: folder + "/exam.sqlite")
      stores.append(try add(number))
    }
    stores[0] = try ExamStore(first)
  }

  deinit { for store in stores { store.close() } }

  func path(_ name: String) -> String { scratch.path + "/" + name }

  @discardableResult func pack(_ store: Int, _ name: String) throws -> String {
    _ = try PackWriter.write(stores[store], to: path(name))
    return path(name)
  }

  @discardableResult func unpack(_ name: String, _ store: Int) throws -> IngestReport {
    try PackReader(path(name)).unpack(into: stores[store])
  }

  /// A roster entry of the exam.
  func entry() throws -> String {
    try stores[0].read { try String.fetchOne($0, sql: "SELECT min(uuid) FROM timetableAttendanceLog") ?? "" }
  }

  func setPresent(_ isPresent: Bool, _ store: Int) throws {
    let entry = try entry()
    try stores[store].write(Author(staff: 1)) {
      _ = try $0.set("TimetableAttendanceLog", entry, ["present": .bool(isPresent)])
    }
  }

  func present(_ store: Int) throws -> Value? {
    let entry = try entry()
    return try stores[store].read {
      try RowTable.of("TimetableAttendanceLog").values(of: entry, in: $0)?["present"]
    }
  }

  func waiting(_ store: Int) throws -> Int { try stores[store].read { try Outbox.waiting($0) } }

  func diagnose(_ store: Int) throws -> Diagnosis {
    try Doctor(stores[store].location, surroundings: MachineSurroundings(freeBytes: { _ in 1 << 40 })).examine()
  }

  /// The lines of a pack.
  func lines(_ name: String) throws -> [String] { try PackHall.lines(at: path(name)) }

  static func lines(at path: String) throws -> [String] {
    var bytes: [UInt8] = []
    try GzipReader.inflate(Array(Data(contentsOf: URL(fileURLWithPath: path)))) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Writes lines as a pack, with the digest that they have.
  func write(_ lines: [String], to name: String, sealed: Bool = true) throws {
    try PackHall.write(lines, at: path(name), sealed: sealed)
  }

  /// Writes a pack again with more in it than its maker gave.
  static func add(_ more: [String], to pack: String, as other: String) throws {
    var lines = try lines(at: pack).dropLast() + more
    lines[0] = lines[0].replacing(/"count":\d+/, with: "\"count\":\(lines.count - 1)")
    try write(Array(lines), at: other)
  }

  static func write(_ lines: [String], at path: String, sealed: Bool = true) throws {
    var bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    if sealed {
      var digest = StreamDigest()
      digest.update(bytes)
      bytes += #"{"count":\#(lines.count - 1),"sha256":"\#(digest.text)"}"#.utf8
      bytes.append(10)
    }
    try Data(PackHall.gzip(bytes)).write(to: URL(fileURLWithPath: path))
  }

  static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    var packed: [UInt8] = []
    let writer = try GzipWriter { packed += $0 }
    try writer.add(bytes)
    try writer.finish()
    return packed
  }
}

extension ExamStore {
  /// A line of a pack for which nobody at this store answers, made in its name: who has a pack can make its hashes again.
  func forged(
    _ row: RowKey, _ fields: [String: Value], kind: OperationKind = .set, id: OperationID = .random(),
    staff: Int64? = nil, saying result: HubResult? = nil
  ) throws -> String {
    let end = try read { try ChainEnd.read($0, device: device) }
    let operation = Journal.Operation.seal(
      id: id, device: device, deviceSeq: end.sequence + 1, tx: .random(), kind: kind, row: row,
      body: OperationBody(fields: fields), hlc: HybridTime.next(after: end.time, wall: clock.now.milliseconds),
      wallTime: clock.wall, staff: staff, schema: OperationTable.schema, prevHash: end.hash)
    let more = result.map { [CanonicalJSON.Member("result", .text($0.description))] } ?? []
    return String(decoding: WireOperation(operation).encoded(adding: more), as: UTF8.self)
  }
}

@Suite("Packs") struct PackTests {
  private func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing was refused"
    } catch { return "\(error)" }
  }

  @Test("bring what was marked elsewhere, once, and acknowledge nothing") func exchange() throws {
    let hall = try PackHall(copies: 1)
    try hall.setPresent(true, 0)
    let waiting = try (hall.waiting(0), hall.waiting(1))
    try hall.pack(0, "a")
    let report = try hall.unpack("a", 1)
    // The terminal of the copy's original, opened anew, is known; its change is not.
    #expect(report.total.applied == 1)
    #expect(report.total.stubs == 0)
    #expect(try hall.present(1) == .bool(true))
    #expect(try hall.waiting(0) == waiting.0)
    #expect(try hall.waiting(1) == waiting.1 + 1)
    let sequence = try hall.stores[1].lastSequence()
    let again = try hall.unpack("a", 1)
    #expect(again.total == IngestReport.Counts(known: report.total.count))
    #expect(try hall.stores[1].lastSequence() == sequence)
    try hall.pack(1, "b")
    try hall.unpack("b", 0)
    for store in 0...1 { #expect(try hall.diagnose(store).failures == []) }
  }

  @Test("between stores that imported the exam themselves, what only travels down stays where it was imported")
  func imported() throws {
    let hall = try PackHall(copies: 0, others: 1)
    try hall.setPresent(true, 0)
    try hall.pack(0, "a")
    let report = try hall.unpack("a", 1)
    #expect(report.total.stubs > 0 && report.total.refused == 0 && report.total.waiting == 0)
    #expect(try hall.present(1) == .bool(true))
    try hall.pack(1, "b")
    try hall.unpack("b", 0)
    for store in 0...1 {
      let diagnosis = try hall.diagnose(store)
      #expect(diagnosis.failures == [])
      #expect(
        !diagnosis.checks.contains { ["parked", "refused", "contradictions"].contains($0.name) && $0.result != .ok })
    }
    let text = try hall.lines("a").joined()
    for name in ["\"One\"", "\\\"One\\\"", "\"ann\"", "\\\"ann\\\""] { #expect(!text.contains(name)) }
  }

  @Test("keep both values where two people set one, and say so") func contradiction() throws {
    let hall = try PackHall(copies: 1)
    try hall.setPresent(true, 0)
    try hall.setPresent(false, 1)
    try hall.pack(0, "a")
    try hall.pack(1, "b")
    try hall.unpack("b", 0)
    try hall.unpack("a", 1)
    for store in 0...1 {
      let attention = try hall.stores[store].read { try Outbox.attention($0, at: hall.stores[store].clock.now) }
      #expect(attention.forks == 1)
    }
    #expect(try hall.present(0) == hall.present(1))
  }

  @Test("that are not whole, or not of this exam, change nothing, and one line says why") func refused() throws {
    let hall = try PackHall(copies: 1)
    try hall.setPresent(true, 0)
    try hall.pack(0, "good")
    let lines = try hall.lines("good")
    let packed = try Array(Data(contentsOf: URL(fileURLWithPath: hall.path("good"))))
    func file(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: hall.path(name)))
    }
    try file("short", packed.dropLast(40))
    try file("more", packed + [1])
    try file("turned", packed.enumerated().map { $0.offset == packed.count / 2 ? $0.element ^ 64 : $0.element })
    try file("text", Array("hello".utf8))
    try file("empty", [])
    try file("bomb", PackHall.gzip([UInt8](repeating: 32, count: 32 << 20)))
    try hall.write(Array(lines.dropLast()), to: "endless", sealed: false)
    try hall.write(Array(lines.dropLast()) + [lines.last!], to: "counted")
    try hall.write(
      lines.map { $0.replacing("\"staff\\\":1", with: "\"staff\\\":2") }, to: "edited", sealed: false)
    try hall.write([lines[0]], to: "fewer")
    try hall.write([lines[0].replacing(/"count":\d+/, with: "\"count\":9223372036854775807")], to: "countless")
    let expected: [(String, String)] = [
      ("short", "cut short"), ("more", "cut short"), ("text", "not a pack"), ("empty", "cut short"),
      ("bomb", "far more"), ("endless", "cut short"), ("counted", "changed after it was made"),
      ("edited", "changed after it was made"), ("fewer", "changed after it was made"),
      ("countless", "changed after it was made"), ("missing", "No such file"),
    ]
    let before = try hall.stores[1].lastSequence()
    for (name, fault) in expected {
      let text = refusal { try hall.unpack(name, 1) }
      #expect(text.contains(fault) && text.contains("nothing was changed"), "\(name): \(text)")
      #expect(!text.contains("\n"))
    }
    #expect(refusal { try hall.unpack("turned", 1) }.contains("nothing was changed"))
    let author = #"\"staff\":1,\"tx\":"#
    let forged = lines.dropLast().map { $0.replacing(author, with: #"\"staff\":2,\"tx\":"#) }
    try hall.write(forged, to: "forged")
    let changed = try #require(lines.firstIndex { $0.contains(author) })
    let header = try #require(try WireJSON.decode(lines[changed].utf8)["header"]?.text)
    let id = try #require(try WireJSON.decode(header.utf8)["id"]?.text)
    let unread = refusal { try PackReader(hall.path("forged")).forEachOperation { _ in } }
    #expect(
      unread.hasSuffix(
        ": entry \(changed), operation \(id), cannot be read (hash); ask for the pack again; nothing was changed"))
    #expect(try hall.stores[1].lastSequence() == before)
    #expect(try hall.unpack("good", 1).total.applied == 1)
  }

  @Test("of another exam, or of one that was imported otherwise, are not taken") func otherExam() throws {
    let hall = try PackHall(copies: 0)
    func other(_ change: (inout SmallExam) -> Void, _ name: String) throws {
      var exam = SmallExam()
      change(&exam)
      let folder = exam.write()
      let store = try ExamStore(StoreLocation(path: hall.path(name + ".d/exam.sqlite")), .createIfMissing)
      defer { store.close() }
      let outcome = try withExtendedLifetime(folder) { try ExamImport.load([folder.path], into: store) }
      #expect(outcome.report != nil, "\(outcome.problems)")
      _ = try PackWriter.write(store, to: hall.path(name))
    }
    try other({ $0.exam = $0.exam.replacing("2026-12-07", with: "2026-12-08") }, "day")
    try other({ $0.staff = "username,surname\nben,Ben\nann,Ann\n" }, "staff")
    try other({ $0.candidates = "number,surname\n1,One\n2,Two\n3,Three\n" }, "later")
    #expect(refusal { try hall.unpack("day", 0) }.contains("is of another exam"))
    let text = refusal { try hall.unpack("staff", 0) }
    #expect(text.contains("Staff 1 is not the same there") && text.contains("nothing was changed"))
    #expect(try hall.unpack("later", 0).total.refused == 0)
  }

  @Test("with a hostile line in them lose that line alone") func hostile() throws {
    let hall = try PackHall(copies: 1)
    try hall.setPresent(true, 0)
    try hall.pack(0, "good")
    var lines = Array(try hall.lines("good").dropLast())
    let last = lines.count - 1
    let hostile = [
      "no json", "{}", #"{"type":"verdict"}"#, #"{"type":"dance"}"#, #"{"type":"erase","bodies":["x"]}"#, "[1]",
      lines[last].replacing("\"salt\":\"", with: "\"salt\":\"A"),
      lines[last].replacing("\\\"present\\\":true", with: "\\\"present\\\":false"),
      String(repeating: "[", count: 100_000),
    ]
    lines.insert(contentsOf: hostile, at: 1)
    lines[0] = lines[0].replacing(/"count":\d+/, with: "\"count\":\(lines.count - 1)")
    try hall.write(lines, to: "bad")
    let report = try hall.unpack("bad", 1)
    #expect(report.setAside.count == hostile.count)
    #expect(report.total.applied == 1)
    #expect(try hall.present(1) == .bool(true))
    #expect(try hall.diagnose(1).failures == [])
    #expect(try hall.diagnose(1).checks.contains { $0.name == "entries" && $0.result == .warning })
  }

  @Test("bring nothing of the plan or its people, whatever they say of a hub, and what comes after it counts")
  func plan() throws {
    let hall = try PackHall(copies: 1, others: 1)
    let row = RowKey(entity: "Staff", id: "1")
    func passcode(_ place: Int) throws -> Value? {
      try hall.stores[place].read { try RowTable.of(row.entity).values(of: row.id, in: $0)?["passcodeHash"] }
    }
    let made = try hall.stores[0].read { try #require(try OperationTable.history(of: row, in: $0).first).id }
    let forged = try [
      hall.stores[0].forged(row, ["passcodeHash": .text("another's")]),
      hall.stores[0].forged(row, ["passcodeHash": .text("another's")], saying: .applied),
      hall.stores[0].forged(row, [:], kind: .delete),
      hall.stores[0].forged(RowKey(entity: "Config", id: "1"), ["settings": .text("{}")]),
      // A second version would void the first.
      hall.stores[0].forged(RowKey(entity: "TimetableAttendanceLog", id: hall.entry()), [:], id: made),
      #"{"type":"verdict","id":"\#(made)","result":"rejected"}"#,
    ]
    try hall.pack(0, "good")
    try PackHall.add(forged, to: hall.path("good"), as: hall.path("forged"))
    for place in 1...2 {
      try hall.unpack("good", place)
      let before = try passcode(place)
      for _ in 1...2 {
        let report = try hall.unpack("forged", place)
        #expect(report.setAside.map(\.why) == Array(repeating: .plan, count: 5) + [.noHub])
        #expect(report.total.applied == 0 && report.total.refused == 0)
        #expect(try passcode(place) == before)
        let lines = try hall.stores[place].read {
          try PackReport(report, madeBy: hall.stores[0].device, at: hall.stores[0].clock.now, in: $0).lines(from: "x")
        }
        #expect(lines.contains { $0.hasPrefix("5 changes of the plan, its people or templates were set aside") })
      }
    }
    try hall.setPresent(true, 0)
    try hall.pack(0, "later")
    for place in 1...2 {
      #expect(try hall.unpack("later", place).setAside.isEmpty)
      #expect(try hall.present(place) == .bool(true))
      let diagnosis = try hall.diagnose(place)
      #expect(diagnosis.failures == [])
      #expect(diagnosis.checks.contains { $0.name == "entries" && $0.result == .warning })
    }
  }

  @Test("bring what a hub has numbered of the plan to a store that has a place there") func planOfHub() throws {
    let hall = try PackHall(copies: 1)
    try hall.stores[1].enrol(
      Enrolment(
        url: "https://hub.example", exam: .random(), epoch: .random(), role: .station,
        enrolledAt: hall.stores[1].clock.now, cursorHash: Array(repeating: 0, count: 32), scope: "{}"))
    let row = RowKey(entity: "Staff", id: "1")
    try hall.pack(0, "good")
    let line = try hall.stores[0].forged(row, ["surname": .text("Abel")], saying: .applied)
    try PackHall.add([line], to: hall.path("good"), as: hall.path("more"))
    #expect(try hall.unpack("more", 1).setAside.isEmpty)
    let surname = try hall.stores[1].read { try RowTable.of(row.entity).values(of: row.id, in: $0)?["surname"] }
    #expect(surname == .text("Abel"))
  }

  @Test("say what a hub had refused, also where the store has gone over to the hub that is filled after it")
  func refusals() throws {
    let hall = try PackHall(copies: 0)
    let store = hall.stores[0]
    let start = LogMark(seq: 0, hash: Array(repeating: 0, count: 32))
    try hall.setPresent(true, 0)
    let change = try #require(try store.ownChain().last)
    try store.enrol(
      Enrolment(
        url: "https://hub.example", exam: .random(), epoch: .random(), role: .station, enrolledAt: store.clock.now,
        cursorHash: start.hash, scope: "{}"))
    try store.ingest(answers: [HubAnswer(id: change.id, hubSeq: 1, result: .rejected(.role))]) { _ in }
    func said() throws -> [HubResult?] {
      var said: [HubResult?] = []
      try PackReader(hall.pack(0, "a")).forEachOperation { if $0.operation.id == change.id { said.append($0.said) } }
      return said
    }
    #expect(try said() == [.rejected(.role)])
    try store.rewind(to: start, epoch: .random(), keepsRefusals: true)
    #expect(try said() == [.rejected(.role)])
  }

  @Test("are for their owner alone and replace nothing but an earlier pack") func files() throws {
    let hall = try PackHall(copies: 0)
    let path = try hall.pack(0, "a")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try hall.pack(0, "a")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: hall.path("notes")))
    #expect(refusal { try hall.pack(0, "notes") }.contains("is not a pack"))
    #expect(try String(contentsOfFile: hall.path("notes"), encoding: .utf8) == "precious")
    try FileManager.default.createSymbolicLink(atPath: hall.path("link"), withDestinationPath: path)
    #expect(refusal { try hall.pack(0, "link") }.contains("is not a pack"))
    #expect(refusal { try hall.pack(0, "0/exam.sqlite") }.contains("is not a pack"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: hall.scratch.path).allSatisfy { !$0.hasSuffix("part") })
  }
}

extension Diagnosis {
  var failures: [String] { checks.filter { $0.result == .failed }.map { "\($0.name): \($0.detail)" } }
}
