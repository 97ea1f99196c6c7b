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

  enum Keys {
    static let begin = KeyBinding<RerunPage>(
      "rerun.begin", ["b"], "begin", help: "Start the re-run's own clock", group: "Re-run", when: { $0.mayBegin }
    ) { page, _ in DeskControls(desk: page.desk).beginRerun() }
    static let add = KeyBinding<RerunPage>(
      "rerun.add", ["n"], "queue", help: "Queue a candidate's stations by hand, or take them out", group: "Re-run",
      when: { $0.desk.session == nil ? .disabled("there is no session") : $0.context.changing() }
    ) { page, _ in page.askCandidate() }
  }

  nonisolated private static let group = "Re-run"
  nonisolated static let keys = KeyTable<RerunPage>(
    "Re-run", at: .desk,
    [
      Keys.begin, Keys.add,
      KeyBinding(
        "rerun.done", ["d"], "done", help: "Mark this re-run as done", group: group, when: { $0.onQueued }
      ) { page, _ in
        if let item = page.focused {
          page.context.save(saying: { "marked as done" }) { try RerunQueue.finish(item.key, $0) }
        }
      },
      KeyBinding(
        "rerun.withdraw", ["x"], "remove", help: "Remove from the re-run queue", group: group, when: { $0.onQueued }
      ) { page, _ in if let item = page.focused { CandidateActions(desk: page.desk).withdraw(item) } },
      KeyBinding(
        "rerun.again", [.enter], "queue again", help: "Queue a done or removed station again", group: group,
        inFooter: false,
        when: { $0.focused?.status == .queued ? .disabled("it is in the queue") : $0.onItem }
      ) { page, _ in if let item = page.focused { page.askAgain(item) } },
    ])

  private var onItem: Availability { focused == nil ? .disabled("the queue is empty") : context.changing() }

  private var onQueued: Availability {
    guard let focused, focused.status != .queued else { return onItem }
    return context.changing(.disabled("it is no longer in the queue; Enter queues it again"))
  }

  private var mayBegin: Availability {
    if count == 0 { return .disabled("the queue is empty") }
    if desk.state?.status == .finished { return context.changing() }
    return .disabled(
      desk.circuit?.run?.isRerun == true ? "the re-run is on already" : "the session's own clock has not finished")
  }

  private func askAgain(_ item: RerunItem) {
    context.confirm(
      SafeText("Queue \(item.entry.candidate?.number ?? "") at \(item.station.stationCode) again?"),
      reason: .required
    ) { [self] reason in
      context.save(reason: reason, saying: { (_: Void) in "queued again" }) {
        try RerunQueue.add(entry: item.entry.key, reason: reason, $0)
      }
    }
  }

  var emptyText: SafeText { "Nothing is queued; \(context.key(of: Keys.add)) queues a candidate's missed stations" }
  let callsForAttention = true
  let showsMarks = true
  var count: Int { items.count(where: \.isDue) }

  var detail: String {
    guard let item = focused else { return "" }
    let since = item.since.map { ", since \(LocalTime.reading(of: $0).time)" } ?? ""
    return "\(item.entry.candidate?.number ?? "") \(item.entry.candidate?.name ?? "") at \(item.station.stationTitle): "
      + "\(word(item).plain)\(since); \(item.reason ?? "no reason was given")"
  }

  private func word(_ item: RerunItem) -> SafeText {
    switch item.status {
    case .queued:
      item.isSigned ? "signed" : item.isExcused ? "excused" : item.isRuledOut ? "ruled out" : "queued"
    case .done: "done"
    case .withdrawn: "taken out"
    }
  }

  private var focused: RerunItem? { table.selection.focused(of: items) }

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

  /// A mark says nothing here but that what is queued may be signed by now.
  func followMarks() throws { if items.contains(where: { $0.status == .queued }) { try reload() } }

  func reload() throws {
    guard let session = desk.session else {
      items = []
      table.rows = []
      return
    }
    items = try context.store.read { db in
      try RerunQueue.items(session, excusing: Excuses.read(in: db).isExcused, in: db)
    }
    table.rows = items.map { item in
      Table.Row(
        [
          SafeText("\(item.place)"), SafeText(item.station.stationCode), SafeText(item.entry.candidate?.number ?? ""),
          SafeText(item.entry.candidate?.name ?? ""), SafeText(item.reason ?? ""), word(item),
        ], role: item.isDue ? .normal : .muted, id: item.key)
    }
  }
}
