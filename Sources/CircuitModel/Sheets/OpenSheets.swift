import ExamStore
import GRDB
import Journal
import Timer

/// Which sheets are open at which terminals of this device.
public enum OpenSheets {
  /// A sheet that is open elsewhere.
  public struct OtherTerminal: Hashable, Sendable {
    /// The sitting that has it open.
    public let sitting: UUIDBytes
    /// Who sits there.
    public let name: String
    /// The terminal's device and, over ssh, the host it is reached from: `pts/3 from 10.0.0.7`.
    public let place: String
    /// Since when it has been open there.
    public let since: Instant?
  }

  /// The living terminals of this device, other than this one, that have a sheet open.
  /// - Parameters:
  ///   - sitting: the asking one.
  ///   - device: this device.
  ///   - isAlive: whether a process is there that was started then; asks the kernel unless told otherwise.
  public static func others(
    _ sheet: String, not sitting: UUIDBytes?, device: UUIDBytes, in db: Database,
    isAlive: (Int32, String?) -> Bool = OpenSheets.isAlive
  ) throws -> [OtherTerminal] {
    try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT s.uuid, s.process, s.processStart, s.tty, s.host, s.heads, u.title, u.forename, u.surname
          FROM sitting s LEFT JOIN user u ON u.dsid = s.staffID
          WHERE s.openSheet = ? AND s.deviceID = ? AND s.ended IS NULL ORDER BY s.began, s.uuid
          """), arguments: [sheet, device.description]
    ).compactMap { row in
      guard let id = UUIDBytes(row["uuid"]), id != sitting, let process = row["process"] as Int32?,
        isAlive(process, row["processStart"])
      else { return nil }
      let terminal = (row["tty"] as String?).map(TerminalInfo.shortName)
      let host = (row["host"] as String?).map { "from \($0)" }
      let place = [terminal, host].compactMap { $0 }.joined(separator: " ")
      return OtherTerminal(
        sitting: id,
        name: personName(title: row["title"], forename: row["forename"], surname: row["surname"]) ?? "somebody",
        place: place.isEmpty ? "process \(process)" : place, since: try since(row["heads"], db))
    }
  }

  /// Makes this terminal the one that has a sheet open: the others are said to have left it.
  /// - Returns: the terminals that it was taken from.
  @discardableResult public static func takeOver(
    _ sheet: String, by sitting: SignIn, device: UUIDBytes, in transaction: JournalTransaction,
    isAlive: (Int32, String?) -> Bool = OpenSheets.isAlive
  ) throws -> [OtherTerminal] {
    let others = try others(sheet, not: sitting.id, device: device, in: transaction.db, isAlive: isAlive)
    for other in others { try transaction.set(Stored.Sitting.self, other.sitting.description, [.openSheet(nil)]) }
    try sitting.open(sheet, in: transaction)
    return others
  }

  /// The terminals that took a sheet from one at which this person sat, and still have it open: it stays theirs
  /// wherever the person opens it next, until it is taken over again.
  public static func takers(
    of sheet: String, from staff: Int, not sitting: UUIDBytes?, device: UUIDBytes, in db: Database,
    isAlive: (Int32, String?) -> Bool = OpenSheets.isAlive
  ) throws -> [OtherTerminal] {
    let others = try others(sheet, not: sitting, device: device, in: db, isAlive: isAlive)
    if others.isEmpty { return [] }
    let ended = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: "SELECT uuid, heads FROM sitting WHERE staffID = ? AND deviceID = ? AND openSheet IS NULL"),
      arguments: [staff, device.description])
    let takings = try ended.compactMap { row -> Journal.Operation? in
      guard let id = HeadsColumn(text: row["heads"])[Stored.Sitting.Field.openSheet].last,
        let operation = try OperationTable.find(id, in: db), operation.sitting?.description != row["uuid"] as String?
      else { return nil }
      return operation
    }
    return others.filter { other in
      takings.contains { taking in
        taking.sitting == other.sitting
          && other.since.map { Instant(stored: taking.hlc.milliseconds) >= $0 } != false
      }
    }
  }

  /// Whether a process is there, no matter who owns it, and is the one that was started then; where that was not
  /// recorded, any of its number.
  public static func isAlive(_ process: Int32, startedAt start: String?) -> Bool {
    ProcessStart.isAlive(process, startedAt: start)
  }

  private static func since(_ heads: String, _ db: Database) throws -> Instant? {
    guard let id = HeadsColumn(text: heads)[Stored.Sitting.Field.openSheet].last else { return nil }
    return try OperationTable.find(id, in: db).map { Instant(stored: $0.hlc.milliseconds) }
  }
}

extension SignIn {
  /// Says which sheet is open at this terminal; nil: none. Costs nothing where that is known already.
  public func open(_ sheet: String?, in transaction: JournalTransaction) throws {
    let statement = try transaction.db.cachedStatement(sql: "SELECT openSheet FROM sitting WHERE uuid = ?")
    guard let row = try ReadRow.fetchOne(statement, arguments: [id.description]), row[0] as String? != sheet else {
      return
    }
    try transaction.set(Stored.Sitting.self, id.description, [.openSheet(sheet)])
  }

  /// Whether this terminal still has a sheet open: false once another has taken it over.
  public func hasOpen(_ sheet: String, in db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM sitting WHERE uuid = ? AND openSheet = ?")
    return try Int.fetchOne(statement, arguments: [id.description, sheet]) != nil
  }
}
