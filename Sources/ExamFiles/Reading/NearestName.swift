/// Finds what somebody probably meant.
enum NearestName {
  /// ` (did you mean 'x'?)` for the known name closest to a wrong one, or an empty string where none is close.
  static func hint(for wrong: String, among known: some Sequence<String>) -> String {
    // Every number is close to another one, which says nothing.
    guard wrong.unicodeScalars.count <= 60, !wrong.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return "" }
    let folded = Array(wrong.lowercased().unicodeScalars)
    var best: (distance: Int, name: String)?
    for name in known {
      let distance = distance(folded, Array(name.lowercased().unicodeScalars))
      if distance < best?.distance ?? Int.max { best = (distance, name) }
    }
    guard let best, best.distance <= max(1, folded.count / 3), best.distance < folded.count else { return "" }
    return " (did you mean \(Visible.quoted(best.name))?)"
  }

  /// Edits from one to the other, where swapping two neighbours counts as one (optimal string alignment).
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    guard abs(a.count - b.count) <= 20 else { return Int.max }
    var before = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [Int](repeating: 0, count: b.count + 1)
      row[0] = i + 1
      for j in b.indices {
        row[j + 1] = Swift.min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          row[j + 1] = Swift.min(row[j + 1], before[j - 1] + 1)
        }
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
