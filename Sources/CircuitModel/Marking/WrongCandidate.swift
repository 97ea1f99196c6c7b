import Characters
import ExamStore
import GRDB
import Journal

/// Mending sheets that were marked for the wrong candidate.
///
/// The sheets of one seat change places among roster entries of one station session. A sheet keeps its key, its marks,
/// who gave them and when; comments, concerns, jots and the record of feedback to the candidate go along. The places
/// are only ever exchanged, so no mark can be overwritten.
public enum WrongCandidate {
  /// What is to be mended.
  public enum Kind: Hashable, Sendable {
    /// The sheets of the first roster entry are the second's, whose own are blank.
    case move(from: String, to: String)
    /// The sheets of two roster entries are each other's.
    case swap(String, String)
    /// From a round on, every sheet belongs to the candidate before or after.
    case shift(timetable: Int, round: Int, Direction)
  }

  /// Where a run of sheets goes.
  public enum Direction: Hashable, Sendable {
    /// To the candidate of the round after.
    case later
    /// To the candidate of the round before.
    case earlier
  }

  /// What will be done.
  public struct Plan: Equatable, Sendable {
    /// What is to be mended.
    public let kind: Kind
    /// Whose sheets change places.
    public let seat: Seat
    /// Which entry's sheets go to which.
    public let moves: [Move]
    /// What will happen, by each candidate whose sheets go elsewhere.
    public let handovers: [Handover]
    /// The numbers of the candidates whose sheets are signed: these need the lead.
    public let signed: [String]
    /// Whose attendance would change, if it went along.
    public let attendance: [AttendanceChange]
    /// Whether identity checks are void even if attendance stays: those of an exchange were made against the other's
    /// name.
    public let voidsChecks: Bool

    /// Whether identity is to be checked again: attendance that goes along was checked against another candidate's name.
    public func voidsChecks(movingAttendance: Bool) -> Bool { movingAttendance || voidsChecks }
  }

  /// What of one candidate goes to another.
  public struct Handover: Equatable, Sendable {
    /// Whose it is now.
    public let from: Party
    /// Whose it will be.
    public let to: Party
    /// Whether there is no sheet, and nothing written.
    public let isEmpty: Bool
    /// Items with an answer.
    public let marks: Int
    /// Comments, concerns included.
    public let comments: Int
    /// Comments that are concerns.
    public let concerns: Int
    /// Private notes.
    public let jots: Int
    /// Whether a sheet is signed.
    public let isSigned: Bool
  }

  /// A candidate in a round.
  public struct Party: Equatable, Sendable {
    /// The candidate number, or what stands for it.
    public let number: String
    /// The name; nil where nobody is named.
    public let name: String?
    /// The round; nil where none is planned.
    public let round: Int?
    /// Whether the candidate is recorded absent.
    public let isAbsent: Bool
  }

  /// The sheets of one entry and where they go.
  public struct Move: Hashable, Sendable {
    /// The roster entry that they are on.
    public let from: String
    /// The roster entry that they go to.
    public let to: String
    /// The keys of the sheets.
    public let sheets: [String]
    /// Whether comments and jots go with them: not with blank sheets that only make room.
    public let takesNotes: Bool
  }

  /// What the roster would say of a candidate.
  public struct AttendanceChange: Hashable, Sendable {
    /// The candidate number.
    public let number: String
    /// What it says now.
    public let before: Recorded
    /// What it would say.
    public let after: Recorded
  }

  /// What the roster says of a candidate.
  public enum Recorded: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// Here in time.
    case present
    /// Here, and too late.
    case late
    /// Not here.
    case absent
  }

  /// Works out what will happen; changes nothing.
  /// - Parameter seat: whose sheets they are.
  /// - Throws: `SheetMoveRefusal` if it cannot be done: an entry that is not there or of another station session,
  ///   a target with marks, nothing to move, or a sheet that would fall off the end of a shift.
  public static func plan(_ kind: Kind, seat: Seat = .lead, in db: Database) throws -> Plan {
    let places: [Place]
    let isExchange: Bool
    switch kind {
    case .move(let from, let to):
      places = try pair(from, to, seat, db)
      isExchange = false
      if try !places[0].isMarked && !hasNotes(places[0], seat, db) { throw SheetMoveRefusal.blank(places[0].number) }
      if places[1].isMarked {
        throw SheetMoveRefusal.taken(places[1].number)
      }
    case .swap(let first, let second):
      places = try pair(first, second, seat, db)
      isExchange = true
      if !places.contains(where: \.isMarked) { throw SheetMoveRefusal.bothBlank }
      if places.contains(where: \.entry.isPractice) { throw SheetMoveRefusal.practiceSwapped }
    case .shift(let timetable, let round, let direction):
      places = try chain(timetable, from: round, direction, seat, db)
      isExchange = false
    }
    // Everything goes one place on; what the last one holds, if anything, is blank and takes the first one's place.
    let moves = places.indices.map { index in
      Move(
        from: places[index].entry.key, to: places[(index + 1) % places.count].entry.key, sheets: places[index].sheets,
        takesNotes: isExchange || index < places.count - 1)
    }
    let signed = places.filter(\.isSigned).map(\.number)
    return Plan(
      kind: kind, seat: seat, moves: moves, handovers: try handovers(places, moves, seat, db), signed: signed,
      attendance: attendance(places),
      voidsChecks: isExchange && places.contains { $0.entry.identityCheckedAt != nil })
  }

  /// Does what was planned, as one step.
  /// - Parameters:
  ///   - reason: why; never blank.
  ///   - movesAttendance: whether presence and lateness go along. The identity checks are void then, as in every
  ///     exchange: each was made against another candidate's name.
  ///   - lead: who authorises it where sheets are signed; the journal names them with the reason. The signatures of
  ///     these sheets are removed: they said that the marks are the other candidate's.
  /// - Returns: the operations, which undoing takes back as one step.
  /// - Throws: `SheetMoveRefusal` without a reason, for signed sheets that the author may not move, or if the sheets
  ///   have changed since the plan was made; the caller's transaction is then to be given up.
  @discardableResult public static func apply(
    _ plan: Plan, reason: String, movesAttendance: Bool, authorisedBy lead: ExamLead? = nil,
    in transaction: JournalTransaction
  ) throws -> [OperationID] {
    guard reason.hasWords else {
      throw SheetMoveRefusal.noReason
    }
    let now = try self.plan(plan.kind, seat: plan.seat, in: transaction.db)
    guard now.moves == plan.moves, now.signed == plan.signed, now.attendance == plan.attendance,
      now.voidsChecks == plan.voidsChecks
    else {
      throw SheetMoveRefusal.changedMeanwhile
    }
    if !plan.signed.isEmpty && lead == nil {
      throw SheetMoveRefusal.signed(plan.signed)
    }
    let before = transaction.author
    transaction.author.reason = plan.signed.isEmpty ? reason : lead?.signing(reason)
    defer { transaction.author = before }
    return try WrongCandidateStep(plan, movesAttendance: movesAttendance, in: transaction).run()
  }
}
