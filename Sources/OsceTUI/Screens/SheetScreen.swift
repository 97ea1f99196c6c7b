import CircuitModel
import Journal
import Terminal
import Timer

/// A candidate's mark sheet: the identity step, then one key an item.
@MainActor
final class SheetScreen: AppScreen {
  let context: AppContext
  let session: StationSession
  let seat: Seat
  private(set) var entry: RosterEntry?
  private let entryKey: String
  private(set) var sheet: Sheet?
  private var formIndex = 0
  private(set) var rows = SheetRows()
  /// Items with changes that are not on the disk yet, and how many.
  private(set) var pending: [String: Int] = [:]
  /// Items of which the last change was refused, and why.
  private(set) var failed: [String: String] = [:]
  /// The level being read with the arrows, by its place; marks nothing.
  private(set) var readLevel: Int?
  private var folded: Set<String> = []
  private var history = MarkHistory()
  private var burst = Burst()
  private var mayMarkEarly = false
  private var announcedRound: Int?

  init(_ context: AppContext, _ session: StationSession, seat: Seat, entry: String) {
    self.context = context
    self.session = session
    self.seat = seat
    entryKey = entry
    refresh(nil)
    focusFirstBlank()
    announcedRound = context.clock.state?.round
  }

  // MARK: Keys

  var bindings: BindingTable<Command> { SheetKeys.bindings(self) }

  var isAtIdentityStep: Bool { sheet == nil }

  var focusedItem: SheetItem? { rows.item(in: sheet) }

  var presence: Presence {
    Presence(round: entry?.round, isPractice: entry?.isPractice ?? false, state: context.clock.state)
  }

  var heading: Heading {
    guard let entry else { return Heading(text: "no such candidate") }
    let badge: SafeText
    switch presence {
    case .inTheRoom: badge = "IN THE ROOM"
    case .left: badge = "LEFT (round \(entry.round ?? 0))"
    case .notYetHere: badge = "NOT YET HERE"
    case .practice: badge = "PRACTICE"
    }
    var text: SafeText = "practice sheet, never counted"
    if let candidate = entry.candidate {
      let adjustments = candidate.adjustments.map { "  [\($0)]" } ?? ""
      text = SafeText("\(candidate.number)  \(candidate.name)\(adjustments)")
    }
    let afterBell = presence == .left && sheet?.isComplete == false ? "after the bell" : ""
    return Heading(badge: badge, isAlarm: presence != .inTheRoom, text: text, trailing: SafeText(afterBell))
  }

  func perform(_ command: Command, _ key: KeyEvent?) {
    switch command {
    case .move: if let key { move(key.key) }
    case .open: openFocused()
    case .level: if let key, let typed = key.key.typed { mark(by: typed, at: key.at) }
    case .unable: change(at: key?.at) { try $0.markUnable($1) }
    case .clear: change(at: key?.at, steps: false) { try $0.clear($1) }
    case .readLeft: read(-1)
    case .readRight: read(1)
    case .feedback: editText()
    case .goToItem: askItem()
    case .typeNumber: askNumber()
    case .previousSection: jumpSection(-1)
    case .nextSection: jumpSection(1)
    case .fold: fold()
    case .duplicateSection: duplicateSection()
    case .nextRound: goToRound(1)
    case .previousRound: goToRound(-1)
    case .nextForm: nextForm()
    case .blanksToNotDone: askBlanks()
    case .sign: askSign()
    case .missing: showMissing()
    case .undo: undo()
    case .redo: redo()
    case .attendance: if let entry { AttendanceQuestion.ask(context, entry) }
    default: StationKeys.perform(command, context, session, entry: entry)
    }
  }

  // MARK: The identity step

  private func openFocused() {
    if isAtIdentityStep { return passIdentityStep() }
    guard let item = focusedItem else { return }
    if item.template.kind.isWritten {
      editText()
    } else {
      context.say("press a level key to mark; e writes feedback", .muted)
    }
  }

