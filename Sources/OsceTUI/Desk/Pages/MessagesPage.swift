import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Lines that stand on the wall and on the assessors' screens.
@MainActor
final class MessagesPage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("Sent", width: 8), .init("To", width: 14, stretch: 1), .init("Text", width: 30, stretch: 4),
    .init("By", width: 8, stretch: 1),
  ])
  private var messages: [HallMessage] = []

  init(_ desk: Desk) { self.desk = desk }

  enum Keys {
    static let send = KeyBinding<MessagesPage>(
      "message.send", ["n"], "tell circuit", help: "Send a message to the circuit; A first for all", group: "Messages"
    ) { page, _ in page.askLine() }
    .labelled { $0.desk.actsOnAll ? "tell all" : "tell circuit" }
  }

  nonisolated static let keys = KeyTable<MessagesPage>(
    "Tell", at: .desk,
    [
      Keys.send,
      KeyBinding(
        "message.station", ["t"], "tell station", help: "Send a message to one station", group: "Messages",
        when: { $0.desk.session == nil ? .disabled("there is no session") : .enabled }
      ) { page, _ in page.askStation("To which station (its code):") { MessageForm(desk: page.desk).ask(to: $0) } },
      KeyBinding(
        "message.withdraw", ["x"], "take down", help: "Take this line down", group: "Messages",
        when: { $0.focused == nil ? .disabled("nothing is shown") : .enabled }
      ) { page, _ in
        if let line = page.focused {
          page.context.save(saying: { "taken down" }) { try HallMessages.withdraw(line.key, $0) }
        }
      },
    ])

  private func askLine() {
    let circuit = desk.takeAll() ? nil : desk.circuit?.circuit
    MessageForm(desk: desk).ask("To \(circuit?.name ?? "all circuits"):", circuit: circuit?.id, station: nil)
  }

  var emptyText: SafeText {
    let (send, all) = (context.key(of: Keys.send), context.key(of: DeskKeys.allCircuits))
    return "No messages; \(send) sends one to this circuit, \(all) then \(send) to all"
  }

  var detail: String { focused.map { $0.text } ?? "" }

  private var focused: HallMessage? {
    messages.indices.contains(table.selection.index) ? messages[table.selection.index] : nil
  }

  func reload() throws {
    let circuits = desk.circuits.map(\.circuit)
    messages = try context.store.read { try HallMessages.shown(circuit: nil, station: nil, in: $0) }
    table.rows = messages.map { message in
      let circuit = message.circuit.flatMap { id in circuits.first { $0.id == id }?.name }
      let to = message.stationCode.map { "station \($0)" } ?? circuit ?? "all"
      return Table.Row(
        [
          SafeText(message.sentAt.map { LocalTime.reading(of: $0).time } ?? ""), SafeText(to), SafeText(message.text),
          SafeText(message.sender ?? ""),
        ], id: message.key)
    }
  }
}

/// Sends a line to the hall.
@MainActor
struct MessageForm {
  let desk: Desk

  /// Columns of a line of 80 that a message has beside the word that announces it.
  private static let room = 69

  /// Asks for a line to one station alone.
  func ask(to station: StationSession) {
    ask("To station \(station.stationCode) alone:", circuit: station.circuit.id, station: station)
  }

  /// Asks for the line, and says while it is typed how much of it is seen at once.
  func ask(_ label: String, circuit: Int?, station: StationSession?) {
    desk.context.prompt(
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
    guard !text.isEmpty else { return desk.context.showMessage("nothing was sent", .muted) }
    desk.context.save({ try HallMessages.send(text, circuit: circuit, station: station?.station, $0) }) {
      [desk] result in
      guard case .success = result else { return }
      desk.context.screen?.refresh(nil)
      desk.context.showMessage(SafeText("shown: \(text)"))
    }
  }
}
