import Characters
import CircuitModel
import ExamStore
import GRDB
import Journal
import Reports
import Terminal

/// Absent, late, here after all: what fits where the session's clock stands, each said before it is done.
extension CandidateActions {
  /// Asks whether the candidate is absent, late or here.
  func askAttendance(_ candidate: Candidate, _ view: HallView) {
    let board = view.board
    guard
      let places = context.read({ try HallAttendance.absences(candidate.id, from: 1, in: board.session, $0) })
    else { return }
    let absent = places.compactMap(\.round)
    var text = "\(candidate.number) \(candidate.name). The slot stays, and no mark is touched."
    var joining: Int?
    do { joining = try view.moment.joining(of: board.rounds) } catch { text += " Nobody joins late: \(error)." }
    var choices: [(Key, SafeText, @MainActor () -> Void)] = []
    if let round = joining {
      choices.append(("a", SafeText("absent from round \(round) on"), { confirmAbsent(candidate, from: round, view) }))
    }
    if joining != 1 {
      choices.append(
        (
          "n", "did not attend: absent wherever not yet seen",
          { confirmAbsent(candidate, from: 1, view) }
        ))
    }
    if let round = joining {
      choices.append(("t", SafeText("late: joins in round \(round)"), { confirmLate(candidate, round, view) }))
      if let left = lastSeconds, round < view.rosteredRounds {
        choices.append(
          (
            "T", SafeText("late: joins in round \(round + 1), as this one ends in \(left) s"),
            { confirmLate(candidate, round + 1, view) }
          ))
      }
      if absent.contains(where: { $0 >= round }) {
        choices.append(
          ("h", SafeText("here after all, from round \(round) on"), { confirmHere(candidate, from: round, view) }))
      }
    }
    if joining != 1 && !absent.isEmpty {
      choices.append(("c", "present throughout: clear every absence", { confirmHere(candidate, from: 1, view) }))
    }
    if board.isLate(candidate.id) { choices.append(("l", "clear late arrival", { confirmNotLate(candidate, view) })) }
    context.ask("Attendance", text, choices)
  }

  /// The seconds that are left of a rotation, where they are too few for anybody who comes now; nil elsewhere.
  private var lastSeconds: Int64? {
    guard let state = desk.state, state.phase?.type == .rotation, let left = state.shownSeconds, left <= 120 else {
      return nil
    }
    return left
  }

  private func confirmAbsent(_ candidate: Candidate, from round: Int, _ view: HallView) {
    let (id, session) = (candidate.id, view.board.session)
    confirm(
      candidate, in: session, preview: { try AttendancePreview.absent(id, from: round, in: session, $0) },
      checkingFrom: round > 1 ? round : nil,
      said: { (count: Int) in
        "\(candidate.number): \(count == 0 ? "nothing changed" : "absent at \(Plural.count(count, "station"))")"
      },
      change: { try HallAttendance.absent(id, from: round, in: session, $0) })
  }

  private func confirmLate(_ candidate: Candidate, _ round: Int, _ view: HallView) {
    let (id, session) = (candidate.id, view.board.session)
    confirm(
      candidate, in: session, preview: { try AttendancePreview.late(id, joining: round, in: session, $0) },
      checkingFrom: round,
      said: { (arrival: LateArrival) in
        let missed = arrival.missed.count
        let waiting = Plural.count(missed, "missed station waits", "missed stations wait")
        let rest = missed == 0 ? "no station was missed" : "\(waiting) in the re-run queue"
        return "\(candidate.number) joins in round \(round); \(rest)"
      },
      change: { try HallAttendance.late(id, joining: round, in: session, $0) })
  }

  private func confirmHere(_ candidate: Candidate, from round: Int, _ view: HallView) {
    let (id, session) = (candidate.id, view.board.session)
    confirm(
      candidate, in: session, preview: { try AttendancePreview.present(id, from: round, in: session, $0) },
      checkingFrom: round > 1 ? round : nil, said: { (_: Int) in "\(candidate.number): absence cleared" },
      change: { try HallAttendance.present(id, from: round, in: session, $0) })
  }

  private func confirmNotLate(_ candidate: Candidate, _ view: HallView) {
    let (id, session) = (candidate.id, view.board.session)
    confirm(
      candidate, in: session, preview: { try AttendancePreview.notLate(id, in: session, $0) },
      said: { (_: [RosterEntry]) in "\(candidate.number): lateness cleared" },
      change: { try HallAttendance.notLate(id, in: session, $0) })
  }

  /// Says what a change would do, and makes it on Enter.
  /// - Parameter round: the round that the candidate must still be able to join when it is made; nil: none.
  private func confirm<Done: Sendable>(
    _ candidate: Candidate, in session: Session, preview: (Database) throws -> String,
    checkingFrom round: Int? = nil, said: @escaping @MainActor @Sendable (Done) -> String,
    change: @escaping @Sendable (JournalTransaction) throws -> Done
  ) {
    attempt(in: session) {
      let text = try context.store.read { try preview($0) }
      let question = SafeText("\(candidate.number) \(candidate.name): \(text)")
      context.confirm(question, reason: .optional) { [context] reason in
        context.save(reason: reason, saying: { SafeText(said($0)) }) { transaction in
          if let round { try SessionStage.check(joining: round, of: session, transaction) }
          return try change(transaction)
        }
      }
    }
  }
}
