import Characters
import CircuitModel
import Terminal

/// Sends a line to the hall.
@MainActor
struct MessageForm {
  let context: AppContext

  /// Columns of a line of 80 that a message has beside the word that announces it.
  private static let room = 69

  /// Asks for a line to one station alone.
  func ask(to station: StationSession) {
    ask("To station \(station.stationCode) alone:", circuit: station.circuit.id, station: station)
  }

  /// Asks for a line to a circuit; nil: to all.
  func ask(to circuit: Circuit?) {
    ask("To \(circuit?.name ?? "all circuits"):", circuit: circuit?.id, station: nil)
  }

  /// Asks for the line, and says while it is typed how much of it is seen at once.
  private func ask(_ label: String, circuit: Int?, station: StationSession?) {
    context.prompt(
      SafeText(label), keptAs: "message \(station.map { "to \($0.timetable)" } ?? "\(circuit ?? 0)")",
      note: { MessageForm.note($0, isForAll: station == nil) }
    ) { text in
      send(text, circuit: circuit, station: station)
    }
  }

  private static func note(_ text: String, isForAll: Bool) -> SafeText {
    let left = room - SafeText(text).width
    let fits =
      left < 0
      ? "\(-left) past the end of a line of 80"
      : "\(Plural.count(left, "character")) left on the line"
    let who = isForAll ? "Everyone can read this: no names" : "On that station's screens alone, on no wall"
    return SafeText("\(who).  \(fits)")
  }

  private func send(_ text: String, circuit: Int?, station: StationSession?) {
    let text = text.withSingleSpaces
    guard !text.isEmpty else { return context.showMessage("nothing was sent", .muted) }
    context.save(saying: { _ in SafeText("shown\(station.map { " at \($0.stationCode)" } ?? ""): \(text)") }) {
      try HallMessages.send(text, circuit: circuit, station: station?.station, $0)
    }
  }
}
