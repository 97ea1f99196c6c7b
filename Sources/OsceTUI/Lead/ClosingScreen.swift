import Characters
import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// What is open before the exam is locked: each check with its count, and the lock.
@MainActor
final class ClosingScreen: TableScreen {
  let context: AppContext
  private var examination: Examination?
  private var look: StoreLook?
  /// What is done with the next look, once it is there.
  private var next: (@MainActor (StoreLook) -> Void)?
  private(set) var report: ClosingReport?
  /// The station sessions that the report is about.
  private(set) var places: [StationSession] = []
  /// What is shown, and locked: the whole exam or one session of a circuit.
  private var scope = ExamLock.Scope()
  /// What was turned to last: shown as soon as it is read.
  private var wanted = ExamLock.Scope()
  private let reading = BackgroundReading<Found>()
  private var scopes: [ExamLock.Scope] = [.init()]
  var table = Table([
    .init("", width: 1), .init("Check", width: 34, stretch: 1), .init("Now", width: 7, .right),
    .init("Must be", width: 7, .right), .init("Who to call", width: 24, stretch: 3),
  ])

  /// What is read at once.
  private struct Found: Sendable {
    let report: ClosingReport
    let places: [StationSession]
    let isEnrolled: Bool
  }

  init(_ context: AppContext) {
    self.context = context
    examine()
  }

  enum Keys {
    static let lock = KeyBinding<ClosingScreen>(
      "closing.lock", ["L"], "lock", help: "Lock what is shown: two people, each with a passcode", group: "Closing",
      when: { screen in
        if screen.isReading { return .disabled("the exam is being read") }
        if screen.isLocked { return .disabled("it is locked") }
        return screen.report?.isReady == true ? .enabled : .disabled("first settle or waive what is open")
      }
    ) { screen, _ in screen.askTwo { [weak screen] people in screen?.lock(people) } }
  }

  nonisolated private static let group = "Closing"
  nonisolated static let keys = KeyTable<ClosingScreen>(
    "Closing", at: .desk,
    [
      KeyBinding(
        "closing.open", [.enter], "lines", help: "What is open or ruled of this check, line by line", group: group,
        when: { screen in
          guard let focused = screen.focused else { return .disabled("nothing is read yet") }
          let isEmpty = focused.lines.isEmpty && focused.ruled.isEmpty
          return isEmpty ? .disabled("nothing is open or ruled of it") : .enabled
        }
      ) { screen, _ in
        guard let focused = screen.focused else { return }
        screen.context.push(ClosingLinesScreen(screen.context, screen, focused.code))
      },
      KeyBinding(
        "closing.waive", ["w"], "waive", help: "Accept what is open, of one station, with a reason", group: group,
        when: { $0.focused.map(waivable) ?? .disabled("nothing is read yet") }
      ) { screen, _ in if let focused = screen.focused { screen.waive(focused.open, of: focused.code) } },
      KeyBinding(
        "closing.next", ["]"], "part", help: "The next session alone; after the last the whole exam", group: group,
        inFooter: false, when: { $0.hasParts }
      ) { screen, _ in screen.turn(by: 1) },
      KeyBinding(
        "closing.previous", ["["], "previous part", help: "The session before, or the whole exam", group: group,
        inFooter: false, when: { $0.hasParts }
      ) { screen, _ in screen.turn(by: -1) },
      KeyBinding(
        "closing.again", ["r"], "look again", help: "Check the store and read everything again", group: group,
        when: { $0.examination == nil ? .enabled : .disabled("the store is being examined") }
      ) { screen, _ in
        // What a key was refused for may be settled by now.
        screen.context.messages.clear()
        screen.examine()
      },
      Keys.lock,
      KeyBinding(
        "closing.reopen", ["U"], "reopen", help: "Open what is locked again: two people, and a reason", group: group,
        when: { screen in
          if screen.isReading { return .disabled("the exam is being read") }
          return screen.isLocked ? .enabled : .disabled("it is not locked")
        }
      ) { screen, _ in screen.askReopening() }
      .inFooter { $0.isLocked },
      .back("closing.back", "Back to the grid", group: group),
    ])

  let showsClock = false

  private var isLocked: Bool { report?.locks.isEmpty == false }
  private var hasParts: Availability { scopes.count > 2 ? .enabled : .disabled("the exam has one session") }

