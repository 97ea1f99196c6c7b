import CircuitModel

/// Who has which number and username in bundles that are read together: two who have one cannot be told apart.
struct TakenNames {
  /// The first row of an entity that has a name, in the form in which names are compared.
  private var first: [String: [String: Bundle.Row]] = [:]

  /// Warns of each name of a bundle that somebody of it, or of an earlier one, has too.
  /// - Parameter counts: whether a row is of somebody who is named.
  mutating func add(
    _ bundle: Bundle, _ entity: String, _ field: String, _ what: String, _ problems: ProblemList,
    where counts: (Bundle.Row) -> Bool
  ) {
    let rows = bundle.rows.filter { $0.entity == entity }
    let restated = Set(rows.filter { $0.values[field] != nil || !counts($0) }.compactMap { $0.key("dsid") })
    var taken = (first[entity] ?? [:]).filter { holder in
      holder.value.key("dsid").map { !restated.contains($0) } ?? true
    }
    for row in rows where counts(row) {
      guard let text = row.key(field), !text.isEmpty else { continue }
      let name = CandidateNumber.compared(text)
      guard let holder = taken[name]?.place else {
        taken[name] = row
        continue
      }
      let place = holder.file == row.place.file ? "on line \(holder.line)" : "at \(holder.file):\(holder.line)"
      problems.warning(row.place, "duplicate \(what) \(Visible.quoted(text)) (first \(place))")
    }
    first[entity] = taken
  }
}
