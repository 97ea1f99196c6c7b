import ExamStore

/// Why a mark, a signature or a reopening is not taken.
public enum MarkingRefusal: RuleRefusal {
  /// The sheet is signed: it is reopened first.
  case signed
  /// A signed sheet is reopened only with a reason.
  case reopenedWithoutReason
  /// The sheet was moved to another candidate since it was shown.
  case movedMeanwhile
  /// What is to be changed stands on another sheet than the one that is open.
  case onAnotherSheet
  /// Marks are typed from paper by somebody who is not signed in.
  case nobodyTypes
  /// The key of the judge is that of no active member of staff.
  case unknownJudge(Int)
  /// The item is of a kind that this version does not know.
  case unknownKind(String)
  /// The item does not offer this tag.
  case noSuchTag(String)
  /// The item does not record work that was done.
  case noWork
  /// How often something was done is not in this range.
  case times(ClosedRange<Int>)
  /// The difficulty is not in this range.
  case difficulty(ClosedRange<Int>)
}

/// Why something is not undone.
public enum UndoRefusal: RuleRefusal {
  /// It is undone already, or the journal does not have it.
  case nothingLeft
  /// Somebody changed it since; the name, nil where that is not known.
  case changedSince(by: String?)
  /// The candidate was given another sheet meanwhile.
  case anotherSheet
}

/// Why sheets do not change candidates. Candidates are named by their numbers.
public enum SheetMoveRefusal: RuleRefusal {
  /// There is no reason.
  case noReason
  /// The sheets are not what they were when the change was worked out.
  case changedMeanwhile
  /// These sheets are signed, and the author may not move them.
  case signed([String])
  /// The sheet to be moved is blank.
  case blank(String)
  /// The sheet that it would go to has marks.
  case taken(String)
  /// Both sheets are blank.
  case bothBlank
  /// A practice sheet cannot be swapped.
  case practiceSwapped
  /// Marks are not moved to a practice sheet.
  case toPractice
  /// The two are one candidate.
  case sameCandidate
  /// The two are not of one station session.
  case anotherStation
  /// There is no such roster entry.
  case unknownEntry(String)
  /// From this round on every sheet is blank.
  case nothingToShift(round: Int)
  /// No round follows for the last sheet.
  case noRoundAfter(String)
  /// No round is before the first sheet.
  case noRoundBefore(String)
  /// The sheet before the first has marks.
  case inTheWay(String)
}