  static func waivable(_ check: ClosingReport.Check) -> Availability {
    if check.open.isEmpty { return .disabled("nothing is open of it") }
    if !check.code.isWaivable { return .disabled("it is settled, not waived") }
    return Set(check.open.map(\.station)).count == 1
      ? .enabled : .disabled("it is of several stations: look at the lines, and accept one station's at a time")
  }

  var heading: Heading {
    guard let report else {
      return examination == nil && !isReading
        ? Heading(badge: "NOT READ", text: "the store could not be examined or read")
        : Heading(badge: "EXAMINING", text: "the whole store is read")
    }
    let open = report.checks.count { !$0.isOK }
    let identity = report.identity
    let part = scope.isExam ? "" : "\(scope.name) · "
    let trailing = SafeText(
      isReading ? "reading \(wanted.name)…" : "\(part)\(identity.held) of \(identity.expected) held")
    if report.differsFromLock {
      return Heading(badge: "NOT FINAL", text: "other results than were locked", trailing: trailing)
    }
    if let lock = report.locks.last {
      return Heading(
        badge: SafeText(report.state.uppercased()), text: SafeText("by \(lock.staff.joined(separator: " and "))"),
        trailing: trailing)
    }
    return Heading(
      badge: open == 0 ? "READY" : SafeText("\(open) OF \(report.checks.count) OPEN"),
      text: open > 0
        ? "nothing can be locked yet"
        : context.key(of: Keys.lock) + (scope.isExam ? " locks the exam" : " locks this session"),
      trailing: trailing)
  }

  private var focused: ClosingReport.Check? {
    report.flatMap { table.selection.focused(of: $0.checks) }
  }

  /// Turns to another part of the exam.
  private func turn(by step: Int) {
    let index = scopes.firstIndex(of: wanted) ?? 0
    wanted = scopes[(index + step + scopes.count) % scopes.count]
    readAgain()
  }

  // MARK: Rulings

  /// Accepts lines of a check, with a reason.
  func waive(_ lines: [ClosingReport.Line], of code: ClosingReport.Code) {
    let what = "\(Plural.count(lines.count, "line")) of \"\(code.text)\" accepted"
    asLead(
      SafeText("\(what): the reason is printed in the report."), saying: SafeText(what),
      shortest: Rulings.shortestReason
    ) { lead, reason, transaction in
      for line in lines { try line.waive(code, reason: reason, by: lead, transaction) }
    }
  }

  /// Refuses to rule while the exam is read again: what is listed may be ruled already, or of the part before.
  private func refusesWhileRead() -> Bool {
    if refusesWhileExamined() { return true }
    if isReading { context.showMessage("the exam is being read", .warning) }
    return isReading
  }

  /// Refuses what would keep a lock or a ruling that waits for its look at the store from being made.
  private func refusesWhileExamined() -> Bool {
    guard next != nil else { return false }
    context.showMessage("the store is being examined for what was asked before", .warning)
    return true
  }

  func mayGoBack() -> Bool { !refusesWhileExamined() }
  func mayQuit() -> Bool { !refusesWhileExamined() }

  var refusesWaiting: SafeText? { isReading ? "typed before the list was read again" : nil }

  /// Does something as the exam lead who sits here, with a reason, and reads what is open then.
  /// - Parameter then: what comes first, once it is saved.
  func asLead(
    _ question: SafeText, saying done: SafeText, shortest: Int = 1,
    _ change: @escaping @Sendable (ExamLead, String, JournalTransaction) throws -> Void,
    then: @escaping @MainActor @Sendable () -> Void = {}
  ) {
    guard !refusesWhileRead() else { return }
    context.askAsLead(question, shortest: shortest, change) { [context, weak self] in
      then()
      context.showMessage(done, .good)
      self?.readAgain()
    }
  }

  /// Whether a hub keeps what is held back, and says what comes of it.
  private(set) var isEnrolled = false

  /// Lets changes in that are held back, or dismisses them, each with all that was saved together with it: an exam lead
  /// where a hub keeps them, else two people.
  func rule(on changes: [OperationID], admits: Bool) {
    let what: SafeText =
      changes.count > 1
      ? SafeText("The \(changes.count) changes of this sheet \(admits ? "count" : "never count") then")
      : admits ? "It counts then" : "It never counts then"
    let together = changes.count > 1 ? "them" : "it"
    let question = what + SafeText(", with all that was saved together with \(together). The reason is kept.")
    if isEnrolled {
      return asLead(
        question, saying: "ruled: the hub says what comes of it", shortest: Rulings.shortestReason
      ) { lead, reason, transaction in
        let kept = try KeptChange.still(changes, in: transaction.db)
        try KeptChanges.rule(on: kept, admits: admits, reason: reason, by: lead, transaction)
      }
    }
    askTwo { [weak self] people in self?.settle(changes, admits: admits, question, people) }
  }

