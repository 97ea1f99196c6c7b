import Characters
import Reports

extension LeadGrid.Cell {
  /// How far it is, in words; of somebody who comes here more than once, each visit with its round.
  var visitsText: String {
    if others.isEmpty { return text }
    return visits.sorted { ($0.round ?? .max) < ($1.round ?? .max) }
      .map { visit in (visit.round.map { "round \($0) " } ?? "no round ") + visit.text }.joined(separator: ", ")
  }

  /// How far it is, in words.
  var text: String {
    let text =
      switch state {
      case .none: "does not come here"
      case .notYet: isHere ? "in the room, nothing marked yet" : "nothing marked yet"
      case .begun(let answered, let items):
        "\(answered) of \(items) marked, " + (isHere ? "in the room" : "not signed")
      case .notSeen: "left, nothing marked"
      case .unmarked: "seen, no marks"
      case .excused: "excused or left out"
      case .oneAssessor: "one of the assessors has not signed"
      case .blank(let count): Plural.count(count, "required item is", "required items are") + " blank"
      case .signed: "signed"
      case .absent: "absent"
      }
    return rerun.map { "re-run round \($0) · \(text)" } ?? text
  }
}
