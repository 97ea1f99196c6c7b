import Terminal
import Timer

/// Makes the announcements of the circuits that a screen shows: bell, flash and the configured command.
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
  private var begun: Instant
  private var heardUntil: Instant
  private var recent: Set<Heard> = []
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

  /// An announcement and whose it is.
  struct Heard: Hashable {
    let circuit: String
    let announcement: Announcement
  }

  private struct Missed {
    var count: Int
    var last: Heard
    var until: Int64
  }

  /// - Parameters:
  ///   - hook: the configured command; nil if there is none.
  ///   - now: the instant from which on announcements are made; earlier ones are nobody's concern.
  init(bell: Bell, hook: AnnouncementHook? = nil, now: Instant) {
    self.bell = bell
    self.hook = hook
    begun = now
    heardUntil = now
  }

  /// Makes what is due.
  /// - Parameters:
  ///   - folds: the shown circuits by name, with their runs.
  ///   - loop: the event loop's clock, in milliseconds.
  /// - Returns: `.bell` for a beat of the bell that is due now.
  mutating func tick(folds: [(circuit: String, fold: Fold)], now: Instant, loop: Int64) -> [TerminalEffect] {
    let heard = listen(folds, now)
    let sounding = Announcements.due(heard.map(\.announcement), at: now)
    if !sounding.sound.isEmpty {
      sound(sounding.sound, loop)
      for ring in Announcements.rings([sounding.sound]) {
        hook?.announce(AnnouncementCall(ring.at, heard.filter { $0.announcement.at == ring.at }))
      }
    }
    if !sounding.missed.isEmpty, bell != .none || hook != nil {
      let late = heard.filter { now - $0.announcement.at > Announcements.graceMs }
      if let last = late.max(by: { $0.announcement.at < $1.announcement.at }) {
        missed = Missed(count: (missed?.count ?? 0) + late.count, last: last, until: loop + Announcer.missedMs)
      }
    }
    hook?.tick(now: now, loop: loop)
    if let end = flashEnd, loop >= end { flashEnd = nil }
    say(folds.count > 1, now, loop)
    return beat(loop)
  }

  /// When a tick is wanted for a tune or a flash, in milliseconds of the loop's clock.
  var deadline: Int64? { [beats.first, flashEnd].compactMap { $0 }.min() }

  /// Lets go of the command and of the seat of the host's announcer.
  func close() { hook?.close() }

  // MARK: What is due

  /// The announcements not heard before. An event may be read some time after its instant, so the last half second
  /// is looked through again.
  private mutating func listen(_ folds: [(circuit: String, fold: Fold)], _ now: Instant) -> [Heard] {
    // The exam's time was set back.
    if now < heardUntil { (heardUntil, begun) = (now, min(begun, now)) }
    let from = max(begun, min(heardUntil, now - Announcements.graceMs - 1))
    heardUntil = now
    let all = folds.flatMap { circuit in
      Announcements.between(circuit.fold, from: from, to: now).map { Heard(circuit: circuit.circuit, announcement: $0) }
    }
    if all.isEmpty && recent.isEmpty { return [] }
    let new = all.filter { !recent.contains($0) }
    recent = recent.union(new).filter { now - $0.announcement.at <= 2 * Announcements.graceMs }
    return new
  }

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

  private mutating func say(_ isSeveral: Bool, _ now: Instant, _ loop: Int64) {
    if let until = missed?.until, loop >= until { missed = nil }
    guard let missed else {
      line = hook?.problem.map { SafeText($0) }
      return
    }
    let announcement = missed.last.announcement
    let circuit = isSeveral ? " (\(missed.last.circuit))" : ""
    let what = missed.count == 1 ? "" : "\(missed.count) announcements, the last: "
    let text = announcement.text.hasSuffix(".") ? String(announcement.text.dropLast()) : announcement.text
    line = SafeText("not sounded: \(what)\(text)\(circuit), \((now - announcement.at) / 1000) s ago")
  }
}
