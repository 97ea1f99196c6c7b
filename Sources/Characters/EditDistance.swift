/// How far a mistyped word is from the one that it was to be.
package enum EditDistance {
  /// `: did you mean status?` for the known word that was mistyped, or an empty text where none is near: one that has next
  /// to nothing of what was typed says nothing.
  package static func hint(for typed: String, among known: [String]) -> String {
    let letters = typed.drop { $0 == "-" }.count
    let nearest = known.map { ($0, between(typed, $0)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= min(2, letters / 2) else { return "" }
    return ": did you mean \(nearest.0)?"
  }

  /// The edits from one text to another, where swapping two neighbours counts as one (optimal string alignment).
  /// - Returns: `Int.max` where their lengths differ by more than 20.
  package static func between(_ one: String, _ other: String) -> Int {
    let (a, b) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
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
