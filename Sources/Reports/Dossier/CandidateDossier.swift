import Characters
import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// Everything that a store holds of one candidate: what an appeal asks for.
public struct CandidateDossier: Sendable {
  /// The exam's name; nil where none was given.
  public let exam: String?
  /// The candidate.
  public let candidate: Candidate
  /// What the candidate agreed to, and when, in words; nil: not recorded.
  public let consent: String?
  /// As of when it was read.
  public let at: Instant
  /// The hash of the journal's last operation.
  public let head: String?
  /// The sessions in which the candidate comes, in order.
  public let sessions: [SessionPart]
  /// The rulings that name the candidate or one of their sheets.
  public let rulings: [RulingNote]
  /// How many concerns were raised that are about the candidate.
  public let concerns: Int
  /// Whether their texts are given.
  public let showsConcerns: Bool

  /// A session in which the candidate comes.
  public struct SessionPart: Sendable {
    /// The session.
    public let session: Session
    /// The circuit's name.
    public let circuit: String
    /// The swaps of places that concerned the candidate, oldest first.
    public let swaps: [SwapNote]
    /// The stations in the order of rounds; those without a round after them, in the order of the re-run.
    public let stations: [StationPart]
  }

  /// A station to which the candidate comes.
  public struct StationPart: Sendable {
    /// The station session.
    public let place: StationSession
    /// Whether it was cancelled.
    public var isCancelled: Bool { withdrawn != nil }
    /// The station as it was withdrawn; nil where it was held.
    public let withdrawn: WithdrawnStation?
    /// The roster entry.
    public let entry: RosterEntry
    /// Why the candidate was added, absent or late here, as far as a person recorded it.
    public let attendance: [AttendanceNote]
    /// The round as it was planned and held, with incidents and lost time; those of a re-run after it.
    public let ledger: [LedgerLine]
    /// How the candidate left.
    public let signOut: SignOut.State?
    /// The mark sheets of all seats.
    public let sheets: [SheetPart]
    /// The sheets that were given to the candidate here, or taken to another, after they were marked.
    public let moves: [SheetMove]
    /// Comments on the candidate here; concerns only where they are asked for.
    public let comments: [Comment]
    /// Calls for help made while the candidate was here.
    public let helpCalls: [HelpCall]
  }

  /// A mark sheet.
  public struct SheetPart: Sendable {
    /// The sheet.
    public let sheet: PlannedSheet
    /// When the assessor signed it; nil where it is not signed.
    public let signedAt: Instant?
    /// The name of the assessor who signed it: that of an amendment stands with the amendment.
    public let signedBy: String?
    /// Why it was signed, where that was recorded: the lead signs on behalf of an assessor.
    public let signedBecause: String?
    /// What two people amended of it since, oldest first.
    public let amendments: [SheetAmendment]
    /// How long after the bell the marks were given, in seconds, by the key of the item; none for those in time.
    public let secondsAfterBell: [String: Int64]
    /// Who gave the marks, and who typed them, by the key of the item.
    public let origins: [String: MarkOrigin]
    /// Which answers took the place of others.
    public let changes: [MarkChange]
    /// The keys of the items of which two values stand.
    public let conflicts: Set<String>
  }

