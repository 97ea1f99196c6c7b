import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// An extra candidate: who, which free slot, and a last line that says what will happen.
extension CandidateActions {
  /// Asks who is added, and to which free slot; where none is free, or the rounds are over, to the re-run alone.
  func askExtra(_ view: HallView) {
    context.prompt(SafeText("Extra candidate: number, forename, surname:")) { text in
      let words = text.split { $0 == " " || $0 == "," }.map(String.init)
      guard words.count == 1 || words.count >= 3 else {
        return context.refuse("enter number and name (30199 Ada Lovelace), or a known number alone")
      }
      let board = view.board
      do {
        let round = try view.moment.joining(of: board.rounds)
        let free = ExtraCandidates.freeSlots(board, from: round)
        guard let first = free.first else {
          return confirmRerunOnly(words, "No slot is free from round \(round) on", board)
        }
        let list = free.map(String.init).joined(separator: ", ")
        context.prompt(SafeText("Free slots: \(list) (Enter for \(first)):")) { answer in
          let answer = answer.trimmingSpaces
          guard let slot = answer.isEmpty ? first : Int(answer), free.contains(slot) else {
            return context.refuse(SafeText("free slots are \(list)"))
          }
          confirmExtra(words, slot: slot, from: round, board)
        }
      } catch { confirmRerunOnly(words, "\(error)", board) }
    }
  }

  private func confirmExtra(_ words: [String], slot: Int, from round: Int, _ board: HallBoard) {
    attempt {
      let who = try name(words, board)
      let places = ExtraCandidates.places(board, slot: slot, from: round)
      let missed = places.filter { $0.round < round }.map(\.station.stationCode)
      let first = places.first { $0.round >= round }
      var text = "\(who) takes slot \(slot), first at \(first?.station.stationCode ?? "no station") in round \(round)."
      if !missed.isEmpty { text += " Re-run queue: \(missed.joined(separator: ", "))." }
      let session = board.session
      context.confirm(SafeText(text), reason: .optional) { reason in
        save(
          because: reason,
          { (added: [String]) in SafeText("added to slot \(slot), \(Plural.count(added.count, "station"))") }
        ) {
          try HallMoment.check(joining: round, of: session, $0)
          let newcomer = try Newcomer(number: words[0], names: Array(words.dropFirst()), in: $0.db)
          return try ExtraCandidates.add(newcomer, slot: slot, from: round, in: session, $0)
        }
      }
    }
  }

  private func confirmRerunOnly(_ words: [String], _ why: String, _ board: HallBoard) {
    attempt {
      let who = try name(words, board)
      let stations = board.stations.filter { !$0.isRest }.map(\.stationCode).joined(separator: ", ")
      let session = board.session
      context.confirm(SafeText("\(why). \(who) is examined in the re-run alone: \(stations)."), reason: .optional) {
        reason in
        save(
          because: reason,
          { (added: [String]) in SafeText("queued for the re-run: \(Plural.count(added.count, "station"))") }
        ) {
          let newcomer = try Newcomer(number: words[0], names: Array(words.dropFirst()), in: $0.db)
          return try ExtraCandidates.addToRerun(newcomer, in: session, $0)
        }
      }
    }
  }

  /// Number and name of who is added, as the exam has them where it knows the number.
  /// - Throws: `StoreError` if nobody has the number and no name was given, or if its candidate is in the session.
  private func name(_ words: [String], _ board: HallBoard) throws -> String {
    try context.store.read { db in
      switch try Newcomer(number: words[0], names: Array(words.dropFirst()), in: db) {
      case .known(let student):
        let who = "\(words[0]) \(try Roster.candidate(student, in: db)?.name ?? "")"
        if board.candidates.contains(where: { $0.candidate.id == student }) {
          throw StoreError("\(who) is in session \(board.session.name) already")
        }
        return who
      case .new(let number, let forename, let surname): return "\(number) \(forename) \(surname)"
      }
    }
  }
}
