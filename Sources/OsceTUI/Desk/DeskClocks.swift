import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// All circuits at a glance: a line each, or big digits where there is room.
@MainActor
enum DeskClocks {
  /// What is shown of one circuit.
  struct Line: Equatable {
    let name: String
    /// The name where there is little room.
    var short = ""
    /// Whether the clock's keys act on it.
    let isFollowed: Bool
    let digits: String
    let alert: AlertLevel
    /// What must not be cut, the longest wording first: `PAUSED 3 min`, `STARTS IN 02:00`. Empty while the clock runs.
    var badges: [String] = []
    /// Phase and round, the longest wording first.
    let phases: [String]

    /// The same where its digits are large.
    fileprivate var withoutDigits: Line {
      Line(
        name: name, short: short, isFollowed: isFollowed, digits: "", alert: alert, badges: badges, phases: phases)
    }

    /// The alert in a word; empty for none.
    var word: String { alert == .none ? "" : alert.name.uppercased() }
  }

  /// The least columns of a circuit that stands beside another.
  private static let leastWidth = 26
  /// The least columns for big digits.
  private static let bigWidth = 24
  /// From this height of a body on there is room for big digits.
  private static let bigBody = 30
  private static let bigHeight = 9

  static func lines(_ desk: Desk, at now: Instant) -> [Line] {
    let short = CircuitName.short(desk.circuits.map(\.circuit.name))
    return desk.circuits.enumerated().map { index, circuit in
      let state = circuit.fold?.state(at: now)
      let coming = state.flatMap { circuit.fold?.goesOn(after: $0.at) }
      return Line(
        name: circuit.circuit.name, short: short[index], isFollowed: desk.actsOnAll || index == desk.index,
        digits: (coming.map { $0 - now } ?? state?.remainingMs).map { PhaseText.digits($0) } ?? "",
        alert: state?.alert ?? .none, badges: badges(circuit, state, coming, at: now),
        phases: phases(circuit, state, at: now))
    }
  }

  private static func badges(
    _ circuit: DeskCircuit, _ state: ClockState?, _ coming: Instant?, at now: Instant
  ) -> [String] {
    let left = coming.map { PhaseText.digits($0 - now) }
    switch state?.status {
    case .paused:
      if let left { return ["PAUSED, RESUMES IN \(left)", "PAUSED, BACK IN \(left)", "PAUSED"] }
      let age = circuit.pause.map { AgeText.text(now - $0.since) } ?? ""
      return (circuit.pause?.texts(at: now) ?? []).map { "PAUSED \($0)" } + ["PAUSED \(age)", "PAUSED"]
    case .waiting: return left.map { ["STARTS IN \($0)"] } ?? ["WAITING"]
    default: return left.map { ["STARTS IN \($0)"] } ?? []
    }
  }

  private static func phases(_ circuit: DeskCircuit, _ state: ClockState?, at now: Instant) -> [String] {
    guard circuit.trouble == nil, circuit.unread == nil, let state, let phase = state.phase,
      state.status != .notStarted
    else { return [circuit.phaseText(at: now)] }
    let rerun = circuit.run?.isRerun == true ? "RE-RUN " : ""
    let word = rerun + PhaseText.heading(phase.type)
    let (round, rounds) = (state.round ?? 0, state.rounds ?? 0)
    let schedule = circuit.forecast(at: now).map { ", \($0.scheduleText)" } ?? ""
    return [
      "\(word) \(round) of \(rounds)\(schedule)", "\(word) \(round) of \(rounds)", "\(word) \(round)/\(rounds)",
      "\(rerun)\(short(phase.type)) \(round)/\(rounds)", "\(rerun)\(short(phase.type))", "\(round)/\(rounds)",
    ]
  }

  /// A phase where there is little room.
  private static func short(_ type: PhaseType) -> String {
    switch type {
    case .reading: "READ"
    case .changeover: "MOVE"
    default: PhaseText.heading(type)
    }
  }

  /// How the circuits stand in a body.
  struct Layout {
    /// Whether their digits are large.
    let isBig: Bool
    /// How many stand beside each other.
    let across: Int
    /// Rows that they take.
    let height: Int
  }

  static func layout(_ count: Int, in body: Size) -> Layout {
    if body.height >= bigBody, body.width / max(1, count) >= bigWidth {
      return Layout(isBig: true, across: max(1, count), height: bigHeight)
    }
    if count <= 1 { return Layout(isBig: false, across: 1, height: 0) }
    let most = most(count, width: body.width)
    let least = parts(of: count, by: most)
    // A row more gives each more columns.
    let wanted = least > 1 && body.height >= bigBody ? parts(of: count, by: least + 1) : most
    let height = min(parts(of: count, by: wanted), body.height / 3)
    return Layout(isBig: false, across: min(most, parts(of: count, by: max(1, height))), height: height)
  }

  /// The most that stand beside each other.
  private static func most(_ count: Int, width: Int) -> Int { max(1, min(count, width / leastWidth)) }

  private static func parts(of count: Int, by size: Int) -> Int { (count + size - 1) / size }

