import CircuitModel
import ExamStore
import Reports
import Terminal

/// Go or no-go: what must be right before the bell, red lines first.
@MainActor
final class ReadinessPage: DeskListing {
  let desk: Desk
  var table = Table([.init("", width: 6), .init("What", width: 18), .init("", width: 40, stretch: 1)])
  private var failures = 0
  private var checks: [Diagnosis.Check] = []
  private var headline = ""

  init(_ desk: Desk) { self.desk = desk }

  nonisolated static let keys = KeyTable<ReadinessPage>(
    "Ready", at: .desk,
    [
      KeyBinding(
        "ready.again", ["l"], "look again", help: "Check everything again", group: "Go or no-go"
      ) { page, _ in page.lookAgain() },
      KeyBinding(
        "ready.read", [.enter], "in full", help: "Everything that is wrong in this line", group: "Go or no-go",
        when: { $0.focused == nil ? .disabled("choose one of the lines below") : .enabled }
      ) { page, _ in page.readOut() },
    ])

  private func lookAgain() {
    do {
      try reload()
      context.showMessage(failures == 0 ? "looked again: nothing failed" : SafeText("looked again: \(failures) failed"))
    } catch { context.showError(error) }
  }

  let emptyText: SafeText = "No checks run yet"
  var count: Int { desk.state == nil ? failures : 0 }

  /// The check of the focused line; the first line is about all of them.
  private var focused: Diagnosis.Check? {
    let index = table.selection.index - 1
    return checks.indices.contains(index) ? checks[index] : nil
  }

  var detail: String { focused?.detail ?? headline }

  private func readOut() {
    guard let focused else { return }
    context.overlay = .reader(
      Reader(
        title: SafeText("\(focused.name) (Esc closes)"),
        text: (focused.problems.isEmpty ? [focused.detail] : focused.problems).joined(separator: "\n")))
  }

  func reload() throws {
    let diagnosis = try Readiness.read(context.store, backup: context.configuration.backup)
    (checks, headline) = (diagnosis.checks, diagnosis.goNoGo)
    failures = checks.count { $0.result == .failed }
    let isGo = diagnosis.isSound
    let head = Table.Row(
      [isGo ? "GO" : "NO GO", "Go or no-go", SafeText(headline)], role: isGo ? .heading : .error, id: "go")
    table.rows =
      [head]
      + checks.map { check in
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
