import CircuitModel
import Terminal
import Timer

/// One circuit on the wall: what is said, and how it looks.
struct WallPanel {
  /// The circuit's name.
  let title: String
  /// Phase, round and whether the clock stands still.
  let phase: String
  /// The digits; empty where there is no countdown.
  let digits: String
  /// AMBER or RED, PAUSED, WAITING: what the colour says, in a word.
  let alert: String
  /// The next announcement.
  let next: String
  /// Planned and expected end.
  let plan: String

  private let role: Role

  init(_ shown: WallCircuit, at now: Instant) {
    title = shown.circuit.name
    let state = shown.fold?.state(at: now)
    let scheduled = shown.scheduled(at: now)
    next =
      shown.nextAnnouncement(at: now).map { next in
        let text = next.text.hasSuffix(".") ? String(next.text.dropLast()) : next.text
        return "at \(PhaseText.digits(next.leftMs)): \(text)"
      } ?? ""
    plan = WallPanel.plan(shown, at: now)
    guard let state, let current = state.phase, let remaining = state.remainingMs else {
      let isOver = state?.status == .finished
      phase = shown.trouble ?? (isOver ? "FINISHED" : "NOT STARTED")
      digits = isOver ? "" : scheduled.map { PhaseText.digits($0 - now) } ?? ""
      alert = scheduled != nil && !isOver ? "STARTS IN" : ""
      role = .normal
      return
    }
    let round = state.round.map { "  ROUND \($0) OF \(state.rounds ?? 0)" } ?? ""
    phase = PhaseText.title(current.type) + round
    digits = scheduled.map { PhaseText.digits($0 - now) } ?? PhaseText.digits(remaining)
    switch state.status {
    case .paused: alert = scheduled == nil ? "PAUSED" : "PAUSED, GOES ON IN"
    case .waiting: alert = scheduled == nil ? "WAITING TO START" : "STARTS IN"
    default: alert = state.alert == .none ? "" : state.alert.name.uppercased()
    }
    switch state.alert {
    case .amber: role = .amber
    case .red: role = .red
    case .none: role = state.status == .running ? .heading : .warning
    }
  }

  private static func plan(_ shown: WallCircuit, at now: Instant) -> String {
    if let (end, delay) = shown.expectedEnd(at: now) {
      let expected = LocalTime.reading(of: end).minute
      if abs(delay) < 1000 { return "ends \(expected), on time" }
      let planned = LocalTime.reading(of: end - delay).minute
      return "ends \(expected), planned \(planned), \(delay > 0 ? "late" : "early") by \(PhaseText.digits(abs(delay)))"
    }
    guard let session = shown.session, shown.fold?.state(at: now).status != .finished else { return "" }
    return "planned for \(session.startTime), \(session.date)"
  }

  func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    let inner = region.inset(columns: 1, rows: 0)
    canvas.draw(SafeText(title), in: inner, row: 0, .centre, style: theme[.title])
    canvas.draw(SafeText(phase), in: inner, row: 1, .centre, style: theme[.heading])
    let (foot, rest) = inner.rows(2, inner.height).splitBottom(min(4, max(0, inner.height - 7)))
    // The word of an alert stands in a bar of its own, so that it is seen without colour.
    if !alert.isEmpty {
      let bar = foot.row(0)
      canvas.fill(bar, style: theme[role == .heading ? .normal : role])
      canvas.draw(SafeText(alert), in: bar, .centre, style: theme[role])
    }
    canvas.draw(SafeText(next), in: foot, row: 1, .centre, style: theme[.normal])
    canvas.draw(SafeText(plan), in: foot, row: 2, .centre, style: theme[.muted])
    if let big = BigDigits(digits, in: rest.size) {
      let style = theme[role == .heading ? .normal : role]
      // Colour and reverse already fill the cell; a full block does so where there is neither.
      big.draw(
        on: &canvas, in: rest, style: style, sign: style.attributes.contains(.reverse) ? " " : theme.glyphs.barFull)
    } else {
      canvas.draw(SafeText(digits), in: rest, row: rest.height / 2, .centre, style: theme[role])
    }
  }
}
