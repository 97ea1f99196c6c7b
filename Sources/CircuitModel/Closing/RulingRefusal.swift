import ExamStore
import Timer

/// Why a ruling or a lock is not made.
public enum RulingRefusal: RuleRefusal {
  /// What a ruling can name.
  public enum Named: String, Sendable { case circuit, session, station, candidate, item, sheet }

  /// The reason has fewer characters than that.
  case reasonTooShort(fewest: Int)
  /// The item has no level of this value.
  case noLevel(MarkValue, of: String)
  /// The item holds already what it is to hold, in words.
  case holdsAlready(item: String, String)
  /// The item is written: it has no mark that could be amended.
  case isText(String)
  /// A typed score is no percentage that a sheet can have.
  case noSuchScore
  /// A score is typed without the grade that goes with it.
  case needsGrade(scale: ClosedRange<Double>)
  /// A typed grade is outside the scale of the station's global rating; nil: its sheets have none.
  case noSuchGrade(scale: ClosedRange<Double>?)
  /// There is no such ruling.
  case unknown(String)
  /// Two people ruled: one alone does not withdraw it.
  case ofTwo
  /// What was settled was set again since.
  case setSince
  /// The exam does not have what is named.
  case notInExam(Named, String)
  /// It names nothing that could be left out, or nobody who could be excused.
  case ofNothing
  /// An item, a circuit or a session is left out at a station, and none is named.
  case needsStation
  /// The item is on no sheet of the station.
  case notAtStation(item: String, station: String)
  /// Nobody marks this candidate beside the lead there: nothing is to be adjudicated.
  case oneAssessor(station: String, candidate: String)
  /// Nobody marks at this seat there.
  case noSeat(String, among: [String])
  /// A lock, an amendment and a reopening want two different people, each with a passcode.
  case needsTwo
  /// This person has no passcode, so nothing proves who they are.
  case withoutPasscode(String)
  /// This person is neither exam lead nor of the exam office.
  case mayNot(String)
  /// It is locked already.
  case locked(by: [String], at: Instant?)
  /// It is not locked.
  case notLocked
  /// Who typed from paper does not compare it with the paper as well.
  case ownTyping
  /// The exam changed while it was looked at.
  case changedMeanwhile
  /// An amendment opens what was in order or accepted when the exam was locked, line by line.
  case opens([String])
  /// So many checks are open.
  case open(Int)
  /// The hub gives this device less than the whole exam.
  case partOfExam
  /// Nothing of that name waits for a ruling.
  case nothingHeldBack
  /// The exam has no hub that keeps changes back.
  case noHub
}
