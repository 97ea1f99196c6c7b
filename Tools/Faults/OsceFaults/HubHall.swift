import BadNetwork
import ExamStore
import Glibc
import HubRig
import Rig
import Sync

/// A hub and stores of one exam, each at an address of its own, a sheet open for each.
final class HubHall {
  let scratch: ScratchFolder
  let hub: RigHub
  let terminals: [RigTerminal]
  /// The sheet that each store marks, with its assessor; two stores share one.
  let sheets: [(sheet: String, staff: Int)]
  private let programs: String

  /// - Parameters:
  ///   - way: opens a way to the hub for an address, and says where it begins.
  /// - Throws: `RigError` if a program does not do what it should.
  init(
    _ count: Int, in folder: String, programs: String?, hubEnvironment: [String: String] = [:],
    way: (_ hub: RigHub, _ address: String) throws -> String
  ) throws {
    let programs = programs ?? ProcessFacts.ownFolder
    self.programs = programs
    scratch = try ScratchFolder(in: folder)
    let exam = BenchExam(candidates: 50)
    hub = try RigHub(exam, in: scratch.path, programs: programs, environment: hubEnvironment)
    try hub.start()
    var terminals: [RigTerminal] = []
    for index in 0..<count {
      let (hub, url) = (hub, try way(hub, Self.address(index)))
      // The first one is the desk's too.
      let code = try runBlocking { try await hub.code(for: index == 0 ? .lead : .station) }
      let path = scratch.file("store-\(index).sqlite")
      try Self.patiently { terminals.append(try RigTerminal(path, at: url, code: code, programs: programs)) }
    }
    self.terminals = terminals
    let desk = try terminals[0].store()
    let opened = try exam.openSheets((count + 1) / 2, in: desk)
    sheets = (0..<count).map { opened[$0 / 2] }
    for terminal in terminals { try terminal.start() }
    try settle(within: 60)
    // The hub's time is taken at once only while no clock is open.
    try Self.waitForTime(at: desk)
    try exam.startClock(in: desk)
    try settle(within: 60)
  }

  private static func waitForTime(at store: ExamStore) throws {
    for _ in 0..<300 {
      _ = try store.dataVersion()
      if store.clock.hub != nil { return }
      usleep(100_000)
    }
    throw RigError("no estimate of the hub's time after 30 s")
  }

  /// The address of a store's machine.
  static func address(_ index: Int) -> String { "127.0.0.\(10 + index)" }

  /// Until it does not fail any more: a hub that was just started takes a moment.
  private static func patiently(_ body: () throws -> Void) throws {
    for _ in 0..<50 {
      if (try? body()) != nil { return }
      usleep(100_000)
    }
    try body()
  }

  /// How long it took until all were equal, and how the store that was last came there: where it stood still for long
  /// nothing woke it, and where it never did it had little of the processor.
  struct Settling {
    let seconds: Double
    let last: String
  }

  /// How a store comes to have everything.
  private struct Course {
    private var (seen, since): (String, Double) = ("", 0)
    private(set) var (longest, why): (Double, String?) = (0, nil)

    mutating func look(_ terminal: RigTerminal, isLate: Bool, at seconds: Double) throws {
      // It stands still from when it is first seen to be late.
      guard isLate, !seen.isEmpty else {
        (seen, since) = (isLate ? try terminal.progress() : "", seconds)
        return
      }
      let progress = try terminal.progress()
      if seconds - since > longest { (longest, why) = (seconds - since, try terminal.errand()) }
      if progress != seen { (seen, since) = (progress, seconds) }
    }

    var text: String { "stood still for \(decimal(longest, 1)) s at most" + (why.map { " (\($0))" } ?? "") }
  }

