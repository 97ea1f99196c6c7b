import Characters
import CircuitModel

extension MarkingRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .signed: "the sheet is signed: reopen it first, with a reason"
    case .reopenedWithoutReason: "a signed sheet is reopened with a reason"
    case .movedMeanwhile: "the sheet was moved to another candidate meanwhile: nothing was changed"
    case .onAnotherSheet: "that was done on another sheet: nothing was changed"
    case .nobodyTypes: "sign in to type marks from paper"
    case .unknownJudge(let key): "there is no active member of staff \(key): who judged?"
    case .unknownKind(let kind):
      "an item of a kind this version does not know (\(kind)): mark it with a newer osce"
    case .noSuchTag(let tag): "this item does not offer the tag \(tag)"
    case .noWork: "this item does not record work that was done"
    case .times(let range): "how often is a number from \(range.lowerBound) to \(range.upperBound)"
    case .difficulty(let range): "the difficulty is a number from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}

extension ItemTemplate {
  /// Why the item cannot be marked here, in words; nil where it can.
  public var obstacle: String? {
    if case .unknown(let kind) = kind { MarkingRefusal.unknownKind(kind).description } else { nil }
  }
}

extension UndoRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .nothingLeft: "there is nothing left to undo"
    case .changedSince(let name): "cannot undo: \(name ?? "somebody") changed it since"
    case .anotherSheet: "cannot undo: the candidate has another sheet since; move it instead"
    }
  }
}

extension SheetMoveRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .noReason: "sheets change candidates only with a reason"
    case .changedMeanwhile: "the sheets were changed meanwhile: look at them again"
    case .signed(let numbers): "signed sheets need the lead: \(numbers.joined(separator: ", "))"
    case .blank(let number): "the sheet of \(number) is blank: there is nothing to move"
    case .taken(let number): "the sheet of \(number) has marks: swap the two, or choose a blank one"
    case .bothBlank: "both sheets are blank: there is nothing to swap"
    case .practiceSwapped: "a practice sheet is moved, not swapped"
    case .toPractice: "marks are not moved to the practice sheet"
    case .sameCandidate: "this is the candidate that the sheet is on"
    case .anotherStation: "the two candidates are not of one station session: marks stay at their station"
    case .unknownEntry(let key): "the roster entry \(key) is not in this store"
    case .nothingToShift(let round): "from round \(round) on every sheet is blank: there is nothing to shift"
    case .noRoundAfter(let number): "the sheet of \(number) would fall off the end: no round follows"
    case .noRoundBefore(let number): "the sheet of \(number) would fall off the beginning: no round is before"
    case .inTheWay(let number): "the sheet of \(number) has marks: it would be in the way"
    }
  }
}

extension SheetRefusal: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    switch self {
    case .notCopied: "this section cannot be copied"
    case .mostCopies(let most): "this section is there \(most) times, which is the most"
    case .noTooth: "this section asks for no quadrant and tooth"
    case .noDifficulty: "this section asks for no difficulty"
    case .quadrant(let quadrant): "a quadrant is 1 to 4, or 5 to 8 for first teeth, not \(quadrant)"
    case .marked: "something is marked on this sheet by now: it stays"
    case .unknownEntry(let key): "the roster entry \(key) is not in this store"
    case .unknownTemplate(let form):
      "the mark sheet template \(form) is not in this store; import the exam again"
    case .unknownVersion(let version): "the template version \(version) is not in this store; run: osce doctor"
    case .unreadableVersion: "a stored template version cannot be read; run: osce doctor"
    case .noMark(let number): "\(number) cannot be a mark"
    }
  }
}

extension SectionFact {
  /// What is lacking, in a word or two.
  public var short: String {
    switch self {
    case .tooth: "tooth"
    case .quantity: "how often"
    case .difficulty: "difficulty"
    }
  }

  /// What is asked for, as a noun.
  public var name: String {
    switch self {
    case .tooth: "the tooth"
    case .quantity: "how often"
    case .difficulty: "how difficult it was"
    }
  }
}

extension BlankFact {
  /// In words: `Filling (copy 2): tooth`.
  public var text: String { section.name + SectionText.copy(copy) + ": " + fact.short }
}

extension ItemTemplate {
  /// That it is blank, by its number on the sheet: `item 4 blank (copy 2): Takes consent`.
  public func blankText(_ number: Int, copy: Int) -> String { "item \(number) blank\(SectionText.copy(copy)): \(text)" }
}

extension WrongCandidate.Plan {
  /// What will happen, a line for each candidate.
  /// - Parameter name: what a candidate is called beside the number; nil: nothing.
  public func lines(naming name: (WrongCandidate.Party) -> String?) -> [String] {
    handovers.map { $0.line(naming: name) }
  }
}

extension WrongCandidate.Recorded {
  /// In a word or two.
  public var text: String {
    switch self {
    case .nothing: "not recorded"
    case .present: "present"
    case .late: "late"
    case .absent: "absent"
    }
  }
}

extension WrongCandidate.Handover {
  fileprivate func line(naming name: (WrongCandidate.Party) -> String?) -> String {
    func title(_ party: WrongCandidate.Party) -> String {
      [party.number, name(party), party.round.map { "round \($0)" }].compactMap { $0 }.joined(separator: " ")
    }
    if isEmpty { return "\(from.number): no sheet" + (from.isAbsent ? ", absent" : "") }
    var parts = [Plural.count(marks, "mark")]
    if comments > 0 { parts.append(Plural.count(comments, "comment")) }
    if concerns > 0 { parts.append(Plural.count(concerns, "concern")) }
    if jots > 0 { parts.append(Plural.count(jots, "private note")) }
    if isSigned { parts.append("SIGNED") }
    return "the sheet of \(title(from)) goes to \(title(to)): " + parts.joined(separator: ", ")
  }
}

extension FormVersions.Kept: CustomStringConvertible {
  /// One line, without a full stop.
  public var description: String {
    let keep = Plural.count(started, "sheet that was started keeps", "sheets that were started keep")
    return "mark sheet \(sheet): changed for sheets not yet started; \(keep) the earlier version"
  }
}
