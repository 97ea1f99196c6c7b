import CircuitModel
import ExamStore
import GRDB

/// How many of the answers on some sheets a hub has.
public struct HubShare: Equatable, Sendable {
  /// The items that are answered.
  public private(set) var answered = 0
  /// Of these, those of which the hub does not have the standing value.
  public private(set) var unsent = 0

  /// Reads it; nil where no hub is used.
  public static func read(of sheets: [String], in db: Database) throws -> HubShare? {
    guard try Enrolment.exists(db) else { return nil }
    var share = HubShare()
    for sheet in sheets {
      let places = try SheetPlaces.read(sheet: sheet, in: db)
      for item in try Sheet.read(sheet, in: db)?.items ?? [] where !item.isBlank {
        share.answered += 1
        share.unsent += places.place(of: item) == .disk ? 1 : 0
      }
    }
    return share
  }

  /// In a few words: `at the hub`, `3 not at the hub`; nil where nothing is answered.
  public var text: String? {
    if answered == 0 { return nil }
    return unsent == 0 ? "at the hub" : "\(unsent) not at the hub"
  }
}
