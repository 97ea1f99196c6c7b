import CircuitModel
import ExamStore
import GRDB

/// What there is to do for a candidate at a station, and what was written of them, as one seat sees it.
public struct RosterWork: Sendable {
  /// The required items that are blank, by their numbers in the sheet, and what sections lack.
  public private(set) var blanks: [Int] = []
  /// How much sections lack.
  public private(set) var facts = 0
  /// Whether a sheet that was started is not signed.
  public private(set) var isUnsigned = false
  /// Whether a sheet that is expected was not started.
  public private(set) var isNotStarted = false
  /// Whether nothing is due of the candidate, who is excused here or left out.
  public private(set) var isExcused = false
  /// Whether a sheet that lacks something is ruled out.
  private var hasRuledOut = false
  /// Comments and concerns on the candidate.
  public private(set) var comments = 0, concerns = 0

  /// Nothing to do, and nothing written.
  public init() {}

  /// How much is required and blank.
  public var blankCount: Int { blanks.count + facts }

  /// Whether what is lacking is ruled out, all of it.
  public var isRuledOut: Bool { hasRuledOut && !isUnsigned && !isNotStarted && blankCount == 0 }

  /// Whether anything may be due of the candidate here.
  public var isDue: Bool { !isExcused && !isRuledOut }

  /// Reads it for each roster entry of a station session.
  public static func read(at session: StationSession, seat: Seat, in db: Database) throws -> [String: RosterWork] {
    var work: [String: RosterWork] = [:]
    let excuses = try Excuses.read(in: db)
    try MissingMark.forEach(at: [session], in: db) { missing in
      guard missing.sheet.seat == seat else { return }
      let entry = missing.sheet.entry.key
      if excuses.isRuledOut(missing.sheet) { return work[entry, default: RosterWork()].hasRuledOut = true }
      switch missing.kind {
      case .item(let item): work[entry, default: RosterWork()].blanks.append(item.number)
      case .fact: work[entry, default: RosterWork()].facts += 1
      case .signature: work[entry, default: RosterWork()].isUnsigned = true
      case .sheet: work[entry, default: RosterWork()].isNotStarted = true
      case .signOut, .rerun: break
      }
    }
    for entry in try RosterPlan.entries(timetable: session.timetable, in: db)
    where excuses.isExcused(entry.number, at: session) {
      work[entry.key, default: RosterWork()].isExcused = true
    }
    for (entry, written) in try Comments.counts(at: session, seenFrom: seat, in: db) {
      work[entry, default: RosterWork()].comments = written.comments
      work[entry, default: RosterWork()].concerns = written.concerns
    }
    return work
  }
}