  private func passIdentityStep() {
    guard let entry else { return }
    if session.isRest { return context.say("a rest station has no mark sheet", .warning) }
    let seat = seat
    context.save({ try Attendance.passIdentityStep(entry: entry, seat: seat, in: $0) }) { [self] result in
      guard case .success = result else { return }
      refresh(nil)
      focusFirstBlank()
      context.say("identity checked; candidate present", .good)
    }
  }

  // MARK: Marking

  private func mark(by key: Character, at time: Int64) {
    if isAtIdentityStep { return context.say("press Enter once you have checked who is in the room", .warning) }
    guard let item = focusedItem else {
      return context.say("nothing is marked on this row", .warning)
    }
    guard let section = rows.section(in: sheet) else { return }
    switch LevelKeys(section.template.items).meaning(of: key, in: item.template) {
    case .refused(let reason): context.say(SafeText(reason), .warning)
    case .level(let index): give(item.template.levels[index], at: time)
    }
  }

  private func give(_ level: Level, at time: Int64?) {
    change(at: time) { try $0.mark($1, level: level) }
  }

  /// Queues one change of the focused item and steps on.
  private func change(
    at time: Int64?, steps: Bool = true, _ body: @escaping @Sendable (Marking, SheetItem) throws -> OperationID
  ) {
    guard let sheet, var item = focusedItem, let number = rows.number(of: item) else {
      return context.say("nothing is marked on this row", .warning)
    }
    if sheet.isComplete { return context.say("this sheet is signed: s reopens it, with a reason", .warning) }
    if !presence.hasBegun && !mayMarkEarly { return askEarly() }
    let isBurst = time.map { burst.add($0) } ?? false
    if isBurst && steps && rows.isLastItem { return context.say("keys too fast: the last item is not passed", .warning) }
    // What waits for the disk is not on the screen, so nothing of it was shown.
    if pending[item.key] != nil { item.shown = [:] }
    let before = MarkText.answer(of: item)
    let target = item
    pending[item.key, default: 0] += 1
    failed[item.key] = nil
    readLevel = nil
    context.save({ try body(Marking($0), target) }) { [self] result in
      pending[item.key].map { pending[item.key] = $0 > 1 ? $0 - 1 : nil }
      switch result {
      case .failure(let error):
        failed[item.key] = "\(error)"
        context.say(SafeText("item \(number) NOT SAVED: \(error)"), .error)
      case .success(let operation):
        history.add(operation, joining: isBurst)
        reload()
        let after = rows.items(in: self.sheet).first { $0.key == item.key }
        context.say(MarkText.line(number: number, item: after ?? item, before: before, burst: isBurst))
      }
    }
    if steps { rows.step() }
  }

  private func askEarly() {
    let number = entry?.candidate?.number ?? ""
    context.ask(
      "Not yet here", "The rotation of \(number) has not begun. Is this the right candidate's sheet?",
      [("y", "mark this sheet all the same", { [self] in mayMarkEarly = true })])
  }

  private func askNumber() {
    guard let item = focusedItem, !item.template.levels.isEmpty else {
      return context.say("a number is typed on a scale only", .warning)
    }
    context.prompt("Mark (\(item.template.levels.first!.value) to \(item.template.levels.last!.value)) =") { [self] text in
      switch LevelKeys.level(typed: text, in: item.template) {
      case .refused(let reason): context.say(SafeText(reason), .warning)
      case .level(let index): give(item.template.levels[index], at: nil)
      }
    }
  }

  private func editText() {
    guard let item = focusedItem, let number = rows.number(of: item) else {
      return context.say("feedback is written on an item", .warning)
    }
    if sheet?.isComplete == true { return context.say("this sheet is signed: s reopens it, with a reason", .warning) }
    let what = item.template.kind.isWritten ? "Item" : "Feedback on item"
    let who = entry?.candidate?.number ?? "practice"
    let target = SafeText("\(what) \(number), \(who): \(item.template.text) (Esc keeps it)")
    context.overlay = .editor(
      Editor(target: target, text: item.feedback) { [self] text in
        guard var current = rows.items(in: sheet).first(where: { $0.key == item.key }) else { return }
        if pending[item.key] != nil { current.shown = [:] }
        let target = current
        pending[item.key, default: 0] += 1
        context.save({ try Marking($0).write(target, text) }) { [self] result in
          pending[item.key].map { pending[item.key] = $0 > 1 ? $0 - 1 : nil }
          if case .success(let operation) = result { history.add(operation, joining: false) }
          reload()
        }
      })
  }

