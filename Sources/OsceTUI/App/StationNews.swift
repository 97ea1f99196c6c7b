import Characters
import CircuitModel
import ExamStore
import Terminal
import Timer

/// What the hall tells a station: messages, that it is out of order, how its call for help stands, and that its
/// assessors may go. What cannot be read stays as it was.
struct StationNews {
  /// What the invigilator tells this station, its circuit or everybody; the newest last.
  private(set) var messages: [HallMessage] = []
  /// Whom the station could not examine as it was out of order, by number, each with the round.
  private var outages: [(round: Int, number: String)] = []
  /// The station's last call for help.
  private(set) var help: HelpCall?
  /// When the invigilator released the station's assessors; nil: not yet.
  private(set) var releasedAt: Instant?

  /// What the invigilator tells the station, that it is out of order in this round last.
  /// - Parameter round: the round that is on; nil where none is, and in a re-run.
  func notices(round: Int?) -> [String] {
    let now = outages.filter { $0.round == round }.map(\.number)
    let texts = messages.map(\.text)
    if now.isEmpty { return texts }
    let come = Plural.verb(now.count, "comes", "come")
    return texts + ["out of order this round: \(now.joined(separator: ", ")) \(come) in the re-run"]
  }

  /// Forgets call and release, which may be another station's.
  mutating func forgetAnswers() { (help, releasedAt) = (nil, nil) }

  /// Reads again what the invigilator tells the station.
  mutating func readMessages(at place: StationSession, circuit: Int, in store: ExamStore) throws {
    messages = try store.read { try HallMessages.shown(circuit: circuit, station: place.station, in: $0) }
  }

  /// Reads again in which rounds the station is out of order.
  mutating func readOutages(at place: StationSession?, in store: ExamStore) throws {
    outages = try place.map { place in try store.read { try StationOutage.all(at: place.timetable, in: $0) } } ?? []
  }

  /// Reads again how far the station's last call for help was answered.
  /// - Returns: what has become of it, where somebody else did something.
  mutating func readHelp(at place: StationSession?, in store: ExamStore) throws -> SafeText? {
    let before = help
    help = try place.flatMap { place in try store.read { try HelpCalls.latest(station: place.station, in: $0) } }
    return HelpNote.news(help, before: before)
  }

  /// Reads again whether the station's assessors may go.
  /// - Returns: what has become of it.
  mutating func readRelease(at place: StationSession?, in store: ExamStore) throws -> SafeText? {
    let before = releasedAt
    releasedAt = try place.flatMap { place in
      try store.read { try StationClearance.releasedAt(timetable: place.timetable, in: $0) }
    }
    if releasedAt == before { return nil }
    guard let releasedAt else { return "recalled by the invigilator: please stay" }
    return SafeText("released by the invigilator at \(LocalTime.reading(of: releasedAt).time): you may leave")
  }
}
