import CircuitModel
import Terminal
import Timer

/// What the invigilator does with one candidate, from any page.
@MainActor
struct CandidateActions {
  let desk: Desk
  private var context: AppContext { desk.context }

  /// Shows what the candidate met so far.
  func showLedger(_ student: Int) {
    guard let session = desk.session else { return }
    do {
      let now = desk.now
      let ledger = try context.store.read { try CandidateLedger.read(student, session: session, at: now, in: $0) }
      context.overlay = .reader(
        Reader(
          title: SafeText("\(ledger.candidate.number) \(ledger.candidate.name) (Esc leaves)"),
          text: ledger.text().joined(separator: "\n")))
    } catch { context.complain(error) }
  }

  /// Asks whether the candidate is absent, late or here.
  func askAttendance(_ candidate: Candidate, round: Int, session: Session) {
    let name = "\(candidate.number) \(candidate.name)"
    let id = candidate.id
    context.ask(
      "Attendance", "\(name), from round \(round) on. The slot stays, and no mark is touched.",
      [
        (
          "a", "absent from this round on",
          {
            save({ SafeText("\(candidate.number): absent at \($0) stations") }) {
              try HallAttendance.absent(id, from: round, in: session, $0)
            }
          }
        ),
        (
          "t", "late: joins now, at the station of round \(round)",
          {
            save({ (arrival: LateArrival) in
              let missed = arrival.missed.count
              return SafeText("\(candidate.number) joins now; \(missed) missed stations wait in the re-run queue")
            }) { try HallAttendance.late(id, joining: round, in: session, $0) }
          }
        ),
        (
          "p", "here after all: take the absence back",
          {
            save({ (_: Void) in SafeText("\(candidate.number): absence taken back") }) {
              _ = try HallAttendance.present(id, from: round, in: session, $0)
            }
          }
        ),
      ])
  }

  /// Asks with whom the candidate changes places.
  func askSwap(_ person: HallCandidate, board: HallBoard, round: Int) {
    context.prompt(SafeText("\(person.candidate.number) changes places with (number):")) { number in
      let number = number.trimmingSpaces
      guard let other = board.candidates.first(where: { $0.candidate.number == number }) else {
        return context.say(SafeText("there is no candidate \(number) in this session"), .warning)
      }
      context.prompt(SafeText("From round (Enter: \(round)):")) { text in
        let text = text.trimmingSpaces
        guard let from = text.isEmpty ? round : Int(text) else {
          return context.say("the number of a round was asked for", .warning)
        }
        confirmSwap(person.candidate, other.candidate, from: from, session: board.session)
      }
    }
  }

  private func confirmSwap(_ first: Candidate, _ second: Candidate, from round: Int, session: Session) {
    do {
      let swap = try context.store.read {
        try SlotChanges.preview(first.id, second.id, from: round, in: session, in: $0)
      }
      var text =
        "From round \(round) on \(first.number) comes wherever \(second.number) was to come, and the other way."
      for (candidate, stations) in swap.repeated where !stations.isEmpty {
        text += " \(candidate.number) meets \(stations.joined(separator: ", ")) twice."
      }
      for (candidate, stations) in swap.missed where !stations.isEmpty {
        text += " \(candidate.number) misses \(stations.joined(separator: ", "))."
      }
      context.confirm(SafeText(text), reason: .required) { reason in
        save(because: reason, { (_: SlotSwap) in SafeText("\(first.number) and \(second.number) have changed places") })
        {
          try SlotChanges.swap(first.id, second.id, from: round, in: session, $0)
        }
      }
    } catch { context.complain(error) }
  }

  /// Asks who is added, and to which free slot.
  func askExtra(board: HallBoard, round: Int) {
    let free = ExtraCandidates.freeSlots(board, from: round)
    guard let first = free.first else {
      return context.say("no slot is free from this round on: use the re-run queue", .warning)
    }
    let list = free.map(String.init).joined(separator: ", ")
    context.prompt(SafeText("Extra candidate: number, forename, surname:")) { text in
      let words = text.split(separator: " ").map(String.init)
      guard words.count == 1 || words.count >= 3 else {
        return context.say("write: 30199 Ada Lovelace, or the number alone of somebody known", .warning)
      }
      context.prompt(SafeText("Slot, free are \(list) (Enter: \(first)):")) { answer in
        let answer = answer.trimmingSpaces
        guard let slot = answer.isEmpty ? first : Int(answer), free.contains(slot) else {
          return context.say(SafeText("free slots are \(list)"), .warning)
        }
        let session = board.session
        save({ (added: [String]) in SafeText("added to slot \(slot), \(added.count) stations") }) { transaction in
          let newcomer = try Newcomer(number: words[0], names: Array(words.dropFirst()), in: transaction.db)
          return try ExtraCandidates.add(newcomer, slot: slot, from: round, in: session, transaction)
        }
      }
    }
  }

  private func save<T: Sendable>(
    because reason: String? = nil, _ said: @escaping @MainActor @Sendable (T) -> SafeText,
    _ body: @escaping @Sendable (JournalTransaction) throws -> T
  ) {
    context.save(because: reason, body) { [context] result in
      guard case .success(let value) = result else { return }
      context.screen?.refresh(nil)
      context.say(said(value))
    }
  }
}
