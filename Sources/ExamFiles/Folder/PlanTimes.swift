import CircuitModel
import Timer

/// When the sessions of a plan can end, and what that makes impossible: two sessions of a circuit, or two places of a
/// candidate or an assessor, at one time.
struct PlanTimes {
  private let plan: ExamPlan
  private let spans: [Span]

  private let offset: LocalTime.Offset

  /// A session from its start to when its phases are over, if nobody waits.
  private struct Span {
    let session: ExamPlan.Session
    let start: Instant
    let end: Instant

    func overlaps(_ other: Span) -> Bool { start < other.end && other.start < end }

    /// Whether it overlaps one of another circuit that begins earlier or later.
    func clashes(with other: Span) -> Bool {
      other.start != start && other.session.circuit.code != session.circuit.code && overlaps(other)
    }
  }

  init(_ plan: ExamPlan) {
    self.plan = plan
    let circuits = Dictionary(plan.circuits.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
    let offset = WrittenTime.offset(ofZone: plan.timeZone)
    self.offset = offset
    spans = plan.sessions.compactMap { session in
      guard let start = LocalTime.instant(date: session.date, time: session.start, offset: offset),
        let circuit = circuits[session.circuit.code]
      else { return nil }
      return Span(session: session, start: start, end: start + PlanTimes.milliseconds(of: circuit))
    }
  }

  /// What is wrong with the times, each with its place.
  func problems() -> [(place: Place, message: String)] {
    unclearStarts() + tooEarlyEnds() + overlaps() + candidatesAtOnce() + assessorsAtOnce()
  }

  /// Starts in the hour that a clock change skips or repeats.
  private func unclearStarts() -> [(place: Place, message: String)] {
    spans.compactMap { span in
      let (date, start) = (span.session.date, span.session.start)
      let there = LocalTime.instants(date: date, time: start, offset: offset).count
      if there == 1 { return nil }
      return (
        span.session.place,
        "session: clocks change on \(Visible.text(date)), so \(Visible.text(start)) "
          + (there == 0 ? "does not exist: it starts at \(time(span.start))" : "comes twice: it starts at the first")
      )
    }
  }

  private func tooEarlyEnds() -> [(place: Place, message: String)] {
    spans.compactMap { span in
      guard let end = span.session.end,
        var written = LocalTime.instant(date: span.session.date, time: end, offset: offset)
      else { return nil }
      let circuit = Visible.quoted(span.session.circuit.code)
      if written < span.start {
        // Past midnight; half a day later is no session.
        written = written + 86_400_000
        if span.start + 43_200_000 < written {
          return (
            span.session.place, "session: circuit \(circuit) ends at \(Visible.text(end)), before it starts"
          )
        }
      }
      guard written < span.end else { return nil }
      return (
        span.session.place,
        "session: circuit \(circuit) ends at \(Visible.text(end)), but its phases take until \(time(span.end))"
      )
    }
  }

  private func overlaps() -> [(place: Place, message: String)] {
    var found: [(place: Place, message: String)] = []
    for (index, span) in spans.enumerated() {
      for earlier in spans[..<index]
      where earlier.session.circuit.code == span.session.circuit.code && earlier.start != span.start
        && span.overlaps(earlier)
      {
        let (first, second) = earlier.start < span.start ? (earlier, span) : (span, earlier)
        found.append(
          (
            span.session.place,
            "session: circuit \(Visible.quoted(span.session.circuit.code)) starts again at "
              + "\(time(second.start)), but its session of \(time(first.start, beside: second)) takes until "
              + time(first.end, beside: second)
          ))
      }
    }
    return found
  }

  /// Those who begin in two sessions at one instant are refused; these begin one while the other lasts.
  private func candidatesAtOnce() -> [(place: Place, message: String)] {
    var found: [(place: Place, message: String)] = []
    var places: [String: [Span]] = [:]
    for span in spans {
      for case let slot? in span.session.slots {
        for other in places[slot.code] ?? [] where span.clashes(with: other) {
          found.append(
            (
              slot.place,
              "session: candidate \(Visible.quoted(slot.code)) is in circuit "
                + "\(Visible.quoted(other.session.circuit.code)) from \(time(other.start, beside: span)) to "
                + "\(time(other.end, beside: span)), and here from \(time(span.start))"
            ))
        }
        places[slot.code, default: []].append(span)
      }
    }
    return found
  }

  /// Assessors who are planned at stations of two circuits at once.
  private func assessorsAtOnce() -> [(place: Place, message: String)] {
    var found: [(place: Place, message: String)] = []
    var places: [String: [(span: Span, station: String)]] = [:]
    for span in spans {
      for post in span.session.assessors {
        for person in post.staff {
          for (other, station) in places[person.code] ?? [] where span.clashes(with: other) {
            found.append(
              (
                person.place,
                "session: \(Visible.quoted(person.code)) is at station \(Visible.quoted(station)) of circuit "
                  + "\(Visible.quoted(other.session.circuit.code)) from \(time(other.start, beside: span)) to "
                  + "\(time(other.end, beside: span)), and here from \(time(span.start))"
              ))
          }
          places[person.code, default: []].append((span, post.station.code))
        }
      }
    }
    return found
  }

  /// Milliseconds that the phases of a circuit take, each round once: as long as its clock runs.
  private static func milliseconds(of circuit: ExamPlan.Circuit) -> Int64 {
    let cycle = circuit.phases.map {
      PhaseDuration(type: PhaseType(name: $0.type), lengthMs: Int64($0.seconds) * 1000)
    }
    return Expansion.expand(cycle, rounds: min(circuit.stations.count, 200), warnings: nil)
      .reduce(0) { $0 + $1.plannedMs }
  }

  /// The time of day, with the date where it is not the day on which a session starts.
  private func time(_ instant: Instant, beside span: Span? = nil) -> String {
    let reading = LocalTime.reading(of: instant, offset: offset)
    return (span.map { $0.session.date != reading.date } ?? false ? reading.date + " " : "") + reading.minute
  }
}
