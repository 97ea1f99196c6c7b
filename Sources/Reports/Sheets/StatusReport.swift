import CircuitModel
import ExamStore
import GRDB
import Timer

/// Counts of expected against held, for `osce status`.
public struct StatusReport: Sendable {
  /// The exam as a whole.
  public private(set) var total = Counts()
  /// Each station session, in the order of sessions and stations.
  public private(set) var stations: [(place: StationSession, counts: Counts)] = []
  /// Fields of any row on which concurrent edits left different values.
  public private(set) var forks = 0
  /// Operations that the hub refused or keeps for a person, or that wait for others.
  public private(set) var refused = 0
  /// Operations that no hub has, and that are to be sent; as many where there is no hub.
  public private(set) var unsent = 0
  /// Whether the store has a place at a hub.
  public private(set) var isEnrolled = false

  /// Comments that are marked as a concern: unsafe practice, professionalism.
  public private(set) var concerns = 0
  /// What did not fit where a candidate's identity was checked.
  public private(set) var identityNotes: [IdentityNote] = []

  /// Stations that are queued for a re-run and not examined yet.
  public private(set) var reruns = 0
  /// Answers that no sheet of a session shows: something above them was deleted or cancelled.
  public private(set) var hiddenMarks = 0

  /// What is counted.
  public struct Counts: Equatable, Sendable {
    /// Mark sheets that there are to be.
    public var expected = 0
    /// Of these, those that were started.
    public var started = 0
    /// Of these, those without a blank required item.
    public var filled = 0
    /// Of these, those that were signed.
    public var signed = 0
    /// Items on the expected sheets.
    public var items = 0
    /// Of these, those with an answer.
    public var held = 0
    /// Required items without an answer, where something is due.
    public var blank = 0
    /// Answers on this disk alone.
    public var disk = 0
    /// Answers at the hub too.
    public var hub = 0
    /// Items at which a person must look.
    public var attention = 0
    /// Sheets that hold something and are not expected.
    public var unexpected = 0
    /// Sheets with an item that could not be assessed.
    public var unable = 0
    /// Expected sheets of which nothing is due: the candidate is excused there or left out, or the sheet is.
    public var excused = 0

    static func += (left: inout Counts, right: Counts) {
      left.expected += right.expected
      left.started += right.started
      left.filled += right.filled
      left.signed += right.signed
      left.items += right.items
      left.held += right.held
      left.blank += right.blank
      left.disk += right.disk
      left.hub += right.hub
      left.attention += right.attention
      left.unexpected += right.unexpected
      left.unable += right.unable
      left.excused += right.excused
    }
  }

  /// Counts the whole store.
  /// - Parameter candidate: the number of the candidate whose sheets alone are counted; nil: everybody's.
  public static func read(_ db: Database, of candidate: String? = nil) throws -> StatusReport {
    var report = StatusReport()
    let places = try MarkPlaces(db)
    let attention = try places.attention(in: db)
    let excuses = try Excuses.read(in: db)
    // What is at the hub is known of each item alone.
    try SheetWalk.forEach(places.hasHub ? .whole : .tally, in: db) { sheet in
      if let candidate, sheet.entry.number != candidate { return }
      var counts = counts(of: sheet, excuses)
      if let held = sheet.held {
        if places.hasHub {
          count(held, places, &counts)
        } else {
          let here = attention[held.key] ?? (0, 0)
          counts.attention = here.items
          counts.disk = held.tally.answered - here.answered
        }
      }
      report.total += counts
      if report.stations.last?.place != sheet.place { report.stations.append((sheet.place, Counts())) }
      report.stations[report.stations.count - 1].counts += counts
    }
    report.concerns = try Concern.all(in: db).count
    report.identityNotes = try IdentityNote.all(in: db)
    report.reruns = try reruns(excuses, in: db).count
    report.hiddenMarks = try HiddenMarks.read(db).marks
    report.forks = try Int.fetchOne(db, sql: "SELECT count(*) FROM fork") ?? 0
    report.refused = try Outbox.unsettled(db)
    (report.isEnrolled, report.unsent) = (places.hasHub, try Outbox.waiting(db))
    return report
  }

  /// What is queued for a re-run, not examined, and due.
  private static func reruns(_ excuses: Excuses, in db: Database) throws -> [RerunItem] {
    try RerunQueue.remaining(in: db).filter { !excuses.isExcused($0.entry, at: $0.station) }
  }

