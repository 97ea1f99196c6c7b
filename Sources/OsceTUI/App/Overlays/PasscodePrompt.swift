import CircuitModel
import ExamStore
import Reports
import Terminal

/// Asking for passcodes: each is recorded before it is looked at, and the line says how long the next one waits.
extension AppContext {
  /// Asks for a person's passcode until it is right, or the line is left.
  /// - Parameters:
  ///   - name: what the person is called in the line; nil for the full name.
  ///   - toSit: whether a sitting of the person follows, for which the hub is told.
  ///   - enter: what is done with the right one; nothing if the screen that asked is no longer shown.
  func promptPasscode(
    of member: StaffMember, named name: String? = nil, toSit: Bool = false,
    _ enter: @escaping @MainActor (PasscodeProof) -> Void
  ) {
    showPasscodePrompt(of: member, named: name ?? member.name, toSit: toSit, refusal: nil, over: screen, enter)
  }

  private func showPasscodePrompt(
    of member: StaffMember, named name: String, toSit: Bool, refusal: SafeText?, over asking: (any AppScreen)?,
    _ enter: @escaping @MainActor (PasscodeProof) -> Void
  ) {
    prompt(SafeText("Passcode of \(name):"), isSecret: true) { [self] typed in
      prove(member, typed) { [self] result in
        guard screen === asking else { return }
        switch result {
        case .success(let proof):
          if toSit { HubPresence.keep(typed, of: member, at: store.location) }
          enter(proof)
        case .failure(let error) where error is StaffRefusal && overlay == nil:
          refuse(SafeText("\(error)"))
          showPasscodePrompt(
            of: member, named: name, toSit: toSit, refusal: SafeText("\(error)"), over: asking, enter)
        case .failure(let error): showError(error)
        }
      }
    }
    if let refusal, case .prompt(let prompt) = overlay { overlay = .prompt(prompt.refused(refusal)) }
  }

  /// Looks whether a passcode is a person's, with nothing locked while it is looked at. Keys wait for the answer.
  func prove(
    _ member: StaffMember, _ passcode: String,
    then: @escaping @MainActor @Sendable (Result<PasscodeProof, any Error>) -> Void
  ) {
    do { try member.requireGiven(passcode) } catch { return then(.failure(error)) }
    let device = store.device
    save(with: [.awaited, .quiet]) { transaction in
      try PasscodeAttempt.begin(member, device: device, in: transaction)
    } then: { [self] result in
      do {
        let attempt = try result.get()
        let proof = try attempt.verify(passcode)
        save(with: [.awaited, .quiet]) {
          try attempt.succeed(in: $0)
        } then: {
          then($0.map { proof })
        }
      } catch { then(.failure(error)) }
    }
  }
}
