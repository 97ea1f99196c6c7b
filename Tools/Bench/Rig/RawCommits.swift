import CRig
import CircuitModel
import ExamStore

/// Raw durable commits of marks through SQLite's C interface, on a small store of their own: the floor of every save.
public final class RawCommits {
  private let floor: OpaquePointer

  /// - Throws: `RigError`, and what the store throws.
  public init(in scratch: ScratchFolder) throws {
    let (exam, path) = (BenchExam(candidates: 100), scratch.file("raw.sqlite"))
    let store = try exam.load(into: path)
    let sheet = try exam.openSheets(1, in: store)[0]
    var seat = try MarkingSeat(sheet: sheet.sheet, staff: sheet.staff, in: store)
    try seat.save(0, in: store)
    store.close()
    guard let floor = rig_floor_open(path, seat.items[0].key) else { throw RigError("raw saves cannot be made") }
    self.floor = floor
  }

  deinit { rig_floor_close(floor) }

  /// One commit.
  /// - Returns: how long it took, in nanoseconds.
  /// - Throws: `RigError` if it fails.
  public func save(_ number: Int) throws -> Int64 {
    let begin = rig_now()
    guard rig_floor_save(floor, Double(number % 2)) == 0 else { throw RigError("a raw save failed") }
    return rig_now() - begin
  }
}