  private func askBlanks() {
    let blanks = (sheet?.items ?? []).filter { $0.template.kind.isBinary && $0.isBlank }
    if blanks.isEmpty { return context.say("no checklist item is blank") }
    context.ask(
      "Blanks to not done",
      "Mark \(blanks.count) blank checklist item(s) as not done: \(numbers(of: blanks)). One undo takes all back.",
      [
        (
          "y", "mark them",
          { [self] in
            context.save({ transaction in
              let marking = Marking(transaction)
              return try blanks.map { item in
                try marking.mark(item, level: item.template.levels.min { $0.value < $1.value }!)
              }
            }) { [self] result in
              guard case .success(let operations) = result else { return }
              history.add(operations)
              reload()
              context.say("\(operations.count) item(s) marked as not done; z takes them back")
            }
          }
        )
      ])
  }

  // MARK: Undo

  private func undo() {
    guard let step = history.takeUndo() else { return context.say("nothing to undo on this sheet", .muted) }
    run(step) { [self] in history.undone($0) }
  }

  private func redo() {
    guard let step = history.takeRedo() else { return context.say("nothing to do again", .muted) }
    run(step) { [self] in history.redone($0) }
  }

  private func run(_ step: [OperationID], _ done: @escaping @MainActor ([OperationID]) -> Void) {
    context.save({ transaction in try step.reversed().map { try transaction.undo($0) } }) { [self] result in
      guard case .success(let operations) = result else { return }
      done(operations)
      reload()
      context.say(operations.count == 1 ? "taken back" : "\(operations.count) changes taken back")
    }
  }

  // MARK: Signing

  private func askSign() {
    guard let sheet else { return }
    if sheet.isComplete {
      return context.prompt("Reason to reopen:") { [self] reason in
        context.save(because: reason, { try Signing.reopen(sheet, in: $0) }) { [self] _ in reload() }
      }
    }
    let blanks = sheet.blanks
    let others = sheet.items.filter { $0.isBlank && !sheet.template.requires($0.template) }
    let unable = sheet.items.filter(\.isUnable).count
    var text = blanks.isEmpty ? "No required item is blank." : "REQUIRED AND BLANK: item \(numbers(of: blanks))."
    if !others.isEmpty { text += " Also blank: item \(numbers(of: others))." }
    if unable > 0 { text += " \(unable) could not be assessed; the lead sees them." }
    context.ask(
      "Sign this sheet", text,
      [
        (
          "y", blanks.isEmpty ? "sign" : "sign with blanks",
          { [self] in
            context.save({ try Signing.sign(sheet, in: $0) }) { [self] result in
              reload()
              if case .success = result { context.say("signed; > opens the next candidate", .good) }
            }
          }
        )
      ])
  }

  private func numbers(of items: [SheetItem]) -> String {
    items.compactMap { rows.number(of: $0) }.map { "\($0)" }.joined(separator: ", ")
  }

  private func showMissing() {
    guard let sheet else { return }
    let blanks = sheet.items.filter(\.isBlank)
    let lines = blanks.map { item in
      "item \(rows.number(of: item) ?? 0)  \(sheet.template.requires(item.template) ? "required: " : "")\(item.template.text)"
    }
    let text = lines.isEmpty ? "No item of this sheet is blank." : lines.joined(separator: "\n")
    context.overlay = .reader(Reader(title: "Blank on this sheet (Esc leaves)", text: text))
    if let first = sheet.blanks.first ?? blanks.first { rows.focus(item: first.key) }
  }

  // MARK: Moving

  private func move(_ key: Key) {
    readLevel = nil
    _ = rows.selection.update(key)
  }

  private func read(_ step: Int) {
    guard let item = focusedItem, !item.template.levels.isEmpty else { return }
    let count = item.template.levels.count
    let start = readLevel ?? item.template.levels.firstIndex { $0.value == item.rating } ?? (step > 0 ? -1 : count)
    readLevel = min(max(start + step, 0), count - 1)
  }