  private func settle(_ changes: [OperationID], admits: Bool, _ question: SafeText, _ people: TwoPeople) {
    context.confirm(question, reason: .atLeast(Rulings.shortestReason)) { [context, weak self] reason in
      context.showMessage("the store is examined before that is done")
      self?.examine { look in
        context.save { transaction in
          var seen: Set<OperationID> = []
          let late = try changes.flatMap { try LateOperation.named($0.description, in: transaction.db) }
            .filter { seen.insert($0.id).inserted }
          return try Locking.settle(late, admits: admits, look, reason: reason ?? "", by: people, transaction)
        } then: { result in
          guard case .success(let made) = result else { return }
          let lock = made.content.map { "; the final hash begins \($0.hash.prefix(16))" }
          context.showMessage(SafeText((admits ? "let in" : "dismissed") + (lock ?? "")), .good, stays: lock != nil)
          self?.readAgain()
          guard let content = made.content else { return }
          let text = [
            "Before: \(made.results.0.summary)", "After:  \(made.results.1.summary)", "",
            "Final hash \(ExamLock.printed(content.hash))",
          ]
          context.overlay = .reader(Reader(title: "Let in", text: text.joined(separator: "\n")))
        }
      }
    }
  }

  // MARK: The lock

  /// Asks for the second person and both passcodes.
  private func askTwo(_ then: @escaping @MainActor (TwoPeople) -> Void) {
    guard !refusesWhileRead(), let first = context.sitting?.staff else { return }
    context.prompt("Username of the second person, another exam lead or the exam office:") {
      [context, weak self] username in
      do {
        let (me, second) = try context.store.read { db in
          let me = try StaffMember.find(username: first.username, in: db)
          let second = try StaffMember.find(username: username.withSingleSpaces, in: db)
          try TwoPeople.check(me, second, in: db)
          return (me, second)
        }
        self?.prove(me, second, then)
      } catch { context.refuse(SafeText("\(error)")) }
    }
  }

  private func prove(_ me: StaffMember, _ second: StaffMember, _ then: @escaping @MainActor (TwoPeople) -> Void) {
    context.promptPasscode(of: me) { [context] first in
      context.promptPasscode(of: second) { [context] other in
        do {
          then(try context.store.read { try TwoPeople(me, second, proofs: [first, other], in: $0) })
        } catch { context.showError(error) }
      }
    }
  }

  private func lock(_ people: TwoPeople) {
    context.showMessage("the store is examined once more before it is locked")
    examine { [context, scope, weak self] look in
      context.save {
        try Locking.lock(scope, look, by: people, $0)
      } then: { result in
        guard case .success(let content) = result else { return }
        context.showMessage(SafeText("locked; the final hash begins \(content.hash.prefix(16))"), .good, stays: true)
        self?.readAgain()
      }
    }
  }

  private func askReopening() {
    askTwo { [context, scope, weak self] people in
      context.confirm(
        "Everything can be changed again, and a new lock is needed.", reason: .atLeast(Rulings.shortestReason)
      ) { reason in
        context.save {
          try ExamLocks.reopen(scope, reason: reason ?? "", by: people, $0)
        } then: { result in
          guard case .success = result else { return }
          context.showMessage("open again", .warning)
          self?.readAgain()
        }
      }
    }
  }

  // MARK: Reading

  private func examine(_ then: (@MainActor (StoreLook) -> Void)? = nil) {
    // What is to be done with it needs a look of its own: one that began before may be older than the last ruling.
    if examination == nil || then != nil {
      examination = Examination(context.store, backup: context.configuration.backup)
    }
    if let then { next = then }
  }

  /// Reads what is open with what was examined last; meanwhile the report before stays.
  func readAgain() {
    guard let look else { return }
    reading.begin { [store = context.store, wanted] in
      let now = store.clock.now
      return try store.read { db in
        Found(
          report: try ClosingReport.read(look.examined, look.readiness, of: wanted, in: db, at: now),
          places: try StationSession.all(in: db), isEnrolled: try Enrolment.exists(db))
      }
    }
  }

