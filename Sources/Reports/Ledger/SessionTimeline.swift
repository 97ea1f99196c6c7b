import CircuitModel
import ExamStore
import GRDB
import Timer

/// What happened in a session, as far as its clock tells: every phase that was held and everything that was done.
public struct SessionTimeline: Equatable, Sendable {
  /// The session.
  public let session: Session
  /// What happened, run by run, in order of time.
  public let lines: [TimelineLine]
  /// Milliseconds lost to pauses and to waiting for a person, in all runs.
  public let lostMs: Int64
  /// The numbers of the runs that were held for missed stations.
  let reruns: Set<Int>

  /// Reads a session's timeline.
  /// - Parameter instant: as of when; events later than this are listed as still to come.
  public static func read(_ session: Session, at instant: Instant, in db: Database) throws -> SessionTimeline {
    let runs = try Run.all(of: session, in: db)
    let names = try names(in: db)
    let parts = runs.map { RunLines(run: $0, names: names, now: instant) }
    let reruns = try Int.fetchSet(
      db, sql: "SELECT number FROM circuitRun WHERE circuitID = ? AND date = ? AND startTime = ? AND rerun = 1",
      arguments: session.arguments)
    return SessionTimeline(
      session: session, lines: parts.flatMap(\.lines), lostMs: parts.reduce(0) { $0 + $1.timeline.lostMs },
      reruns: reruns)
  }

  /// The staff's names by username.
  private static func names(in db: Database) throws -> [String: String] {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT username, title, forename, surname FROM user WHERE entity = 'Staff' AND username IS NOT NULL
        """)
    let named = rows.compactMap { row -> (String, String)? in
      personName(title: row[1], forename: row[2], surname: row[3]).map { (row[0], $0) }
    }
    return Dictionary(named) { first, _ in first }
  }
}

/// One thing that happened in a session.
public struct TimelineLine: Equatable, Sendable {
  /// When.
  public let at: Instant
  /// What it was.
  public let kind: Kind
  /// In which run of the session, from 1.
  public let run: Int
  /// What happened, in words: `PAUSE 02:15 in ROTATION 3`. Times of day are local.
  public let text: String
  /// The time that it cost so far, in milliseconds: of a pause or a wait; 0 for all else.
  public let lostMs: Int64
  /// Why, where a reason was given.
  public let reason: String?
  /// The name of who did it; nil for what the clock did by itself, and where nobody was named.
  public let who: String?
  /// The passage that it belongs to, for phases, waits and pauses.
  public let passage: Passage?

  /// What a line tells of.
  public enum Kind: String, Sendable, CaseIterable {
    /// A phase was held, with its planned and its real times.
    case phase
    /// A phase was waited for.
    case wait
    /// The time stood still.
    case pause
    /// The clock was started.
    case start
    /// The time went on.
    case resume
    /// A phase was given more or less time.
    case extend
    /// A phase was ended by hand.
    case skip
    /// A phase was begun again.
    case restart
    /// Another phase was gone to.
    case jump
    /// The number of rounds was changed.
    case rounds
    /// The run was ended by hand.
    case stop
    /// An event was taken out.
    case annul
    /// An event that takes no effect, and why.
    case refused
    /// An event whose time has not come.
    case scheduled
  }
}
