import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// A candidate's mark sheet: the identity step, then one key an item.
///
/// What it does stands in folders: `View` how it looks, `Marking` one candidate's items, `Flow` what goes on round them.
@MainActor
final class SheetScreen: Searchable, EntryScreen {
  let context: AppContext
  let session: StationSession
  let seat: Seat
  private(set) var entry: RosterEntry?
  let entryKey: String
  private(set) var sheet: Sheet? {
    didSet {
      index = SheetIndex(sheet)
      if sheet?.template != oldValue?.template { columns = LevelColumns(sheet?.template, labels) }
    }
  }
  /// What frames look up of the sheet.
  private(set) var index = SheetIndex(nil)
  /// What is printed on the levels.
  let labels: LevelLabels
  /// The columns in which the levels stand.
  private(set) var columns: LevelColumns
  /// Where the sheet's marks are.
  private(set) var places = SheetPlaces()
  private var formIndex = 0
  var rows = SheetRows()
  /// Items with changes that are not on the disk yet, and how many.
  var pending: [String: Int] = [:]
  /// Items of which the last change was refused, and why.
  var failed: [String: String] { context.unsaved.refusals }
  /// The level of the focused item that is being read with the arrows, by its place. It is forgotten with the focus:
  /// Enter marks what is read.
  var readLevel: Int? {
    get { reading.flatMap { $0.item == focusedItem?.key ? $0.level : nil } }
    set { reading = newValue.flatMap { level in focusedItem.map { ($0.key, level) } } }
  }
  private var reading: (item: String, level: Int)?
  var folded: Set<String> = []
  var history = MarkHistory()
  var burst = Burst()
  var heldUndo = HeldKey()
  /// Whether the assessor has said that this sheet is to be marked although the rotation has not begun.
  var mayMarkEarly = false
  var isPassingIdentityStep = false
  /// How fast the identity step is answered.
  var pace = IdentityPace()
  /// Whether an undo waits for the disk.
  var isUndoing = false
  /// Whether the last key undid or did again.
  var followsUndo = false
  /// Another sheet came to this candidate while one was open: who is in the room is to be confirmed anew.
  private(set) var isExchanged = false
  /// The sheets of the other seats of this candidate.
  private(set) var otherSeats: Set<String> = []
  /// What the screen knows beside the sheet itself.
  var flow = SheetFlow()
  private var announced: Announced?
  /// The round and the phase for which it was read who is in the room.
  private var succeeded: ClockPanel.Moment?
  /// The seconds after the bell that were shown last.
  var shownAfterBell: Int64?
  private(set) var detail = DetailPane()
  /// Whether the screen was left for good: what comes of its changes is still said, and nothing is read for it.
  var isLeft = false

  init(_ context: AppContext, _ session: StationSession, seat: Seat, entry: String) {
    self.context = context
    self.session = session
    self.seat = seat
    entryKey = entry
    labels = LevelLabels(context)
    columns = LevelColumns(nil, labels)
    refresh(nil)
    focusFirstBlank()
    announced = Announced(context.clock)
  }

  /// The round that the assessor was told of last.
  private struct Announced: Equatable {
    let round: Int
    let isRerun: Bool

    @MainActor init?(_ clock: ClockPanel) {
      guard let round = clock.state?.round else { return nil }
      (self.round, isRerun) = (round, clock.isRerun)
    }
  }

  // MARK: Keys

  var isAtIdentityStep: Bool { sheet == nil }

  var keepsHeading: Bool { true }

  var focusedItem: SheetItem? { rows.item(in: sheet) }

  var presence: Presence {
    entry.map { context.clock.presence(of: $0) } ?? .notYetHere
  }

  /// Seconds that the candidate still has after the bell; nil for whoever has no more time than others.
  var secondsAfterBell: Int64? { entry.flatMap { context.clock.leftAfterBell(of: $0) }.map(PhaseText.shownSeconds) }

  var heading: Heading {
    guard let entry else { return Heading(text: "no such candidate") }
    let badge: SafeText
    switch presence {
    case .inTheRoom:
      badge = secondsAfterBell.map { SafeText("STOPS IN \(PhaseText.digits($0 * 1000))") } ?? "IN THE ROOM"
    case .left:
      let round = context.clock.round(of: entry) ?? entry.round
      badge = round.map { "LEFT (round \($0))" } ?? "LEFT"
    case .notYetHere: badge = "NOT YET HERE"
    case .practice: badge = "PRACTICE"
    }
    var text: SafeText = "practice sheet, never counted"
    if let candidate = entry.candidate {
      let stop = session.isRest ? nil : candidate.stopsAt
      let adjusted = [stop, candidate.adjustments].compactMap { $0 }.joined(separator: "; ")
      let adjustments = adjusted.isEmpty ? "" : "  [\(adjusted)]"
      text = SafeText("\(candidate.number)  \(context.name(of: candidate))\(adjustments)")
    }
    return Heading(
      badge: badge, isAlarm: presence != .inTheRoom, text: text, trailing: flowNotes, now: successorText)
  }