  private func show(_ new: Found) {
    (report, places, isEnrolled, scope) = (new.report, new.places, new.isEnrolled, new.report.scope)
    if scope.isExam { scopes = [.init()] + new.report.parts.map(\.scope) }
    table.rows = (report?.checks ?? []).map { check in
      let amount = found(of: check)
      return Table.Row(
        [
          check.isOK ? context.theme.glyphs.tick : context.theme.glyphs.cross, SafeText(amount.text),
          SafeText(amount.now), SafeText(amount.wanted), SafeText(check.callText),
        ], role: check.isOK ? .muted : .normal, id: check.code.rawValue)
    }
    (context.screen as? ClosingLinesScreen)?.fill()
  }

  /// What a check counts, how much there is of it, waived lines included, and how much there must be.
  private func found(of check: ClosingReport.Check) -> (text: String, now: String, wanted: String) {
    guard let identity = report?.identity else { return (check.code.text, "", "") }
    switch check.code {
    case .identity: return (check.code.text, "\(identity.accounted)", "\(identity.expected)")
    case .unsigned: return (check.code.text, "\(identity.held - check.lines.count)", "\(identity.held)")
    case .secondCopy, .chains: return (check.code.text, "", "")
    default: return (check.code.openText, "\(check.lines.count)", "0")
    }
  }

  func reload() { readAgain() }

  /// What is open does not tick: it is read when it is asked for.
  func follow(_ rows: Set<RowKey>) -> Bool { false }

  var isReading: Bool { reading.isUnderWay }

  var deadline: Int64? { examination == nil && !isReading ? nil : context.monotonic() + 50 }

  func passTime(_ now: Int64) -> Bool {
    let isShown = showRead()
    return showExamined() || isShown
  }

  /// Shows what was read, once it is there.
  private func showRead() -> Bool {
    guard let result = reading.take() else { return false }
    switch result {
    case .success(let found): show(found)
    case .failure(let error):
      wanted = scope
      context.noteUnread(error)
    }
    return true
  }

  private func showExamined() -> Bool {
    guard let result = examination?.result else { return false }
    examination = nil
    let then = next
    next = nil
    switch result {
    case .success(let found):
      look = found
      readAgain()
      then?(found)
    case .failure(let error): context.showError(error)
    }
    return true
  }

  // MARK: Drawing

  /// Whom to call, where a taller terminal has room for them under the checks.
  private func drawCalls(_ calls: [ClosingReport.Call], on canvas: inout Canvas, in region: Rect) {
    var list = Table([
      .init("Who", width: 14), .init("What", width: 30, stretch: 3), .init("Lines", width: 6, .right),
      .init("Where now", width: 10, stretch: 1),
    ])
    // What has no room is counted in the last row.
    let room = region.height - 1
    let shown = calls.count > room ? calls.prefix(room - 1) : calls[...]
    list.rows = shown.map {
      Table.Row([SafeText($0.who), SafeText($0.what), SafeText("\($0.count)"), SafeText($0.terminal ?? "")])
    }
    if shown.count < calls.count {
      list.rows.append(Table.Row([SafeText("and \(calls.count - shown.count) more")], role: .muted))
    }
    if !list.rows.isEmpty { list.draw(on: &canvas, in: region, theme: context.theme, focused: false) }
  }

  /// Rows under the table: the identity, the lock, and its hash where there is one.
  private var foot: Int { report?.locks.last == nil ? 2 : 3 }

  func tableRegion(_ region: Rect) -> Rect { region.splitBottom(foot).rest }

  func draw(on canvas: inout Canvas, in region: Rect) {
    guard let report else {
      canvas.draw(
        "Every operation of the journal is checked; keys and clock go on.", in: region, row: 1,
        style: context.theme[.muted])
      return
    }
    let (checks, rest) = tableRegion(region).splitTop(table.rows.count + 2)
    table.draw(on: &canvas, in: checks, theme: context.theme)
    if rest.height > 2 { drawCalls(report.calls, on: &canvas, in: rest) }
    let lines = region.rows(region.height - foot, foot)
    let (equation, beside) = report.identityParts
    canvas.draw(SafeText(equation), in: lines, style: context.theme[report.identity.holds ? .good : .warning])
    // The hash is copied onto paper: it has a row of its own, and is whole at 80 columns.
    let lock = report.locks.last
    let said =
      lock == nil
      ? "NOT LOCKED" : report.differsFromLock ? "NOT FINAL, hash of other results:" : "LOCKED, final hash:"
    let state = beside + [said]
    canvas.draw(SafeText(state.joined(separator: " · ")), in: lines, row: 1, style: context.theme[.muted])
    canvas.draw(SafeText(lock?.printedHash ?? ""), in: lines, row: 2, style: context.theme[.normal])
  }
}
