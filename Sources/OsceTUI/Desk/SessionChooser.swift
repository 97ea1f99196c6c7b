import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// Asks which session of a circuit to control: never a silent choice where two are open.
@MainActor
struct SessionChooser {
  let desk: Desk
  /// Called when one has been chosen.
  let chosen: @MainActor () -> Void

  /// Sessions in one box; those before and after have a key.
  private static let most = 9

  /// - Parameter page: which nine are shown, from 0; nil: those with the one that is on.
  func ask(page: Int? = nil) {
    guard let circuit = desk.circuit else { return }
    do {
      let sessions = try desk.context.store.read { try Session.all(of: circuit.circuit.id, in: $0) }
      let wanted = circuit.open.first ?? circuit.session
      let place = wanted.flatMap { sessions.firstIndex(of: $0) } ?? 0
      let page = page ?? place / SessionChooser.most
      let first = page * SessionChooser.most
      let offered = sessions.dropFirst(first).prefix(SessionChooser.most)
      var answers: [(Key, SafeText, @MainActor () -> Void)] = offered.enumerated().map { number, session in
        (.character(Character("\(number + 1)")), label(session, of: circuit), { choose(session) })
      }
      if first > 0 { answers.append(("b", "sessions before these", { ask(page: page - 1) })) }
      if first + SessionChooser.most < sessions.count {
        answers.append(("n", "sessions after these", { ask(page: page + 1) }))
      }
      if circuit.isUndecided, circuit.open.count > 1 {
        answers.append(("p", "pause all that are open, now", { DeskControls(desk: desk).pauseAll(of: circuit) }))
      }
      desk.context.ask(
        "Which session of \(SafeText(circuit.circuit.name))?",
        circuit.isUndecided ? "\(circuit.openText)." : "The desk will control this session.",
        answers)
    } catch { desk.context.showError(error) }
  }

  private func label(_ session: Session, of circuit: DeskCircuit) -> SafeText {
    SafeText(
      session.name + (circuit.open.contains(session) ? "  (in progress)" : "")
        + (session == circuit.session ? "  (current)" : ""))
  }

  private func choose(_ session: Session) {
    desk.choose(session)
    chosen()
  }
}
