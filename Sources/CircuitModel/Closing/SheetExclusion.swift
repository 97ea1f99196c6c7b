import ExamStore
import GRDB
import Journal

extension Rulings {
  /// A mark sheet that the plan expects of one assessor.
  public struct PlannedPlace: Equatable, Sendable {
    /// The roster entry's key.
    public let entry: String
    /// Whose sheet it is.
    public let seat: Seat
    /// The template's key.
    public let form: Int

    /// Makes one from its parts.
    public init(entry: String, seat: Seat, form: Int) { (self.entry, self.seat, self.form) = (entry, seat, form) }
  }

  /// Rules that one assessor's sheet is not to be had or does not count, while what others marked there does. A sheet that
  /// nobody began is made, blank, so that the ruling names it: what another terminal has on it then counts for nothing.
  /// - Throws: `RulingRefusal` without a reason, `SheetRefusal` for an entry that is not there.
  /// - Returns: the ruling's key.
  @discardableResult public static func exclude(
    _ place: PlannedPlace, reason: String, by lead: ExamLead, _ transaction: JournalTransaction
  ) throws -> String {
    try SheetGenerator.makeSheets(
      entry: place.entry, seat: place.seat, form: place.form, in: transaction)
    let sheet = try String.fetchOne(
      transaction.db,
      sql: "SELECT uuid FROM dataForm WHERE attendanceLogID = ? AND seat = ? AND typeID = ? AND dsDeleted = 0",
      arguments: [place.entry, place.seat.name, place.form])
    guard let sheet else { throw RulingRefusal.ofNothing }
    return try make(.exclusion, on: .init(sheet: sheet), reason: reason, by: lead, transaction)
  }

  /// The sheets that the plan expects of one assessor of a candidate at a station.
  /// - Parameters:
  ///   - seat: as a person names it, see `seat(_:of:at:in:)`.
  ///   - circuit: the circuit's name; nil: any.
  ///   - session: date and start; nil: any.
  /// - Throws: `RulingRefusal` where nobody marks at that seat, or the candidate does not come there.
  public static func plannedPlaces(
    _ seat: String, of candidate: String, at station: String, circuit: String?, session: String?, in db: Database
  ) throws -> [PlannedPlace] {
    let seat = try Rulings.seat(seat, of: candidate, at: station, in: db)
    let places = try places(of: candidate, at: station, in: db).filter { place in
      (circuit == nil || place.circuit.name == circuit)
        && (session == nil || place.session.name == session)
    }
    var found: [PlannedPlace] = []
    try SheetWalk.forEach(.tally, at: places, in: db) { sheet in
      if sheet.entry.number == candidate && sheet.seat == seat && sheet.isExpected {
        found.append(PlannedPlace(entry: sheet.entry.key, seat: seat, form: sheet.template.form))
      }
    }
    if found.isEmpty { throw RulingRefusal.ofNothing }
    return found
  }
}
