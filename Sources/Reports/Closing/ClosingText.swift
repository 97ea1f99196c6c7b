import ExamStore
import Standards

extension ClosingReport {
  /// The checks in lines of at most 80 columns; with every open line where they are asked for.
  /// - Parameter lists: how many open lines of each check are given.
  public func lines(listing lists: Int) -> [String] {
    let open = checks.filter { !$0.isOK }
    let head =
      open.isEmpty
      ? "everything is in order · NOT LOCKED"
      : "\(open.count) of \(checks.count) checks open · NOT LOCKED"
    var lines = [head, identity.words]
    if sessions.count > 1 {
      lines += sessions.map { "  \($0.session) \($0.circuit): \($0.identity.words)" }
    }
    lines.append("")
    for check in checks {
      let sign = check.isOK ? "✓" : "✗"
      lines.append("\(sign) \(check.code.words)" + (check.isOK ? "" : ": \(check.lines.count) open"))
      lines += check.lines.prefix(lists).map { "    " + $0.words }
      if check.lines.count > lists && lists > 0 { lines.append("    and \(check.lines.count - lists) more") }
    }
    return lines.flatMap(TextLines.wrapped)
  }
}

extension ClosingIdentity {
  /// The identity as an equation.
  fileprivate var words: String {
    "\(expected) expected = \(held) held + \(absent) absent + \(excluded) excluded + \(queued) queued"
      + (holds ? "" : "; \(open) open, \(unplanned) not in the plan")
      + (practice > 0 ? " · \(practice) practice" : "")
  }
}

extension ClosingReport.Line {
  /// Where, who, what, and whom to call.
  fileprivate var words: String {
    let place = [
      session, circuit, station, round.map { "round \($0)" }, candidate,
    ].compactMap { $0 }.joined(separator: " · ")
    let who = call.map { ", \($0)" } ?? ""
    let filled = isFilled.map { $0 ? ", filled" : ", not filled" } ?? ""
    let at = terminal.map { ", at \($0)" } ?? ""
    return (place.isEmpty ? "" : "\(place): ") + what + who + filled + at
  }
}
