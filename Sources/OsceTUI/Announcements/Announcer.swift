import Terminal
import Timer

/// Makes the announcements of the hall: bell and flash for the runs that a screen shows, the configured command for
/// every run of the store.
///
/// Each is made once, and only within half a second of its instant; what came too late is said in `line` for a while.
/// Nothing here waits: a tune goes on from tick to tick, at the deadlines that `deadline` names.
@MainActor
struct Announcer {
  /// What could not be sounded, or what is wrong with the command; nil where there is nothing to say.
  private(set) var line: SafeText?
  /// Whether the screen is to be drawn reversed now.
  var isFlashing: Bool { flashEnd != nil }

  private let bell: Bell
  private let hook: AnnouncementHook?
  private var feed: AnnouncementFeed
  private var beats: [Int64] = []
  private var flashEnd: Int64?
  private var lastFlash: Int64?
  private var missed: Missed?

  /// How long the screen is reversed, in milliseconds.
  static let flashMs: Int64 = 400
  /// From one flash to the next at least, in milliseconds, so that the screen never flickers.
  static let flashGap: Int64 = 1_000
  /// How long it is said that something was not sounded, in milliseconds.
  static let missedMs: Int64 = 60_000

  private struct Missed {
    var count: Int
    var last: AnnouncementFeed.Item
    var until: Int64
  }

  /// - Parameters:
  ///   - hook: the configured command; nil if there is none.
  ///   - now: the instant from which on announcements are made; earlier ones are nobody's concern.
  init(bell: Bell, hook: AnnouncementHook? = nil, now: Instant) {
    self.bell = bell
    self.hook = hook
    feed = AnnouncementFeed(from: now)
  }

  /// Makes what is due.
  /// - Parameters:
  ///   - runs: every run of the store that is on.
  ///   - loop: the event loop's clock, in milliseconds.
  /// - Returns: `.bell` for a beat of the bell that is due now.
  mutating func tick(_ runs: [MonitoredRun], now: Instant, loop: Int64) -> [TerminalEffect] {
    let heard = feed.newItems(runs, at: now)
    let prompt = heard.filter { Announcements.isTimely($0.announcement, at: now) }
    let here = prompt.filter(\.isShown).map(\.announcement)
    if !here.isEmpty { sound(here, loop) }
    for ring in Announcements.rings([prompt.map(\.announcement)]) {
      hook?.announce(AnnouncementCall(ring.at, prompt.filter { $0.announcement.at == ring.at }))
    }
    if bell != .none || hook != nil {
      miss(heard.filter { !Announcements.isTimely($0.announcement, at: now) && $0.isShown }, loop)
    }
    hook?.tick(now: now, loop: loop)
    if let end = flashEnd, loop >= end { flashEnd = nil }
    say(runs.count(where: \.isShown) > 1, now, loop)
    return beat(loop)
  }

  /// When a tick is wanted for a tune or a flash, in milliseconds of the loop's clock.
  var deadline: Int64? { [beats.first, flashEnd].compactMap { $0 }.min() }

  /// Ends what the command still does.
  func close() { hook?.close() }

  private mutating func sound(_ announcements: [Announcement], _ loop: Int64) {
    guard bell != .none, let pattern = announcements.map({ BellPattern($0.kind) }).max() else { return }
    if bell == .audible { beats = pattern.beats.map { loop + $0 } }
    if flashEnd == nil, lastFlash.map({ loop - $0 >= Announcer.flashGap }) ?? true {
      flashEnd = loop + Announcer.flashMs
      lastFlash = loop
    }
  }

  /// The beats that are due; one that is late is left out rather than sounded with the next.
  private mutating func beat(_ loop: Int64) -> [TerminalEffect] {
    guard let first = beats.first, first <= loop else { return [] }
    let due = beats.filter { $0 <= loop }
    beats.removeFirst(due.count)
    return due.contains { loop - $0 <= Announcements.graceMs } ? [.bell] : []
  }

  // MARK: What was not sounded

  private mutating func miss(_ late: [AnnouncementFeed.Item], _ loop: Int64) {
    guard let last = late.max(by: { $0.announcement.at < $1.announcement.at }) else { return }
    missed = Missed(count: (missed?.count ?? 0) + late.count, last: last, until: loop + Announcer.missedMs)
  }

  private mutating func say(_ isSeveral: Bool, _ now: Instant, _ loop: Int64) {
    if let until = missed?.until, loop >= until { missed = nil }
    guard let missed else {
      line = hook?.problem.map { SafeText($0) }
      return
    }
    let announcement = missed.last.announcement
    let circuit = isSeveral ? " (\(missed.last.circuit))" : ""
    let what = missed.count == 1 ? "" : "\(missed.count) announcements, the last: "
    let text = announcement.text.withoutFullStop
    line = SafeText("missed announcement: \(what)\(text)\(circuit), \((now - announcement.at) / 1000) s ago")
  }
}
