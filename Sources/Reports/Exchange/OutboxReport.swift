import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// Where every change is that is not safely at a hub: what waits, and what a person must look at, for `osce outbox`.
public struct OutboxReport: Equatable, Sendable {
  /// Whether the store has a place at a hub.
  public let isEnrolled: Bool
  /// Changes that no hub has and that are to be sent: the sum of the items on the disk.
  public let waiting: Int
  /// When the oldest of them was made, by the clock of its terminal; nil where none waits.
  public let since: Instant?
  /// Changes and fields at which a person must look: the sum of the items that need attention.
  public let attention: Int
  /// All of them, by candidate, station and entity: those that need a person first, then the oldest.
  public let items: [Item]
  /// How many of them are left out here.
  public private(set) var more = 0

  /// Changes of one kind at one place.
  public struct Item: Equatable, Sendable {
    /// Whose they are; nil where they are nobody's in particular.
    public let candidate: Person?
    /// The station; nil where they are of the whole exam.
    public let station: Station?
    /// The entity, as the catalogue names it.
    public let entity: String
    /// Of whom of the staff two values stand, by username; nil of anything else.
    public var staff: String?
    /// How many changes; of contradicting values, how many fields.
    public let count: Int
    /// When the oldest was made, refused or contradicted.
    public let since: Instant
    /// `disk`: they wait for a hub; `attention`: they wait for a person.
    public let place: MarkPlace
    /// What a person must look at: the hub's answer, such as `rejected:role`, or `conflict`; nil where they only wait.
    public let why: String?
  }

  /// A candidate.
  public struct Person: Hashable, Sendable {
    /// The key in `Student`.
    public let id: Int
    /// The candidate's number.
    public let number: String
    /// Title, forename and surname.
    public let name: String
  }

  /// A station.
  public struct Station: Hashable, Sendable {
    /// The key in `ActivityType`.
    public let id: Int
    /// Its code, or its name where it has none.
    public let code: String
  }

  /// Reads the whole store.
  /// - Parameter now: the exam's time.
  public static func read(_ db: Database, at now: Instant) throws -> OutboxReport {
    var items = try waiting(db)
    let since = items.map(\.since).min()
    items += try attention(db, at: now)
    items.sort { $0.rank < $1.rank }
    return OutboxReport(
      isEnrolled: try Enrolment.exists(db), waiting: try Outbox.waiting(db), since: since,
      attention: try Outbox.attention(db, at: now).count, items: items)
  }

  // MARK: What waits

  /// What waits for a hub, by candidate, station and entity, the oldest first.
  static func waiting(_ db: Database) throws -> [Item] {
    // By the index of rows where nearly everything waits, by that of what waits where little does.
    let isEnrolled = try Enrolment.exists(db)
    let journal = isEnrolled ? "sends = 1 AND hubSeq IS NULL" : Outbox.waits()
    let entities = try String.fetchAll(
      db,
      sql: """
        SELECT DISTINCT entity FROM operation \(isEnrolled ? "WHERE " + journal : "")
        UNION SELECT entity FROM pending p WHERE \(Outbox.waitsAside("p")) ORDER BY 1
        """)
    return try entities.flatMap { entity in
      try items(
        of: entity, place: .disk, why: nil,
        """
        SELECT entityID, count(*) AS n, min(wallTime) AS since FROM operation
        WHERE \(isEnrolled ? "+" : "")entity = ?1 AND \(journal) GROUP BY entityID
        UNION ALL
        SELECT entityID, count(*), min(wallTime) FROM pending p
        WHERE entity = ?1 AND \(Outbox.waitsAside("p")) GROUP BY entityID
        """, [entity], db)
    }.sorted { $0.rank < $1.rank }
  }

  // MARK: What needs a person

