import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// A candidate's mark sheet: the identity step, then one key an item.
///
/// What it does stands in folders: `Opening` until a sheet is open, and who comes next; `Marking` its items;
/// `WholeSheet` what is done with all of it; `View` how it looks.
@MainActor
final class SheetScreen: Searchable, EntryScreen {
  let context: AppContext
  private let opened: StationSession
  var session: StationSession { context.clock.current(opened) }
  /// The sheet as it is worked on.
  private(set) var model: SheetModel
  /// Who has it open.
  var ownership = SheetOwnership()
  /// The check before it opens.
  var identity = IdentityCheck()
  /// What is printed on the levels.
  let labels: LevelLabels
  var levelColumns = LevelColumnsCache()
  /// Items of which the last change was refused, and why.
  var failed: [String: String] { context.unsaved.refusals }
  var burst = Burst()
  var heldUndo = HeldKey()
  /// Whether an undo waits for the disk.
  var isUndoing = false
  /// Whether the last key undid or did again.
  var followsUndo = false
  /// What the screen knows beside the sheet itself.
  var surroundings = SheetSurroundings()
  var roundNotice = RoundNotice()
  /// The round and the phase for which it was read who is in the room.
  private var succeeded: ClockPanel.Moment?
  /// The seconds after the bell that were shown last.
  var shownAfterBell: Int64?
  private(set) var detail = DetailPane()
  /// Whether the screen was left for good: what comes of its changes is still said, and nothing is read for it.
  var isLeft = false

  init(_ context: AppContext, _ session: StationSession, seat: Seat, entry: String) {
    self.context = context
    opened = session
    model = SheetModel(entry: entry, seat: seat)
    labels = LevelLabels(context)
    reload()
    _ = roundNotice.take(context.clock)
  }

  // MARK: Keys

  var isAtIdentityStep: Bool { sheet == nil }

  var keepsHeading: Bool { true }

  var presence: Presence {
    entry.map { context.clock.presence(of: $0) } ?? .notYetHere
  }

  /// Seconds that the candidate still has after the bell; nil for a candidate who has no more time than others.
  var secondsAfterBell: Int64? { entry.flatMap { context.clock.leftAfterBell(of: $0) }.map(PhaseText.shownSeconds) }

  func begins(_ id: BindingID) -> Bool {
    // A call for help is none of the sheet's business.
    if id == StationKeys.call.name.id { return true }
    if refusesHidden(id) { return false }
    if id != Keys.undo.name.id { context.setUndoHint(nil) }
    return true
  }

  func move(_ key: Key) { if begins(EveryScreen.move.name.id) { moveFocus(key) } }

  /// The candidate's sheet, the same in this phase of the clock, then its focused row.
  var subjects: [Subject] { [shownSheet, phaseSubject, focusSubject] }

  private var shownSheet: Subject { Subject(entryKey, hasSeveralSheets ? sheet?.key : nil) }

  private var phaseSubject: Subject { Subject(shownSheet, context.clock.subject) }

  var focusSubject: Subject { Subject(shownSheet, focusedItem?.key, focusedItem == nil ? rows.selection.index : nil) }

  /// Says something about the focused row: it goes when the focus does.
  func showFocusMessage(_ text: SafeText, _ role: Role) { context.showMessage(text, role, about: focusSubject) }

  /// Says something that holds in this phase of the clock: it goes with the phase, or with the candidate.
  func showPhaseMessage(_ text: SafeText, _ role: Role) { context.showMessage(text, role, about: phaseSubject) }

  // MARK: The identity step

