import CircuitModel

extension MissingMark {
  /// What is lacking, in words; `sheetPrefix` stands in front of it.
  public var text: String {
    switch kind {
    case .sheet: "sheet not started"
    case .signature: "not signed"
    case .item(let item): item.template.blankText(item.number, copy: item.copy)
    case .rerun(let item): "queued for the re-run, round \(item.place): not examined yet"
    case .signOut(let step): step.lack
    case .fact(let fact): fact.lack
    }
  }
}

extension BlankFact {
  /// That it is not recorded.
  public var lack: String { "not recorded: " + text }
}
