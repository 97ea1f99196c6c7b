import CircuitModel
import ExamStore
import Timer

/// What a candidate met at one station.
public struct LedgerLine: Equatable, Sendable {
  /// The roster entry's key.
  public let entry: String
  /// The round, from 1; of the re-run, if the station is made up there.
  public let round: Int
  /// Whether the station is made up in a re-run.
  public let isRerun: Bool
  /// The station's code, or its name where it has none.
  public let stationCode: String
  /// The station's name.
  public let stationName: String
  /// When the rotation was to begin by the timetable, whether or not it was held and however late the session began.
  /// In a re-run, which no timetable has, it counts from the real start; nil where that was not held.
  public let plannedStart: Instant?
  /// When it was to end, on the same terms.
  public let plannedEnd: Instant?
  /// When it began; nil: not yet. After a jump back a round is held more than once: then the first time.
  public let start: Instant?
  /// When it ended; nil: not yet. Then the last time.
  public let end: Instant?
  /// Whether the candidate was here; nil: not recorded.
  public let isPresent: Bool?
  /// When a late candidate came in.
  public let lateAt: Instant?
  /// Seconds lost to pauses in the rotation, a started second counted whole.
  public let lostSeconds: Int64
  /// The pauses in the rotation, with their reasons.
  public let pauses: [TimelineLine]
  /// What was reported of the station while the candidate's round was on.
  public let incidents: [Incident]
  /// The candidate's adjustments in one line; nil if there are none.
  public let adjustments: String?
  /// All of it in plain sentences. Times of day are local.
  public let text: String

  /// A round of the re-run in which a station is made up.
  struct MadeUp {
    let round: Int
    /// Why it was queued.
    let reason: String?
  }

  /// - Parameters:
  ///   - planned: when the round is planned by the timetable.
  ///   - held: the timeline's lines of the round's rotations.
  ///   - endings: the timeline's lines of what ended phases by hand.
  ///   - madeUp: where the round is the session's and was made up: in which round of the re-run, which was held.
  init(
    entry: RosterEntry, place: StationSession, isRerun: Bool, round: Int, planned: ClosedRange<Instant>?,
    held: [TimelineLine], endings: [TimelineLine], madeUp: MadeUp? = nil, incidents: [Incident]
  ) {
    let passages = held.filter { $0.kind == .phase }.compactMap(\.passage)
    let isOver = passages.allSatisfy { $0.end != nil }
    self.entry = entry.key
    self.round = round
    self.isRerun = isRerun
    stationCode = place.stationCode
    stationName = place.stationName
    plannedStart = planned?.lowerBound ?? passages.first?.plannedStart
    plannedEnd = planned?.upperBound ?? passages.first?.plannedEnd
    start = passages.first?.start
    end = isOver ? passages.last?.end : nil
    isPresent = entry.isPresent
    lateAt = entry.lateAt
    pauses = held.filter { $0.kind == .pause }
    lostSeconds = PhaseText.shownSeconds(pauses.reduce(0) { $0 + $1.lostMs })
    self.incidents = incidents
    adjustments = entry.candidate?.adjustments
    let when = Self.when(planned: plannedStart, plannedEnd, start: start, end: end)
    let heading = "Round \(round)\(isRerun ? " of the re-run" : ""), station \(place.stationTitle), \(when)"
    let presence =
      Self.missed(entry, by: end, madeUp)
      ?? entry.isPresent.map { $0 ? "present" : "absent" } ?? "attendance not recorded"
    // What was recorded before a re-run is held is about the rounds before it.
    var sentences = [heading + (isRerun && start == nil ? "." : ": \(presence).")]
    if let lateAt { sentences.append("Came in late at \(Self.time(lateAt)).") }
    // The note is the entry's: what is made up in a re-run does not say it once more.
    if let note = entry.identityNote, !isRerun || entry.round == nil {
      sentences.append("The identity did not match: \(note).")
    }
    if passages.count > 1 { sentences.append("The round was held \(passages.count) times.") }
    sentences += pauses.map { pause in
      "Paused at \(Self.time(pause.at)) for \(PhaseText.length(pause.lostMs)): "
        + "\(pause.reason ?? "no reason was given")."
    }
    sentences += passages.compactMap { Self.change(of: $0, endings) }
    sentences += incidents.map { Self.sentence($0) }
    text = sentences.joined(separator: " ")
  }

  /// Why the candidate was not examined in a round though the entry says present: who was checked only after its end, or
  /// not at all since the marks were typed from paper, came in the re-run.
  private static func missed(_ entry: RosterEntry, by end: Instant?, _ madeUp: MadeUp?) -> String? {
    guard entry.isPresent == true, let madeUp, let end else { return nil }
    guard entry.identityCheckedAt.map({ $0 >= end }) ?? entry.isUncheckedPaper else { return nil }
    return "not examined" + (madeUp.reason.map { ": \($0)" } ?? "") + "; made up in the re-run"
  }

  private static func when(planned: Instant?, _ plannedEnd: Instant?, start: Instant?, end: Instant?) -> String {
    let plan = planned.flatMap { from in plannedEnd.map { "planned \(time(from)) to \(time($0))" } }
    guard let start else { return (plan ?? "no time planned") + ", not held so far" }
    return (end.map { "\(time(start)) to \(time($0))" } ?? "from \(time(start))") + (plan.map { " (\($0))" } ?? "")
  }

  /// What was done to the rotation's length.
  private static func change(of passage: Passage, _ endings: [TimelineLine]) -> String? {
    var parts: [String] = []
    let seconds = passage.extensions.reduce(Int64(0)) { $0 + $1.seconds }
    if seconds != 0 {
      parts.append(
        "was \(seconds > 0 ? "lengthened" : "shortened") by \(PhaseText.length(Int64(seconds.magnitude) * 1000))")
    }
    if !passage.restarts.isEmpty {
      parts.append("was begun again at \(passage.restarts.map(time).joined(separator: ", "))")
    }
    switch passage.ending {
    case .skipped, .jumped, .stopped, .removed:
      let why = endings.last { $0.at == passage.end }?.reason ?? "no reason was given"
      parts.append("was ended by hand at \(passage.end.map(time) ?? "") (\(why))")
    case .ranOut, .shortened, nil: break
    }
    return parts.isEmpty ? nil : "The rotation \(parts.joined(separator: " and "))."
  }

  private static func sentence(_ incident: Incident) -> String {
    let lost = incident.secondsLost.map { ", \(PhaseText.length(Int64($0) * 1000)) lost" } ?? ", time lost not known"
    let text = incident.text.map { ": \($0)" } ?? ""
    return "Incident at \(incident.time.map(time) ?? ""), \(incident.kind.name)\(lost)\(text)."
  }

  private static func time(_ instant: Instant) -> String { LocalTime.reading(of: instant).time }
}
