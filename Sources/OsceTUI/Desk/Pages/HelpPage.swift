import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Help calls from the stations: those that nobody has answered first, the oldest of them first; on demand those that
/// are settled too.
@MainActor
final class HelpPage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("Since", width: 6), .init("Station", width: 13, stretch: 1), .init("What", width: 23, stretch: 3),
    .init("Called by", width: 10, stretch: 1), .init("Now", width: 19, stretch: 1),
  ])
  private var calls: [HelpCall] = []
  /// Whether the settled calls are listed after the open ones.
  private var showsSettled = false

  init(_ desk: Desk) { self.desk = desk }

  enum Keys {
    static let acknowledge = KeyBinding<HelpPage>(
      "help.acknowledge", [.enter], "on my way", help: "Tell the station that you are on your way", group: group,
      when: { page in
        page.focused?.status == .responding
          ? .disabled("\(page.focused?.responder ?? "somebody") is on the way") : page.onCall
      }
    ) { page, _ in
      guard let call = page.focused else { return }
      let name = page.desk.name(call.stationCode, of: call.circuitName)
      page.context.save(saying: { SafeText("\(name) sees that you are on your way") }) {
        try HelpCalls.respond(call, $0)
      }
    }
  }

  nonisolated private static let group = "Help calls"
  nonisolated static let keys = KeyTable<HelpPage>(
    "Help", at: .desk,
    [
      Keys.acknowledge,
      KeyBinding(
        "help.resolve", ["d"], "resolved", help: "Resolve this call", group: group, when: { $0.onCall }
      ) { page, _ in
        guard let call = page.focused else { return }
        let name = page.desk.name(call.stationCode, of: call.circuitName)
        page.context.save(saying: { SafeText("help call from \(name) resolved") }) { try HelpCalls.resolve(call, $0) }
      },
      KeyBinding(
        "help.settled", ["h"], "resolved calls", help: "Show or hide resolved calls", group: group
      ) { page, _ in
        page.showsSettled.toggle()
        page.context.screen?.reload()
      }
      .labelled { $0.showsSettled ? "open calls" : "resolved calls" },
    ])

  private var onCall: Availability {
    guard let focused else { return .disabled("no call is open") }
    return focused.status == .resolved ? .disabled("already resolved") : .enabled
  }

  let emptyText: SafeText = "No open help calls"
  let callsForAttention = true
  var count: Int { calls.count { $0.status != .resolved } }

  var detail: String {
    guard let call = focused else { return "" }
    var parts = [
      "\(desk.name(call.stationCode, of: call.circuitName)): \(call.text(between: "", ", "))called by \(call.caller ?? "nobody known") at \(time(call.requestedAt))"
    ]
    if let answered = call.respondedAt { parts.append("\(call.responder ?? "somebody") set out at \(time(answered))") }
    if let settled = call.resolvedAt { parts.append("resolved at \(time(settled))") }
    return parts.joined(separator: "; ")
  }

  private func time(_ instant: Instant?) -> String { instant.map { LocalTime.reading(of: $0).time } ?? "" }

  private var focused: HelpCall? { table.selection.focused(of: calls) }

  private func state(of call: HelpCall) -> String {
    let who = call.responder.map(\.surname) ?? "somebody"
    return switch call.status {
    case .requested: "WAITS"
    case .responding: "on the way, \(who)"
    case .resolved: "resolved, \(who)"
    }
  }

  func clockMoved() { show() }

  func reload() throws {
    let showsSettled = showsSettled
    calls = try context.store.read { db in
      let settled = showsSettled ? try HelpCalls.all(in: db).filter { $0.status == .resolved } : []
      return try HelpCalls.open(in: db) + settled.reversed()
    }
    show()
  }

  private func show() {
    let now = desk.now
    table.rows = calls.map { call in
      let until = call.resolvedAt ?? now
      let since = call.requestedAt.map { PhaseText.digits(max(0, until - $0)) } ?? ""
      return Table.Row(
        [
          SafeText(since), SafeText(desk.name(call.stationCode, of: call.circuitName)), SafeText(call.text),
          SafeText(call.caller.map(\.surname) ?? ""), SafeText(state(of: call)),
        ], role: call.status == .requested ? .alarm : call.status == .resolved ? .muted : .normal, id: call.key)
    }
  }
}
