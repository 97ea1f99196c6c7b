import Characters

/// Finds what somebody probably meant.
enum NearestName {
  /// ` (did you mean 'x'?)` for the known name closest to a wrong one, or an empty string where none is close.
  static func hint(for wrong: String, among known: some Sequence<String>) -> String {
    // Every number is close to another one, which says nothing.
    guard wrong.unicodeScalars.count <= 60, !wrong.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return "" }
    let (folded, length) = (wrong.lowercased(), wrong.lowercased().unicodeScalars.count)
    var best: (distance: Int, name: String)?
    for name in known {
      let distance = EditDistance.between(folded, name.lowercased())
      if distance < best?.distance ?? Int.max { best = (distance, name) }
    }
    guard let best, best.distance <= max(1, length / 3), best.distance < length else { return "" }
    return " (did you mean \(Visible.quoted(best.name))?)"
  }

  /// The hint; where none is close and there are few keys, all of them.
  static func hint(for wrong: String, amongKeys keys: [String]) -> String {
    let near = hint(for: wrong, among: keys)
    return near.isEmpty && keys.count <= 8 ? " (keys: \(keys.joined(separator: ", ")))" : near
  }
}
