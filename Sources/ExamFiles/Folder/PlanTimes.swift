import Timer

/// When the sessions of a plan can end, and what that makes impossible: two sessions of a circuit, or two places of a
/// candidate or an assessor, at one time.
struct PlanTimes {
  private let plan: ExamPlan
  private let spans: [Span]

  /// A session from its start to the earliest moment at which its phases can be over, in minutes since midnight.
  private struct Span {
    let session: ExamPlan.Session
    let start: Int
    let end: Int

    func overlaps(_ other: Span) -> Bool {
      session.date == other.session.date && start < other.end && other.start < end
    }
  }

  init(_ plan: ExamPlan) {
    self.plan = plan
    let circuits = Dictionary(plan.circuits.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
    spans = plan.sessions.compactMap { session in
      guard let start = PlanTimes.minutes(session.start), let circuit = circuits[session.circuit.code] else {
        return nil
      }
      return Span(session: session, start: start, end: start + PlanTimes.length(of: circuit))
    }
  }

  /// What is wrong with the times, each with its place.
  func problems() -> [(place: Place, message: String)] {
    tooEarlyEnds() + overlaps() + candidatesAtOnce() + assessorsAtOnce()
  }

  private func tooEarlyEnds() -> [(place: Place, message: String)] {
    spans.compactMap { span in
      guard let end = span.session.end.flatMap(PlanTimes.minutes) else { return nil }
      let written = end < span.start ? end + 1440 : end
      guard written < span.end else { return nil }
      return (
        span.session.place,
        "session: circuit \(Visible.quoted(span.session.circuit.code)) ends at \(PlanTimes.text(written)), but its "
          + "phases take until \(PlanTimes.text(span.end))"
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
              + "\(PlanTimes.text(second.start)), but its session of \(PlanTimes.text(first.start)) takes until "
              + PlanTimes.text(first.end)
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
        for other in places[slot.code] ?? []
        where other.start != span.start && other.session.circuit.code != span.session.circuit.code
          && span.overlaps(other)
        {
          found.append(
            (
              slot.place,
              "session: candidate \(Visible.quoted(slot.code)) is in circuit "
                + "\(Visible.quoted(other.session.circuit.code)) from \(PlanTimes.text(other.start)) to "
                + "\(PlanTimes.text(other.end)), and here from \(PlanTimes.text(span.start))"
            ))
        }
        places[slot.code, default: []].append(span)
      }
    }
    return found
  }

  /// The same of assessors, at the stations of two circuits.
  private func assessorsAtOnce() -> [(place: Place, message: String)] {
    var found: [(place: Place, message: String)] = []
    var places: [String: [(span: Span, station: String)]] = [:]
    for span in spans {
      for post in span.session.assessors {
        for person in post.staff {
          for (other, station) in places[person.code] ?? []
          where other.start != span.start && other.session.circuit.code != span.session.circuit.code
            && span.overlaps(other)
          {
            found.append(
              (
                person.place,
                "session: \(Visible.quoted(person.code)) is at station \(Visible.quoted(station)) of circuit "
                  + "\(Visible.quoted(other.session.circuit.code)) from \(PlanTimes.text(other.start)) to "
                  + "\(PlanTimes.text(other.end)), and here from \(PlanTimes.text(span.start))"
              ))
          }
          places[person.code, default: []].append((span, post.station.code))
        }
      }
    }
    return found
  }

  /// Minutes that the phases of a circuit take at least, each round once.
  private static func length(of circuit: ExamPlan.Circuit) -> Int {
    let cycle = circuit.phases.map {
      PhaseDuration(type: PhaseType(name: $0.type), lengthMs: Int64($0.seconds) * 1000)
    }
    let phases = Expansion.expand(cycle, rounds: min(circuit.stations.count, 200), warnings: nil)
    // What follows the last rotation ends nothing that anybody waits for.
    let last = phases.lastIndex { $0.type == .rotation } ?? phases.count - 1
    let milliseconds = phases.prefix(last + 1).reduce(Int64(0)) { $0 + $1.plannedMs }
    return Int((milliseconds + 59_999) / 60_000)
  }

  private static func minutes(_ time: String) -> Int? {
    let parts = time.split(separator: ":").compactMap { Int($0) }
    return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
  }

  private static func text(_ minutes: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return two(minutes / 60 % 24) + ":" + two(minutes % 60)
  }
}
