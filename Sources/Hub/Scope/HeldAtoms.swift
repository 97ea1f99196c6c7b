/// The parts of an exam that a device has.
struct HeldAtoms: Equatable {
  let atoms: Set<String>
  /// The kinds of words of which it has every one.
  private let kinds: Set<Substring>

  init(_ atoms: some Sequence<String>) {
    self.atoms = Set(atoms)
    kinds = Set(self.atoms.filter { $0.hasSuffix(":*") }.map { $0.dropLast() })
  }

  var isAll: Bool { atoms.contains(ScopeAtom.all) }

  /// Whether a row that is called by a word is among them.
  func holds(_ word: Substring) -> Bool {
    if isAll || atoms.contains(String(word)) { return true }
    guard !kinds.isEmpty, let colon = word.firstIndex(of: ":") else { return false }
    return kinds.contains(word[...colon])
  }

  /// Whether an operation is among them for who has the log up to a number. A word may end with the number from which on
  /// it is called so.
  func see(_ words: String, at seq: Int64) -> Bool { sees(words).map { $0 <= seq } ?? false }

  /// The number of the log from which on an operation is among them; nil: it never is.
  func sees(_ words: String) -> Int64? {
    if isAll { return 0 }
    var first: Int64?
    for word in words.split(separator: " ") {
      let parts = word.split(separator: "@", maxSplits: 1)
      guard let name = parts.first, holds(name) else { continue }
      guard parts.count > 1 else { return 0 }
      if let since = Int64(parts[1]) { first = min(first ?? since, since) }
    }
    return first
  }
}