  private static func attention(_ db: Database, at now: Instant) throws -> [Item] {
    var items: [Item] = []
    let before = now.milliseconds - Outbox.patience
    let refused = try ReadRow.fetchAll(
      db, sql: "SELECT DISTINCT entity, why FROM (\(Outbox.attention)) ORDER BY 1, 2", arguments: [before])
    for row in refused {
      let (entity, why): (String, String) = (row[0], row[1])
      items += try self.items(
        of: entity, place: .attention, why: why,
        """
        SELECT entityID, count(*) AS n, min(since) AS since FROM (\(Outbox.attention))
        WHERE entity = ?2 AND why = ?3 GROUP BY entityID
        """, [before, entity, why], db)
    }
    let usernames = try Usernames(db)
    let members = try ReadRow.fetchAll(
      db, sql: "SELECT entityID, count(*), min(openedAt) FROM fork WHERE entity = 'Staff' GROUP BY 1 ORDER BY 1")
    items += members.map { row in
      Item(
        candidate: nil, station: nil, entity: "Staff", staff: Int(row[0] as String).flatMap { usernames[$0] },
        count: row[1], since: Instant(stored: row[2]), place: .attention, why: HubResult.conflict.description)
    }
    for entity in try String.fetchAll(db, sql: "SELECT DISTINCT entity FROM fork WHERE entity <> 'Staff' ORDER BY 1") {
      items += try self.items(
        of: entity, place: .attention, why: HubResult.conflict.description,
        "SELECT entityID, count(*) AS n, min(openedAt) AS since FROM fork WHERE entity = ?1 GROUP BY entityID",
        [entity], db)
    }
    return items
  }

  /// The changes of an entity by candidate and station.
  /// - Parameter changes: SQL for the rows with changes: `entityID`, how many as `n`, and `since`.
  private static func items(
    of entity: String, place: MarkPlace, why: String?, _ changes: String, _ arguments: StatementArguments,
    _ db: Database
  ) throws -> [Item] {
    let places = OutboxPlaces(entity)
    let rows = try ReadRow.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT u.dsid, u.studentNumber, u.title, u.forename, u.surname, a.dsid, \(StationSession.codeSQL),
            sum(g.n), min(g.since)
          FROM (
            SELECT \(places.key) AS anchor, sum(w.n) AS n, min(w.since) AS since FROM (\(changes)) w \(places.joins)
            GROUP BY 1
          ) g \(places.anchor.joins)
          GROUP BY u.dsid, a.dsid
          """), arguments: arguments)
    return rows.map { row in
      Item(
        candidate: (row[0] as Int?).map {
          Person(id: $0, number: row[1] ?? "", name: personName(title: row[2], forename: row[3], surname: row[4]) ?? "")
        },
        station: (row[5] as Int?).map { Station(id: $0, code: row[6] ?? "") }, entity: entity, count: row[7],
        since: Instant(stored: row[8]), place: place, why: why)
    }
  }
}

extension OutboxReport {
  /// The most items that are listed for a person.
  static let longestList = 500

  /// The same with no more items than a person reads: without a hub everything waits, a line a sheet and kind.
  public var shortened: OutboxReport { first(OutboxReport.longestList) }

  /// The same with the first items alone.
  func first(_ count: Int) -> OutboxReport {
    var report = OutboxReport(
      isEnrolled: isEnrolled, waiting: waiting, since: since, attention: attention, items: Array(items.prefix(count)))
    report.more = more + items.count - report.items.count
    return report
  }

  /// What the last line of a list says of those that are left out; nil where none is.
  public var moreText: String? { more == 0 ? nil : "and \(more) more" }
}

extension OutboxReport {
  /// `{"enrolled":BOOL,"waiting":N,"since":T|null,"attention":N,"items":[{"candidate","station","entity","count","since",
  /// "where":"disk|attention","why"}]}`.
  public var json: JSONDocument {
    .object([
      ("enrolled", .bool(isEnrolled)), ("waiting", .number(waiting)), ("since", .time(since)),
      ("attention", .number(attention)),
      (
        "items",
        .array(
          items.map { item in
            .object([
              ("candidate", .optional(item.candidate?.name)), ("station", .optional(item.station?.code)),
              ("entity", .text(item.entity)), ("count", .number(item.count)),
              ("since", .time(item.since)),
              ("where", .text(item.place.rawValue)), ("why", .optional(item.why)),
            ])
          })
      ),
    ])
  }
}

extension OutboxReport.Item {
  private struct Rank: Comparable {
    let isCalm: Bool
    let since: Instant
    let texts: [String]

    static func < (left: Rank, right: Rank) -> Bool {
      if left.isCalm != right.isCalm { return !left.isCalm }
      if left.since != right.since { return left.since < right.since }
      return left.texts.lexicographicallyPrecedes(right.texts)
    }
  }

  /// What it is of, in words: `marks`, `staff hyamamoto`.
  public var what: String { OutboxText.name(of: entity) + (staff.map { " \($0)" } ?? "") }

  /// What needs a person comes first, then what is oldest.
  fileprivate var rank: some Comparable {
    let keys = "\(candidate?.id ?? 0) \(station?.id ?? 0)"
    return Rank(
      isCalm: place != .attention, since: since,
      texts: [station?.code ?? "", candidate?.number ?? "", entity, staff ?? "", why ?? "", keys])
  }
}
