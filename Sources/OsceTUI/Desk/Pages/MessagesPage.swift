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
      ) { page, _ in
        page.askStation("To which station (its code):") { MessageForm(context: page.context).ask(to: $0) }
      },
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
    MessageForm(context: context).ask(to: desk.takeAll() ? nil : desk.circuit?.circuit)
  }

  var emptyText: SafeText {
    let (send, all) = (context.key(of: Keys.send), context.key(of: DeskKeys.allCircuits))
    return "No messages; \(send) sends one to this circuit, \(all) then \(send) to all"
  }

  var detail: String { focused.map { $0.text } ?? "" }

  private var focused: HallMessage? { table.selection.focused(of: messages) }

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
