import CircuitModel
import Terminal
import Timer

/// The countdown of the session that a terminal belongs to, kept as the run's events and worked out at every look.
@MainActor
final class ClockPanel {
  private let store: ExamStore
  private(set) var station: StationSession?
  private var fold: Fold?

  init(store: ExamStore) { self.store = store }

  /// Follows the clock of this station session's circuit.
  func follow(_ station: StationSession) {
    self.station = station
    reload()
  }

  /// Follows no clock.
  func leave() { (station, fold) = (nil, nil) }

  /// Reads the run's events anew.
  func reload() {
    guard let station else { return }
    let now = store.clock.now
    let events = (try? store.read { try Run.current(of: station.session, at: now, in: $0)?.events }) ?? nil
    fold = events.map { Rotation.fold($0, until: now) }
  }

  /// What the clock shows now; nil where no run is.
  var state: ClockState? { fold?.state(at: store.clock.now) }

  private var lastShown: Shown?

  /// What of the clock is on the screen.
  private struct Shown: Equatable {
    let phase: SafeText
    let seconds: Int64?
    let alert: AlertLevel?
  }

  /// Whether the clock shows something else than at the last call.
  func hasMoved() -> Bool {
    let state = state
    let shown = Shown(phase: phaseText, seconds: state?.shownSeconds, alert: state?.alert)
    defer { lastShown = shown }
    return shown != lastShown
  }

  /// When the shown digits change next.
  var nextChange: Instant? { fold?.nextChange(after: store.clock.now) }

  /// Phase and round in words: `ROTATION 3 of 8`.
  var phaseText: SafeText {
    guard let state, state.status != .notStarted else { return station == nil ? "" : "NOT STARTED" }
    guard let phase = state.phase else { return "FINISHED" }
    let round = state.round.map { " \($0) of \(state.rounds ?? 0)" } ?? ""
    let status =
      switch state.status {
      case .paused: "PAUSED "
      case .waiting: "WAITING FOR "
      default: ""
      }
    return SafeText(status + PhaseText.title(phase.type) + round)
  }

  /// Time left with the alert in words, and the look of it.
  func timeText(_ theme: Theme) -> (SafeText, Style) {
    guard let state, let remaining = state.remainingMs else { return (station == nil ? "" : "--:--", theme[.muted]) }
    let digits = PhaseText.digits(remaining)
    switch state.alert {
    case .amber: return (SafeText(" AMBER \(digits) "), theme[.amber])
    case .red: return (SafeText(" RED \(digits) "), theme[.red])
    case .none: return (SafeText(digits), theme[.normal])
    }
  }

  /// Draws the first line of every screen: circuit and station, phase and round, time left.
  func draw(on canvas: inout Canvas, in region: Rect, theme: Theme, title: SafeText) {
    let (time, style) = timeText(theme)
    let (right, rest) = region.splitRight(time.width)
    canvas.draw(time, in: right, style: style)
    let phase = phaseText
    let (middle, left) = rest.splitRight(min(phase.width + 2, rest.width))
    canvas.draw(phase, in: middle.columns(0, max(0, middle.width - 1)), .right, style: theme[.heading])
    let name: SafeText
    if let station {
      name = SafeText("\(station.stationTitle) \(theme.glyphs.separator) \(station.circuit.name)")
    } else {
      name = title
    }
    canvas.draw(name, in: left, style: theme[.title])
  }
}
