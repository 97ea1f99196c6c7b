import CircuitModel
import Terminal
import Timer

/// All circuits at a glance: in one line, or in big digits where there is room.
@MainActor
struct DeskClocks {
  let desk: Desk

  func draw(on canvas: inout Canvas, in region: Rect, theme: Theme) {
    let now = desk.now
    let count = max(1, desk.circuits.count)
    let drift = CircuitDrift.between(
      desk.circuits.compactMap { circuit in
        circuit.fold.map { (circuit.circuit.name, $0) }
      }, at: now)
    for (index, circuit) in desk.circuits.enumerated() {
      let left = region.width * index / count
      let place = region.columns(left, region.width * (index + 1) / count - left)
      let isFollowed = desk.actsOnAll || index == desk.index
      let state = circuit.fold?.state(at: now)
      let digits = state?.remainingMs.map { PhaseText.digits($0) } ?? ""
      let mark: SafeText = isFollowed ? theme.glyphs.pointer + " " : "  "
      let title = mark + SafeText(circuit.circuit.name)
      let behind = drift.first { $0.name == circuit.circuit.name }?.secondsBehind ?? 0
      let late = behind > 0 ? "\(PhaseText.digits(behind * 1000)) BEHIND, " : ""
      let phase = SafeText(late + circuit.phaseText(at: now))
      let style = theme[isFollowed ? .heading : .muted]
      if place.height < 8 {
        let line = title + SafeText("  \(digits)  ") + phase
        canvas.draw(line.truncated(to: max(0, place.width - 1)), in: place, style: style)
        continue
      }
      canvas.draw((title + "  " + phase).truncated(to: max(0, place.width - 1)), in: place, style: style)
      let role: Role =
        switch state?.alert {
        case .amber?: .amber
        case .red?: .red
        default: .normal
        }
      let space = place.rows(2, place.height - 3).inset(columns: 2, rows: 0)
      if let big = BigText(digits, in: space.size, theme.glyphs) {
        big.draw(on: &canvas, in: space, style: theme[role], glyphs: theme.glyphs)
      }
      if role != .normal {
        canvas.draw(
          SafeText(" \(state?.alert.name.uppercased() ?? "") "), in: place, row: 1, .centre, style: theme[role])
      }
    }
  }
}