  static func draw(_ lines: [Line], _ layout: Layout, on canvas: inout Canvas, in region: Rect, theme: Theme) {
    if lines.isEmpty || region.isEmpty { return }
    let (isBig, across) = (layout.isBig, layout.across)
    let width = region.width / across - (across > 1 ? 1 : 0)
    let form = form(isBig ? lines.map(\.withoutDigits) : lines, width: width)
    for (index, line) in alike(lines, form, width: width).enumerated() {
      let left = region.width * (index % across) / across
      let right = region.width * (index % across + 1) / across
      let place = region.columns(left, right - left - (index % across == across - 1 ? 0 : 1))
      if isBig {
        drawBig(line, form, on: &canvas, in: place, theme)
      } else {
        drawLine(line, form, on: &canvas, in: place.row(index / across), theme)
      }
    }
  }

  /// How the circuits are worded: every one of them alike, so that they can be compared.
  private struct Form: Equatable {
    let isShort: Bool
    /// Which of the wordings of phase and round.
    let phase: Int

    func name(_ line: Line) -> SafeText { SafeText(isShort && !line.short.isEmpty ? line.short : line.name) }

    func phases(_ line: Line) -> SafeText { wordings(line)[0] }
    /// The wording of the form, then the shorter ones.
    func wordings(_ line: Line) -> [SafeText] {
      line.phases[min(phase, line.phases.count - 1)...].map { SafeText(" " + $0) }
    }
  }

  private static let forms = [
    (false, 0), (true, 0), (false, 1), (false, 2), (true, 1), (true, 2), (true, 3),
  ]
  .map { Form(isShort: $0.0, phase: $0.1) }
  /// The phase without its round.
  private static let shortest = Form(isShort: true, phase: 4)

  /// The longest form in which each has its room; else the shortest, in which a phase that has none gives way.
  private static func form(_ lines: [Line], width: Int) -> Form {
    forms.first { form in
      lines.allSatisfy { line in
        let field = field(line, room: width - 4 - form.name(line).width - form.phases(line).width)
        // Of a pause its age is seen as well.
        let isWhole = line.badges.count < 2 || field.plain != line.badges.last
        return isWhole && form.name(line).width + field.width + form.phases(line).width + 5 <= width
      }
    } ?? shortest
  }

  /// The same where what is alike is worded alike: none has a longer badge than the others of its kind have room for.
  private static func alike(_ lines: [Line], _ form: Form, width: Int) -> [Line] {
    let places = lines.map { line in
      let room = width - 4 - form.name(line).width - form.phases(line).width
      return line.badges.firstIndex { SafeText($0).width <= room - 1 } ?? max(0, line.badges.count - 1)
    }
    return lines.map { line in
      let kind = zip(lines, places).filter { $0.0.badges.count == line.badges.count }.map(\.1)
      guard kind.count > 1, let most = kind.max(), !line.badges.isEmpty else { return line }
      var line = line
      line.badges.removeFirst(most)
      return line
    }
  }

  /// What must not be cut: the longest badge that has room, else the time with its alert.
  private static func field(_ line: Line, room: Int) -> SafeText {
    let badges = line.badges.map { SafeText($0) }
    if let badge = badges.first(where: { $0.width <= room - 1 }) ?? badges.last { return badge }
    return SafeText([line.word, line.digits].filter { !$0.isEmpty }.joined(separator: " "))
  }

  private static func drawLine(_ line: Line, _ form: Form, on canvas: inout Canvas, in place: Rect, _ theme: Theme) {
    let style = theme[line.isFollowed ? .heading : .muted]
    let mark: SafeText = line.isFollowed ? theme.glyphs.pointer + " " : "  "
    let name = form.name(line)
    // What is not seen of a long name is less than what is not seen of the state.
    let whole = place.width - 4 - name.width - form.phases(line).width
    let least = place.width - mark.width - min(name.width, 14) - 3
    let fit = field(line, room: whole)
    let field = fit.plain == line.badges.last ? field(line, room: least) : fit
    let shown = name.truncated(to: max(4, place.width - mark.width - field.width - 4))
    let end = canvas.draw(mark + shown + " ", in: place, style: style)
    let badge = line.badges.isEmpty ? "" : field
    let stamp = badge.isEmpty ? line.alert == .none ? style : alertStyle(line, theme) : theme[.paused]
    let after = canvas.draw(
      field.isEmpty ? "" : " " + field + " ", in: place.columns(end - place.x, place.width), style: stamp)
    let rest = place.columns(after - place.x, place.width)
    let phases = form.wordings(line)
    if let phase = phases.first(where: { $0.width <= rest.width }) ?? (line.phases.count == 1 ? phases[0] : nil) {
      canvas.draw(phase, in: rest, style: style)
    }
  }

  private static func drawBig(_ line: Line, _ form: Form, on canvas: inout Canvas, in place: Rect, _ theme: Theme) {
    let space = place.rows(2, place.height - 3).inset(columns: 2, rows: 0)
    drawLine(line.withoutDigits, form, on: &canvas, in: place, theme)
    BigText(line.digits, in: space.size, theme.glyphs)?.draw(
      on: &canvas, in: space, style: alertStyle(line, theme), glyphs: theme.glyphs)
  }

  private static func alertStyle(_ line: Line, _ theme: Theme) -> Style {
    switch line.alert {
    case .amber: theme[.amber]
    case .red: theme[.red]
    case .none: theme[.normal]
    }
  }
}