  /// Reads a candidate's dossier.
  /// - Parameters:
  ///   - number: the candidate's number.
  ///   - concerns: whether the texts of concerns are given.
  /// - Throws: `StoreError` if nobody has the number, naming the nearest one, or if several have it, naming them.
  public static func read(
    _ number: String, concerns: Bool, in db: Database, at now: Instant
  ) throws -> CandidateDossier {
    guard let found = try CandidateLabel.find(number, in: db), let candidate = try Roster.candidate(found.key, in: db)
    else {
      throw StoreError("nobody has the candidate number \(number)\(try nearest(number, in: db))")
    }
    let ruled = try ExamRuling.all(in: db)
    var reader = try DossierReader(candidate, ruled, showsConcerns: concerns, db, at: now)
    let sessions = try reader.sessions()
    let head = try String.fetchOne(db, sql: "SELECT lower(hex(hash)) FROM operation ORDER BY seq DESC LIMIT 1")
    let consent = try String.fetchOne(db, sql: "SELECT consent FROM user WHERE dsid = ?", arguments: [candidate.id])
    let sheets = Set(sessions.flatMap(\.stations).flatMap { $0.sheets.compactMap(\.sheet.held?.key) })
    let rulings = try RulingNote.all(ruled, in: db).filter { note in
      [candidate.label, candidate.number].contains(note.place.candidate)
        || note.ruling.scope.sheet.map { sheets.contains($0) } ?? false
    }
    return CandidateDossier(
      exam: try ExamSettings.read(db).name, candidate: candidate, consent: consent, at: now, head: head,
      sessions: sessions, rulings: rulings,
      concerns: reader.concerns, showsConcerns: concerns)
  }

  /// The number that differs least, for one who has mistyped.
  private static func nearest(_ number: String, in db: Database) throws -> String {
    let known = try String.fetchAll(
      db,
      sql: "SELECT studentNumber FROM user WHERE entity = 'Student' AND dsDeleted = 0 AND studentNumber IS NOT NULL"
    ).sorted(by: CandidateOrder.isBefore)
    let typed = String(number.lowercased().prefix(40))
    let best = known.map { ($0, EditDistance.between(typed, String($0.lowercased().prefix(40)))) }
      .min { $0.1 < $1.1 }
    return best.map { "; the nearest is \($0.0)" } ?? "; the exam has no candidates"
  }
}

/// Reads a dossier station by station.
private struct DossierReader {
  private let candidate: Candidate
  private let showsConcerns: Bool
  private let db: Database
  private let now: Instant
  private var changes: MarkChanges
  private var moments: StationMoments
  private var bells: Bells
  private let calls: [HelpCall]
  private let withdrawn: [Int: WithdrawnStation]
  private let moves: SheetMoves
  private let usernames: Usernames
  private let amendments: [String: [SheetAmendment]]
  private(set) var concerns = 0

  init(
    _ candidate: Candidate, _ rulings: [ExamRuling], showsConcerns: Bool, _ db: Database, at now: Instant
  ) throws {
    (self.candidate, self.showsConcerns, self.db, self.now) = (candidate, showsConcerns, db, now)
    changes = try MarkChanges(db, at: now)
    moments = try StationMoments(db, at: now)
    bells = Bells(at: now)
    calls = try HelpCalls.all(in: db)
    moves = try SheetMoves(db)
    usernames = try Usernames(db)
    amendments = try SheetAmendment.bySheet(rulings, in: db)
    withdrawn = Dictionary(try WithdrawnStation.all(in: db).map { ($0.timetable, $0) }, uniquingKeysWith: { $1 })
  }

  mutating func sessions() throws -> [CandidateDossier.SessionPart] {
    var places: [Session: [StationSession]] = [:]
    var order: [Session] = []
    let coming = try coming()
    for place in try StationSession.all(in: db) + StationSession.cancelled(in: db)
    where coming.contains(place.session) {
      if places[place.session] == nil { order.append(place.session) }
      places[place.session, default: []].append(place)
    }
    var parts: [CandidateDossier.SessionPart] = []
    for session in order {
      let entries = try CandidateLedger.entries(of: candidate.id, session, db)
      let steps = try SlotChanges.steps(of: candidate.id, in: session, db)
      guard let here = places[session], !entries.isEmpty || !steps.isEmpty else { continue }
      let lines = (try? CandidateLedger.read(candidate.id, session: session, at: now, in: db))?.lines ?? []
      var stations: [CandidateDossier.StationPart] = []
      for (key, timetable) in entries {
        guard let place = here.first(where: { $0.timetable == timetable }),
          let entry = try Roster.entry(key, seat: .lead, in: db)
        else { continue }
        let attendance = try AttendanceNote.all(
          of: entry, in: session, swaps: Set(steps.map(\.operation.tx)), usernames, in: db)
        stations.append(try station(place, entry, attendance, lines.filter { $0.entry == key }))
      }
      if let circuit = here.first?.circuit.name {
        parts.append(
          .init(
            session: session, circuit: circuit, swaps: try steps.map { try swap($0, in: session) }, stations: stations))
      }
    }
    return parts
  }

