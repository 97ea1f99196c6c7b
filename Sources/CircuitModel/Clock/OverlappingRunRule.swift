import ExamStore
import GRDB
import Timer

/// Of a session one run at a time is open: what would open a second is refused, whatever its date.
enum OverlappingRunRule {
  /// Why an event would open a run while another one of its session is open; nil if it would not.
  ///
  /// An event that is given now is not refused for a run that is only set for later: a fire alarm comes first, and that
  /// run then does not begin as long as this one is open.
  /// - Parameters:
  ///   - run: the run that it would join; nil where it makes one.
  ///   - now: the exam's time.
  static func misfit(
    of event: ClockEvent, joining run: Run?, of session: Session, now: Instant, in db: Database
  ) throws -> ClockRefusal.Misfit? {
    let others = try Run.all(of: session, in: db).filter { $0.key != run?.key }
    if others.isEmpty { return nil }
    let isPresent = ClockLog.isGivenNow(at: event.at, now)
    let before = run?.spans ?? []
    let after = Run.spans((run?.events ?? []) + [event])
    for other in others {
      for span in other.spans where !(isPresent && span.lowerBound > event.at) {
        guard after.contains(where: { $0.overlaps(span) }), !before.contains(where: { $0.overlaps(span) }) else {
          continue
        }
        return .anotherRun(number: other.number, from: span.lowerBound)
      }
    }
    return nil
  }
}

extension Run {
  /// When it is open, as far as its events say: a run that is paused or waits is open for ever.
  var spans: [Range<Instant>] { Run.spans(events) }

  static func spans(_ events: [ClockEvent]) -> [Range<Instant>] {
    Rotation.fold(events, until: .latest).timeline.passages.compactMap { passage in
      let end = passage.end ?? .latest
      return passage.entered < end ? passage.entered..<end : nil
    }
  }
}
