import CircuitModel
import ExamStore
import Journal

/// One open sheet and the person who marks it, as a terminal has them.
public struct MarkingSeat: Sendable {
  /// The sheet's items that take a level.
  public private(set) var items: [SheetItem]
  /// Who marks.
  public let author: Author

  /// Opens a sheet that is there already.
  /// - Throws: `RigError` if it is not.
  public init(sheet: String, staff: Int, in store: ExamStore) throws {
    guard let found = try store.read({ try Sheet.read(sheet, in: $0) }) else {
      throw RigError("there is no sheet \(sheet)")
    }
    items = found.items.filter { !$0.template.levels.isEmpty }
    author = Author(staff: staff, sitting: UUIDBytes.random())
  }

  /// The item and the level of the nth save (from 0): round the items, each time another level.
  public func next(_ number: Int) -> (index: Int, level: Level) {
    let index = number % items.count
    let levels = items[index].template.levels
    return (index, levels[(number / items.count + index) % levels.count])
  }

  /// Notes what the screen shows after a save.
  public mutating func saved(_ index: Int, _ level: Level, as operation: OperationID) {
    items[index].rating = level.value
    for field in ["rating", "unable", "markedAt", "source", "judgedBy", "enteredBy"] {
      items[index].shown[field] = [operation]
    }
  }

  /// Saves the nth mark on the calling thread.
  /// - Returns: its operation.
  /// - Throws: what the store throws.
  @discardableResult public mutating func save(_ number: Int, in store: ExamStore) throws -> OperationID {
    let (index, level) = next(number)
    let item = items[index]
    let operation = try store.write(author) { try Marking($0).mark(item, level: level) }
    saved(index, level, as: operation)
    return operation
  }
}

extension BenchExam {
  /// Makes the sheets of the first round of one session, one for each assessor.
  /// - Parameter count: how many; at most circuits × stations.
  /// - Returns: sheets with their assessors' keys.
  /// - Throws: what the store throws.
  @discardableResult public func openSheets(_ count: Int, in store: ExamStore) throws -> [(sheet: String, staff: Int)] {
    try (0..<count).map { index in
      let (circuit, station) = (index / BenchExam.stations + 1, index % BenchExam.stations + 1)
      let staff = assessor(circuit: circuit, station: station).key
      let entry = entry(timetable: timetable(circuit: circuit, session: 1, station: station), round: 1)
      let sheets = try store.write(Author(staff: staff)) {
        try SheetGenerator.makeSheets(entry: entry, seat: .lead, in: $0)
      }
      return (sheets[0], staff)
    }
  }
}