  /// The sessions that have the candidate on a roster, and those whose changes of slots may name the candidate.
  private func coming() throws -> Set<Session> {
    let rows = try ReadRow.fetchAll(
      db,
      sql: """
        SELECT a.clinicGroupID, t.date, t.startTime FROM timetableAttendanceLog e
        JOIN timetable t ON t.dsid = e.timetableID JOIN activityType a ON a.dsid = t.activityTypeID
        WHERE e.studentID = ?1 AND e.dsDeleted = 0
        UNION SELECT circuitID, date, startTime FROM slotTable WHERE instr(places, ?1)
        """, arguments: [candidate.id])
    return Set(rows.map { Session(circuit: $0[0] ?? 0, date: $0[1] ?? "", startTime: $0[2] ?? "") })
  }

  private func swap(_ step: SlotStep, in session: Session) throws -> SwapNote {
    SwapNote(
      other: try Roster.candidate(step.other, in: db)?.label, round: step.round, isUndo: step.isUndo,
      recorded: try RecordedBy(step.operation, of: session, usernames, in: db))
  }

  private mutating func station(
    _ place: StationSession, _ entry: RosterEntry, _ attendance: [AttendanceNote], _ ledger: [LedgerLine]
  ) throws -> CandidateDossier.StationPart {
    let comments = try Comments.all(.candidate(entry.key), in: db)
    concerns += comments.count(where: \.isConcern)
    var during: [HelpCall] = []
    for call in calls where call.station == place.station {
      guard let at = call.requestedAt else { continue }
      if try moments.place(station: place.station, at: at, in: db)?.entry == entry.key { during.append(call) }
    }
    var found: [PlannedSheet] = []
    try SheetWalk.forEach(.whole, at: [place], in: db) { if $0.entry.key == entry.key { found.append($0) } }
    let sheets = try found.map { try sheet($0) }
    return CandidateDossier.StationPart(
      place: place, withdrawn: withdrawn[place.timetable], entry: entry, attendance: attendance, ledger: ledger,
      signOut: try SignOut.read(entry: entry.key, in: db), sheets: sheets,
      moves: moves.moves(at: entry.key), comments: comments.filter { showsConcerns || !$0.isConcern }, helpCalls: during
    )
  }

  private mutating func sheet(_ sheet: PlannedSheet) throws -> CandidateDossier.SheetPart {
    let signature = try sheet.held.flatMap { try SheetSignature.read($0, in: db) }
    let rotations = try bells.rotations(of: sheet.entry, sheet.place.session, db)
    var late: [String: Int64] = [:]
    var origins: [String: MarkOrigin] = [:]
    for item in sheet.held?.items ?? [] where !item.isBlank {
      late[item.key] = Bells.secondsAfter(item.markedAt, rotations)
      origins[item.key] = try MarkOrigin(item, signer: signature?.staff, in: db)
    }
    let conflicts = try String.fetchAll(
      db,
      sql: """
        SELECT q.uuid FROM dataSection s JOIN dataQuestion q ON q.dataSectionID = s.uuid
          JOIN fork k ON k.entity = q.entity AND k.entityID = q.uuid
        WHERE s.dataFormID = ?
        """, arguments: [sheet.held?.key])
    return CandidateDossier.SheetPart(
      sheet: sheet, signedAt: signature?.at, signedBy: try signature?.name(in: db),
      signedBecause: signature?.reason, amendments: sheet.held.flatMap { amendments[$0.key] } ?? [],
      secondsAfterBell: late, origins: origins,
      changes: try changes.changes(of: sheet, in: db).map(\.change), conflicts: Set(conflicts))
  }
}
