import CircuitModel
import Terminal
import Timer

/// Stations that candidates have missed, and the rounds in which they are made up.
@MainActor
final class RerunPage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("Round", width: 5, .right), .init("St", width: 8), .init("Number", width: 8),
    .init("Name", width: 18, stretch: 2), .init("Why", width: 20, stretch: 2), .init("", width: 8),
  ])
  private var items: [RerunItem] = []

  init(_ desk: Desk) { self.desk = desk }

  let name = "Re-run"
  let emptyText: SafeText = "Nobody has missed a station"
  let callsForAttention = true
  var count: Int { items.count { $0.status == .queued } }

  var bindings: [Binding<Command>] {
    let group = "Re-run"
    let any: Availability = focused == nil ? .disabled("the queue is empty") : .enabled
    let status = desk.state?.status
    return [
      Binding(
        "rerun.begin", ["b"], "begin", help: "Start the re-run's own clock", group: group,
        count == 0
          ? .disabled("the queue is empty")
          : status == .finished ? .enabled : .disabled("the session's own clock has not finished"),
        action: .desk(.beginRerun)),
      Binding("rerun.done", ["d"], "done", help: "This station is made up", group: group, any, action: .desk(.resolve)),
      Binding(
        "rerun.withdraw", ["x"], "withdraw", help: "This station is not made up", group: group, any,
        action: .desk(.withdraw)),
    ]
  }

  private var focused: RerunItem? {
    items.indices.contains(table.selection.index) ? items[table.selection.index] : nil
  }

  func perform(_ command: Command) {
    switch command {
    case .desk(.beginRerun): begin()
    case .desk(.resolve):
      if let focused { save({ "made up" }) { try RerunQueue.finish(focused.key, $0) } }
    case .desk(.withdraw):
      guard let focused else { return }
      context.confirm(
        SafeText("\(focused.entry.candidate?.number ?? "") does not make up \(focused.station.stationCode)?"),
        reason: .required
      ) { [self] reason in
        save(because: reason, { "taken out of the queue" }) { try RerunQueue.withdraw(focused.key, $0) }
      }
    default: break
    }
  }

  private func begin() {
    guard let session = desk.session else { return }
    let rounds = items.filter { $0.status == .queued }.map(\.place).max() ?? 1
    context.confirm(
      SafeText("Start the re-run now: \(rounds) \(rounds == 1 ? "round" : "rounds") with a clock of its own?")
    ) { [self] reason in
      let now = desk.now
      save(because: reason, { "the re-run's clock runs" }) {
        _ = try ClockLog.append(.rerun(rounds: rounds), to: session, at: now, in: $0)
      }
    }
  }

  func reload() throws {
    guard let session = desk.session else {
      items = []
      table.rows = []
      return
    }
    items = try context.store.read { try RerunQueue.items(session, in: $0) }
    table.rows = items.map { item in
      Table.Row(
        [
          SafeText("\(item.place)"), SafeText(item.station.stationCode), SafeText(item.entry.candidate?.number ?? ""),
          SafeText(item.entry.candidate?.name ?? ""), SafeText(item.reason ?? ""), SafeText(item.status.rawValue),
        ], role: item.status == .queued ? .normal : .muted)
    }
  }
}
