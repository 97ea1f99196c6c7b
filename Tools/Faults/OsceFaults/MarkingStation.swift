import CircuitModel
import ExamStore
import Glibc
import Rig
import SeededNumbers

/// A small exam whose clock runs, for a terminal that marks its first candidate.
struct MarkingStation {
  let scratch: ScratchFolder
  let path: String
  /// The keys of the sheet's items in order.
  let items: [String]
  let sheets: [(sheet: String, staff: Int)]
  let exam = BenchExam(candidates: 10, circuits: 1)

  /// - Parameter sheets: how many stations have a sheet for other processes to mark.
  init(in folder: String, sheets count: Int = 1) throws {
    scratch = try ScratchFolder(in: folder)
    path = scratch.file("store.sqlite")
    let store = try exam.load(into: path)
    try exam.startClock(in: store)
    sheets = try exam.openSheets(count, in: store)
    let sheet = sheets[0].sheet
    items = try store.read { try Sheet.read(sheet, in: $0) }?.items.map(\.key) ?? []
    guard store.close() else { throw RigError("the store could not be closed") }
  }

  /// Opens the sheet in a terminal tall enough for all of it: its lines never move.
  func open(
    _ program: String, through launcher: [String] = [], environment: [String: String] = [:]
  ) throws -> TerminalSession {
    try exam.openTerminal(program, through: launcher, store: path, environment: environment, rows: 40)
  }
}

extension TerminalSession {
  /// Types another mark than the one there on the item in focus, or goes to an item that can be marked.
  func typeMark(_ random: inout Seeded) {
    let sheet = MarkSheetScreen(screen)
    if let item = sheet.focused, item <= BenchExam.markedItems {
      let levels = (0...(item <= 6 ? 1 : 4)).filter { $0 != sheet.marks[item] }
      child.type(String(levels.randomElement(using: &random)!))
    } else {
      child.type("'\(Int.random(in: 1...BenchExam.markedItems, using: &random))\r")
    }
  }
}

/// Nanoseconds of the monotonic clock.
func now() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
