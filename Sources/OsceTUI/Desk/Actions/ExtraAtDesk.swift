import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

import class GRDB.Database

/// An extra candidate: who, which free slot, and a last line that says what will happen.
extension CandidateActions {
  /// Asks who is added, and to which free slot; where none is free, or the rounds are over, to the re-run alone.
  func askExtra(_ view: HallView) {
    context.prompt(
      SafeText("Extra candidate:"),
      note: { _ in "number, forename and surname, as 30199 Ada Lovelace; of a known candidate the number alone" }
    ) { text in
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
        let isOne = free.count == 1
        context.prompt(SafeText("Free slot\(isOne ? "" : "s"): \(list) (Enter for \(first)):")) { answer in
          let answer = answer.withSingleSpaces
          guard let slot = answer.isEmpty ? first : Int(answer), free.contains(slot) else {
            return context.refuse(SafeText(isOne ? "the free slot is \(list)" : "free slots are \(list)"))
          }
          confirmExtra(words, slot: slot, from: round, board)
        }
      } catch { confirmRerunOnly(words, "\(error)", board) }
    }
  }

  private func confirmExtra(_ words: [String], slot: Int, from round: Int, _ board: HallBoard) {
    attempt(in: board.session) {
      let (who, elsewhere) = try newcomer(words, board)
      let places = ExtraCandidates.places(board, slot: slot, from: round)
      let missed = places.filter { $0.round < round }.map(\.station.stationCode)
      let first = places.first { $0.round >= round }
      var text =
        "\(elsewhere)\(who) takes slot \(slot), first at \(first?.station.stationCode ?? "no station") in round \(round)."
      if !missed.isEmpty { text += " Re-run queue: \(missed.joined(separator: ", "))." }
      let session = board.session
      context.confirm(SafeText(text), reason: .optional) { reason in
        context.save(
          reason: reason,
          saying: { (added: [String]) in SafeText("added to slot \(slot), \(Plural.count(added.count, "station"))") }
        ) {
          try SessionStage.check(joining: round, of: session, $0)
          let newcomer = try Newcomer(words, in: $0.db)
          return try ExtraCandidates.add(newcomer, slot: slot, from: round, in: session, $0)
        }
      }
    }
  }

  private func confirmRerunOnly(_ words: [String], _ why: String, _ board: HallBoard) {
    attempt(in: board.session) {
      let (who, elsewhere) = try newcomer(words, board)
      let stations = board.stations.filter { !$0.isRest }.map(\.stationCode).joined(separator: ", ")
      let session = board.session
      context.confirm(
        SafeText("\(elsewhere)\(why). \(who) is examined in the re-run alone: \(stations)."), reason: .optional
      ) { reason in
        context.save(
          reason: reason,
          saying: { (added: [String]) in SafeText("queued for the re-run: \(Plural.count(added.count, "station"))") }
        ) {
          let newcomer = try Newcomer(words, in: $0.db)
          return try ExtraCandidates.addToRerun(newcomer, in: session, $0)
        }
      }
    }
  }

  /// Number and name of who is added, as the exam has them where it knows the number, and where else they are that day.
  /// - Throws: `StoreError` if nobody has the number and no name was given, if its candidate is in the session, or if it
  ///   is somebody else's than the names say.
  private func newcomer(_ words: [String], _ board: HallBoard) throws -> (who: String, elsewhere: String) {
    let now = desk.now
    try CandidateText.check(number: words[0])
    return try context.store.read { db in
      switch try Newcomer(words, in: db) {
      case .known(let student):
        let name = try Roster.candidate(student, in: db)?.name ?? ""
        let who = "\(words[0]) \(name)"
        if board.candidates.contains(where: { $0.candidate.id == student }) {
          throw StoreError("\(who) is in session \(board.session.name) already")
        }
        try CandidateText.check(words[0], of: name, named: words.dropFirst())
        let others = try AdditionalCandidate.sessions(of: student, on: board.session.date, in: db)
          .filter { $0.session != board.session }
        let elsewhere = try others.map { try place(of: student, in: $0.session, $0.circuit, at: now, db) }
        return (who, elsewhere.isEmpty ? "" : "\(who) \(elsewhere.joined(separator: " and ")). ")
      case .new(let number, let forename, let surname): return ("\(number) \(forename) \(surname)", "")
      }
    }
  }

  /// Where a candidate is in another session by now: `IS BEING EXAMINED ON Green circuit 09:00, at CHEST in round 1`.
  private func place(
    of student: Int, in session: Session, _ circuit: String, at now: Instant, _ db: Database
  ) throws -> String {
    let view = try HallView.read(session, at: now, in: db)
    let name = "\(circuit) \(session.startTime)"
    // Somebody of the re-run queue alone has no place in the session's own rounds.
    if view.board.places(of: student).isEmpty { return "IS IN THE RE-RUN QUEUE OF \(name)" }
    switch view.moment {
    case .before:
      let first = view.board.places(of: student).first
      return "IS PLANNED ON \(name)"
        + (first.map { ", first at \(view.board.code($0.timetable)) in round \($0.round)" } ?? "")
    case .on(let round, _), .rerun(let round):
      let here = view.place(of: student, view.now).map { "at \($0.station.stationCode)" } ?? "nowhere"
      return "IS BEING EXAMINED ON \(name), \(here) in round \(max(1, round))"
    case .over: return "WAS ON \(name)"
    }
  }
}

extension Newcomer {
  /// Whom the words of the question name: the number, then forename and surname.
  fileprivate init(_ words: [String], in db: Database) throws {
    try self.init(number: words[0], names: Array(words.dropFirst()), in: db)
  }
}
