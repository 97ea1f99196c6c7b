import CircuitModel
import Terminal

/// Runs the invigilator's desk on this process's terminal.
@MainActor
enum DeskTerminal {
  /// - Parameter member: who sits at the desk; nil: asked on the screen.
  /// - Returns: the exit code.
  /// - Throws: `TerminalError` if there is no usable terminal, `StoreError` if there is no circuit.
  static func run(_ store: ExamStore, _ beginning: DeskScreen.Beginning, as member: StaffMember?) throws -> Int32 {
    if beginning.circuits.isEmpty { throw StoreError("there is no circuit; load an exam with: osce import DIR") }
    let sitting = try member.map { member in
      try store.write(.program) { try Sitting.begin(member, timetable: nil, device: store.device, in: $0) }
    }
    return try TerminalRun.run(store) { theme in
      let context = AppContext(store: store, theme: theme)
      if let sitting {
        open(sitting, beginning, in: context)
      } else {
        context.push(SignInScreen(context) { sitDown($0, at: beginning, in: context) })
      }
      return AssessorProgram(context)
    }
  }

  /// Records who sits at the desk from now on, and opens it.
  /// - Parameter beginning: what is looked after; nil: every circuit.
  static func sitDown(_ member: StaffMember, at beginning: DeskScreen.Beginning? = nil, in context: AppContext) {
    let device = context.store.device
    context.save { transaction in
      let all = try beginning ?? DeskScreen.Beginning(circuits: Circuit.all(at: transaction.clock.now, transaction.db))
      return (try Sitting.begin(member, timetable: nil, device: device, in: transaction), all)
    } then: { result in
      if case .success((let sitting, let beginning)) = result { open(sitting, beginning, in: context) }
    }
  }

  private static func open(_ sitting: Sitting, _ beginning: DeskScreen.Beginning, in context: AppContext) {
    context.sitting = sitting
    context.push(DeskScreen(context, beginning))
  }
}
