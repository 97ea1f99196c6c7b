import Characters
import CircuitModel
import Standards

extension ClosingAccount {
  /// The bytes of the report on sheets of paper: the foot of each says of which report it is, and which of how many.
  public var printed: [UInt8] {
    PaperText.sheets(of: lines) { number, count in
      [title[0], "\(head) · page \(number) of \(count)", finalHash ?? "not final"]
    }
  }

  /// The whole report for paper, in lines of at most 80 columns, with room for two signatures.
  var lines: [String] {
    var lines = title + [head, ""]
    lines += closing.lines(listing: .max)
    lines += part("TIMES", times)
    lines += part("LEFT OUT AND EXCUSED", exclusions.map(\.text) + rulings.filter(\.isOfSheet).map(\.text))
    lines += part("ABSENT", absences)
    lines += part("RE-RUNS", reruns)
    lines += part("LOST TIME", lostTime.map(\.text))
    lines += part("WAIVED", waivers.map(\.text))
    lines += part(
      "AMENDED AND OPENED AGAIN", rulings.filter { $0.ruling.kind == .amendment }.map(\.text) + reopenings.map(\.text)
    )
    let others: Set<ExamRuling.Kind> = [.adjudication, .policy, .answer]
    lines += part(
      "OTHER RULINGS",
      rulings.filter { others.contains($0.ruling.kind) }.map(\.text) + closing.settlements.map(\.text))
    lines += part("POLICY", results.policy.lines)
    if closing.scope.isExam { lines += part("RESULTS", outcome) }
    lines += ["", "signed: ____________________   ____________________"]
    if closing.differsFromLock {
      lines += ["", LockText.notFinal]
    } else if let finalHash {
      lines += ["", "final hash", finalHash]
    }
    return lines
  }

  /// The final hash as it is printed; nil where nothing is locked, or the marks here come to other results.
  var finalHash: String? { closing.differsFromLock ? nil : closing.locks.last?.printedHash }

  /// Of which exam or part of it the report is.
  private var title: [String] {
    let names = [exam ?? "Exam", closing.scope.isExam ? nil : closing.scope.name].compactMap { $0 }
    return TextLines.wrapped(VisibleText.of(names.joined(separator: " · "), dropsJoiners: true))
  }

  private var head: String { "Closing report · \(moment)" }

  /// When the report was made, and in which time its other moments are.
  var moment: String { "\(at.localMoment) · local times, \(LocalTime.offsetText(at: at))" }

  /// What was accepted, by the candidate's number, under which a reader looks it up; what is of no candidate comes first.
  private var waivers: [RulingNote] {
    let waivers = Dictionary(grouping: rulings.filter { $0.ruling.kind == .waiver }) { $0.place.candidate ?? "" }
    return waivers.keys.sorted(by: CandidateOrder.isBefore).flatMap { waivers[$0] ?? [] }
  }

  /// How many passed, and the figures of the exam.
  private var outcome: [String] {
    let all = results.results
    let counts = CandidateResult.Outcome.allCases.map { "\(all.count($0)) \($0.text)" }
    return ["\(Plural.count(all.candidates.count, "candidate")): \(counts.joined(separator: ", "))"] + results.cutLines
  }

  /// A part with its heading; what a reader must not think forgotten says "none".
  private func part(_ title: String, _ lines: [String]) -> [String] {
    ["", title]
      + (lines.isEmpty ? ["none"] : lines).flatMap {
        TextLines.wrapped("  " + VisibleText.of($0, dropsJoiners: true))
      }
  }
}