  func openFocused(_ key: KeyEvent?) {
    if isAtIdentityStep { return passIdentityStep(key) }
    guard let item = focusedItem else { return openSection() }
    if let obstacle = item.template.obstacle {
      showFocusMessage(SafeText(obstacle), .warning)
    } else if let level = levelRead(of: item) {
      change(at: nil) { try $0.give(.level(level), to: $1) }
    } else if item.template.kind.recordsWork {
      openWork()
    } else if item.template.kind.isWritten {
      editText()
    } else if let lines = detailLines(width: detail.columns), detail.overflows(lines) {
      let text = detailLines(width: .max)?.map(\.text.plain) ?? []
      context.overlay = .reader(
        Reader(title: "Item \(rows.number(of: item) ?? 0) (Esc closes)", text: text.joined(separator: "\n")))
    } else if let lock = context.clock.lock {
      showFocusMessage(SafeText("\(lock)"), .warning)
    } else if sheet?.isSigned == true {
      context.showMessage("signed: \(context.key(of: Keys.sign)) reopens it, with a reason", .muted)
    } else if isEarly {
      showPhaseMessage("the rotation has not begun: \(context.key(of: Keys.early)) marks this sheet anyway", .muted)
    } else {
      let arrows = context.theme.glyphs.left + " " + context.theme.glyphs.right
      showFocusMessage("nothing marked: no level is being read; " + arrows + " read one, or press its key", .warning)
    }
  }

  // MARK: What changes elsewhere

  func clockMoved() {
    if succeeded != context.clock.moment {
      succeeded = context.clock.moment
      readSuccessor()
    }
    sayRound()
  }

  /// Reads entry and sheet as they stand on the disk.
  func reload() {
    if isLeft { return }
    surroundings.isAsideOld = true
    let (before, wasOpen) = (entry, sheet != nil)
    do {
      let read = try model.reload(context.store)
      surroundings.strip.stale = nil
      context.unsaved.settle(sheet?.items ?? [])
      context.follower.noteRead(shownRows, upTo: read.sequence, by: self)
      if let before, entry == nil {
        noteRemoved(before)
      } else if read.isClosed {
        noteClosed()
      } else if let before, before.candidate != nil || entry?.candidate != nil,
        before.candidate?.id != entry?.candidate?.id
      {
        noteOtherCandidate(than: before)
      }
      noteMovedElsewhere(read.gone)
      if readUsedElsewhere(), let other = otherSheetText { report(other, .warning) }
    } catch { context.noteUnread(error) }
    readSuccessor()
    readWritten()
    model.list()
    // Also where the identity was checked at another terminal.
    if !wasOpen { model.focusFirstBlank() }
    recordOpening()
  }

  /// Reads how many comments and concerns on the candidate there are.
  func readWritten() {
    let (key, session, seat) = (entryKey, session, seat)
    do {
      let counts = try context.store.read { try Comments.counts(of: key, at: session, seenFrom: seat, in: $0) }
      surroundings.written =
        counts[key].map { WrittenNotes(comments: $0.comments, concerns: $0.concerns) } ?? WrittenNotes()
    } catch { context.noteUnread(error) }
  }

  /// The open sheet is not this candidate's any more, or nobody is recorded as present: back to the identity step.
  private func noteClosed() {
    closeSheet()
    if model.isExchanged { report(exchangedText, .error) } else { showAttendanceCleared() }
  }

  private func closeSheet() {
    burst = Burst()
    // What is being written is its own sheet's: it is kept as not saved where that is another candidate's now.
    leaveOverlay()
    identity.candidateChanged(at: context.monotonic())
    leaveSheet()
  }

  /// The roster has this place no more: what was asked was of who came there.
  private func noteRemoved(_ before: RosterEntry) {
    closeSheet()
    readSuccessor()
    report(SafeText("CANDIDATE CHANGED: \(before.shortLabel) no longer comes here; \(wayOn)"), .error)
  }

  /// Another candidate comes in the place of the one who was shown: what was asked, and what is pressed before anybody
  /// can have read it, was of that one.
  private func noteOtherCandidate(than before: RosterEntry) {
    leaveOverlay()
    identity.candidateChanged(at: context.monotonic())
    report(context.changedText(of: entry, since: before), .error)
  }

  /// Takes away what lies over the sheet, and keeps what was typed into it. What lies over another screen is not
  /// touched.
  func leaveOverlay() {
    if !isCovered { context.cutOverlay() }
  }

  /// Says who set the attendance back, where that was somebody else: the sheet was not left by a key of this terminal.
  private func showAttendanceCleared() {
    guard let entry, let taken = context.read({ try ClearedAttendance.read(entry, in: $0) }) ?? nil,
      taken.sitting == nil || taken.sitting != context.sitting?.id
    else { return }
    let number = entry.shortLabel
    report(SafeText("\(number) was \(taken.text); check who is in the room, then Enter"), .error)
  }

