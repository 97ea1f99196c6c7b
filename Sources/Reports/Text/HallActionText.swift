import Characters
import CircuitModel
import Timer

extension HallAction {
  /// What was done, in one phrase: `Blue circuit, Green circuit: pause`, `message to CHEST "two minutes"`.
  /// An undoing says what it undid: `undone: Blue circuit: skip of 04:25:19 (oops)`; the undoing of that what is done
  /// again.
  /// - Parameter called: what a station is called: its code, or more where circuits have stations of one code.
  public func text(_ called: (Station) -> String = \.code) -> String {
    guard let undone else { return (isAgain ? "done again: " : "") + what.text(doneAt: at, called) }
    return "undone: \(undone.text(called))"
  }

  /// The same with why it was done, where that was said: `Blue circuit: pause (fire alarm)`.
  public func account(_ called: (Station) -> String = \.code) -> String {
    text(called) + (reason.map { " (\($0))" } ?? "")
  }

  fileprivate static func circuits(_ clocks: [Clock]) -> String {
    clocks.map(\.circuit).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
  }

  /// Why it was done, where that was said.
  public var reason: String? { clocks.lazy.compactMap(\.event.reason).first { !$0.isEmpty } }

  /// What is there again once it is undone, in one phrase; clocks say so themselves.
  public func textOfUndoing(_ called: (Station) -> String = \.code) -> String {
    switch what {
    case .clock: ""
    case .swap: "both candidates go back to the places that they had before"
    case .attendance(_, let candidate, _): "the attendance of \(candidate) goes back to what it was before"
    case .cover(let station, _): "\(called(station)) goes back to whom it had before"
    case .release(let station, let isReleased):
      isReleased
        ? "the assessors of \(called(station)) are called back" : "the assessors of \(called(station)) may go again"
    case .message: "the message goes down"
    case .messageDown(let text): "\"\(text)\" goes up again"
    case .rerun: "the re-run queue goes back to what it was before"
    case .outOfOrder(_, let queued):
      "\(queued.joined(separator: ", ")) \(Plural.verb(queued.count, "leaves", "leave")) the re-run queue, and the incident is withdrawn"
    case .incident(let station): "the incident at \(called(station)) is withdrawn"
    case .extra(let candidate, _): "\(candidate) comes off the rosters and the re-run queue"
    case .extraTime(let candidate, _): "the extra time of \(candidate) goes back to what it was before"
    case .help(let station, let status):
      "the call from \(called(station)) " + (status == .resolved ? "is open again" : "waits for an answer")
    }
  }
}

extension HallAction.Undone {
  /// What was undone, in one phrase; of clocks with its time and why it was done.
  /// - Parameter called: what a station is called.
  public func text(_ called: (HallAction.Station) -> String = \.code) -> String {
    guard case .clock(let clocks) = what, let first = clocks.first else { return what.text(doneAt: at, called) }
    let why = first.event.reason.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
    return "\(HallAction.circuits(clocks)): \(first.event.kind.phrase) of "
      + "\(LocalTime.reading(of: first.event.at).time)\(why)"
  }
}

extension HallAction.What {
  /// - Parameter instant: when it was done; what takes effect later was set.
  fileprivate func text(doneAt instant: Instant, _ called: (HallAction.Station) -> String) -> String {
    switch self {
    case .clock(let clocks):
      let given = clocks.filter { $0.target == nil }
      let shown = given.isEmpty ? clocks : given
      guard let event = shown.first?.event else { return "" }
      let later = event.at > instant ? " set for \(LocalTime.reading(of: event.at).time)" : ""
      return "\(HallAction.circuits(shown)): \(event.kind.phrase)\(later)"
    case .swap(let circuit): return "\(circuit): swap of two candidates"
    case .attendance(let kind, let candidate, let count):
      let places = count == 1 ? "" : " at \(Plural.count(count, "station"))"
      return "\(candidate): \(kind.word)\(kind == .late || kind == .notLate ? "" : places)"
    case .cover(let station, let name):
      return "\(called(station)): " + (name.map { "cover by \($0)" } ?? "cover ended")
    case .release(let station, let isReleased): return "\(called(station)): \(isReleased ? "released" : "called back")"
    case .message(let text, let receiver):
      let to =
        switch receiver {
        case .all: "all"
        case .circuit(let name): name
        case .station(let station): called(station)
        }
      return "message to \(to) \"\(text)\""
    case .messageDown(let text): return "message taken down \"\(text)\""
    case .rerun(let places, let isQueued):
      return (isQueued ? "re-run queue: " : "removed from the re-run queue: ") + places.joined(separator: ", ")
    case .outOfOrder(let station, let queued):
      return "\(called(station)): out of order, re-run queue: \(queued.joined(separator: ", "))"
    case .incident(let station): return "\(called(station)): incident"
    case .extra(let candidate, let count): return "\(candidate): extra candidate at \(Plural.count(count, "station"))"
    case .extraTime(let candidate, let seconds):
      return seconds > 0
        ? "\(candidate): extra time, \(PhaseText.span(seconds * 1000)) more at each station"
        : "\(candidate): no extra time"
    case .help(let station, let status):
      return "\(called(station)): help call \(status == .resolved ? "resolved" : "answered")"
    }
  }
}

extension HallAction.Attendance {
  fileprivate var word: String {
    switch self {
    case .absent: "absent"
    case .late: "late"
    case .notLate: "not late"
    case .cleared: "absence cleared"
    case .present: "present"
    }
  }
}

extension ClockEventKind {
  /// What was done, for somebody who reads it once: `pause`, `30 s more`.
  public var phrase: String {
    switch self {
    case .extend(let seconds): "\(PhaseText.exactSpan(abs(seconds) * 1000)) \(seconds < 0 ? "less" : "more")"
    case .jump(let index): "jump to phase \(index)"
    case .rounds(let rounds): Plural.count(rounds, "round")
    case .annul: "undo"
    default: name
    }
  }
}

extension Forecast {
  /// How far a run is behind its plan, in whole minutes; negative when it is ahead. The one rule for wall and desk:
  /// less than half a minute is on time.
  var minutesBehind: Int64 { (abs(delayMs) + 30_000) / 60_000 * (delayMs < 0 ? -1 : 1) }

  /// When the run is said to end: as many minutes from the planned end as it is said to be behind, so that both agree.
  public var saidEnd: Instant { plannedEnd + minutesBehind * 60_000 }

  /// `on time`, `4 min behind`, `2 min ahead`.
  public var scheduleText: String {
    switch minutesBehind {
    case 0: "on time"
    case let minutes where minutes > 0: "\(minutes) min behind"
    case let minutes: "\(-minutes) min ahead"
    }
  }
}

/// How long something has lasted, in steps that do not tick: ten seconds, from a minute on minutes.
public enum AgeText {
  /// `20 s`, `3 min`; `0 s` within the first ten seconds.
  public static func text(_ milliseconds: Int64) -> String {
    let seconds = max(0, milliseconds) / 1000
    return seconds < 60 ? "\(seconds / 10 * 10) s" : seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
  }
}
