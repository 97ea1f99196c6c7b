import CircuitModel
import ExamStore
import Journal
import Reports
import Terminal
import Timer

/// Looks what others have committed, and lets the clock and the shown screen read that and nothing else.
@MainActor
final class StoreFollower {
  private let store: ExamStore
  private let clock: ClockPanel
  private let navigator: Navigator
  private let messages: Messages
  /// What the exam asks of every station.
  private(set) var rules = StationRules()
  /// Whether a hub takes what is stored here, and how much it does not have yet.
  private(set) var hub = HubContact.none
  /// Whether the hub had been away for too long at the last look.
  private var isHubUnreachable = false
  /// What was last said of settings that do not hold here; nil: they do.
  private var foreignSettings: String?
  private var watch: StoreWatch
  /// What the screen has read since the last look, each row with the last operation that it then saw.
  private var seen: [RowKey: Int64] = [:]
  /// Why what is shown could not be read the last time, so that it may be older than the store.
  private var unread: SafeText?
  /// Whether the screen is reading that again beside the keys: only what comes of it takes the note away.
  private var isReadingAgain = false

  init(_ store: ExamStore, _ clock: ClockPanel, _ navigator: Navigator, _ messages: Messages) {
    (self.store, self.clock, self.navigator, self.messages) = (store, clock, navigator, messages)
    watch = StoreWatch(store)
    readRules()
  }

  private func readRules() {
    do {
      let (settings, foreign) = try store.read { (try ExamSettings.read($0), try ConfigInForce.foreignText($0)) }
      rules = settings.stations
      watch.follow(zone: settings.timeZone)
      if let foreign, foreign != foreignSettings { messages.show(SafeText(foreign), .warning) }
      foreignSettings = foreign
    } catch { noteUnread(error) }
  }

  /// Notes that the shown screen has read rows, so that its own changes are not read again by the next look.
  /// - Parameter sequence: the last operation that the read saw.
  func noteRead(_ rows: some Sequence<RowKey>, upTo sequence: Int64, by screen: any AppScreen) {
    // What lies under another screen has read it for itself alone.
    guard screen === navigator.screen else { return }
    for row in rows { seen[row] = sequence }
  }

  /// Notes that what is shown could not be read: it stays as it was, is said not to be up to date, and is read at the
  /// next looks at the store until that succeeds. What a rule refuses is not read again.
  func noteUnread(_ error: any Error) {
    if isRefusal(error) { return messages.showError(error) }
    isReadingAgain = false
    unread = StoreWatch.unreadLine(error)
    if let unread { messages.show(unread, .error) }
  }

  /// Reads again what could not be read.
  /// - Returns: whether anything could not.
  private func readUnread() -> Bool {
    if unread == nil, let error = clock.unread { noteUnread(error) }
    guard let line = unread else { return false }
    if isReadingAgain, navigator.screen?.isReading == true { return false }
    unread = nil
    if isReadingAgain {
      isReadingAgain = false
    } else {
      readAgain()
      if unread == nil, navigator.screen?.isReading == true {
        (unread, isReadingAgain) = (line, true)
        return true
      }
    }
    if unread == nil, messages.line.text == line { messages.line.clear() }
    return true
  }

  private func readAgain() {
    readRules()
    clock.readUnread()
    navigator.screen?.reload()
    if unread == nil, let error = clock.unread { noteUnread(error) }
  }

  /// Looks whether anybody committed, and lets the screen read again what was changed.
  /// - Parameter staff: who sits here.
  /// - Returns: whether anything that is shown was.
  func look(for staff: Int?) -> Bool {
    if store.isReplaced {
      messages.show(SafeText(ExamStore.replacedText), .error)
      return true
    }
    var isShown = readUnread()
    let isHubUnreachable = hub.awaySince(at: store.clock.now) != nil
    if isHubUnreachable != self.isHubUnreachable {
      self.isHubUnreachable = isHubUnreachable
      isShown = true
    }
    let changes: StoreChanges
    do {
      guard let found = try watch.look(except: seen) else { return isShown }
      changes = found
    } catch {
      noteUnread(error)
      return true
    }
    seen.removeAll(keepingCapacity: true)
    if hub != changes.hub {
      hub = changes.hub
      navigator.screen?.followHub()
      isShown = true
    }
    let rows = changes.rows
    if rows.isEmpty { return isShown }
    if followExam(Set(rows.lazy.map(\.entity)), for: staff) { isShown = true }
    if navigator.screen?.follow(rows) == true { isShown = true }
    return isShown
  }

  /// Reads again what was changed of all that is no screen's own.
  /// - Returns: whether anything was.
  private func followExam(_ changed: Set<String>, for staff: Int?) -> Bool {
    var isConcerned = false
    func on(_ entities: String..., follow: () -> Void) {
      if changed.isDisjoint(with: entities) { return }
      follow()
      isConcerned = true
    }
    on(Stored.ClockEvent.entityName, Stored.CircuitRun.entityName) { followClock() }
    on(Stored.ExamLock.entityName) { clock.reload() }
    on(Stored.Device.entityName) { clock.timeWasSet() }
    on(Stored.Config.entityName) { followSettings() }
    on(Stored.AssistanceRequested.entityName) { followHelp() }
    on(
      Stored.Timetable.entityName, Stored.AdditionalStaff.entityName, Stored.Staff.entityName,
      Stored.ActivityType.entityName, Stored.ClinicGroup.entityName
    ) { followStation(of: staff) }
    on(Stored.RerunEntry.entityName) { clock.readOutages() }
    on(Stored.HallMessage.entityName) { followHallMessages() }
    return isConcerned
  }

  private func followClock() {
    if let line = clock.readChange() { messages.show(line, .warning, about: clock.subject) }
  }

  private func followSettings() {
    readRules()
    // Another time zone: every time that is shown is another.
    clock.reload()
    navigator.screen?.reload()
  }

  private func followHelp() {
    if let line = clock.readHelp() { messages.show(line, .warning) }
  }

  private func followStation(of staff: Int?) {
    if let line = clock.readRelease() { messages.show(line, .warning) }
    if let staff, let line = clock.readLead(from: staff) { messages.show(line, .error) }
  }

  private func followHallMessages() {
    clock.readMessages()
    if !clock.messages.isEmpty { messages.line.clear() }
  }
}
