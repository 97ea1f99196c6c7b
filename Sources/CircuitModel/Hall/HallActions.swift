import ExamStore
import GRDB
import Journal

/// What was done in the hall, read from the journal: what the desk announces, takes back and does again.
public enum HallActions {
  /// Actions since an operation, the newest first.
  /// - Parameter sequence: the operation's number in the order of arrival.
  public static func all(after sequence: Int64, in db: Database) throws -> [HallAction] {
    var found: [HallAction] = []
    try forEach(after: sequence, in: db) { made, last in
      if let action = try action(made, last, db) { found.append(action) }
      return found.count < 50
    }
    return found
  }

  /// The newest action that stands, or the undoing that is newer than all of them; nil where nothing was done.
  public static func newest(in db: Database) throws -> HallAction? {
    var found: HallAction?
    try walk(in: db) { action, _ in
      found = action
      return false
    }
    return found
  }

  /// What can be undone, the newest first: neither an undoing nor what was undone.
  /// - Parameter most: how many are looked for.
  public static func undoable(most: Int, in db: Database) throws -> [HallAction] {
    var found: [HallAction] = []
    try walk(in: db) { action, isUndo in
      if !isUndo { found.append(action) }
      return found.count < most
    }
    return found
  }

  /// The newest undoing that was not done again since; nil where there is none.
  public static func lastUndone(in db: Database) throws -> HallAction? {
    var found: HallAction?
    var given: [HallAction.Clock] = []
    try walk(in: db) { action, isUndo in
      given += action.clocks.filter { $0.target == nil }
      if isUndo, try !action.isClockUndo || !events(takenOutBy: action, in: db).isEmpty {
        let again = try events(takenOutBy: action, in: db).filter { taken in
          given.contains {
            $0.event.kind == taken.event.kind && $0.event.at == taken.event.at && $0.session == taken.session
          }
        }
        if again.isEmpty { found = action }
      }
      return found == nil
    }
    return found
  }

  /// The events that annuls of an action have taken out.
  public static func events(takenOutBy action: HallAction, in db: Database) throws -> [HallAction.Clock] {
    try events(takenOutBy: action.clocks, in: db)
  }

  /// The events that annuls have taken out.
  static func events(takenOutBy clocks: [HallAction.Clock], in db: Database) throws -> [HallAction.Clock] {
    try clocks.compactMap { clock in
      guard let target = clock.target else { return nil }
      let event = try Run.all(of: clock.session, in: db).lazy.flatMap { $0.events + $0.barred }.first {
        $0.id == target
      }
      return event.map { HallAction.Clock(session: clock.session, circuit: clock.circuit, event: $0) }
    }
  }

  /// Goes through actions from the newest on, those that were undone left out.
  private static func walk(in db: Database, _ body: (HallAction, _ isUndo: Bool) throws -> Bool) throws {
    var takenBack: Set<OperationID> = []
    var annulled: Set<String> = []
    try forEach(after: 0, in: db) { made, last in
      let left = made.filter { !takenBack.contains($0.id) }
      let undone = try left.flatMap { try $0.body()?.undone ?? [] }
      takenBack.formUnion(undone)
      guard let action = try action(left, last, db) else { return true }
      annulled.formUnion(action.clocks.compactMap(\.target))
      if !undone.isEmpty {
        // The undoing of an undoing does the action again: it is found where it was done.
        return try !OperationTable.isUndo(left[0].id, in: db) || body(action, true)
      }
      if action.isClockUndo { return try body(action, true) }
      if !action.clocks.isEmpty, action.clocks.allSatisfy({ annulled.contains($0.event.id) || $0.target != nil }) {
        return true
      }
      return try body(action, false)
    }
  }

  /// Entities that only the desk and commands change.
  private static let ofDesks = [
    Stored.ClockEvent.entityName, Stored.HallMessage.entityName, Stored.SlotTable.entityName,
    Stored.RerunEntry.entityName,
  ]

  /// Entities that stations change as well.
  private static let ofAll = [
    Stored.TimetableAttendanceLog.entityName, Stored.Timetable.entityName, Stored.Student.entityName,
    Stored.AssistanceRequested.entityName, Stored.StationIncident.entityName,
  ]

  private static let condition = """
    o.entity IN (\(listed(ofDesks)))
      OR o.entity IN (\(listed(ofAll))) AND o.sitting IN (SELECT uuid FROM sitting WHERE timetableID IS NULL)
    """

  private static func listed(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }

  private static func forEach(
    after sequence: Int64, in db: Database, _ body: ([Operation], Int64) throws -> Bool
  ) throws {
    try OperationTable.forEachTransaction(where: condition, after: max(0, sequence), in: db, body)
  }
}
