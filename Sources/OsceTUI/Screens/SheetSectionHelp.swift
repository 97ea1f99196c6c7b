import CircuitModel

extension SheetScreen {
  /// What can be done on a section's heading, in a line.
  func sectionHelp(_ section: SheetSection) -> String {
    var parts: [String] = []
    var recorded: [String] = []
    if section.template.asksQuadrantAndTooth { recorded.append("the tooth") }
    if section.template.isDuplicable { recorded.append("how often") }
    if section.template.maximumDifficulty > 0 { recorded.append("how difficult it was") }
    if !recorded.isEmpty { parts.append("Enter records " + recorded.joined(separator: ", ") + ".") }
    if section.template.isDuplicable { parts.append("d adds a copy.") }
    if section.template.isFoldable {
      parts.append(folded.contains(section.key) ? "Space opens the section." : "Space folds the section.")
    }
    return parts.joined(separator: " ")
  }
}
