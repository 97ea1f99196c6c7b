import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Stations that candidates have missed, and the rounds in which they are made up.
@MainActor
final class RerunPage: DeskListing {
  let desk: Desk
  var table = Table([
    .init("Round", width: 5, .right), .init("St", width: 8), .init("Number", width: 8),
    .init("Name", width: 18, stretch: 2), .init("Why", width: 19, stretch: 2), .init("", width: 9),
  ])
  private var items: [RerunItem] = []

  init(_ desk: Desk) { self.desk = desk }

  let name = "Re-run"
  let emptyText: SafeText = "Nothing is queued; n queues a candidate's missed stations"
  let callsForAttention = true
  var count: Int { items.count { $0.status == .queued } }

  var bindings: [Binding<Command>] {
    let group = "Re-run"
    let any: Availability = focused == nil ? .disabled("the queue is empty") : .enabled
    let queued: Availability =
      focused.map { $0.status == .queued ? .enabled : .disabled("it is no longer in the queue; Enter queues it again") }
      ?? any
    let status = desk.state?.status
    return [
      Binding(
        "rerun.begin", ["b"], "begin", help: "Start the re-run's own clock", group: group,
        count == 0
          ? .disabled("the queue is empty")
          : status == .finished
            ? .enabled
            : .disabled(
              desk.circuit?.run?.isRerun == true
                ? "the re-run is on already" : "the session's own clock has not finished"),
        action: .desk(.beginRerun)),
      Binding(
        "rerun.add", ["n"], "queue", help: "Queue a candidate's stations by hand, or take them out", group: group,
        desk.session == nil ? .disabled("there is no session") : .enabled, action: .desk(.queue)),
      Binding(
        "rerun.done", ["d"], "done", help: "This station is made up", group: group, queued, action: .desk(.resolve)),
      Binding(
        "rerun.withdraw", ["x"], "take out", help: "This station is not made up", group: group, queued,
        action: .desk(.withdraw)),
      Binding(
        "rerun.again", [.enter], "queue again", help: "Put a station that is done or was taken out back", group: group,
        focused?.status == .queued ? .disabled("it is in the queue") : any, inFooter: false, action: .open),
    ]
  }

  var detail: String {
    guard let item = focused else { return "" }
    let since = item.since.map { ", since \(LocalTime.reading(of: $0).time)" } ?? ""
    return "\(item.entry.candidate?.number ?? "") \(item.entry.candidate?.name ?? "") at \(item.station.stationTitle): "
      + "\(word(item.status).plain)\(since); \(item.reason ?? "no reason was given")"
  }

  private func word(_ status: RerunItem.Status) -> SafeText {
    switch status {
    case .queued: "queued"
    case .done: "done"
    case .withdrawn: "taken out"
    }
  }

  private var focused: RerunItem? {
    items.indices.contains(table.selection.index) ? items[table.selection.index] : nil
  }

  func perform(_ command: Command) {
    switch command {
    case .desk(.beginRerun): DeskControls(desk: desk).beginRerun()
    case .desk(.resolve):
      if let focused { save({ "made up" }) { try RerunQueue.finish(focused.key, $0) } }
    case .desk(.withdraw): if let focused { CandidateActions(desk: desk).withdraw(focused) }
    case .open:
      guard let focused else { return }
      context.confirm(
        SafeText("\(focused.entry.candidate?.number ?? "") makes up \(focused.station.stationCode) after all."),
        reason: .required
      ) { [self] reason in
        save(because: reason, { (_: Void) in "queued again" }) {
          try RerunQueue.add(entry: focused.entry.key, reason: reason, $0)
        }
      }
    case .desk(.queue): askCandidate()
    default: break
    }
  }

  private func askCandidate() {
    guard let session = desk.session else { return }
    context.prompt("Who makes up a station (number):") { [self] number in
      let actions = CandidateActions(desk: desk)
      actions.attempt {
        let now = desk.now
        let view = try context.store.read { try HallView.read(session, at: now, in: $0) }
        if let candidate = actions.candidate(number, view) { actions.askQueue(candidate, view) }
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
          SafeText(item.entry.candidate?.name ?? ""), SafeText(item.reason ?? ""), word(item.status),
        ], role: item.status == .queued ? .normal : .muted, id: item.key)
    }
  }
}
