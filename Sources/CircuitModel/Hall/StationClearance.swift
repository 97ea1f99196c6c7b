import ExamStore
import GRDB
import Journal
import Timer

/// What a station session still lacks before its assessors can go.
public struct StationClearance: Sendable {
  /// The station session.
  public let station: StationSession
  /// The sheets that are expected or queued for the re-run and lack a signature, a required item or the candidate's
  /// sign-out, in the order of rounds.
  public let open: [OpenSheet]
  /// When the assessors were released; nil: not yet.
  public let releasedAt: Instant?
  /// The name of who let them go.
  public let releasedBy: String?

  /// A sheet that is not complete.
  public struct OpenSheet: Equatable, Sendable {
    /// The round in which the candidate comes.
    public let round: Int?
    /// The round of the re-run in which the candidate comes again; nil where the station is not queued for it.
    public let rerunRound: Int?
    /// What names the candidate and nobody else, see `Candidate.label`.
    public let number: String
    /// Whose sheet it is.
    public let seat: Seat
    /// Which of the station's forms it is; nil where the station has one, or where none has been chosen yet.
    public let form: String?
    /// How many required items are blank. A sheet that was not started has them all.
    public let items: Int
    /// The key in `DataForm`; nil: not started.
    public let sheet: String?
    /// Whether it was started.
    public let isStarted: Bool
    /// Whether it was signed.
    public let isSigned: Bool
    /// What is still to be done before the candidate goes; of several sheets the lead assessor's first has it.
    public let signOut: [SignOut.Step]
  }

  /// Reads the station sessions of a session in the order of the ring, rest stations included.
  public static func read(_ session: Session, in db: Database) throws -> [StationClearance] {
    let places = try StationSession.all(of: session, in: db)
    let queued = try RerunQueue.items(session, in: db).filter { $0.status == .queued }
    let reruns = Dictionary(queued.map { ($0.entry.key, $0.place) }) { first, _ in first }
    var walked: Set<String> = []
    var open: [Int: [OpenSheet]] = [:]
    var signOuts: [String: [SignOut.Step]] = [:]
    for place in places { signOuts.merge(try SignOut.missing(at: place, in: db)) { first, _ in first } }
    try SheetWalk.forEach(.tally, at: places, in: db) { sheet in
      guard sheet.isExpected else { return }
      let entry = sheet.entry
      walked.insert(entry.key)
      let isSigned = sheet.held?.signedAt != nil
      let signOut = sheet.seat == .lead ? signOuts.removeValue(forKey: entry.key) ?? [] : []
      if isSigned && sheet.blanks == 0 && signOut.isEmpty { return }
      open[sheet.place.timetable, default: []].append(
        OpenSheet(
          round: entry.round, rerunRound: reruns[entry.key], number: entry.number, seat: sheet.seat,
          form: sheet.nameAmongSeveral, items: sheet.blanks, sheet: sheet.held?.key,
          isStarted: sheet.held != nil, isSigned: isSigned, signOut: signOut))
    }
    // Somebody recorded absent is expected again where the station is to be made up.
    for item in queued where !item.isRuledOut && !walked.contains(item.entry.key) {
      open[item.station.timetable, default: []].append(
        OpenSheet(
          round: item.entry.round, rerunRound: item.place, number: item.entry.candidate?.label ?? "", seat: .lead,
          form: nil, items: 0, sheet: nil, isStarted: !item.entry.sheets.isEmpty, isSigned: false, signOut: []))
    }
    return try places.map { place in
      let release = try release(of: place.timetable, in: db)
      return StationClearance(
        station: place, open: open[place.timetable] ?? [], releasedAt: release?.at, releasedBy: release?.by)
    }
  }

  /// Lets the assessors of a station session go.
  ///
  /// Whether it is clear is for the screen to show and to ask about: a person may have good reason to let them go.
  /// - Throws: `ClearanceRefusal` if there is no such station session, or with who and when if it is released already.
  public static func release(timetable: Int, _ transaction: JournalTransaction) throws {
    let place = try StationSession.find(timetable, in: transaction.db)
    if let before = try release(of: timetable, in: transaction.db) {
      throw ClearanceRefusal.released(place.stationCode, by: before.by, at: before.at)
    }
    try transaction.set(
      Stored.Timetable.self, timetable,
      [.releasedAt(transaction.clock.now), .releasedBy(transaction.author.staff)])
  }

  /// Takes a release back.
  /// - Throws: `ClearanceRefusal` if there is no such station session, or if it is not released.
  public static func takeBack(timetable: Int, _ transaction: JournalTransaction) throws {
    let place = try StationSession.find(timetable, in: transaction.db)
    guard try release(of: timetable, in: transaction.db) != nil else {
      throw ClearanceRefusal.notReleased(place.stationCode)
    }
    try transaction.set(Stored.Timetable.self, timetable, [.releasedAt(nil), .releasedBy(nil)])
  }

  /// When the assessors of a station session were released; nil: not yet.
  public static func releasedAt(timetable: Int, in db: Database) throws -> Instant? {
    try release(of: timetable, in: db)?.at
  }

  private static func release(of timetable: Int, in db: Database) throws -> (at: Instant, by: String?)? {
    let row = try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT t.releasedAt, u.title, u.forename, u.surname FROM timetable t
          LEFT JOIN user u ON u.dsid = t.releasedByID WHERE t.dsid = ? AND t.releasedAt IS NOT NULL
          """), arguments: [timetable])
    return row.map { (Instant(stored: $0[0]), personName(title: $0[1], forename: $0[2], surname: $0[3])) }
  }
}