  private static func counts(of sheet: PlannedSheet, _ excuses: Excuses) -> Counts {
    var counts = Counts()
    if sheet.isExpected {
      counts.expected = 1
      counts.excused = excuses.isExcused(sheet) ? 1 : 0
      counts.started = sheet.held == nil ? 0 : 1
      counts.filled = sheet.isFilled ? 1 : 0
      counts.signed = sheet.held?.signedAt == nil ? 0 : 1
      counts.items = sheet.itemCount
      counts.held = sheet.held?.tally.answered ?? 0
      counts.blank = counts.excused > 0 ? 0 : sheet.blanks
    } else {
      counts.unexpected = 1
    }
    counts.unable = (sheet.held?.tally.unable ?? 0) > 0 ? 1 : 0
    return counts
  }

  /// Counts where the items of a sheet are.
  private static func count(_ held: HeldSheet, _ places: MarkPlaces, _ counts: inout Counts) {
    for item in held.items {
      switch places.place(of: item) {
      case .empty: break
      case .disk: counts.disk += 1
      case .hub: counts.hub += 1
      case .attention: counts.attention += 1
      }
    }
  }
}

extension StatusReport {
  /// The counts of the stations that are asked for, with the concerns, identity queries and re-runs of just these. What is
  /// counted of the store as a whole stays.
  public func only(_ filter: PlanFilter, in db: Database, at now: Instant) throws -> StatusReport {
    if filter.isAll { return self }
    let places = try filter.find(in: db, at: now).places
    let timetables = Set(places.map(\.timetable))
    var report = self
    report.stations = stations.filter { timetables.contains($0.place.timetable) }
    report.total = report.stations.reduce(into: Counts()) { $0 += $1.counts }
    func isOf(_ candidate: String?) -> Bool { filter.candidate == nil || candidate == filter.candidate }
    report.concerns = try Concern.all(in: db).count { concern in
      let isHere = places.contains { place in
        place.circuit.name == concern.circuit && place.session.name == concern.session ?? place.session.name
          && (place.stationCode == concern.station || concern.station == nil && !filter.isForOne)
      }
      return isHere && isOf(concern.candidate)
    }
    report.identityNotes = identityNotes.filter { timetables.contains($0.timetable) && isOf($0.number) }
    report.reruns = try StatusReport.reruns(Excuses.read(in: db), in: db).count {
      timetables.contains($0.station.timetable) && isOf($0.entry.candidate?.label)
    }
    return report
  }
}

extension StatusReport {
  /// The counts of each session, in order.
  public var sessions: [(circuit: Circuit, session: Session, counts: Counts)] {
    var list: [(circuit: Circuit, session: Session, counts: Counts)] = []
    var places: [Session: Int] = [:]
    for (place, counts) in stations {
      if let index = places[place.session] {
        list[index].counts += counts
      } else {
        places[place.session] = list.count
        list.append((place.circuit, place.session, counts))
      }
    }
    return list
  }

  /// `{"total":COUNTS,"forks","refused","unsent","concerns","identityNotes":[…],"sessions":[{"circuit","name","session",
  /// …COUNTS,"stations":[{"timetable","station","name",…COUNTS}]}],"reruns","hiddenMarks"}`; COUNTS are `expected started filled signed items
  /// held blank disk hub attention unexpected unable excused`.
  public var json: JSONDocument {
    let bySession = Dictionary(grouping: stations, by: \.place.session)
    return .object([
      ("total", .object(total.members)), ("forks", .number(forks)), ("refused", .number(refused)),
      ("unsent", .number(unsent)), ("concerns", .number(concerns)),
      ("identityNotes", .array(identityNotes.map(\.json))),
      (
        "sessions",
        .array(
          sessions.map { circuit, session, counts in
            .object(
              [
                ("circuit", .number(circuit.id)), ("name", .text(circuit.name)), ("session", .text(session.name)),
              ] + counts.members + [
                (
                  "stations",
                  .array(
                    (bySession[session] ?? []).map { place, counts in
                      .object(
                        [
                          ("timetable", .number(place.timetable)), ("station", .text(place.stationCode)),
                          ("name", .text(place.stationName)),
                        ] + counts.members)
                    })
                )
              ])
          })
      ), ("reruns", .number(reruns)), ("hiddenMarks", .number(hiddenMarks)),
    ])
  }
}

extension StatusReport.Counts {
  fileprivate var members: [(String, JSONDocument)] {
    [
      ("expected", expected), ("started", started), ("filled", filled), ("signed", signed), ("items", items),
      ("held", held), ("blank", blank), ("disk", disk), ("hub", hub), ("attention", attention),
      ("unexpected", unexpected), ("unable", unable), ("excused", excused),
    ].map { ($0, .number($1)) }
  }
}
