import Characters
import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// Absent, late, here after all: what fits where the session's clock stands, each said before it is done.
extension CandidateActions {
  /// Asks whether the candidate is absent, late or here.
  func askAttendance(_ candidate: Candidate, _ view: HallView) {
    let board = view.board
    let places = (try? context.store.read { try HallAttendance.absences(candidate.id, from: 1, in: board.session, $0) })
    let absent = (places ?? []).compactMap(\.round)
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
          ("p", SafeText("here after all, from round \(round) on"), { confirmHere(candidate, from: round, view) }))
      }
    }
    if joining != 1 && !absent.isEmpty {
      choices.append(("P", "here all the time: clear every absence", { confirmHere(candidate, from: 1, view) }))
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
    confirm(candidate, { try context.store.read { try AttendancePreview.absent(id, from: round, in: session, $0) } }) {
      reason in
      context.save(
        reason: reason,
        saying: { (count: Int) in SafeText("\(candidate.number): absent at \(Plural.count(count, "station"))") }
      ) {
        if round > 1 { try SessionStage.check(joining: round, of: session, $0) }
        return try HallAttendance.absent(id, from: round, in: session, $0)
      }
    }
  }

  private func confirmLate(_ candidate: Candidate, _ round: Int, _ view: HallView) {
    let (id, session) = (candidate.id, view.board.session)
    confirm(candidate, { try context.store.read { try AttendancePreview.late(id, joining: round, in: session, $0) } }) {
      reason in
      context.save(
        reason: reason,
        saying: { (arrival: LateArrival) in
          let missed = arrival.missed.count
          if missed == 0 { return SafeText("\(candidate.number) joins in round \(round); no station was missed") }
          return SafeText(
            "\(candidate.number) joins in round \(round); \(missed == 1 ? "1 missed station waits" : "\(missed) missed stations wait") in the re-run queue"
          )
        }
      ) {
        try SessionStage.check(joining: round, of: session, $0)
        return try HallAttendance.late(id, joining: round, in: session, $0)
      }
    }
  }

  private func confirmHere(_ candidate: Candidate, from round: Int, _ view: HallView) {
    let (id, session) = (candidate.id, view.board.session)
    confirm(candidate, { try context.store.read { try AttendancePreview.present(id, from: round, in: session, $0) } }) {
      reason in
      context.save(reason: reason, saying: { (_: Int) in SafeText("\(candidate.number): absence cleared") }) {
        if round > 1 { try SessionStage.check(joining: round, of: session, $0) }
        return try HallAttendance.present(id, from: round, in: session, $0)
      }
    }
  }

  private func confirmNotLate(_ candidate: Candidate, _ view: HallView) {
    let (id, session) = (candidate.id, view.board.session)
    confirm(candidate, { try context.store.read { try AttendancePreview.notLate(id, in: session, $0) } }) { reason in
      context.save(reason: reason, saying: { (_: [RosterEntry]) in SafeText("\(candidate.number): lateness cleared") })
      {
        try HallAttendance.notLate(id, in: session, $0)
      }
    }
  }

  private func confirm(
    _ candidate: Candidate, _ words: () throws -> String, _ act: @escaping @MainActor (String?) -> Void
  ) {
    attempt {
      context.confirm(SafeText("\(candidate.number) \(candidate.name): \(try words())"), reason: .optional, act)
    }
  }
}
