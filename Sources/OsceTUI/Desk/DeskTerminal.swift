import CircuitModel
import ExamStore
import Reports
import Terminal

/// Runs the invigilator's desk on this process's terminal.
@MainActor
enum DeskTerminal {
  /// - Parameters:
  ///   - member: who sits at the desk; nil: asked on the screen.
  ///   - isDemonstration: whether the store is deleted afterwards.
  /// - Returns: the exit code.
  /// - Throws: `TerminalError` if there is no usable terminal, `StoreError` if there is no circuit.
  static func run(
    _ store: ExamStore, _ beginning: DeskScreen.Setup, as member: StaffMember?, isDemonstration: Bool = false
  ) throws -> Int32 {
    if beginning.circuits.isEmpty { throw StoreError("there is no circuit; load an exam with: osce import DIR") }
    let sitting = try member.flatMap { member -> SignIn? in
      if try otherRole(of: member, in: store) != nil { return nil }
      return try store.write(.program) { try SignIn.begin(member, timetable: nil, device: store.device, in: $0) }
    }
    return try TerminalRun.run(store) { theme in
      let context = AppContext(store: store, theme: theme)
      context.isDemonstration = isDemonstration
      if let sitting {
        open(sitting, beginning, in: context)
      } else {
        context.push(signIn(context, at: beginning))
        if let member { openDesk(member, at: beginning, in: context) }
      }
      return ScreenProgram(context)
    }
  }

  /// Asks who sits at the desk; the list begins at the first whose task it is.
  static func signIn(_ context: AppContext, at beginning: DeskScreen.Setup? = nil) -> SignInScreen {
    let likely = context.read { try StaffMember.ofTheHall($0) } ?? []
    return SignInScreen(context, beginningWith: { likely.contains($0) }) {
      openDesk($0, at: beginning, in: context)
    }
  }

  /// Opens the desk for `member`, unless the store's hub takes no clock of theirs. Anyone but an invigilator or exam lead
  /// must confirm first; the journal records why.
  /// - Parameter beginning: what is controlled; nil: every circuit.
  static func openDesk(_ member: StaffMember, at beginning: DeskScreen.Setup? = nil, in context: AppContext) {
    do {
      try context.store.read { try member.checkHubTakesClocks($0) }
      guard let role = try otherRole(of: member, in: context.store) else {
        return begin(member, at: beginning, reason: nil, in: context)
      }
      let text = "\(member.name) is \(label(role)), not an invigilator."
      context.confirm(SafeText(text + "  Enter opens the desk anyway; your name is recorded.")) { _ in
        begin(member, at: beginning, reason: reason(role), in: context)
      }
    } catch { context.showError(error) }
  }

  private static func otherRole(of member: StaffMember, in store: ExamStore) throws -> ExamRole? {
    try store.read { try member.roleAwayFromTheHall($0) }
  }

  private static func label(_ role: ExamRole) -> String {
    switch role {
    case .assessor, .auditor: "an \(role.name)"
    case .office: "of the exam office"
    case .invigilator, .lead, .display, .unknown: "a \(role.name)"
    }
  }

  private static func reason(_ role: ExamRole) -> String { "at the desk though \(label(role))" }

  /// Records who sits at the desk from now on, and opens it.
  private static func begin(
    _ member: StaffMember, at beginning: DeskScreen.Setup?, reason: String?, in context: AppContext
  ) {
    SignInFlow.begin(member, timetable: nil, reason: reason, in: context) { transaction in
      try beginning ?? DeskScreen.Setup(circuits: Circuit.all(at: transaction.clock.now, transaction.db))
    } opens: { sitting, beginning in
      open(sitting, beginning, in: context)
    }
  }

  private static func open(_ sitting: SignIn, _ beginning: DeskScreen.Setup, in context: AppContext) {
    context.sitting = sitting
    context.push(DeskScreen(context, beginning))
  }
}
