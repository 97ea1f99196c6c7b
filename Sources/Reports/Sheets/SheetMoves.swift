import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// A mark sheet that was given from one candidate to another.
public struct SheetMove: Equatable, Sendable {
  /// The sheet's key.
  public let sheet: String
  /// The roster entry that it was on.
  public let from: Place
  /// The one that it went to.
  public let to: Place
  /// How: by which kind of operation, or that it undid a move or did it again.
  public let kind: String
  /// The username of who moved it.
  public let staff: String?
  /// The name of who moved it.
  public let name: String?
  /// When.
  public let time: Instant
  /// Why.
  public let reason: String?

  /// A roster entry, as the roster has it now.
  public struct Place: Equatable, Sendable {
    /// The key.
    public let entry: String
    /// The candidate's number; nil for practice.
    public let number: String?
    /// The round.
    public let round: Int?

    /// `30102 round 4`.
    var text: String { (number ?? "practice") + (round.map { " round \($0)" } ?? "") }
  }

  /// In one line: `moved from 30102 round 4 to 39999 round 5, Dr Ashworth, 13:31:02: wrong row`.
  /// - Parameter day: the sheet's; the time of another day has its date.
  func text(on day: String) -> String {
    "moved from \(from.text) to \(to.text), \(name ?? staff ?? "nobody known"), \(time.text(on: day))"
      + (reason.map { ": \($0)" } ?? "")
  }
}

/// Reads from the journal which sheets were given from one candidate to another.
struct SheetMoves {
  /// All of them, by the sheet's key, each sheet's oldest first.
  private let moves: [String: [SheetMove]]

  init(_ db: Database) throws {
    let usernames = try Usernames(db)
    let sheets = try String.fetchAll(
      db,
      sql: """
        SELECT DISTINCT entityID FROM operation
        WHERE entity = 'DataForm' AND kind NOT IN ('create', 'sign', 'reopen', 'delete') ORDER BY entityID
        """)
    var moves: [String: [SheetMove]] = [:]
    for sheet in sheets {
      var entry: String?
      let history = try OperationTable.history(of: Stored.DataForm.row(sheet), in: db)
        .sorted { ($0.hlc, $0.id) < ($1.hlc, $1.id) }
      for operation in history {
        let opened = OpenedOperation(operation)
        guard let body = opened.body, case .text(let next)? = body.fields[Stored.DataForm.Field.attendanceLog] else {
          continue
        }
        defer { entry = next }
        guard let before = entry, before != next else { continue }
        moves[sheet, default: []].append(
          SheetMove(
            sheet: sheet, from: try Self.place(before, in: db), to: try Self.place(next, in: db),
            kind: try operation.undoing(body, in: db) ?? operation.kind.rawValue,
            staff: operation.staff.flatMap { usernames[Int($0)] },
            name: try operation.staff.flatMap { try personName(of: $0, in: db) },
            time: operation.madeAt, reason: opened.reason))
      }
    }
    self.moves = moves
  }

  /// The moves of a sheet, oldest first.
  func moves(of sheet: String) -> [SheetMove] { moves[sheet] ?? [] }

  /// The moves by which a roster entry lost or got a sheet, oldest first.
  func moves(at entry: String) -> [SheetMove] {
    moves.values.joined().filter { $0.from.entry == entry || $0.to.entry == entry }
      .sorted { ($0.time, $0.sheet) < ($1.time, $1.sheet) }
  }

  private static func place(_ entry: String, in db: Database) throws -> SheetMove.Place {
    let found = try Roster.entry(entry, seat: .lead, in: db)
    return SheetMove.Place(entry: entry, number: found?.candidate?.number, round: found?.round)
  }
}
