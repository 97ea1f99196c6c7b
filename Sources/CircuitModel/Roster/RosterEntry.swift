import ExamStore
import Timer

/// One line of a station session's roster.
public struct RosterEntry: Equatable, Sendable {
  /// The key in `TimetableAttendanceLog`.
  public let key: String
  /// The round in which the candidate comes; nil where no round is planned.
  public let round: Int?
  /// Who comes; nil for practice.
  public let candidate: Candidate?
  /// The key in `Student` of who was planned, before any change of slots; nil for practice.
  public let planned: Int?
  /// Whether it was added on the day.
  public let isAdditional: Bool
  /// The round of the re-run in which the candidate comes again; nil where the entry is not queued for it.
  public let rerunRound: Int?
  /// Whether the candidate is here; nil: not yet recorded.
  public let isPresent: Bool?
  /// When the identity step was passed.
  public let identityCheckedAt: Instant?
  /// When a late candidate came in.
  public let lateAt: Instant?
  /// What did not fit when the identity was checked; nil: nothing.
  public let identityNote: String?
  /// Whether it is for practice and never counts.
  public let isPractice: Bool
  /// The operations whose values are shown.
  public let shown: ShownHeads
  /// The sheets at the asking seat.
  public let sheets: [SheetProgress]
}

extension RosterEntry {
  /// The round in which the candidate comes by the clock that is shown: in a re-run, that of the queue.
  public func round(isRerun: Bool) -> Int? { isRerun ? rerunRound : round }

  /// Whether there are sheets at the asking seat, and all are signed.
  public var isSigned: Bool { !sheets.isEmpty && sheets.allSatisfy(\.isSigned) }

  /// Whether marks at the asking seat were typed from paper, and nobody checked the identity at a terminal.
  public var isUncheckedPaper: Bool { identityCheckedAt == nil && sheets.contains(where: \.isFromPaper) }

  /// Whether all sheets at the asking seat that are not signed are among those that the lead has ruled out.
  func isRuledOut(by excluded: Set<String>) -> Bool {
    !sheets.isEmpty && !isSigned && sheets.allSatisfy { $0.isSigned || excluded.contains($0.key) }
  }
}

/// Who is planned to come to a station session in a round, without what came of it.
public struct PlannedEntry: Equatable, Sendable {
  /// The round in which the candidate comes; nil where no round is planned.
  public let round: Int?
  /// Who comes; nil where nobody is named.
  public let candidate: Candidate?
  /// Whether the candidate is here; nil: not yet recorded.
  public let isPresent: Bool?
}

/// How far a sheet has come, without its contents.
public struct SheetProgress: Equatable, Sendable {
  /// The key in `DataForm`.
  public let key: String
  /// The name of its template.
  public let name: String
  /// Items with an answer.
  public let answered: Int
  /// Items in all.
  public let items: Int
  /// When it was signed; nil while it is open.
  public let signedAt: Instant?
  /// Who signed it, by name; nil where that is not known.
  public let signedBy: String?
  /// Whether any of it was typed from paper.
  public let isFromPaper: Bool
  /// Where its marks are: at the hub only if all of them are; needing a person if one of them does.
  public let place: MarkPlace

  /// Whether it is signed.
  public var isSigned: Bool { signedAt != nil }
}