  private func askItem() {
    context.prompt("Go to item:") { [self] text in
      guard let number = Int(text), let item = rows.items(in: sheet).first(where: { rows.number(of: $0) == number }) else {
        return context.say("there is no item \(SafeText(text))", .warning)
      }
      if let section = sheet?.sections.first(where: { $0.items.contains { $0.key == item.key } }) {
        folded.remove(section.key)
        rows.rebuild(sheet, folded: folded)
      }
      rows.focus(item: item.key)
    }
  }

  private func jumpSection(_ step: Int) { rows.jumpSection(step) }

  private func fold() {
    guard let section = rows.section(in: sheet) else { return }
    guard section.template.isFoldable else { return context.say("this section cannot be folded", .muted) }
    if folded.remove(section.key) == nil { folded.insert(section.key) }
    rows.rebuild(sheet, folded: folded)
    rows.focus(section: section.key)
  }

  private func duplicateSection() {
    guard let sheet, let section = rows.section(in: sheet) else { return }
    context.save({ try SectionCopies.add(section, of: sheet, in: $0) }) { [self] result in
      guard case .success(let copy) = result else { return }
      if let operation = copy.operation { history.add([operation]) }
      reload()
      rows.focus(section: copy.key)
      context.say("section copied; z takes the copy away")
    }
  }

  private func nextForm() {
    guard let count = entry?.sheets.count, count > 1 else { return context.say("this candidate has one sheet here", .muted) }
    formIndex = (formIndex + 1) % count
    history = MarkHistory()
    refresh(nil)
    focusFirstBlank()
  }

  private func goToRound(_ step: Int) {
    guard let round = entry?.round else { return context.say("practice has no rounds; q goes back to the roster", .muted) }
    do {
      let (timetable, seat) = (session.timetable, seat)
      let entries = try context.store.read { try Roster.entries(timetable: timetable, seat: seat, in: $0) }
      let others = entries.filter { ($0.round ?? 0) * step > round * step && $0.isPresent != false }
      let next = step > 0 ? others.min { $0.round ?? 0 < $1.round ?? 0 } : others.max { $0.round ?? 0 < $1.round ?? 0 }
      guard let next else { return context.say(step > 0 ? "this was the last candidate" : "this is the first candidate") }
      context.replace(with: SheetScreen(context, session, seat: seat, entry: next.key))
    } catch { context.complain(error) }
  }

  // MARK: What changes elsewhere

  func clockMoved() {
    guard let round = context.clock.state?.round, round != announcedRound else { return }
    announcedRound = round
    guard let own = entry?.round, own < round else { return }
    context.say("round \(round) has begun: > opens the next candidate's sheet", .warning)
  }

  func refresh(_ changed: Set<RowKey>?) {
    if let changed, let sheet {
      var keys = Set(sheet.items.map(\.key))
      keys.formUnion(sheet.sections.map(\.key))
      keys.formUnion([sheet.key, entryKey])
      if !changed.contains(where: { keys.contains($0.id) || $0.entity == "DataSection" }) { return }
    }
    reload()
  }

  /// Reads entry and sheet as they stand on the disk.
  private func reload() {
    let (key, seat, index) = (entryKey, seat, formIndex)
    do {
      (entry, sheet) = try context.store.read { db in
        let entry = try Roster.entry(key, seat: seat, in: db)
        guard let sheets = entry?.sheets, sheets.indices.contains(index), entry?.identityCheckedAt != nil else {
          return (entry, nil)
        }
        return (entry, try Sheet.read(sheets[index].key, in: db))
      }
    } catch { context.complain(error) }
    rows.rebuild(sheet, folded: folded)
  }

  private func focusFirstBlank() {
    guard let sheet else { return }
    if let blank = sheet.items.first(where: \.isBlank) {
      rows.focus(item: blank.key)
    } else {
      rows.focusEnd()
    }
  }

  // MARK: View

  func layOut(_ region: Rect) { rows.selection.page = max(1, SheetView.Layout(region).list.height) }

  func draw(on canvas: inout Canvas, in region: Rect) { SheetView(self).draw(on: &canvas, in: region) }
}
