import Characters
import CircuitModel
import ExamStore
import Reports
import Terminal

/// The call for help from a station.
@MainActor
extension StationKeys {
  /// Asks what the matter is, and calls for help.
  static func askHelp(_ context: AppContext) {
    guard let session = context.clock.place else { return }
    func preset(_ text: String) -> @MainActor () -> Void { { callHelp(text, context, session) } }
    let open = context.clock.help.flatMap { $0.status == .resolved ? nil : $0 }
    var answers: [(Key, SafeText, @MainActor () -> Void)] = []
    if let open { answers.append(("w", "withdraw the call: not needed any more", { withdraw(open, context) })) }
    let ownText: @MainActor () -> Void = {
      context.prompt("What is the matter:", keptAs: "help") { text in
        if text.hasWords {
          callHelp(text, context, session)
        } else {
          context.showMessage("nobody was called")
        }
      }
    }
    answers += [
      ("p", "patient or simulated patient", preset("Patient or simulated patient")),
      ("k", "equipment", preset("Equipment")), ("c", "candidate unwell", preset("Candidate unwell")),
      ("d", "this device, the terminal", preset("Terminal")), ("a", "please come", preset("Please come")),
      ("o", "in your own words", ownText),
    ]
    let standing = open.map { call in
      let who = call.status == .responding ? "\(call.responder ?? "someone") is on the way" : "no one is on the way yet"
      return "Called already\(call.text(between: ": ", "")); \(who).\n"
    }
    context.ask(
      open == nil ? "Call for help?" : "Help was called",
      (standing ?? "")
        + "The invigilator's desk shows station \(session.stationCode) and this text; the answer is shown here.",
      answers)
  }

  /// Withdraws a call that is not over.
  private static func withdraw(_ call: HelpCall, _ context: AppContext) {
    context.save({ try HelpCalls.withdraw(call, $0) }) { result in
      guard case .success = result else { return }
      _ = context.clock.readHelp()
      context.showMessage(SafeText("help call withdrawn\(call.text(between: ": ", ""))"), .good)
    }
  }

  /// Calls for help without a question, where none can be read.
  static func callHelpUnasked(_ context: AppContext) {
    guard let session = context.clock.place else { return }
    if context.clock.help?.status == .requested { return context.showMessage("help was called already", .warning) }
    callHelp("Please come", context, session)
  }

  private static func callHelp(_ text: String, _ context: AppContext, _ session: StationSession) {
    context.save({ try HelpCalls.request(text, at: session, in: $0) }) { result in
      switch result {
      case .success: context.showMessage("help called: \(SafeText(text)); the reply appears here", .warning)
      case .failure(let error):
        context.showMessage(SafeText("HELP NOT CALLED; fetch the invigilator: \(error)"), .error)
      }
    }
  }
}