  /// What is said where the open sheet is another candidate's now.
  var exchangedText: SafeText {
    let number = SafeText(entry.shortLabel)
    return "sheet swapped: now " + number + "'s; check who is in the room, then Enter"
  }

  /// Whether another screen lies over this one, or it was left: what is asked there, and typed there, is that screen's.
  var isCovered: Bool { isLeft || context.screen !== self && context.screens.contains { $0 === self } }

  /// Says what came of a change of this sheet. On another screen it is said whose sheet that was, and what went well
  /// takes no line of that screen's own away.
  /// - Parameters:
  ///   - keys: how many keys had come by the one that made the change, so that the line stands beside what was said
  ///     since; nil: it takes its place.
  ///   - isPart: whether that key may have been refused the rest of the change.
  func report(_ text: SafeText, _ role: Role = .normal, after keys: Int? = nil, isPart: Bool = false) {
    guard isCovered else {
      guard let keys else { return context.showMessage(text, role) }
      return context.messages.showDone(text, role, after: keys, isPart: isPart)
    }
    if role != .error, role != .warning, !context.message.text.isEmpty { return }
    context.showMessage(SafeText(entry.shortLabel) + ", " + text, role)
  }

  /// Who is in the room was confirmed: the sheet that is here now is opened.
  func confirmExchange() { model.confirmExchange() }

  /// The sheet is typed from paper: it is shown though nobody checked the identity here.
  func openFromPaper() { model.openFromPaper() }

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
      model.take(read)
      context.unsaved.settle(sheet?.items ?? [])
      surroundings.strip.stale?.formUnion(read.items.lazy.map(\.key))
      context.follower.noteRead(read.items.lazy.map(\.row), upTo: read.sequence, by: self)
    case .success(nil): reload()
    case .failure(let error): context.noteUnread(error)
    }
  }

  func followHub() {
    do { try model.followHub(context.store) } catch { context.noteUnread(error) }
  }

  /// Shows the candidate's next sheet at this station.
  func nextForm() {
    if model.turnToNextSheet() { showFromStart() } else { chooseAnotherForm() }
  }

  /// Shows another of the candidate's sheets at this station, where that is not shown already.
  func turn(toSheet key: String) {
    if model.turn(toSheet: key) { showFromStart() }
  }

  /// Shows the sheet at this place of the candidate's from its beginning, whichever that is now.
  func showFromStart() {
    model.reset()
    reload()
  }

  // MARK: View

  func layOut(_ region: Rect) {
    surroundings.size = region.size
    renewSaidOfOthers()
    refreshStrip(region)
    readAside(region)
    let region = regionOfSheet(region)
    detail.fit(sheet, to: region, labels, context.theme.glyphs)
    rows.selection.page = SheetView(self).page(in: region)
  }

  func draw(on canvas: inout Canvas, in region: Rect) {
    if surroundings.isHidden { return drawHidden(on: &canvas, in: region) }
    SheetView(self).draw(on: &canvas, in: regionOfSheet(region))
    drawStrip(on: &canvas, in: region)
  }
}

/// What the parts of the screen ask of its model.
extension SheetScreen {
  var seat: Seat { model.seat }
  var entryKey: String { model.entryKey }
  var entry: RosterEntry? { model.entry }
  var sheet: Sheet? { model.sheet }
  var index: SheetIndex { model.index }
  var places: SheetPlaces { model.places }
  var otherSeats: Set<String> { model.otherSeats }
  /// Asked by every key of the footer: the model is not copied for it.
  var focusedItem: SheetItem? { model.index.focusedItem(of: model.rows) }
  var rows: SheetRows {
    get { model.rows }
    _modify { yield &model.rows }
  }
  var pending: [String: Int] {
    get { model.pending }
    _modify { yield &model.pending }
  }
  var history: MarkHistory {
    get { model.history }
    _modify { yield &model.history }
  }
  var folded: Set<String> {
    get { model.folded }
    _modify { yield &model.folded }
  }
  var readLevel: Int? {
    get { model.readLevel }
    set { model.readLevel = newValue }
  }
  func unfold(_ item: SheetItem) { model.unfold(item) }
}
