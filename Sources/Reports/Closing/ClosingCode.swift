extension ClosingReport {
  /// What must be in order. The raw values are stable.
  public enum Code: String, CaseIterable, Sendable {
    case identity, unsigned, blankRequired, blankGlobal, rerunQueue, attendance, doubleMarks, otherForm, secondAttempt
    case missedStation, critical, paper
    case concerns, identityNotes, contradictions, refused, parked, quarantined, unsent, clocks, terminals, secondCopy,
      chains, cuts

    /// Whether the lead may accept what is open of it.
    public var isWaivable: Bool {
      switch self {
      case .unsigned, .blankRequired, .blankGlobal, .doubleMarks, .otherForm, .secondAttempt, .missedStation,
        .critical, .unsent, .secondCopy, .cuts:
        true
      case .identity, .rerunQueue, .attendance, .paper, .concerns, .identityNotes, .contradictions, .refused, .parked,
        .quarantined, .clocks, .terminals, .chains:
        false
      }
    }

    /// What settles an open line of it, other than to accept it.
    public var remedy: String {
      switch self {
      case .identity: "mark, record absent or queue it"
      case .unsigned: "its assessor signs the sheet"
      case .blankRequired, .blankGlobal, .critical: "its assessor reopens the sheet, answers and signs"
      case .rerunQueue: "hold the re-run, or remove it from the queue at the desk"
      case .attendance: "the desk records the candidate present or absent"
      case .doubleMarks, .otherForm: "compare both sheets and rule whose score stands"
      case .secondAttempt: "osce rule exclude the sheet that is not to count"
      case .missedStation: "add the candidate to the station's roster"
      case .paper: "another person compares the sheet with the paper"
      case .concerns, .identityNotes: "read it and say what became of it"
      case .contradictions: "rule which value is right"
      case .refused: "osce outbox says why; where a hub refused it, osce rule admit or dismiss"
      case .parked: "osce sync, until the change that it needs has come"
      case .quarantined: "osce rule admit, or osce rule dismiss; without a hub two people"
      case .unsent: "osce sync, until the hub has every change"
      case .clocks: "the desk stops the session's clock"
      case .terminals: "the assessor leaves the sheet at that terminal"
      case .secondCopy: "write a backup to another disk: osce backup FILE"
      case .chains: "osce doctor says what is damaged; osce restore FILE"
      case .cuts: "results: leave the station out, or another method"
      }
    }

    /// Whether somebody answers for its lines: a concern, an identity note, a sheet typed from paper.
    public var isAnswered: Bool { self == .concerns || self == .identityNotes || self == .paper }

    /// What it asks for, in words.
    public var text: String {
      switch self {
      case .identity: "expected = held + absent + excluded + queued"
      case .unsigned: "sheets signed"
      case .blankRequired: "required items answered"
      case .blankGlobal: "global ratings given"
      case .rerunQueue: "re-run queue empty"
      case .attendance: "attendance recorded"
      case .doubleMarks: "double marks within the margin"
      case .otherForm: "double marks on the same sheet"
      case .secondAttempt: "one attempt a candidate and station"
      case .missedStation: "every candidate at every station"
      case .critical: "critical items clear"
      case .paper: "what was typed from paper compared by a second person"
      case .concerns: "concerns read"
      case .identityNotes: "identity notes answered"
      case .contradictions: "no field with two values"
      case .refused: "nothing refused"
      case .parked: "nothing waits for other changes"
      case .quarantined: "nothing held back"
      case .unsent: "everything at the hub, if one is used"
      case .clocks: "every session finished"
      case .terminals: "nobody has a sheet open"
      case .secondCopy: "second copy"
      case .chains: "the store is sound"
      case .cuts: "every cut can stand"
      }
    }

    /// What is counted while it is open, in words: beside a number that should be 0.
    public var openText: String {
      switch self {
      case .identity: "planned sheets in no class"
      case .unsigned: "sheets not signed"
      case .blankRequired: "required items blank"
      case .blankGlobal: "global ratings missing"
      case .rerunQueue: "in the re-run queue"
      case .attendance: "attendance not recorded"
      case .doubleMarks: "double marks apart"
      case .otherForm: "double marks on different sheets"
      case .secondAttempt: "second attempts"
      case .missedStation: "stations a candidate never meets"
      case .critical: "critical items open"
      case .paper: "paper entries not compared"
      case .concerns: "concerns not read"
      case .identityNotes: "identity notes unanswered"
      case .contradictions: "fields with two values"
      case .refused: "changes refused"
      case .parked: "changes waiting for others"
      case .quarantined: "changes held back"
      case .unsent: "changes not at the hub"
      case .clocks: "sessions not finished"
      case .terminals: "sheets open"
      case .secondCopy: "second copy"
      case .chains: "the store is sound"
      case .cuts: "cuts that cannot stand"
      }
    }
  }
}
