/// Which of an assessor's sheets stands for a candidate where each assessor fills one of several forms.
package enum SheetInUse {
  /// What the choice depends on.
  package struct Claim {
    let isPilot: Bool
    let isSigned: Bool
    let answers: Int
    let form: Int

    /// Takes what speaks for a sheet: how many items of it have an answer, and its form's number.
    package init(isPilot: Bool, isSigned: Bool, answers: Int, form: Int) {
      (self.isPilot, self.isSigned, self.answers, self.form) = (isPilot, isSigned, answers, form)
    }

    fileprivate func outranks(_ other: Claim) -> Bool {
      if isPilot != other.isPilot { return !isPilot }
      if isSigned != other.isSigned { return isSigned }
      return answers == other.answers ? form < other.form : answers > other.answers
    }
  }

  /// The sheet in use: one that counts before a pilot, then the signed one, the one with most answers, the one of the
  /// form with the lowest number. Nil where there is none.
  package static func chosen<Sheet>(of sheets: [Sheet], _ claim: (Sheet) throws -> Claim) rethrows -> Sheet? {
    try sheets.map { ($0, try claim($0)) }.min { $0.1.outranks($1.1) }?.0
  }
}
