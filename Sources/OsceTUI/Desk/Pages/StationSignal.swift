import CircuitModel
import Reports
import Timer

/// Whether a station is at work, in few words, and whether someone has to go there.
struct StationSignal: Equatable {
  let text: String
  /// What is the matter, where someone has to go there.
  let chase: String?

  private init(_ text: String, chase: String? = nil) { (self.text, self.chase) = (text, chase) }

  /// From this silence on, in milliseconds, a station is chased.
  private static let silenceMs: Int64 = 90_000
  /// From this time of a rotation on a candidate must have been seen.
  private static let seenMs: Int64 = 60_000

  /// - Parameters:
  ///   - hall: who is planned there in the round that is shown.
  ///   - state: the circuit's clock.
  init(_ station: StationSession, in hall: HallWatch.Hall, _ state: ClockState?) {
    self = StationSignal.of(station, hall, state)
  }

  private static func of(
    _ station: StationSession, _ hall: HallWatch.Hall, _ state: ClockState?
  ) -> StationSignal {
    let (view, signals) = (hall.view, hall.signals)
    if station.isRest || state?.status == .finished { return StationSignal("") }
    let entry = view.entries(station: station.timetable, view.now).first
    switch view.now {
    case .session: if let entry, view.isOutOfOrder(entry) { return StationSignal("OUT OF ORDER") }
    // A re-run needs the stations of its queue alone.
    case .rerun: if entry == nil { return StationSignal("") }
    }
    if let entry, hall.excuses.isExcused(entry, at: station) { return StationSignal("excused") }
    if let entry, view.isRuledOut(entry) { return StationSignal("ruled out") }
    // Before the clock is started nobody has to go anywhere.
    let isUnderWay = state.map { $0.status != .notStarted } ?? false
    let unattended = StationSignal("no sign-in", chase: isUnderWay ? "no one signed in" : nil)
    guard let entry, let candidate = entry.candidate, entry.isPresent != false,
      let state, state.phase?.type == .rotation, let elapsed = state.elapsedMs
    else {
      return signals.signedIn.contains(station.timetable) ? StationSignal("") : unattended
    }
    let (now, begin) = (state.at, state.at - elapsed)
    let last = signals.lastMarks[entry.key].flatMap { $0 >= begin ? $0 : nil }
    if last == nil, !signals.signedIn.contains(station.timetable) { return unattended }
    if last == nil, entry.isPresent == nil, elapsed >= seenMs {
      return StationSignal("NOT SEEN", chase: "\(candidate.number) not seen")
    }
    let isDone = !entry.sheets.isEmpty && entry.sheets.allSatisfy { $0.isSigned || $0.answered == $0.items }
    let silence = now - max(last ?? begin, begin)
    if state.status == .running, !isDone, silence >= silenceMs {
      let text = "silent \(AgeText.text(silence))"
      return StationSignal("! " + text, chase: text)
    }
    if entry.sheets.contains(where: { !$0.isSigned }) || entry.sheets.isEmpty {
      return StationSignal(last.map { AgeText.text(now - $0) } ?? "")
    }
    let unsigned = view.unsignedSecondAssessors(of: entry).count
    let seats = StationSession.seats(of: station).count
    return StationSignal(unsigned == 0 ? "signed" : "\(seats - unsigned) of \(seats) signed")
  }

  /// Whether it says no more than that no one has signed in.
  var isUnattended: Bool { text == "no sign-in" }
}