  func begins(_ id: BindingID) -> Bool {
    // A call for help is none of the sheet's business.
    if id == "help.call" { return true }
    if refusesHidden(id) { return false }
    if id != Keys.undo.name.id { context.noteNotMarking(nil) }
    return true
  }

  func move(_ key: Key) { if begins(EveryScreen.move.name.id) { moveFocus(key) } }

  // MARK: The identity step

  func openFocused(_ key: KeyEvent?) {
    if isAtIdentityStep { return passIdentityStep(key) }
    guard let item = focusedItem else { return openSection() }
    if let obstacle = item.template.obstacle {
      context.say(SafeText(obstacle), .warning)
    } else if let level = levelRead(of: item) {
      change(at: nil) { try $0.mark($1, level: level) }
    } else if item.template.kind.recordsWork {
      openWork()
    } else if item.template.kind.isWritten {
      editText()
    } else if let lines = detailLines(width: detail.columns), detail.overflows(lines) {
      let text = detailLines(width: .max)?.map(\.text.plain) ?? []
      context.overlay = .reader(
        Reader(title: "Item \(rows.number(of: item) ?? 0) (Esc leaves)", text: text.joined(separator: "\n")))
    } else if sheet?.isComplete == true {
      context.say("signed: \(context.key(of: Keys.sign)) reopens it, with a reason", .muted)
    } else if isEarly {
      context.say("the rotation has not begun: \(context.key(of: Keys.early)) marks this sheet anyway", .muted)
    } else {
      let arrows = context.theme.glyphs.left + " " + context.theme.glyphs.right
      context.say("nothing marked: no level is being read; " + arrows + " read one, or press its key", .warning)
    }
  }

  // MARK: What changes elsewhere

  func clockMoved() {
    if succeeded != context.clock.moment {
      succeeded = context.clock.moment
      readSuccessor()
    }
    guard let now = Announced(context.clock), now != announced else { return }
    announced = now
    let round = now.round
    guard let entry else { return }
    if entry.isPractice {
      return context.say(
        SafeText("round \(round): \(context.key(of: EveryScreen.back).plain) goes back to the roster"), .warning)
    }
    // Whoever the re-run does not ask for has been here before it.
    guard let own = context.clock.round(of: entry) ?? (now.isRerun ? 0 : nil), own < round else { return }
    guard let next = candidate(after: 1), let candidate = next.candidate else {
      return context.say("round \(round): nobody else is planned here", .warning)
    }
    let goes = context.key(of: Keys.nextRound) + " goes to " + SafeText(context.title(of: candidate))
    guard let place = context.clock.round(of: next) else {
      return context.say("round \(round): nobody is planned; " + goes + " (added, no round)", .warning)
    }
    if place == round {
      context.say("round \(round): " + goes, .warning)
    } else if place > round {
      context.say("round \(round): nobody comes; " + goes + " (round \(place))", .warning)
    } else {
      context.say("round \(round): " + goes + " (round \(place))", .warning)
    }
  }

  func refresh(_ changed: Set<RowKey>?) { reload() }

  /// Reads entry and sheet as they stand on the disk.
  func reload() {
    if isLeft { return }
    let (key, seat, index, open, mustConfirm) = (entryKey, seat, formIndex, sheet?.key, isExchanged)
    do {
      let sequence: Int64
      let others: Set<String>
      let here: String?
      (entry, here, sheet, places, others, sequence) = try context.store.read { db in
        let sequence = try ExamStore.lastSequence(db)
        let entry = try Roster.entry(key, seat: seat, in: db)
        let others = try ShownSheet.others(onEntry: key, not: seat, in: db)
        guard let entry, entry.sheets.indices.contains(index) else {
          return (entry, nil, nil, SheetPlaces(), others, sequence)
        }
        let sheet = entry.sheets[index].key
        let isChanged = open != nil && open != sheet
        guard !mustConfirm, !isChanged, SheetScreen.shows(entry, isOpen: open != nil) else {
          return (entry, sheet, nil, SheetPlaces(), others, sequence)
        }
        let read = try Sheet.read(sheet, in: db)
        return (entry, sheet, read, try SheetPlaces.read(sheet: sheet, in: db), others, sequence)
      }
      flow.strip.stale = nil
      context.unsaved.settle(sheet?.items ?? [])
      context.noteRead(shownRows, upTo: sequence, by: self)
      if let open, sheet == nil { closeSheet(isExchanged: open != here) }
      noteMovedElsewhere(otherSeats.subtracting(others))
      otherSeats = others
      if readUsedElsewhere(), let other = otherSheetText { report(other, .warning) }
    } catch { context.noteUnread(error) }
    readSuccessor()
    rows.rebuild(sheet, folded: folded)
    recordOpening()
  }

