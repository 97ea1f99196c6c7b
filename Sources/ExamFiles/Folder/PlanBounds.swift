import Catalogue

/// What no store takes of a plan that is right in itself: values beyond the bounds that the catalogue declares.
struct PlanBounds {
  private let plan: ExamPlan
  private let problems: ProblemList

  init(_ plan: ExamPlan, _ problems: ProblemList) { (self.plan, self.problems) = (plan, problems) }

  func check() {
    var keys = NaturalKeys()
    var seen: Set<Problem> = []
    for row in plan.bundle(&keys).rows {
      guard let entity = Catalogue.standard[row.entity] else { continue }
      for attribute in Catalogue.standard.allAttributes(of: entity) {
        guard let value = row.values[attribute.name], let found = fault(of: value, attribute, row.place),
          seen.insert(found).inserted
        else { continue }
        problems.error(Place(file: found.file, line: found.line), found.message)
      }
    }
  }

  private func fault(of value: Bundle.Value, _ attribute: Attribute, _ place: Place) -> Problem? {
    func problem(_ what: String, _ fault: String) -> Problem {
      Problem(.error, at: place, "\(what) here \(fault)")
    }
    switch value {
    case .text(let text):
      guard let fault = attribute.bounds.fault(text: text) else { return nil }
      if case .json(_, let most) = attribute.bounds, attribute.name == "settings" {
        return settingsFault(text.utf8.count, most, place)
      }
      return problem("a text", fault)
    case .integer(let number): return attribute.bounds.fault(whole: number).map { problem("a number", $0) }
    case .double(let number): return attribute.bounds.fault(number: number).map { problem("a number", $0) }
    case .null, .bool: return nil
    }
  }

  /// The exam's settings are gathered from several files: named is the part that takes the most.
  private func settingsFault(_ count: Int, _ most: Int, _ place: Place) -> Problem {
    let largest = plan.settings.max { $0.json.utf8.count < $1.json.utf8.count }
    let sizes = "an exam's settings have at most \(most) bytes, and these have \(count)"
    switch largest?.key {
    case "roles":
      return Problem(
        .error, file: plan.staff.first?.place.file ?? place.file, line: 1,
        "too many people, whose usernames and roles the settings hold: \(sizes); leave out who is not at this exam")
    case "phrases":
      return Problem(
        .error, at: place, "too many phrases, which the settings hold: \(sizes); leave some out")
    default:
      return Problem(.error, at: place, "too much under 'results', which the settings hold: \(sizes)")
    }
  }
}