  /// Waits until nothing waits anywhere and every store has the end of the hub's log.
  /// - Parameter seconds: for how long a store may stand still; as long as all go on, a slow machine only takes longer.
  /// - Throws: `RigError` where one does, or ten times as much has passed.
  @discardableResult func settle(within seconds: Int) throws -> Settling {
    let (hub, begin) = (hub, now())
    var (courses, last) = (terminals.map { _ in Course() }, 0)
    // Who was the last to have sent all, when, and what it did until then.
    var sent = "nothing waited"
    while now() - begin < Int64(seconds) * 10_000_000_000, courses.allSatisfy({ $0.longest < Double(seconds) }) {
      var late = try terminals.indices.filter { try terminals[$0].waiting() > 0 }
      if let index = late.last {
        let seconds = decimal(Double(now() - begin) / 1e9, 1)
        sent = "store \(index) had sent all only after \(seconds) s: \(try terminals[index].errand())"
      } else {
        let head = try runBlocking { try await hub.head() }
        late = try terminals.indices.filter { try !terminals[$0].has(head) }
      }
      let after = Double(now() - begin) / 1e9
      for index in terminals.indices {
        try courses[index].look(terminals[index], isLate: late.contains(index), at: after)
      }
      if late.isEmpty { return Settling(seconds: after, last: "store \(last) \(courses[last].text); \(sent)") }
      last = late[0]
      usleep(20_000)
    }
    let left = try terminals.map { String(try $0.waiting()) }
    throw RigError(
      "not equal even after \((now() - begin) / 1_000_000_000) s; so many wait in the stores: \(left.joined(separator: ", ")); "
        + courses.indices.map { "store \($0) \(courses[$0].text)" }.joined(separator: ", "))
  }

  /// What is wrong, once all is quiet: each mark has to be everywhere, once, and to count.
  func faults(after told: [MarkingProcess.Drawn]) throws -> [String] {
    let hub = hub
    var faults = try runBlocking { try await hub.examine() }.map { "hub: \($0)" }
    let results = try runBlocking { try await hub.results() }
    for mark in told {
      let result = results[mark.operation] ?? []
      if result.count != 1 {
        faults.append("\(mark.operation) is \(result.count) times at the hub: \(result.joined(separator: ", "))")
      }
      if let one = result.first, one != "applied", one != "conflict" { faults.append("\(mark.operation) is \(one)") }
    }
    var first: (marks: [UInt8], heads: [String])?
    for (index, terminal) in terminals.enumerated() {
      let kept = try terminal.store().read { db in
        let numbered = "FROM operation WHERE hubSeq IS NOT NULL"
        return (
          ids: Set(try String.fetchAll(db, sql: "SELECT id \(numbered)")),
          again: try Int.fetchOne(db, sql: "SELECT count(*) - count(DISTINCT hubSeq) \(numbered)") ?? 0,
          heads: try String.fetchAll(
            db,
            sql: """
              SELECT uuid || heads FROM dataQuestion
              UNION ALL SELECT entity || '/' || entityID || '/' || field FROM fork ORDER BY 1
              """)
        )
      }
      let missing = told.count { !kept.ids.contains($0.operation) }
      if missing > 0 { faults.append("store \(index) lacks \(missing) marks that were told of") }
      if kept.again > 0 { faults.append("store \(index) has \(kept.again) numbers of the hub twice") }
      let table = scratch.file("marks-\(index).csv")
      for words in [["doctor"], ["export", "marks", "--format", "csv", "--out", table]] {
        let run = try Child(onPipe: programs + "/osce", words + ["--store", terminal.path])
        let lines = run.remainingLines()
        if run.wait() != 0 { faults.append("store \(index), osce \(words[0]): \(lines.last ?? "")") }
      }
      let marks = try Files.read(table)
      guard let before = first else {
        first = (marks, kept.heads)
        continue
      }
      if before.marks != marks { faults.append("store \(index) exports other marks than the first") }
      if before.heads != kept.heads { faults.append("store \(index) has other heads than the first") }
    }
    return faults
  }

  /// Ends all of it.
  func close() {
    for terminal in terminals { terminal.close() }
    hub.close()
    scratch.remove()
  }
}
