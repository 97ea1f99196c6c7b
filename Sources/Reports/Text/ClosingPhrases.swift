import Characters
import CircuitModel
import Timer

extension RulingRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .reasonTooShort(let fewest):
      fewest == 1 ? "a reason is needed" : "a reason of at least \(fewest) characters is needed"
    case .noLevel(let value, let item): "item \"\(item)\" has no level \(value)"
    case .holdsAlready(let item, let answer): "item \"\(item)\" is \(answer) already"
    case .isText(let item): "item \"\(item)\" is a text: only marks can be amended"
    case .noSuchScore: "a score is from -1000 to 100 percent"
    case .noSuchGrade(nil): "the station's mark sheet has no global rating: leave the grade out"
    case .noSuchGrade(let scale?): "a grade at this station is \(RulingRefusal.text(scale))"
    case .needsGrade(let scale): "give the global grade with the score: \(RulingRefusal.text(scale))"
    case .unknown(let key): "there is no ruling \(key); osce export rulings lists them in its column key"
    case .ofTwo: "two people ruled this: osce rule amend, or osce close --reopen, changes it"
    case .setSince: "the value was changed after it was settled: change it again instead"
    case .notInExam(let what, let name): "\(what.rawValue) \"\(name)\" is not in the exam"
    case .ofNothing: "name what is left out: a station, a candidate or a mark sheet; who is excused needs a station"
    case .needsStation: "an item, a circuit or a session is left out at a station: name it too"
    case .notAtStation(let item, let station): "item \"\(item)\" is on no mark sheet of station \"\(station)\""
    case .oneAssessor(let station, let candidate):
      "\(candidate) has one assessor at station \"\(station)\": there is nothing to adjudicate"
    case .noSeat(let seat, let seats):
      "nobody marks at seat \"\(seat)\" there; the seats are \(seats.joined(separator: ", "))"
    case .needsTwo: "two different people do this together"
    case .partOfExam:
      "the hub gives this terminal only part of the exam; lock it where all of it is, such as the lead's"
    case .withoutPasscode(let name): "\(name) has no passcode: nothing proves who it is; set one in staff.csv first"
    case .mayNot(let name): "\(name) is neither exam lead nor exam office"
    case .locked(let staff, let at): "it is locked already\(LockText.since(at, by: staff))"
    case .notLocked: "it is not locked"
    case .ownTyping: "you typed some of it yourself: another person compares it with the paper"
    case .changedMeanwhile: "the exam changed while it was looked at; once more, please"
    case .nothingHeldBack: "nothing of that name is held back; osce close --json lists what is"
    case .noHub: "no hub keeps changes of this exam: two people rule on what came after a lock"
    case .opens(let lines):
      "NOT CHANGED: this would be open: \(lines.joined(separator: "; ")); --waive accepts it, "
        + "--stands rules on two assessors"
    case .open(let checks): "\(Plural.count(checks, "check is", "checks are")) open; osce close lists them"
    }
  }

  private static func text(_ scale: ClosedRange<Double>) -> String {
    "from \(ShortestNumber.text(scale.lowerBound)) to \(ShortestNumber.text(scale.upperBound))"
  }
}

extension LockRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    let what = scope.isExam ? "the exam" : scope.name
    return "\(what) is locked\(LockText.since(at, by: staff)): nothing was changed; two people can amend or reopen it"
  }
}

/// When and by whom something was locked.
enum LockText {
  /// What is said wherever a hash would be shown that is not of the results beside it.
  static let notFinal = "NOT FINAL: the marks here come to other results than were locked"

  static func since(_ at: Instant?, by staff: [String]) -> String {
    let time = at.map { " since \($0.localMoment)" } ?? ""
    return time + (staff.isEmpty ? "" : " by \(staff.joined(separator: " and "))")
  }
}
