import CircuitModel
import ExamStore
import GRDB

/// Some items of a sheet as they stand on the disk.
struct ReadItems: Sendable {
  let items: [SheetItem]
  let looks: [SheetPlaces.Look]
  /// The last operation that is in them.
  let sequence: Int64

  /// - Returns: nil if one of the items is gone.
  static func read(_ items: [SheetItem], _ places: SheetPlaces, in db: Database) throws -> ReadItems? {
    let read = try items.compactMap { try SheetItem.read($0, in: db) }
    guard read.count == items.count else { return nil }
    return ReadItems(
      items: read, looks: try read.map { try places.look(at: $0, in: db) }, sequence: try ExamStore.lastSequence(db))
  }
}
