import CircuitModel
import ExamStore
import Reports
import Terminal
import Timer

/// The countdown of the session that a terminal belongs to, kept as the run's events and worked out at every look.
@MainActor
final class ClockPanel {
  private let store: ExamStore
  private(set) var session: Session?
  /// The station session that somebody sits at.
  private(set) var place: StationSession?
  private var circuit: Circuit?
  /// What the hall tells the station that somebody sits at.
  private var news = StationNews()
  /// What the invigilator tells this station, its circuit or everybody; the newest last.
  var messages: [HallMessage] { news.messages }
  /// What the invigilator tells this station, that it is out of order in this round last.
  var notices: [String] { news.notices(round: isRerun ? nil : state?.round) }
  /// The station's last call for help.
  var help: HelpCall? { news.help }
  /// The run's events, as they were read last.
  private(set) var events: [ClockEvent] = []
  private var fold: Fold?
  /// Why the clock, or what is told here, could not be read the last time: it is shown as it was before.
  private(set) var unread: (any Error)?
  /// Whether the run is a re-run: its rounds are then those of the re-run queue.
  private(set) var isRerun = false
  /// Why nothing of the session changes that two people have locked; nil: it is not locked.
  private(set) var lock: LockRefusal?
  /// When a start that is set for later comes: another run may be the one to follow from then on.
  private(set) var nextStart: Instant?

  /// Whether the countdown goes in steps, for a screen reader. A clock that stands is shown to the second.
  private let isQuiet: Bool

  init(store: ExamStore, isQuiet: Bool) { (self.store, self.isQuiet) = (store, isQuiet) }

  /// Follows the clock of this station session's circuit.
  func follow(_ station: StationSession) {
    if station.session != session { forget() }
    session = station.session
    (place, circuit) = (station, station.circuit)
    reload()
    readMessages()
    news.forgetAnswers()
    _ = readHelp()
    _ = readRelease()
  }

  /// Follows the clock of a circuit's session.
  func follow(_ session: Session, of circuit: Circuit) {
    if session != self.session { forget() }
    self.session = session
    (place, news) = (nil, StationNews())
    self.circuit = circuit
    reload()
  }

  /// Another clock is followed, or none: nothing of the one before is shown where its own cannot be read.
  private func forget() { (fold, events, isRerun, lock, nextStart, unread) = (nil, [], false, nil, nil, nil) }

  /// Reads, or notes why that failed.
  /// - Returns: nil where it failed: what was read before stays.
  private func attempt<T>(_ read: () throws -> T) -> T? {
    do { return try read() } catch {
      unread = error
      return nil
    }
  }

  /// Reads again what could not be read. What has come of it is shown by the heading.
  func readUnread() {
    if unread == nil { return }
    unread = nil
    reload()
    readMessages()
    _ = readHelp()
    _ = readRelease()
  }

  /// Reads again what the invigilator tells this station.
  func readMessages() {
    guard let session, let place else { return }
    _ = attempt { try news.readMessages(at: place, circuit: session.circuit, in: store) }
    readOutages()
  }

  /// Reads again in which rounds this station is out of order.
  func readOutages() { _ = attempt { try news.readOutages(at: place, in: store) } }

  /// Reads again how far the station's last call for help was answered.
  /// - Returns: what has become of it, where somebody else did something.
  func readHelp() -> SafeText? { attempt { try news.readHelp(at: place, in: store) } ?? nil }

  /// Reads again whether this station's assessors may go.
  /// - Returns: what has become of it.
  func readRelease() -> SafeText? { attempt { try news.readRelease(at: place, in: store) } ?? nil }

  /// A station session as it was read last, where somebody sits at it: its names and people may have changed since.
  func current(_ station: StationSession) -> StationSession {
    place.flatMap { $0.timetable == station.timetable ? $0 : nil } ?? station
  }

  /// Reads again what this station and its circuit are called, and who leads here.
  /// - Returns: who has taken it from the person who sits here.
  func readLead(from staff: Int) -> SafeText? {
    guard let before = place,
      let now = attempt({ try store.read { try StationSession.find(before.timetable, in: $0) } })
    else { return nil }
    (place, circuit) = (now, now.circuit)
    guard before.seat(of: staff) != nil, now.seat(of: staff) == nil, let lead = now.lead else { return nil }
    if lead.staff == before.lead?.staff { return "you are no longer assigned here" }
    let what =
      lead.role == .cover
      ? "covers this station"
      : before.lead?.role == .cover ? "has taken this station back" : "is the assessor here now"
    return SafeText("\(lead.name) \(what); you are no longer assigned here")
  }

  /// That somebody else has taken the station of the person who sits here, as it stands in the heading.
  func coverNote(_ staff: Int?) -> SafeText {
    guard let staff, let place, place.lead != nil, place.seat(of: staff) == nil else { return "" }
    return " COVERED"
  }

  /// That this station's assessors may go, as it stands in the heading.
  var releaseNote: SafeText { news.releasedAt == nil ? "" : " YOU MAY GO" }

  /// That the session is locked, as it stands in the heading of a station.
  var lockNote: SafeText { place == nil || lock == nil ? "" : " LOCKED" }

  /// When a clock that stands goes on by itself, as it stands in the heading of a station.
  var comingNote: SafeText {
    guard place != nil, let state, let instant = fold?.goesOn(after: now) else { return "" }
    return SafeText(" \(state.status == .paused ? "RESUMES" : "STARTS") \(LocalTime.reading(of: instant).time)")
  }

