import Rig

/// The marks that a screen showed, item by item, in the order in which they appeared.
struct DrawnMarks {
  /// What was seen, by the item's number: none twice in a row.
  private(set) var seen: [Int: [Int]] = [:]

  /// How many marks appeared.
  var count: Int { seen.values.reduce(0) { $0 + $1.count } }

  /// Looks at the screen.
  mutating func look(at screen: ScreenText) {
    for (item, level) in MarkSheetScreen(screen).marks where seen[item]?.last != level {
      seen[item, default: []].append(level)
    }
  }

  /// Holds what was seen against the store.
  /// - Parameter items: the items' keys in the order of the sheet.
  /// - Returns: what is missing; empty if every mark is there.
  func missing(in audit: StoreAudit, items: [String]) -> [String] {
    seen.sorted { $0.key < $1.key }.compactMap { number, levels in
      if audit.holds(levels, on: items[number - 1]) { return nil }
      let kept = (audit.history[items[number - 1]] ?? []).suffix(5).map { "\($0 / 1_000_000)" }.joined(separator: " ")
      let shown = levels.suffix(5).map { "\($0)" }.joined(separator: " ")
      return "item \(number) showed … \(shown), the store has … \(kept)"
    }
  }
}
