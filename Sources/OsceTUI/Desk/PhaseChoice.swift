import Timer

/// The phases of a run as they are chosen from: by number, or `r8` for the eighth rotation.
struct PhaseChoice {
  let phases: PhaseList
  /// The number of the phase that is on; nil for none.
  let current: Int?

  /// As many as can be read at once.
  private static let most = 80

  /// The number of the chosen phase; nil if there is none.
  func number(_ text: String) -> Int? {
    let text = text.withSingleSpaces.lowercased()
    guard text.hasPrefix("r") else { return Int(text).flatMap { (1...max(1, phases.count)).contains($0) ? $0 : nil } }
    guard let round = Int(text.dropFirst()) else { return nil }
    return phases.indices.lazy.map { $0 + 1 }.first {
      phases.phase($0)?.type == .rotation && phases.round(ofPhase: $0) == round
    }
  }

  /// What is known of an answer while it is typed: the phase it means; of none yet, all that there are.
  func summary(_ text: String) -> String {
    if text.isEmpty { return list }
    return number(text).map { "\(title($0))\($0 == current ? ", which is on now" : "")" } ?? "there is no such phase"
  }

  private var list: String {
    let shown = (1...max(1, min(phases.count, PhaseChoice.most))).map { title($0) + ($0 == current ? " (now)" : "") }
    return shown.joined(separator: ", ") + (phases.count > shown.count ? " … to \(phases.count)" : "")
  }

  private func title(_ number: Int) -> String {
    guard let phase = phases.phase(number) else { return "" }
    let round = phases.round(ofPhase: number) ?? 0
    return "\(number) \(PhaseText.title(phase.type))\(round > 0 ? " \(round)" : "")"
  }
}
