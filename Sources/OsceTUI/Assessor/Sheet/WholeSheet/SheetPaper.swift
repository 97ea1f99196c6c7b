import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// Marks that stand on paper and are typed in by somebody.
@MainActor
enum PaperQuestion {
  static func ask(_ context: AppContext) {
    if context.modes.paper != nil {
      context.modes.paper = nil
      return context.showMessage("paper entry off: marks count as yours again")
    }
    guard let staff = context.read({ try StaffMember.judges($0) }) else { return }
    let people = staff.map { PersonScreen.Person(id: $0.id, name: $0.name, detail: $0.username) }
    context.push(
      PersonScreen(context, "Whose paper mark sheet?", people) { [context] person in
        _ = context.pop()
        context.modes.paper = StationModes.Paper(entry: PaperEntry(judge: person.id), name: person.name)
        let (name, key) = (SafeText(person.name), context.key(of: SheetScreen.Keys.paper))
        context.showMessage("PAPER ENTRY: marks count as \(name)'s, typed by you; \(key) ends it", .warning)
      })
  }
}

extension SheetScreen {
  /// Makes what marks are given with: in the name of who judged on paper, while marks are typed from there.
  var marking: @Sendable (JournalTransaction) throws -> Marking {
    let paper = context.modes.paper?.entry
    return { try paper.map { [transaction = $0] in try Marking(transaction, paper: $0) } ?? Marking($0) }
  }
}
