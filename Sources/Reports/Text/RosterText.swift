import CircuitModel
import Timer

extension CandidateRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .noNumber: "a candidate number is needed"
    case .unknownNumber(let number):
      "nobody has the number \(number); write number, forename and surname of somebody new"
    case .ambiguous(let number, let count): "\(count) candidates have the number \(number): ask the lead"
    case .severalLabels(let number, let labels):
      "\(labels.count) candidates have the number \(number): name one of them as "
        + labels.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
    case .unknown(let key): "there is no candidate \(key)"
    case .newWithoutNumber: "a new candidate needs a number"
    case .newWithoutSurname: "a new candidate needs a surname"
    case .numberInUse(let number): "the candidate number \(number) is in use; choose that candidate instead"
    }
  }
}

extension RosterRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .unknownStationSession(let key): "there is no station session \(key); osce plan lists them"
    case .noRoster(let session): "session \(session) has no roster"
    case .noRound(let round, let session, let rounds):
      "there is no round \(round): session \(session) has 1 to \(rounds)"
    case .noRoundHere(let round, let rounds): "there is no round \(round) here: rounds are 1 to \(rounds)"
    case .roundTaken(let round, let number): "\(number) comes in round \(round)"
    case .notInSession(let candidate, let session): "candidate \(candidate) is on no roster of session \(session)"
    case .alreadyInSession(let name, let session):
      "\(name) is in session \(session) already; swap or re-run instead"
    case .onRosterAlready(let number, let round):
      "\(number) is on this roster already" + (round.map { ", in round \($0)" } ?? "")
    case .restStation(let title): "\(title) has no mark sheet: nobody is added there"
    case .slotTaken(let slot, let round, let free):
      "slot \(slot) is not free from round \(round) on; free: "
        + (free.isEmpty ? "none" : free.map { String($0) }.joined(separator: ", "))
    case .entryOfAnother: "this candidate has an entry on this roster, with which another comes now: swap back"
    case .entryForAnother: "slots were changed: another candidate would come with this entry; ask the invigilator"
    case .slotsChanged: "roster changed: another candidate is due here; check before marking"
    case .recorded: "cannot remove: this candidate already has a record; mark absent instead"
    case .notLate(let number): "\(number) is not recorded as late"
    case .feedbackNotReceived: "the feedback is agreed after it was received"
    }
  }
}

extension RerunRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .noCandidate(let entry): "the roster entry \(entry) has no candidate; nothing was queued"
    case .restStation(let title): "\(title) has no mark sheet; nothing was queued"
    case .signed(let name, let station):
      "the sheet of \(name) at \(station) is signed; reopen it first if it is to be redone"
    }
  }
}

extension SlotSwapRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .sameCandidate: "a candidate cannot change places with themselves"
    case .neitherComes(let first, let second, let round):
      "neither \(first) nor \(second) comes anywhere from round \(round) on"
    case .bound(let bound): bound.text
    }
  }
}

extension SlotSwapRefusal.Bound {
  fileprivate var text: String {
    let why =
      switch reason {
      case .marked: "has marks at"
      case .signed: "has a signed sheet at"
      case .noted: "has a comment or a private note at"
      case .identityChecked: "has passed the identity step at"
      case .queued: "is queued for the re-run at"
      }
    let later = nextRound.map { "swap from round \($0) on, or " } ?? ""
    let remedy = isQueued ? "take it off the queue" : "move the sheet"
    return "round \(round): \(candidate) \(why) \(station); \(later)\(remedy)"
  }
}

extension SignOut.Step {
  /// What is said where it is not done.
  public var lack: String {
    switch self {
    case .feedback: "feedback not given"
    case .agreement: "feedback not agreed"
    case .signature: "not signed out"
    }
  }
}

extension Candidate {
  /// When to stop this candidate, counted from the end of the rotation: `stop at +2:00`; nil without extra time.
  public var stopsAt: String? {
    extraStationSeconds > 0 ? "stop at +\(minutes(extraStationSeconds))" : nil
  }

  /// `EXTRA TIME +2:00`; nil without extra time.
  public var extraTime: String? { extraAtStation.map { "EXTRA TIME \($0)" } }

  /// `+2:00`; nil without extra time.
  public var extraAtStation: String? {
    extraStationSeconds > 0 ? "+\(minutes(extraStationSeconds))" : nil
  }

  /// The adjustments in one line; nil if there are none.
  public var adjustments: String? {
    var parts: [String] = []
    if extraReadingSeconds > 0 { parts.append("reading +\(PhaseText.length(Int64(extraReadingSeconds) * 1000))") }
    if extraStationSeconds > 0 { parts.append("station +\(PhaseText.length(Int64(extraStationSeconds) * 1000))") }
    if let access, !access.isEmpty { parts.append(access) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension AdjustmentFit.Absorber: CustomStringConvertible {
  /// `rest station A5`, `changeover, 1:00`, `break, 10:00`, `an empty slot` or `the last round`.
  public var description: String {
    switch self {
    case .gap(let kinds, let seconds): "\(kinds.map(\.name).joined(separator: " and ")), \(minutes(seconds))"
    case .lastRound: "the last round"
    case .restStation(let code): "rest station \(code)"
    case .emptySlot: "an empty slot"
    }
  }
}

/// `2:00`.
private func minutes(_ seconds: Int) -> String {
  let rest = seconds % 60
  return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
}
