import CircuitModel
import ExamStore
import Reports
import Terminal

/// Runs the exam lead's desk on this process's terminal.
@MainActor
enum LeadTerminal {
  /// - Parameter member: who signs in; nil: asked on the screen.
  /// - Returns: the exit code.
  /// - Throws: `TerminalError` if there is no usable terminal, `StaffRefusal` if the person is no exam lead.
  static func run(_ store: ExamStore, as member: StaffMember?, isDemonstration: Bool = false) throws -> Int32 {
    let sitting = try member.map { member -> SignIn in
      _ = try store.read { try ExamLead.find(username: member.username, in: $0) }
      return try store.write(.program) { try SignIn.begin(member, timetable: nil, device: store.device, in: $0) }
    }
    return try TerminalRun.run(store) { theme in
      let context = AppContext(store: store, theme: theme)
      context.isDemonstration = isDemonstration
      if let sitting { open(sitting, in: context) } else { context.push(signIn(context)) }
      return ScreenProgram(context)
    }
  }

  /// Asks who is the exam lead; the list begins at the first who is one.
  static func signIn(_ context: AppContext) -> SignInScreen {
    let leads = context.read { try ExamLead.all(in: $0) } ?? []
    return SignInScreen(context, beginningWith: { leads.contains($0) }) { openDesk($0, in: context) }
  }

  /// Opens the desk for somebody who has signed in, if that is an exam lead.
  static func openDesk(_ member: StaffMember, in context: AppContext) {
    guard let leads = context.read({ try ExamLead.all(in: $0) }) else { return }
    guard leads.contains(where: { $0.id == member.id }) else {
      return context.showError(StaffRefusal.notLead(member.name))
    }
    SignInFlow.begin(member, timetable: nil, in: context) { _ in
    } opens: { sitting, _ in
      open(sitting, in: context)
    }
  }

  private static func open(_ sitting: SignIn, in context: AppContext) {
    context.sitting = sitting
    context.push(LeadScreen(context))
  }
}

extension AppContext {
  /// Asks for a reason and does something as the exam lead who sits here.
  /// - Parameters:
  ///   - shortest: the fewest characters of the reason.
  ///   - then: what follows once it is on the disk.
  func askAsLead(
    _ question: SafeText, shortest: Int = 1,
    _ change: @escaping @Sendable (ExamLead, String, JournalTransaction) throws -> Void,
    then: @escaping @MainActor @Sendable () -> Void
  ) {
    let sitting = sitting
    confirm(question, reason: .atLeast(shortest)) { [self] reason in
      let reason = reason ?? ""
      // What is typed after it was typed for what it brings: another ruling on the same line is none.
      save(reason: reason, with: .awaited) { transaction in
        guard let lead = try ExamLead.signedIn(sitting, in: transaction.db) else {
          throw StaffRefusal.notLead(sitting?.staff.name ?? "")
        }
        try change(lead, reason, transaction)
      } then: { result in
        if case .success = result { then() }
      }
    }
  }
}
