import CircuitModel
import ExamStore
import Reports
import Terminal

/// Names of candidates, where the exam shows them.
extension AppContext {
  /// A candidate's name; empty where the exam shows numbers alone.
  func name(of candidate: Candidate?) -> String { rules.showsNames ? candidate?.name ?? "" : "" }

  /// The same of a candidate in the outbox.
  func name(of candidate: OutboxReport.Person?) -> String { rules.showsNames ? candidate?.name ?? "" : "" }

  /// The same of a candidate whose sheet changes places; nil where nobody is named.
  func name(of party: WrongCandidate.Party) -> String? { rules.showsNames ? party.name : nil }

  /// A candidate's surname; empty where the exam shows numbers alone.
  func surname(of candidate: Candidate?) -> String { rules.showsNames ? candidate?.surname ?? "" : "" }

  /// Number and name, as far as the exam shows them.
  func title(of candidate: Candidate?) -> String {
    [candidate?.number ?? "", name(of: candidate)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Number and surname, as far as the exam shows them.
  func shortTitle(of candidate: Candidate) -> String {
    [candidate.number, surname(of: candidate)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// What is said where another candidate comes by now than the one who was shown.
  func changedText(of now: RosterEntry?, since before: RosterEntry) -> SafeText {
    let now = now?.candidate.map { "now " + title(of: $0) } ?? "now nobody"
    let then = before.candidate.map { ", not \($0.number)" } ?? ""
    return SafeText("CANDIDATE CHANGED: \(now)\(then); check who is in the room")
  }
}

extension RosterEntry {
  /// The candidate's number; of a practice sheet, that it is one.
  var shortLabel: String { candidate?.number ?? "practice" }

  /// What words that are kept are about: the entry, and who comes with it.
  func topic(_ what: String) -> String { "\(what) \(key) \(candidate?.id ?? 0)" }
}

extension RosterEntry? {
  /// The same of an entry that may not have been read.
  var shortLabel: String { self?.shortLabel ?? "practice" }
}

extension Sequence {
  /// In the order of rounds, as on the roster: who has none, such as a candidate added on the day, comes after the
  /// others.
  func sortedByRound(_ round: (Element) -> Int?) -> [Element] {
    enumerated().map { (place: $0.offset, round: round($0.element) ?? .max, element: $0.element) }
      .sorted { ($0.round, $0.place) < ($1.round, $1.place) }.map(\.element)
  }
}
