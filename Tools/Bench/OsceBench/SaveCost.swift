import ArgumentParser
import CRig
import CircuitModel
import ExamStore
import Rig

/// The cost of one save beside its floor: SQLite's C interface, GRDB and the store itself, taking turns in one run.
struct SaveCost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "One mark through C, through GRDB and through the store, by turns.")

  @Option(help: "How many saves of each.") var rounds = 1000
  @OptionGroup var place: FolderOption

  func run() throws {
    let exam = BenchExam(candidates: 100)
    let (scratch, path, first) = try place.prepare(exam)
    defer { scratch.remove() }
    let sheet = try exam.openSheets(1, in: first)[0]
    var seat = try MarkingSeat(sheet: sheet.sheet, staff: sheet.staff, in: first)
    // Every item once, so that the rows to be changed look as they do in the middle of an exam.
    for number in 0..<seat.items.count * 2 { try seat.save(number, in: first) }
    guard first.close() else { throw RigError("the store could not be closed") }
    try scratch.copyStore(path, to: "c.sqlite")
    try scratch.copyStore(path, to: "grdb.sqlite")

    let store = try ExamStore(StoreLocation(path: path))
    let item = seat.items[0]
    guard let floor = rig_floor_open(scratch.file("c.sqlite"), item.key) else { throw ExitCode.failure }
    let grdb = try GRDBFloor(path: scratch.file("grdb.sqlite"), item: item.key)
    var (rawTimes, grdbTimes, storeTimes) = (Timings(), Timings(), Timings())
    for round in 0..<rounds {
      let rating = Double(round % 2)
      var begin = rig_now()
      guard rig_floor_save(floor, rating) == 0 else { throw RigError("a raw save failed") }
      rawTimes.add(rig_now() - begin)
      begin = rig_now()
      try grdb.save(rating: rating)
      grdbTimes.add(rig_now() - begin)
      // The store alternates between two levels of the same item, as the others do.
      begin = rig_now()
      try seat.save(round % 2 == 0 ? 0 : seat.items.count, in: store)
      storeTimes.add(rig_now() - begin)
    }
    rig_floor_close(floor)
    store.close()
    print("one save of one mark on \(place.folder), \(rounds) of each by turns")
    print("  C        \(rawTimes.line)")
    print("  GRDB     \(grdbTimes.line)")
    print("  store    \(storeTimes.line)")
    print("  ratio to C at p50: GRDB \(ratio(grdbTimes, rawTimes, 0.5)), store \(ratio(storeTimes, rawTimes, 0.5))")
    print("  ratio to C at p99: GRDB \(ratio(grdbTimes, rawTimes, 0.99)), store \(ratio(storeTimes, rawTimes, 0.99))")
    try audit(path, saves: rounds)
  }

  private func ratio(_ one: Timings, _ other: Timings, _ share: Double) -> String {
    decimal(one.microseconds(at: share) / other.microseconds(at: share), 2)
  }

  private func audit(_ path: String, saves: Int) throws {
    let audit = try StoreAudit(path)
    guard audit.problems.isEmpty else { throw RigError(audit.problems.joined(separator: "; ")) }
    print("  afterwards: \(audit.operations) operations in one gapless chain, integrity ok")
  }
}