  /// The open call for help as it stands in the heading, the longest wording first.
  var helpNotes: [SafeText] { HelpNote.headings(help) }

  /// Follows no clock.
  func leave() {
    forget()
    (session, place, news) = (nil, nil, StationNews())
    reload()
  }

  /// Reads the clock again where a start has come that was set for then.
  /// - Returns: whether one had.
  func followStarts() -> Bool {
    guard let nextStart, store.clock.now >= nextStart else { return false }
    reload()
    return true
  }

  /// Reads the clock again.
  /// - Returns: how a person has changed the clock since, in a line; nil where nobody has.
  func readChange() -> SafeText? {
    let before = Set(events.map(\.id))
    let isFirst = fold == nil
    reload()
    guard place != nil, !isFirst, let event = events.last(where: { !before.contains($0.id) && $0.at <= now }),
      let text = ClockPanel.text(of: event.kind, annulled: events)
    else { return nil }
    return SafeText("the invigilator has \(text)")
  }

  private static func text(of kind: ClockEventKind, annulled events: [ClockEvent]) -> String? {
    switch kind {
    case .extend(let seconds) where seconds > 0: "extended this phase by \(PhaseText.length(seconds * 1000))"
    case .extend(let seconds): "shortened this phase by \(PhaseText.length(-seconds * 1000))"
    case .pause: "PAUSED the clock"
    case .resume: "resumed the clock"
    case .skip: "skipped the rest of the phase"
    case .restart: "restarted this phase"
    case .jump: "jumped to another phase"
    case .rounds: "changed the number of rounds"
    case .stop: "stopped the clock"
    case .annul: "undone a change of the clock"
    case .start: nil
    }
  }

  /// Reads the run that is on, whether its session is locked, and when the next start comes.
  func reload() {
    let now = store.clock.now
    let session = session
    guard
      let (next, run, lock) = attempt({
        try store.read { db in
          (
            try ClockLog.nextStart(after: now, in: db),
            try session.flatMap { try Run.current(of: $0, at: now, in: db) },
            try session.flatMap { try ExamLock.refusals(of: [$0], in: db).first }
          )
        }
      })
    else { return }
    unread = nil
    nextStart = next
    if session == nil { return }
    self.lock = lock
    events = run?.events ?? []
    fold = run.map { Rotation.fold($0.events, until: now) }
    isRerun = run?.isRerun ?? false
  }

  /// The exam's time was set by a person: what was shown ahead of its time may now be later than the present.
  func timeWasSet() {
    (reached, lookedAt) = (.earliest, nil)
    reload()
  }

  /// What the clock shows now; nil where no run is.
  var state: ClockState? { fold?.state(at: now) }

  /// Round and phase: what decides who is where.
  struct Moment: Hashable {
    let round: Int?
    let phase: PhaseType?
    let status: ClockStatus?
    let isRerun: Bool
  }

  /// What a line about the clock is about: it goes with the phase.
  var subject: Subject { Subject(moment) }

  /// Round and phase now.
  var moment: Moment {
    let state = state
    return Moment(round: state?.round, phase: state?.phase?.type, status: state?.status, isRerun: isRerun)
  }

  /// The instant that is drawn: the present, or one to come that is drawn ahead. What was drawn so and shown stays.
  private var now: Instant { prerendered ?? max(store.clock.now, reached) }
  private var prerendered: Instant?
  private var reached = Instant.earliest

  /// Runs `body` with the clock as it will stand at an instant.
  func prerendering<T>(_ instant: Instant, _ body: () -> T) -> T {
    prerendered = instant
    defer { prerendered = nil }
    return body()
  }

  /// What was drawn ahead for an instant is on the screen now.
  func reach(_ instant: Instant) {
    reached = instant
    _ = noteShown()
  }

  private var lastShown: ClockHeading?
  /// The instant of the last call of `noteShown`.
  private var lookedAt: Instant?

  /// Notes what the clock shows now.
  /// - Returns: whether that is something else than at the last call.
  func noteShown() -> Bool {
    lookedAt = now
    let shown = heading
    defer { lastShown = shown }
    return shown != lastShown
  }

  /// When the candidate of an entry comes by this clock.
  func turn(of entry: RosterEntry) -> CandidateTurn { CandidateTurn(of: entry, by: fold, isRerun: isRerun, at: now) }

  /// When the digits change next after the last look at them: in the past if nobody has looked since.
  var nextChange: Instant? { fold?.nextChange(after: lookedAt ?? now) }

  /// Round and phase in words.
  private var phaseText: SafeText {
    // A clock that could not be read is shown as it was, and never as one that was not started.
    let stale: SafeText = unread == nil || session == nil ? "" : "STALE "
    if fold == nil, !stale.isEmpty { return "CLOCK NOT READ" }
    return stale + freshPhaseText
  }

  private var freshPhaseText: SafeText {
    guard let state, state.status != .notStarted else { return session == nil ? "" : "NOT STARTED" }
    return state.heading(isRerun: isRerun).map { SafeText($0) } ?? "FINISHED"
  }

  /// What the first line of the screen shows now.
  var heading: ClockHeading {
    let state = state
    return ClockHeading(
      station: place?.stationTitle, circuit: session == nil ? nil : circuit?.name, phase: phaseText,
      left: state.flatMap(shownLeft).map(PhaseText.digits), alert: state?.alert ?? .none)
  }

  private func shownLeft(_ state: ClockState) -> Int64? {
    guard isQuiet, state.status == .running else { return state.remainingMs }
    return state.remainingMs.map(QuietDigits.stepped)
  }
}
