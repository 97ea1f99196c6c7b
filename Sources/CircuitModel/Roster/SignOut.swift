import Characters
import ExamStore
import GRDB
import Journal
import Timer

/// How a candidate leaves a station: feedback received and agreed, signed out by staff; and what did not fit when the
/// candidate came. Each call is one operation.
public enum SignOut {
  /// What is recorded of one roster entry.
  public struct State: Equatable, Sendable {
    /// When the candidate received the feedback; nil: not recorded.
    public let feedbackReceivedAt: Instant?
    /// Whether the candidate agreed with it.
    public let isFeedbackAgreed: Bool
    /// Whether a member of staff signed the candidate out.
    public let isSignedOut: Bool
    /// What did not fit at the identity step; nil: nothing.
    public let identityNote: String?

    /// What is still to be done before the candidate goes; empty where all is, or the station asks for nothing.
    public func missing(at session: StationSession) -> [Step] {
      guard session.requiresSignout else { return [] }
      var missing: [Step] = []
      if feedbackReceivedAt == nil { missing.append(.feedback) }
      if !isFeedbackAgreed { missing.append(.agreement) }
      if !isSignedOut { missing.append(.signature) }
      return missing
    }
  }

  /// What a candidate leaves a station with.
  public enum Step: Hashable, Sendable {
    /// The feedback was received.
    case feedback
    /// The candidate agrees with it.
    case agreement
    /// A member of staff signed the candidate out.
    case signature
  }

  /// - Returns: nil if there is no such entry.
  public static func read(entry: String, in db: Database) throws -> State? {
    try ReadRow.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT feedbackReceivedAt, feedbackAgreed, staffSignout, identityNote FROM timetableAttendanceLog
          WHERE uuid = ? AND dsDeleted = 0
          """), arguments: [entry]
    ).map(state)
  }

  /// What is still to be done before those go who are recorded present at a station session, by their roster entries;
  /// none of whom nothing is lacking.
  package static func missing(at session: StationSession, in db: Database) throws -> [String: [Step]] {
    guard session.requiresSignout else { return [:] }
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT feedbackReceivedAt, feedbackAgreed, staffSignout, identityNote, uuid FROM timetableAttendanceLog
          WHERE timetableID = ? AND present = 1 AND practice = 0 AND dsDeleted = 0
          """), arguments: [session.timetable])
    var missing: [String: [Step]] = [:]
    for row in rows {
      let steps = state(row).missing(at: session)
      if !steps.isEmpty { missing[row[4] as String] = steps }
    }
    return missing
  }

  private static func state(_ row: ReadRow) -> State {
    State(
      feedbackReceivedAt: (row[0] as Int64?).map { Instant(stored: $0) }, isFeedbackAgreed: row[1] ?? false,
      isSignedOut: row[2] ?? false, identityNote: row[3])
  }

  /// Records that the candidate received the feedback now, or takes that back, and the agreement with it.
  @discardableResult public static func record(
    feedbackReceived: Bool, entry: String, in transaction: JournalTransaction
  ) throws -> OperationID {
    try set(
      feedbackReceived
        ? [.feedbackReceivedAt(transaction.clock.now)] : [.feedbackReceivedAt(nil), .feedbackAgreed(false)],
      entry, transaction)
  }

  /// Records whether the candidate agreed with the feedback.
  /// - Throws: `RosterRefusal` if none was received.
  @discardableResult public static func record(
    feedbackAgreed: Bool, entry: String, in transaction: JournalTransaction
  ) throws -> OperationID {
    if feedbackAgreed, try read(entry: entry, in: transaction.db)?.feedbackReceivedAt == nil {
      throw RosterRefusal.feedbackNotReceived
    }
    return try set([.feedbackAgreed(feedbackAgreed)], entry, transaction)
  }

  /// Records that a member of staff signed the candidate out, or takes that back.
  @discardableResult public static func record(
    signedOut: Bool, entry: String, in transaction: JournalTransaction
  ) throws -> OperationID {
    try set([.staffSignout(signedOut)], entry, transaction)
  }

  /// Notes what did not fit when the candidate's identity was checked; nil, or a blank text, takes it back.
  @discardableResult public static func note(
    identity text: String?, entry: String, in transaction: JournalTransaction
  ) throws -> OperationID {
    let isSaid = text?.hasWords == true
    return try set([.identityNote(isSaid ? text : nil)], entry, transaction)
  }

  /// Records that the candidate came late, now, and is therefore present; false takes the lateness back.
  @discardableResult public static func record(
    late: Bool, entry: String, in transaction: JournalTransaction
  ) throws -> OperationID {
    try set(late ? [.present(true), .lateAt(transaction.clock.now)] : [.lateAt(nil)], entry, transaction)
  }

  private static func set(
    _ changes: [FieldChange<Stored.TimetableAttendanceLog>], _ entry: String, _ transaction: JournalTransaction
  ) throws -> OperationID {
    try transaction.set(Stored.TimetableAttendanceLog.self, entry, changes)
  }
}
