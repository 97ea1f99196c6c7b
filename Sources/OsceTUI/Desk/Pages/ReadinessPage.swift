import CircuitModel
import Terminal

/// Go or no-go: what must be right before the bell, red lines first.
@MainActor
final class ReadinessPage: DeskListing {
  let desk: Desk
  var table = Table([.init("", width: 6), .init("What", width: 18), .init("", width: 40, stretch: 1)])
  private var failures = 0
  private var details: [String] = []

  init(_ desk: Desk) { self.desk = desk }

  let name = "Ready"
  let emptyText: SafeText = "Nothing was looked at"
  var count: Int { desk.state == nil ? failures : 0 }

  var bindings: [Binding<Command>] {
    [
      Binding(
        "ready.again", [.enter], "look again", help: "Look at everything anew", group: "Go or no-go", action: .open)
    ]
  }

  func perform(_ command: Command) {
    guard command == .open else { return }
    do {
      try reload()
      context.say(failures == 0 ? "looked again: nothing failed" : SafeText("looked again: \(failures) failed"))
    } catch { context.complain(error) }
  }

  var detail: String { details.indices.contains(table.selection.index) ? details[table.selection.index] : "" }

  func reload() throws {
    let checks = try Readiness.read(context.store, environment: ProcessEnvironment.current).checks
    details = checks.map(\.detail)
    failures = checks.count { $0.result == .failed }
    table.rows = checks.map { check in
      let (word, role): (SafeText, Role) =
        switch check.result {
        case .failed: ("NO GO", .error)
        case .warning: ("look", .warning)
        case .ok: (context.theme.glyphs.tick + " ok", .normal)
        }
      return Table.Row([word, SafeText(check.name), SafeText(check.detail)], role: role, id: check.name)
    }
  }
}
