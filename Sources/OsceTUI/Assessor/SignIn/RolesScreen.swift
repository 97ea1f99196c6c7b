import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// The seats of an exam, for the demonstration.
@MainActor
final class RolesScreen: AppScreen {
  /// What another program shows.
  enum Destination {
    case wall
    /// The demonstration that was broken off before.
    case earlier
  }

  let context: AppContext
  private var list = List([
    List.Row("Assessor            mark candidates at a station"),
    List.Row("Invigilator's desk  who is where, and the controls of the clock"),
    List.Row("The wall            the clock that everybody sees"),
    List.Row("Exam lead           live grid, results and closing"),
  ])

  /// - Parameter interrupted: the demonstration before this one that was broken off; nil if none was.
  init(_ context: AppContext, offering interrupted: InterruptedDemo? = nil) {
    self.context = context
    if let interrupted { list.rows.append(List.Row(SafeText(interrupted.words))) }
  }

  nonisolated static let keys = KeyTable<RolesScreen>(
    "A demonstration",
    [
      KeyBinding("seats.open", [.enter], "open", help: "Open this role", group: "Seats") { screen, _ in
        screen.open()
      }
    ])

  let backLabel = "quit"

  var heading: Heading { Heading(text: "Example exam, running now; deleted when you quit") }

  func move(_ key: Key) { _ = list.update(key) }

  private func open() {
    switch list.selection.index {
    case 0: context.push(SignInScreen(context))
    case 1: context.push(DeskTerminal.signIn(context))
    case 2: leave(for: .wall)
    case 3: context.push(LeadTerminal.signIn(context))
    default: leave(for: .earlier)
    }
  }

  private func leave(for chosen: Destination) {
    context.navigator.chosenDestination = chosen
    context.effects.append(.exit(0))
  }

  func layOut(_ region: Rect) { list.selection.page = max(1, region.height - 4) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    canvas.draw("Which role do you want to try?", in: region, row: 1, style: context.theme[.heading])
    list.draw(on: &canvas, in: region.rows(3, region.height), theme: context.theme)
  }
}
