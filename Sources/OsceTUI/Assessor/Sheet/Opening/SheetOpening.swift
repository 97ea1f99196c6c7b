import CircuitModel
import ExamStore
import GRDB
import Journal
import Reports
import Terminal

/// One sheet at several terminals, and a sheet that somebody else has begun.
extension SheetScreen {
  /// Says that the sheet is open here, once for each sheet that is shown.
  func recordOpening() {
    guard let sheet, let sitting = context.sitting, ownership.sheet != sheet.key else { return }
    let key = sheet.key
    // Not opened before it is known who has it: the next look at the store comes here again.
    guard let takers = takers(of: key, sitting) else { return }
    ownership.show(key, takenOverBy: takers)
    if ownership.isTakenOver { return noteTakenOver() }
    askTakeOver(sheet, sitting)
    context.save(with: .quiet, { try sitting.open(key, in: $0) }) { [self] result in
      if case .success = result, ownership.opened(key) { readOpenings() }
    }
  }

  /// Who took the sheet over from this person, here or at another terminal, and still has it open; nil where that
  /// could not be read.
  private func takers(of key: String, _ sitting: SignIn) -> [OpenSheets.OtherTerminal]? {
    let device = context.store.device
    return context.read {
      try OpenSheets.takers(of: key, from: sitting.staff.id, not: sitting.id, device: device, in: $0)
    }
  }

  /// Looks at which terminals the sheet is open; says what has changed.
  /// - Returns: whether anything has.
  @discardableResult func readOpenings() -> Bool {
    guard let key = ownership.sheet, let sitting = context.sitting, ownership.wasOpened else { return false }
    let device = context.store.device
    do {
      let (others, isHere) = try context.store.read {
        (try OpenSheets.others(key, not: sitting.id, device: device, in: $0), try sitting.hasOpen(key, in: $0))
      }
      switch ownership.look(others: others, isHere: isHere) {
      case .nothing: return false
      case .takenOver: noteTakenOver()
      case .alsoOpen(let other): showAlsoOpen(other)
      case .fewer: break
      }
    } catch { context.noteUnread(error) }
    return true
  }

  private func noteTakenOver() {
    // What was typed here was typed before: it is kept.
    leaveOverlay()
    report(takenOverText, .error)
    surroundings.otherTerminalsMessage = takenOverText
  }

  private func showAlsoOpen(_ other: OpenSheets.OtherTerminal) {
    let text = alsoOpenText(other)
    report(text, .warning)
    surroundings.otherTerminalsMessage = text
  }

  private func alsoOpenText(_ other: OpenSheets.OtherTerminal) -> SafeText {
    let since = other.since.map { " since \(LocalTime.reading(of: $0).minute)" } ?? ""
    let offer = takeOverKey.map { ": \($0) takes it over" } ?? ""
    return SafeText("also open at \(other.place) by \(other.name)\(since)\(offer)")
  }

  var takenOverText: SafeText {
    let other = ownership.others.last.map { " by \($0.name) at \($0.place)" } ?? " elsewhere"
    let offer = takeOverKey.map { ", \($0) takes it back" } ?? ""
    return SafeText("READ-ONLY\(offer): taken over\(other)")
  }

  /// The key that takes the sheet over, where it acts: not on a hidden sheet, nor where the screen has no room. On a
  /// written item letters do nothing.
  private var takeOverKey: String? {
    if surroundings.isHidden || context.navigator.isTooSmall { return nil }
    return context.key(of: Keys.takeOver).plain
      + (focusedItem?.template.kind.isWritten == true ? " on another row" : "")
  }

  /// Says again what was said of other terminals, where its key has come to act or acts no more.
  func renewSaidOfOthers() {
    let shown = context.message.text.plain
    guard let said = surroundings.otherTerminalsMessage, shown.hasPrefix(said.plain) else {
      return surroundings.otherTerminalsMessage = nil
    }
    let text = ownership.isTakenOver ? takenOverText : ownership.others.last.map { alsoOpenText($0) } ?? said
    if text == said { return }
    // What was saved since may stand beside it.
    let rest = SafeText(shown.dropFirst(said.plain.count))
    context.message.show(text + rest, context.message.role, until: context.message.deadline)
    surroundings.otherTerminalsMessage = text
  }

  func takeOver() {
    guard let key = ownership.sheet, let sitting = context.sitting else { return }
    let device = context.store.device
    context.save(with: .awaited, { try OpenSheets.takeOver(key, by: sitting, device: device, in: $0) }) {
      [self] result in
      guard case .success(let others) = result else { return }
      ownership.takeOver()
      let from = others.map { "\($0.name) at \($0.place)" }.joined(separator: ", ")
      context.showMessage(
        from.isEmpty ? "taken over: each mark keeps who gave it" : SafeText("taken over from \(from)"), .good)
    }
  }

  /// This terminal does not have the sheet open any more.
  func leave() {
    isLeft = true
    (context.screen as? RosterScreen)?.focus(entryKey)
    guard let key = ownership.sheet, let sitting = context.sitting else { return }
    // A sheet that was moved to another candidate is the same sheet on the next screen.
    if (context.screen as? SheetScreen)?.ownership.sheet == key { return }
    context.save(with: .quiet, { if try sitting.hasOpen(key, in: $0.db) { try sitting.open(nil, in: $0) } }) { _ in }
  }

