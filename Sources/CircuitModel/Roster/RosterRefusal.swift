import ExamStore

/// Why nobody is found or made by a candidate number.
public enum CandidateRefusal: RuleRefusal {
  /// No number was written.
  case noNumber
  /// Nobody has the number, and the names of somebody new are not two.
  case unknownNumber(String)
  /// Several candidates have the number.
  case ambiguous(String, count: Int)
  /// Several candidates have the number, each with a label of their own.
  case severalLabels(String, [String])
  /// There is no such candidate.
  case unknown(Int)
  /// A new candidate needs a number.
  case newWithoutNumber
  /// A new candidate needs a surname.
  case newWithoutSurname
  /// Somebody has the number of a new candidate already.
  case numberInUse(String)
}

/// Why a candidate's place on the rosters stays as it is.
public enum RosterRefusal: RuleRefusal {
  /// There is no such station session.
  case unknownStationSession(Int)
  /// The session has no roster.
  case noRoster(session: String)
  /// The session has no such round.
  case noRound(Int, session: String, rounds: Int)
  /// The station session has no such round.
  case noRoundHere(Int, rounds: Int)
  /// Another candidate, named by the number, comes in this round.
  case roundTaken(Int, by: String)
  /// The candidate is on no roster of the session.
  case notInSession(candidate: Int, session: String)
  /// The candidate, by name, is in the session already.
  case alreadyInSession(String, session: String)
  /// The candidate, by number, is on this roster already.
  case onRosterAlready(String, round: Int?)
  /// A rest station has no mark sheet: nobody is added there. With its title.
  case restStation(String)
  /// The slot is not free from this round on; these are.
  case slotTaken(Int, from: Int, free: [Int])
  /// The candidate has an entry on this roster, with which another comes since a change of slots.
  case entryOfAnother
  /// By a change of slots another candidate would come with the new entry.
  case entryForAnother
  /// By a change of slots another candidate comes with the entry that was shown.
  case slotsChanged
  /// Something is recorded of the candidate, who therefore stays on the roster.
  case recorded
  /// The candidate, by number, is not recorded as late.
  case notLate(String)
  /// Feedback is agreed only after it was received.
  case feedbackNotReceived
}

/// Why a station is not queued for the re-run.
public enum RerunRefusal: RuleRefusal {
  /// The roster entry has no candidate.
  case noCandidate(entry: String)
  /// A rest station has no mark sheet. With its title.
  case restStation(String)
  /// The sheet of the candidate is signed. With name and the station's title.
  case signed(String, station: String)
}

/// Why two candidates do not change places.
public enum SlotSwapRefusal: RuleRefusal {
  /// The two are one candidate.
  case sameCandidate
  /// Neither comes anywhere from this round on. With their names.
  case neitherComes(String, String, from: Int)
  /// One of them has been at a station, or is queued for it.
  case bound(Bound)

  /// What keeps a candidate at a place.
  public struct Bound: Equatable, Sendable {
    /// The round.
    public let round: Int
    /// The candidate's name.
    public let candidate: String
    /// What was recorded there.
    public let reason: Reason
    /// The station's code.
    public let station: String
    /// The round from which on a swap would fit; nil where there is none.
    public let nextRound: Int?
    /// Whether the entry is queued for the re-run: then it is taken off the queue, else the sheet is moved.
    public let isQueued: Bool

    /// What was recorded at a station.
    public enum Reason: Sendable {
      /// There are marks.
      case marked
      /// The sheet is signed.
      case signed
      /// There is a comment or a private note.
      case noted
      /// The identity was checked.
      case identityChecked
      /// The entry is queued for the re-run.
      case queued
    }
  }
}
