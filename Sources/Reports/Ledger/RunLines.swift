import CircuitModel
import ExamStore
import Timer

/// The lines of one run in a session's timeline.
struct RunLines {
  let run: Run
  /// The staff's names by username.
  let names: [String: String]
  let now: Instant
  let timeline: Timeline
  private let verdicts: [String: EventVerdict]
  private let scheduled: Set<String>
  private let events: [ClockEvent]

  init(run: Run, names: [String: String], now: Instant) {
    let fold = Rotation.fold(run.events, until: now)
    self.run = run
    self.names = names
    self.now = now
    timeline = fold.timeline
    verdicts = Dictionary(fold.verdicts.map { ($0.eventID, $0) }) { first, _ in first }
    scheduled = Set(fold.scheduled.map(\.id))
    events = run.events.sorted(by: ClockEvent.precedes)
  }

  /// In order of time; what a person did stands before the phase that it began, and after the one that it was done in.
  var lines: [TimelineLine] {
    var ranked: [(rank: Int, line: TimelineLine)] = []
    for event in events { if let entry = line(of: event) { ranked.append(entry) } }
    for passage in timeline.passages { ranked += lines(of: passage).map { ($0.kind == .pause ? 2 : 1, $0) } }
    return ranked.enumerated().sorted {
      ($0.element.line.at, $0.element.rank, $0.offset) < ($1.element.line.at, $1.element.rank, $1.offset)
    }.map(\.element.line)
  }

  // MARK: Phases

  private func lines(of passage: Passage) -> [TimelineLine] {
    var lines: [TimelineLine] = []
    let waited = passage.waitedMs(at: now)
    if waited > 0 {
      let start = events.last { $0.kind.isStart && $0.at == passage.start && isApplied($0) }
      lines.append(
        line(
          .wait, at: passage.entered, "WAIT \(PhaseText.digits(waited)) for \(passage.title)", start, passage, waited))
    }
    if let start = passage.start {
      lines.append(line(.phase, at: start, passage.text(from: start), nil, passage))
    }
    for pause in passage.pauses {
      let length = pause.lengthMs(at: now)
      let event = events.last { $0.kind == .pause && $0.at <= pause.from && isApplied($0) }
      let text = "PAUSE \(PhaseText.digits(length)) in \(passage.title)" + (pause.to == nil ? ", still paused" : "")
      lines.append(line(.pause, at: pause.from, text, event, passage, length))
    }
    return lines
  }

  // MARK: Events

  /// Pauses that took effect have their line with the phase, because it tells their length.
  private func line(of event: ClockEvent) -> (rank: Int, line: TimelineLine)? {
    let name = event.kind.name.uppercased()
    if event.at > now {
      guard scheduled.contains(event.id) else { return nil }
      return (0, line(.scheduled, at: event.at, "\(name) to come at \(time(event.at))", event))
    }
    guard isApplied(event) else {
      let reason = verdicts[event.id]?.reason ?? "unknown"
      return (0, line(.refused, at: event.at, "\(name) took no effect: \(reason)", event))
    }
    func made(_ rank: Int, _ kind: TimelineLine.Kind, _ text: String) -> (rank: Int, line: TimelineLine) {
      (rank, line(kind, at: event.at, text, event))
    }
    switch event.kind {
    case .pause: return nil
    case .start:
      let begun = timeline.passages.first { $0.start == event.at }
      return made(0, .start, "START \(begun?.title ?? "")")
    case .resume:
      return made(3, .resume, "RESUME" + place { $0.pauses.contains { $0.to == event.at } })
    case .extend(let seconds):
      let sign = seconds < 0 ? "" : "+"
      return made(
        2, .extend,
        "EXTEND \(sign)\(seconds) s" + place { $0.extensions.contains { $0.at == event.at && $0.seconds == seconds } })
    case .skip: return made(0, .skip, "SKIP" + place { $0.end == event.at && $0.ending == .skipped })
    case .restart: return made(2, .restart, "RESTART" + place { $0.restarts.contains(event.at) })
    case .jump(let index):
      return made(0, .jump, "JUMP to phase \(index)" + place { $0.end == event.at && $0.ending == .jumped })
    case .rounds(let rounds): return made(0, .rounds, "ROUNDS \(rounds)")
    case .stop: return made(0, .stop, "STOP" + place { $0.end == event.at && $0.ending == .stopped })
    case .annul(let target):
      let annulled = events.first { $0.id == target }
      return made(
        0, .annul, "ANNUL of \(annulled.map { "\($0.kind.name.uppercased()) at \(time($0.at))" } ?? target)")
    }
  }

  private func place(_ belongs: (Passage) -> Bool) -> String {
    timeline.passages.first(where: belongs).map { " in \($0.title)" } ?? ""
  }

  private func isApplied(_ event: ClockEvent) -> Bool { verdicts[event.id]?.applied == true }

  private func line(
    _ kind: TimelineLine.Kind, at instant: Instant, _ text: String, _ event: ClockEvent?, _ passage: Passage? = nil,
    _ lostMs: Int64 = 0
  ) -> TimelineLine {
    TimelineLine(
      at: instant, kind: kind, run: run.number, text: text, lostMs: lostMs, reason: event?.reason,
      who: event?.staff.map { names[$0] ?? $0 }, passage: passage)
  }
}

extension Passage {
  /// The phase and its round as a heading: `ROTATION 3`; without a number before the first rotation.
  public var title: String { PhaseText.title(type) + (round > 0 ? " \(round)" : "") }

  /// When it was held and was to be, and how it ended where its time did not run out:
  /// `ROTATION 3 09:02:00 to 09:10:00, planned 09:01:00 to 09:09:00, skipped`.
  func text(from start: Instant) -> String {
    let held = end.map { "\(time(start)) to \(time($0))" } ?? "from \(time(start))"
    return "\(title) \(held), planned \(time(plannedStart)) to \(time(plannedEnd))\(endingText)"
  }

  /// The same beside a column that has its beginning: `ROTATION 3 to 09:10:00, skipped`.
  /// - Parameter hasPlan: whether it says when it was to be, too.
  public func textBesideStart(hasPlan: Bool) -> String {
    let held = end.map { " to \(time($0))" } ?? ""
    // One that is held as planned has the beginning of its plan beside it, too.
    let from = end == nil && start.map(time) == time(plannedStart) ? "" : " \(time(plannedStart))"
    let plan = hasPlan ? ", planned\(from) to \(time(plannedEnd))" : ""
    return title + held + plan + endingText
  }

  private var endingText: String { ending.flatMap { $0 == .ranOut ? nil : ", \($0.name)" } ?? "" }
}

private func time(_ instant: Instant) -> String { LocalTime.reading(of: instant).time }