  /// The sheet is shown here no more, though its candidate's screen is.
  func leaveSheet() {
    guard let key = ownership.sheet, let sitting = context.sitting else { return }
    ownership.close()
    context.save(with: .quiet, { if try sitting.hasOpen(key, in: $0.db) { try sitting.open(nil, in: $0) } }) { _ in }
  }

  /// Refuses what comes to the disk when the sheet is not this terminal's or not this candidate's any more.
  var refuseIfElsewhere: @Sendable (JournalTransaction) throws -> Void {
    let (isTaken, isMoved) = (refuseIfTakenOver, refuseIfMoved)
    return {
      try isTaken($0)
      try isMoved($0)
    }
  }

  /// Refuses what comes to the disk when the sheet is another candidate's.
  var refuseIfMoved: @Sendable (JournalTransaction) throws -> Void {
    guard let shown else { return { _ in } }
    return { try shown.check(in: $0.db) }
  }

  /// The sheet that is shown, and on whom.
  var shown: ShownSheet? { sheet.map { ShownSheet(sheet: $0.key, entry: entryKey) } }

  /// Queues a change of the shown sheet; refuses it where the sheet is elsewhere by then.
  func saveSheet<T: Sendable>(
    reason: String? = nil, with options: SaveOptions = [],
    _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    then: @escaping @MainActor @Sendable (Result<T, any Error>) -> Void
  ) {
    saveSheet(reason: reason, with: options, body, reading: { _ in }) { then($0.map(\.result)) }
  }

  /// Queues a change of the shown sheet, and reads what it leaves behind.
  func saveSheet<T: Sendable, R: Sendable>(
    reason: String? = nil, with options: SaveOptions = [],
    _ body: @escaping @Sendable (JournalTransaction) throws -> T,
    reading: @escaping @Sendable (Database) throws -> R,
    then: @escaping @MainActor @Sendable (Result<(result: T, read: Result<R, any Error>), any Error>) -> Void
  ) {
    let mayWrite = refuseIfElsewhere
    context.save(
      reason: reason, with: options,
      {
        try mayWrite($0)
        return try body($0)
      }, reading: reading, then: then)
  }

  /// Says that the sheet of another seat went to another candidate: this one stays where it is.
  func noteMovedElsewhere(_ gone: Set<String>) {
    guard let key = gone.first, sheetsHere > 0, let number = entry?.candidate?.number else { return }
    let seat = seat
    let found = context.read { try ShownSheet.number(ofCandidateOn: key, seat: seat, in: $0) }
    guard let target = found ?? nil, target != number else { return }
    context.showMessage(
      SafeText("the other assessor moved \(number)'s sheet to \(target); ")
        + context.key(of: Keys.wrongCandidate) + " moves yours", .error)
  }

  private var sheetsHere: Int { entry?.sheets.count ?? 0 }

  /// Refuses what was asked for while the sheet was this terminal's and comes to the disk when it is no more.
  var refuseIfTakenOver: @Sendable (JournalTransaction) throws -> Void {
    guard let key = ownership.sheet, let sitting = context.sitting, ownership.wasOpened else { return { _ in } }
    return { transaction in
      if try !sitting.hasOpen(key, in: transaction.db) {
        throw StoreError("the sheet was taken over at another terminal: nothing was changed")
      }
    }
  }

  // MARK: A sheet that somebody else has begun

  private func askTakeOver(_ sheet: Sheet, _ sitting: SignIn) {
    let given = sheet.items.filter { !$0.isBlank }
    let mine = sitting.staff.id
    guard
      !sheet.isSigned, entry?.isPractice == false, !given.isEmpty,
      given.allSatisfy({ $0.enteredBy != mine && $0.judge != mine })
    else { return }
    ownership.wait()
    // What is being typed is not for the question; the first key for the sheet asks it. Under a lock it is not asked,
    // but the lock may be lifted while the sheet is shown.
    if !isCovered, context.overlay == nil, context.clock.lock == nil { askTakeOver(given) }
  }

  private func askTakeOver(_ given: [SheetItem]) {
    let judge = given.compactMap(\.judge).last
    let name = session.assessors.first { $0.staff == judge }?.name ?? judge.flatMap { nameOfStaff($0) } ?? "somebody"
    context.ask(
      "Take over this sheet?", "\(name) marked \(given.count) of \(index.itemCount) items of this sheet.",
      [
        ("O", "take over; earlier marks keep their assessor", { [self] in takeOver() }),
        ("l", "go back", { [self] in if context.screen === self { _ = context.pop() } }),
      ])
  }

  private func nameOfStaff(_ key: Int) -> String? {
    context.read { try StaffMember.active($0) }?.first { $0.id == key }?.name
  }

  /// Whether the sheet is this terminal's to change; says why, or asks, where it is not.
  func mayTakeKeys() -> Bool {
    if ownership.isTakenOver {
      context.showMessage(takenOverText, .error)
      surroundings.otherTerminalsMessage = takenOverText
      return false
    }
    if let lock = context.clock.lock {
      context.showMessage(SafeText("\(lock)"), .warning)
      return false
    }
    if ownership.waitsForTakeOver {
      askTakeOver((sheet?.items ?? []).filter { !$0.isBlank })
      return false
    }
    return true
  }
}
