import Characters
import ExamStore

extension ImportDifferences {
  /// What a person has to know of an import that met a hub's.
  /// - Parameter sendsPlan: whether the hub is to have every row, also one that it did not get from a former role.
  func lines(besides before: ImportDifferences, sendsPlan: Bool, forks: Int) -> [String] {
    let correction = "import the folder there: osce-hub import"
    let new = since(before)
    let (differ, people) = (new.differing.count, new.passcodes.count)
    let alone = (sendsPlan ? onlyHere : new.onlyHere).count
    var lines: [String] = []
    if differ > 0 {
      lines.append(
        "\(Plural.count(differ, "row imported here differs", "rows imported here differ")) from the hub's, which "
          + "stands: to correct the hub's, \(correction)")
    }
    if alone > 0 {
      lines.append(
        "\(Plural.count(alone, "row imported here is", "rows imported here are")) not at the hub: to add "
          + "\(Plural.noun(alone, "it", "them")), \(correction)")
    }
    if people > 0 {
      lines.append(
        "\(Plural.count(people, "person's passcode", "people's passcodes")) may differ from the hub's, which "
          + Plural.verb(people, "counts", "count"))
    }
    if forks > 0 {
      let hint = hasConflict ? "; to let the folder decide, import it at the hub: osce-hub import" : ""
      lines.append("\(Plural.count(forks, "field has", "fields have")) two values: osce outbox\(hint)")
    }
    return lines
  }
}