  /// Whether the sheet of an entry is shown: only that of somebody who was seen. Who is recorded absent while the sheet
  /// is open stays in view and is not marked.
  private nonisolated static func shows(_ entry: RosterEntry, isOpen: Bool) -> Bool {
    if isOpen && entry.isPresent == false { return true }
    return entry.identityCheckedAt != nil && (entry.isPractice || entry.isPresent == true)
  }

  /// The open sheet is not this candidate's any more, or nobody is recorded as present: back to the identity step, and
  /// nothing that was done on that sheet is taken back here.
  private func closeSheet(isExchanged: Bool) {
    self.isExchanged = isExchanged
    (history, burst, readLevel, folded) = (MarkHistory(), Burst(), nil, [])
    rows = SheetRows()
    // What is being written is its own sheet's: it is kept as not saved where that is another candidate's now.
    leaveOverlay()
    leaveSheet()
    if isExchanged { report(exchangedText, .error) } else { sayTakenBack() }
  }

  /// Takes away what lies over the sheet, and keeps what was typed into it. What lies over another screen is not
  /// touched.
  func leaveOverlay() {
    if isCovered { return }
    context.overlay?.commit()
    context.overlay = nil
  }

  /// Says who set the attendance back, where that was somebody else: the sheet was not left by a key of this terminal.
  private func sayTakenBack() {
    guard let entry, let taken = try? context.store.read({ try PresenceTakenBack.read(entry, in: $0) }),
      taken.sitting == nil || taken.sitting != context.sitting?.id
    else { return }
    let number = entry.candidate?.number ?? "practice"
    report(SafeText("\(number) was \(taken.words); look who is in the room, then Enter"), .error)
  }

  /// What is said where the open sheet is another candidate's now.
  var exchangedText: SafeText {
    let number = SafeText(entry?.candidate?.number ?? "practice")
    return "the sheet was exchanged: now it is that of " + number + "; look who is in the room, then Enter"
  }

  /// Whether another screen lies over this one, or it was left: what is asked there, and typed there, is that screen's.
  var isCovered: Bool { isLeft || context.screen !== self && context.screens.contains { $0 === self } }

  /// Says what came of a change of this sheet. On another screen it is said whose sheet that was, and what went well
  /// takes no line of that screen's own away.
  func report(_ text: SafeText, _ role: Role = .normal) {
    guard isCovered else { return context.say(text, role) }
    if role != .error, role != .warning, !context.message.text.isEmpty { return }
    context.say(SafeText(entry?.candidate?.number ?? "practice") + ", " + text, role)
  }

  /// Who is in the room was confirmed: the sheet that is here now is opened.
  func confirmExchange() { isExchanged = false }

  /// Reads some items as they stand on the disk: after a mark nothing else of the sheet has changed.
  func reread(_ items: [SheetItem]) {
    if isLeft { return }
    let places = places
    take(Result { try context.store.read { try ReadItems.read(items, places, in: $0) } })
  }

  /// Shows what was read of some items.
  func take(_ read: Result<ReadItems?, any Error>) {
    if isLeft { return }
    switch read {
    case .success(let read?):
      for item in read.items { sheet?.replace(item) }
      for look in read.looks { places.note(look) }
      context.unsaved.settle(sheet?.items ?? [])
      flow.strip.stale?.formUnion(read.items.lazy.map(\.key))
      context.noteRead(read.items.lazy.map(\.row), upTo: read.sequence, by: self)
    case .success(nil): reload()
    case .failure(let error): context.noteUnread(error)
    }
  }

  func followHub() {
    guard let sheet else { return }
    do {
      var places = places
      try context.store.read { try places.followHub(sheet: sheet.key, in: $0) }
      self.places = places
    } catch { context.noteUnread(error) }
  }

  /// Shows the candidate's next sheet at this station.
  func nextForm() {
    guard let count = entry?.sheets.count, count > 1 else { return chooseAnotherForm() }
    formIndex = (formIndex + 1) % count
    showAnew()
  }

  /// Shows the sheet at this place of the candidate's from its beginning, whichever that is now.
  func showAnew() {
    confirmExchange()
    history = MarkHistory()
    (folded, readLevel) = ([], nil)
    sheet = nil
    refresh(nil)
    focusFirstBlank()
  }

  func focusFirstBlank() {
    guard let sheet else { return }
    if let blank = sheet.items.first(where: \.isBlank) {
      rows.focus(item: blank.key)
    } else {
      rows.focusEnd()
    }
  }

  // MARK: View

  func layOut(_ region: Rect) {
    flow.hasRoom = region.height >= RewindStrip.height
    renewSaidOfOthers()
    refreshStrip()
    let region = flowRegion(region)
    detail.fit(sheet, to: region, labels, context.theme.glyphs)
    rows.selection.page = max(1, SheetLayout(region, detail: detail.height).list.height)
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    if flow.isHidden { return drawHidden(on: &canvas, in: region) }
    SheetView(self).draw(on: &canvas, in: flowRegion(region))
    drawStrip(on: &canvas, in: region)
  }
}
