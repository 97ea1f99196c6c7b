import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// The changes that are not at the hub: how many wait, since when, and which need a person. Nothing is changed here.
@MainActor
final class OutboxScreen: TableScreen {
  let context: AppContext
  /// Whether somebody has signed in under this screen.
  let isSignedIn: Bool
  private var report: OutboxReport?
  private let reading = BackgroundReading<OutboxReport>()
  /// Whether the last reading failed.
  private var hasFailed = false
  /// Whether something may have changed since the outbox was read.
  private var isStale = false
  /// When it was read last, and how long that took, in milliseconds of the loop's clock.
  private var read: (at: Int64, cost: Int64) = (0, 0)
  var table = Table(OutboxScreen.columns(isNarrow: false))
  /// Whether the columns at the end may have no room: not the state, then, but how many changes wait, and since when.
  private var isNarrow = false

  private static func columns(isNarrow: Bool) -> [Table.Column] {
    let amount: [Table.Column] = [.init("Changes", width: 7, .right), .init("Since", width: 5)]
    let state = Table.Column("State", width: 12, stretch: isNarrow ? 0 : 3)
    return [
      .init("Number", width: 7),
      .init(isNarrow ? "Name" : "Candidate", width: isNarrow ? 8 : 12, stretch: 2, fits: true),
      .init("Station", width: 8, fits: true), .init("What", width: 19, fits: true),
    ] + (isNarrow ? [state] + amount : amount + [state])
  }

  /// Shows the outbox: at the desk over the clocks, whose keys and bells go on, else as a screen of its own.
  static func open(_ context: AppContext) {
    // Who has signed in and sits nowhere yet chooses among sessions.
    guard context.sitting != nil || context.screen is SessionsScreen else {
      return context.showMessage("sign in first: the outbox names candidates", .warning)
    }
    if context.screen is OutboxScreen { return }
    guard context.screen is DeskScreen else { return context.push(OutboxScreen(context)) }
    do {
      context.overlay = .reader(
        try Reader(title: "Outbox (Esc closes)") { [unowned context] in
          let now = context.store.clock.now
          let (report, hub) = try context.store.read {
            (try OutboxReport.read($0, at: now).shortened, try HubReport.read($0, by: context.store.clock))
          }
          let lines =
            [title(report)] + report.items.map { line($0, report, context) } + [report.moreText].compactMap { $0 }
            + (report.isEnrolled ? [""] + hub.lines(at: now).dropFirst() : [])
          return lines.joined(separator: "\n")
        })
    } catch { context.noteUnread(error) }
  }

  init(_ context: AppContext) {
    self.context = context
    isSignedIn = context.screen?.isSignedIn == true
    reload()
  }

  nonisolated static let keys = KeyTable<OutboxScreen>(
    "Outbox", at: .station,
    [
      KeyBinding("outbox.again", ["r"], "look again", help: "Read the outbox again", group: "Outbox") { screen, _ in
        screen.reload()
      },
      KeyBinding(
        "outbox.hub", ["h"], "hub", help: "Contact, clock, and what each terminal still has", group: "Outbox",
        when: { $0.isEnrolled }
      ) { screen, _ in screen.showHub() },
      KeyBinding(
        "outbox.exchange", ["x"], "exchange", help: "Try now to exchange with the hub", group: "Outbox",
        when: { $0.isEnrolled }
      ) { screen, _ in screen.exchange() },
      .back("outbox.back", "Back to where you were", group: "Outbox"),
    ])

  var heading: Heading {
    guard let report else {
      return Heading(text: hasFailed ? "Outbox: could not be read, trying again" : "Outbox: reading…")
    }
    return Heading(
      text: SafeText(OutboxScreen.title(report)),
      trailing: SafeText(OutboxText.attention(report.attention) ?? ""))
  }

  private var isEnrolled: Availability {
    guard let report else { return .disabled("the outbox is being read") }
    return report.isEnrolled ? .enabled : .disabled("this exam has no hub")
  }

  private func showHub() {
    do {
      context.overlay = .reader(
        try Reader(title: "The hub") { [store = context.store] in
          try store.read { try HubReport.read($0, by: store.clock).lines(at: store.clock.now) }
            .joined(separator: "\n")
        })
    } catch { context.noteUnread(error) }
  }

  private func exchange() {
    UploaderPipe.askToExchange(context.store.location)
      ? context.showMessage("asked: the exchange begins now")
      : context.showMessage("nobody exchanges this store at the moment; try: osce sync", .warning)
  }

  // MARK: Reading

  func reload() {
    if !reading.isUnderWay { read.at = context.monotonic() }
    isStale = false
    reading.begin { [store = context.store] in
      let now = store.clock.now
      return try store.read { try OutboxReport.read($0, at: now).shortened }
    }
  }

