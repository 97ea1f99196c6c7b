/// A circuit's name where there is little room: without the word that all of them share.
enum CircuitName {
  /// `Blue` for `Blue circuit`, `A` for `Circuit A`; the name itself where nothing else is left of it.
  static func short(_ name: String) -> String {
    let words = name.split(separator: " ").filter { $0.lowercased() != "circuit" }
    return words.isEmpty ? name : words.joined(separator: " ")
  }

  /// The names of several circuits, each short where that tells them apart.
  static func short(_ names: [String]) -> [String] {
    let shortened = names.map { short($0) }
    return Set(shortened).count == names.count ? shortened : names
  }
}
