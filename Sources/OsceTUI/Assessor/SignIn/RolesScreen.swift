import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal

/// The roles of an exam, for the demonstration.
@MainActor
final class RolesScreen: AppScreen {
  /// What another program shows.
  enum Destination {
    case wall
    /// The demonstration that was broken off before.
    case earlier
  }

  let context: AppContext
  private var list: List

  /// - Parameter interrupted: the demonstration before this one that was broken off; nil if none was.
  init(_ context: AppContext, offering interrupted: InterruptedDemo? = nil) {
    self.context = context
    let roles = [
      "Assessor            mark candidates at a station",
      "Invigilator's desk  who is where, and the controls of the clock",
      "The wall            the clock that everybody sees", "Exam lead           live grid, results and closing",
    ]
    let texts = roles + (interrupted.map { [$0.text] } ?? [])
    list = List(texts.enumerated().map { List.Row(SafeText("\($0.offset + 1)  \($0.element)")) })
    reload()
  }

  // Their names stay `seats.`: people may have bound keys to them.
  nonisolated static let keys = KeyTable<RolesScreen>(
    "A demonstration",
    [
      KeyBinding("seats.open", [.enter], "start", help: "Open this role", group: "Roles") { screen, _ in
        screen.open()
      },
      KeyBinding(
        "seats.choose", "12345".map { .character($0) }, "choose and start", help: "Open the role of this number",
        group: "Roles", range: "1-5"
      ) { screen, key in if let number = key?.key.typed?.wholeNumberValue { screen.open(number) } }
      .footerKeys { "1-\($0.list.rows.count)" },
    ])

  let backLabel = "quit"

  var heading: Heading { Heading(text: "Example exam, running now; deleted when you quit") }

  func move(_ key: Key) { _ = list.update(key) }

  private func open(_ number: Int) {
    guard list.rows.indices.contains(number - 1) else {
      return context.showMessage("there is no role \(number): press 1 to \(list.rows.count)", .warning)
    }
    list.selection.index = number - 1
    open()
  }

  private func open() {
    // Each role shows the clock of its own place, or none.
    context.clock.leave()
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

  /// The first line shows the clock of the first circuit that runs.
  func follow(_ rows: Set<RowKey>) -> Bool {
    if rows.isEmpty { reload() }
    return rows.isEmpty
  }

  func reload() {
    let now = context.store.clock.now
    let running = context.read { db -> (Session, Circuit)? in
      for circuit in try Circuit.all(at: now, db) {
        if let session = try Session.open(of: circuit, at: now, in: db).first { return (session, circuit) }
      }
      return nil
    }
    if let (session, circuit) = running ?? nil { context.clock.follow(session, of: circuit) }
  }

  func layOut(_ region: Rect) { list.selection.page = max(1, region.height - 4) }

  func draw(on canvas: inout Canvas, in region: Rect) {
    canvas.draw("Which role do you want to try?", in: region, row: 1, style: context.theme[.heading])
    list.draw(on: &canvas, in: region.rows(3, list.rows.count), theme: context.theme)
    let steps = ["osce new FOLDER", "osce check FOLDER", "osce import FOLDER"]
    let separator = context.theme.glyphs.separator.plain
    canvas.draw(
      SafeText("Your own exam:  " + steps.joined(separator: " \(separator) ")), in: region,
      row: 4 + list.rows.count, style: context.theme[.muted])
  }
}
