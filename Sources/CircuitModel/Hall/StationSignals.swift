import ExamStore
import GRDB
import Timer

/// What tells whether stations are at work: the last mark on a sheet, and who has signed in.
public struct StationSignals: Sendable {
  /// When the last mark was given, by the key of the roster entry.
  public private(set) var lastMarks: [String: Instant] = [:]
  /// The station sessions at which someone has signed in and not out, by their keys in `Timetable`.
  public private(set) var signedIn: Set<Int> = []
  private var surnames: [Int: String] = [:]

  /// Nothing is known.
  public init() {}

  /// Reads the signals of a session.
  /// - Parameter entries: the roster entries whose sheets are asked about.
  public static func read(_ view: HallView, entries: [RosterEntry], in db: Database) throws -> StationSignals {
    var signals = StationSignals()
    let lastMark = try db.cachedStatement(
      sql: """
        SELECT max(q.markedAt) FROM dataForm f CROSS JOIN dataSection s ON s.dataFormID = f.uuid
          CROSS JOIN dataQuestion q ON q.dataSectionID = s.uuid
        WHERE f.attendanceLogID = ? AND f.dsDeleted = 0
        """)
    for entry in entries {
      if let last = try Int64.fetchOne(lastMark, arguments: [entry.key]) {
        signals.lastMarks[entry.key] = Instant(stored: last)
      }
    }
    let stations = Set(view.board.stations.map(\.timetable))
    signals.signedIn = Set(try OpenTerminal.all(in: db).compactMap(\.timetable)).intersection(stations)
    let people = view.board.stations.compactMap { $0.lead?.staff } + entries.compactMap { $0.candidate?.id }
    let surname = try db.cachedStatement(sql: "SELECT surname FROM user WHERE dsid = ?")
    for person in Set(people) { signals.surnames[person] = try String.fetchOne(surname, arguments: [person]) }
    return signals
  }

  /// The surname of a person; the whole name where none is stored.
  public func surname(of person: Int, named name: String) -> String {
    surnames[person].flatMap { $0.isEmpty ? nil : $0 } ?? name
  }
}
