import Hub
import StoreSync
import Sync

/// How a history comes to its end: until nothing is left to exchange.
extension History {
  /// Nothing goes wrong any more: everybody exchanges until nothing is left.
  func becomeQuiet() async throws {
    isCalm = true
    deliveries.cutUntil = [:]
    hub.database.plan(nil)
    try await reviveHub()
    for terminal in alive {
      await terminal.client.noteCommit()
      await stage.settle(terminal.number)
    }
    for _ in 0..<600 {
      for terminal in undelivered() { try await deliver(terminal) }
      try await enrolUnknown()
      if try await isQuiet() { return }
      advanceToNext()
      try await fire()
      try checkStep()
    }
    var lines: [String] = []
    var isOfStore = false
    for terminal in alive {
      let (phase, trouble) = (await terminal.client.phase, await terminal.client.trouble)
      if trouble == .store { isOfStore = true }
      let standing = try terminal.store.exchangeStanding()
      lines.append(
        "t\(terminal.index) \(phase) \(trouble?.text ?? "") waiting \(standing?.waiting ?? -1)"
          + " at \(standing?.enrolment.cursor ?? "")")
    }
    throw Finding(isOfStore ? .hostile : .alive, "does not become quiet: " + lines.joined(separator: "; "))
  }

  /// A person gives a new code to each terminal that the hub does not know: one that came after the hub's backup was made.
  private func enrolUnknown() async throws {
    for terminal in alive {
      guard case .sleep? = stage.parked(terminal.number)?.waiting,
        case .token? = await terminal.client.trouble?.refusal
      else { continue }
      note("enrolled again", "t\(terminal.index)")
      hub.database.plan(nil)
      try await Slot.enrol(
        terminal.store, terminal.role, at: hub.hub, of: slot.exam, isSameExam: true, scope: scope(of: terminal))
      await terminal.client.retry()
      await stage.settle(terminal.number)
    }
  }

  private func isQuiet() async throws -> Bool {
    let row = try await hub.rows("SELECT epoch, head, filling FROM exam WHERE exam = ?").first?.values
    guard case .text(let epoch)? = row?[0], case .integer(let head)? = row?[1], case .integer(let filling)? = row?[2]
    else { return false }
    for terminal in alive {
      guard let parked = stage.parked(terminal.number) else { return false }
      guard let standing = try terminal.store.exchangeStanding() else { continue }
      if filling == 1 {
        guard case .filling? = await terminal.client.trouble?.refusal else { return false }
        continue
      }
      guard case .request(let request, _, _) = parked.waiting, request.route == .wait,
        standing.waiting == 0 || sabotage == .noRelay,
        // After a dot stands what of the exam the device is given, where that has changed.
        standing.enrolment.cursor.prefix(while: { $0 != "." }) == "\(epoch):\(head)"
      else { return false }
    }
    return true
  }
}

extension SyncTrouble {
  fileprivate var refusal: HubError? { if case .refused(let error) = self { error } else { nil } }
}
