import CircuitModel
import Terminal
import Timer

/// Help calls from the stations, the unanswered first.
@MainActor
final class HelpPage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("Since", width: 8), .init("Circuit", width: 8, stretch: 1), .init("St", width: 8),
    .init("What", width: 20, stretch: 3), .init("Called by", width: 10, stretch: 1),
    .init("Now", width: 14, stretch: 1),
  ])
  private var calls: [HelpCall] = []

  init(_ desk: Desk) { self.desk = desk }

  let name = "Help"
  let emptyText: SafeText = "Nobody calls for help"
  let followsTheClock = true
  let callsForAttention = true
  var count: Int { calls.count }

  var bindings: [Binding<Command>] {
    let group = "Help calls"
    let any: Availability = focused == nil ? .disabled("no call is open") : .enabled
    return [
      Binding(
        "help.acknowledge", [.enter], "on my way", help: "Tell the station that you are on your way", group: group,
        focused?.status == .responding ? .disabled("somebody is on the way") : any, action: .open),
      Binding(
        "help.resolve", ["d"], "resolved", help: "The call is settled", group: group, any, action: .desk(.resolve)),
    ]
  }

  var detail: String { focused.map { "\($0.stationCode): \($0.text), called by \($0.caller ?? "nobody known")" } ?? "" }

  private var focused: HelpCall? {
    calls.indices.contains(table.selection.index) ? calls[table.selection.index] : nil
  }

  func perform(_ command: Command) {
    guard let call = focused else { return }
    switch command {
    case .open: save({ "the station sees that you are on your way" }) { try HelpCalls.respond(call, $0) }
    case .desk(.resolve): save({ "resolved" }) { try HelpCalls.resolve(call, $0) }
    default: break
    }
  }

  func reload() throws {
    calls = try context.store.read { try HelpCalls.open(in: $0) }
    let now = desk.now
    table.rows = calls.map { call in
      let since = call.requestedAt.map { PhaseText.digits(max(0, now - $0)) } ?? ""
      let state = call.status == .responding ? "\(call.responder ?? "somebody") comes" : "WAITS"
      return Table.Row(
        [
          SafeText(since), SafeText(call.circuitName ?? ""), SafeText(call.stationCode), SafeText(call.text),
          SafeText(call.caller ?? ""), SafeText(state),
        ], role: call.status == .requested ? .alarm : .normal)
    }
  }
}