  private func show(_ report: OutboxReport) {
    self.report = report
    table.columns = OutboxScreen.columns(isNarrow: isNarrow)
    table.rows = report.items.map { item in
      let needsPerson = item.place == .attention
      let what = [
        SafeText(item.candidate?.number ?? ""), SafeText(context.name(of: item.candidate)),
        SafeText(item.station?.code ?? ""), SafeText(item.what),
      ]
      let amount = [SafeText("\(item.count)"), SafeText(LocalTime.reading(of: item.since).minute)]
      let state = SafeText(OutboxText.state(why: item.why, isEnrolled: report.isEnrolled))
      return Table.Row(
        what + (isNarrow ? [state] + amount : amount + [state]), role: needsPerson ? .warning : .normal,
        id: "\(item.candidate?.id ?? 0) \(item.station?.id ?? 0) \(item.what) \(item.why ?? "")")
    }
    if let more = report.moreText {
      table.rows.append(Table.Row(["", SafeText(more)], role: .muted, id: "more"))
    }
  }

  /// Where much waits, a look takes a while: it takes no more than a small part of the time.
  private func refreshIfDue(_ now: Int64) {
    let pause = max(isStale ? 0 : OutboxScreen.longestAge, read.cost * 20)
    if !reading.isUnderWay, now - read.at >= pause { reload() }
  }

  /// How old what is shown may be though nothing was saved: a change that waits for others for too long needs a person.
  private static let longestAge: Int64 = 15_000

  func follow(_ rows: Set<RowKey>) -> Bool {
    isStale = true
    refreshIfDue(context.monotonic())
    return false
  }

  func followHub() {
    isStale = true
    refreshIfDue(context.monotonic())
  }

  var isReading: Bool { reading.isUnderWay }

  var deadline: Int64? { isReading ? context.monotonic() + 50 : nil }

  func passTime(_ now: Int64) -> Bool {
    guard let result = reading.take() else {
      refreshIfDue(now)
      return false
    }
    read = (now, now - read.at)
    switch result {
    case .success(let found):
      hasFailed = false
      show(found)
    case .failure(let error):
      hasFailed = true
      context.noteUnread(error)
    }
    return true
  }

  // MARK: Drawing

  private static func title(_ report: OutboxReport) -> String {
    "Outbox: " + OutboxText.waiting(report.waiting, isEnrolled: report.isEnrolled)
  }

  /// An item in one line.
  private static func line(
    _ item: OutboxReport.Item, _ report: OutboxReport, _ context: AppContext
  ) -> String {
    let whose = [
      item.candidate.map { "\($0.number) \(context.name(of: $0))" }, item.station.map { "station \($0.code)" },
    ]
    let what = "\(item.what) (\(item.count))"
    let state = OutboxText.state(why: item.why, isEnrolled: report.isEnrolled)
    return (whose.compactMap { $0 } + ["\(what): \(state), since \(item.since.localMoment)"])
      .joined(separator: ", ")
  }

  func tableRegion(_ region: Rect) -> Rect { region.splitBottom(3).rest }

  func layOut(_ region: Rect) {
    table.fit(tableRegion(region))
    guard let report, isNarrow != (region.width < OutboxScreen.wideColumns) else { return }
    isNarrow.toggle()
    show(report)
  }

  /// From this many columns on all of the table has room.
  private static let wideColumns = 78

  func draw(on canvas: inout Canvas, in region: Rect) {
    let theme = context.theme
    guard let report else {
      canvas.draw("Keys and clock go on.", in: region, row: 1, style: theme[.muted])
      return
    }
    guard !report.items.isEmpty else {
      let isEnrolled = report.isEnrolled
      let lines = [
        isEnrolled ? "Every change is at the hub." : "This exam has no hub: changes are saved on this disk alone.",
        isEnrolled ? "A change is listed here from its saving until the hub has it." : "None has been made yet.",
      ]
      for (row, line) in lines.enumerated() {
        canvas.draw(SafeText(line), in: region, row: row + 1, style: theme[row == 0 ? .good : .muted])
      }
      canvas.cursor = region.origin
      return
    }
    table.draw(on: &canvas, in: tableRegion(region), theme: theme)
    let below = region.rows(max(0, region.height - 3), region.height)
    canvas.horizontalLine(below.row(0), glyphs: theme.glyphs, style: theme[.border])
    if let item = table.selection.focused(of: report.items) {
      let line = OutboxScreen.line(item, report, context)
      canvas.drawWrapped(line, in: below.rows(1, 2), style: theme[.normal])
    }
  }
}
