import CircuitModel
import ExamStore
import Reports
import Timer

/// A run whose announcements are listened for.
struct MonitoredRun {
  /// What it is called: the circuit, and the session where several of it are on.
  let name: String
  /// What tells it from every other run, whatever it is called.
  let key: String
  let fold: Fold
  /// Whether this screen shows it, so that its bell rings here.
  let isShown: Bool

  init(_ name: String, key: String? = nil, _ fold: Fold, isShown: Bool = true) {
    (self.name, self.key, self.fold, self.isShown) = (name, key ?? name, fold, isShown)
  }

  /// The runs of the hall, as they are listened for on a screen.
  static func all(_ runs: [HallRun], isShown: (HallRun) -> Bool) -> [MonitoredRun] {
    runs.map { one in
      let isAlone = !runs.contains { $0.circuit == one.circuit && $0.run.session != one.run.session }
      return MonitoredRun(
        isAlone ? one.circuit.name : "\(one.circuit.name) \(one.run.session.startTime)", key: one.run.key, one.fold,
        isShown: isShown(one))
    }
  }
}

/// Hears every announcement of every run once.
struct AnnouncementFeed {
  /// An announcement and whose it is.
  struct Item: Equatable {
    let run: String
    let circuit: String
    let isShown: Bool
    let announcement: Announcement
  }

  private var begun: Instant
  private var heardUntil: Instant
  private var recent: [Item] = []

  /// How far back an event is looked for that was read after its instant, in milliseconds.
  private static let lookBackMs: Int64 = 60_000

  /// - Parameter now: the instant from which on announcements are heard; earlier ones are nobody's concern.
  init(from now: Instant) { (begun, heardUntil) = (now, now) }

  /// The announcements that are new since the last call.
  ///
  /// Rescans the last minute, because events can arrive late and an undo can change them. An announcement that has only
  /// moved is not repeated.
  mutating func newItems(_ runs: [MonitoredRun], at now: Instant) -> [Item] {
    // The exam's time was set back: what was heard after it comes again.
    if now < heardUntil {
      (heardUntil, begun) = (now, min(begun, now))
      recent.removeAll { $0.announcement.at > now }
    }
    let from = max(begun, min(heardUntil, now + -AnnouncementFeed.lookBackMs))
    heardUntil = now
    var new: [Item] = []
    for run in runs {
      for announcement in Announcements.between(run.fold, from: from, to: now) {
        let heard = Item(run: run.key, circuit: run.name, isShown: run.isShown, announcement: announcement)
        if !recent.contains(where: { $0.isSame(as: heard, at: now) }) { new.append(heard) }
      }
    }
    recent = recent.filter { now - $0.announcement.at <= 2 * AnnouncementFeed.lookBackMs } + new
    return new
  }
}

extension AnnouncementFeed.Item {
  /// Whether it is what was heard before, at the same instant or, if it is too late to be sounded, at another.
  fileprivate func isSame(as other: AnnouncementFeed.Item, at now: Instant) -> Bool {
    let (mine, its) = (announcement, other.announcement)
    return run == other.run && mine.kind == its.kind && mine.text == its.text && mine.passage == its.passage
      && (mine.at == its.at || !Announcements.isTimely(its, at: now))
  }
}
