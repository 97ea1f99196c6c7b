import ExamStore
import GRDB
import Journal

/// What one person did at a station session, step by step from the newest, over all its sheets: what `z` takes back.
///
/// It is read from the journal, so it survives the program. A step is what was saved as one transaction. An operation
/// that takes others back names them; what is undone is no step any more, and taking that back makes it one again.
public enum SessionUndo {
  /// Something that can be undone as one.
  public struct Step: Hashable, Sendable {
    /// The operations in the order in which they were made; `undo` takes them.
    public let operations: [OperationID]
    /// The rows that they changed.
    public let rows: [RowKey]
    /// The names of the fields that they changed.
    public let fields: Set<String>
    /// The sheet that they are on; nil where there are several or none.
    public let sheet: String?
    /// The roster entry of that sheet.
    public let entry: String?
    /// Whether whole sheets went to other candidates.
    public var isOfSheets: Bool { sheet == nil || rows.contains(where: \.isSheet) }
  }

  /// The newest step of a person at a station session that was not undone.
  /// - Parameters:
  ///   - sheet: only what was done to this sheet alone; nil: to any.
  ///   - passingOver: operations that could not be undone: their steps are left out.
  ///   - leavesSigned: whether what was done to a sheet that is signed by now is left out: it stays until that is
  ///     reopened.
  /// - Returns: nil where there is none since the person's first sign-in there.
  public static func last(
    staff: Int, timetable: Int, sheet: String? = nil, passingOver: Set<OperationID> = [],
    leavesSigned: Bool = false, in db: Database
  ) throws -> Step? {
    try walk(staff, timetable, sheet, passingOver, leavesSigned: leavesSigned, db).step
  }

  /// The newest taking back, if nothing was done after it: taking that back in turn does the step again.
  public static func lastUndone(staff: Int, timetable: Int, in db: Database) throws -> Step? {
    try walk(staff, timetable, nil, [], db).undone
  }

  private struct Made {
    let operation: Operation
    let body: OperationBody
  }

  private static func walk(
    _ staff: Int, _ timetable: Int, _ sheet: String?, _ passingOver: Set<OperationID>, leavesSigned: Bool = false,
    _ db: Database
  ) throws -> (step: Step?, undone: Step?) {
    var takenBack: Set<OperationID> = []
    var newestUndo: Step?
    var step: Step?
    var signed: [String: Bool] = [:]
    func isSigned(_ step: Step?) throws -> Bool {
      guard leavesSigned, let step, !step.isOfSheets, let sheet = step.sheet else { return false }
      if let known = signed[sheet] { return known }
      let isSigned =
        try Bool.fetchOne(
          db.cachedStatement(sql: "SELECT signedAt IS NOT NULL FROM dataForm WHERE uuid = ?"), arguments: [sheet])
        ?? false
      signed[sheet] = isSigned
      return isSigned
    }
    try OperationTable.forEachTransaction(
      of: staff, on: rows(of: sheet), [sheet.map { $0.databaseValue } ?? timetable.databaseValue],
      after: try firstSignIn(staff, timetable, db), in: db
    ) { operations in
      let made = try operations.compactMap { operation in
        try operation.body().map { Made(operation: operation, body: $0) }
      }.filter { !takenBack.contains($0.operation.id) }
      let undone = made.flatMap(\.body.undone)
      if !undone.isEmpty {
        takenBack.formUnion(undone)
        // Taking an undoing back does the step again: it is no undoing itself, and the one before it is the newest.
        if try newestUndo == nil && OperationTable.isUndo(made[0].operation.id, in: db) {
          newestUndo = try self.step(made, at: timetable, db)
        }
        return true
      }
      let changes = marking(made)
      guard !changes.contains(where: { passingOver.contains($0.operation.id) }) else { return true }
      let found = try self.step(changes, at: timetable, db)
      if try (sheet == nil || found?.sheet == sheet) && !isSigned(found) { step = found }
      return step == nil
    }
    guard let undone = newestUndo, let last = undone.operations.last else { return (step, nil) }
    // Made after the undoing, the step closes the way forward again.
    let isNewer = try step?.operations.first.map { try OperationTable.isLater($0, than: last, in: db) } ?? false
    return (step, isNewer ? nil : undone)
  }

  /// The rows of a station session's sheets, or of one sheet, as SQL; those that were deleted are among them.
  private static func rows(of sheet: String?) -> String {
    let forms =
      sheet == nil
      ? """
      SELECT f.uuid FROM timetableAttendanceLog e CROSS JOIN dataForm f ON f.attendanceLogID = e.uuid WHERE e.timetableID = ?
      """ : "SELECT uuid FROM dataForm WHERE uuid = ?"
    return """
      WITH forms AS MATERIALIZED (\(forms)) SELECT 'DataForm' AS entity, uuid AS id FROM forms
      UNION ALL SELECT 'DataSection', s.uuid FROM forms f CROSS JOIN dataSection s ON s.dataFormID = f.uuid
      UNION ALL SELECT q.entity, q.uuid FROM forms f CROSS JOIN dataSection s ON s.dataFormID = f.uuid
        CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
      """
  }

  /// Only what is marking: not the making of a sheet, signing, attendance by itself, or who sits where.
  private static func marking(_ made: [Made]) -> [Made] {
    let sheets = made.filter(\.operation.row.isSheet)
    // Sheets that changed candidates: all that went along is one step with them, signatures undone too.
    if sheets.contains(where: { $0.operation.kind == .set }) { return made }
    if !sheets.isEmpty { return [] }
    return made.filter { one in
      one.operation.row.isSection || one.operation.row.isItem && one.operation.kind != .create
    }
  }

  private static func step(_ made: [Made], at timetable: Int, _ db: Database) throws -> Step? {
    var sheets: Set<String> = []
    var isHere = false
    var entry: String?
    for row in Set(made.map(\.operation.row)) {
      guard let place = try RowPlace.of(row, in: db) else { continue }
      sheets.insert(place.sheet)
      entry = place.entry
      isHere = isHere || place.timetable == timetable
    }
    guard isHere else { return nil }
    return Step(
      operations: made.map(\.operation.id), rows: made.map(\.operation.row),
      fields: made.reduce(into: []) { $0.formUnion($1.body.fields.keys) },
      sheet: sheets.count == 1 ? sheets.first : nil, entry: sheets.count == 1 ? entry : nil)
  }

  /// Where the person first sat down at the station session: nothing before it was done there.
  private static func firstSignIn(_ staff: Int, _ timetable: Int, _ db: Database) throws -> Int64 {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT min(o.seq) FROM sitting s JOIN operation o ON o.entity = 'Sitting' AND o.entityID = s.uuid
        WHERE s.staffID = ? AND s.timetableID = ?
        """, arguments: [staff, timetable]) ?? 0
  }
}
