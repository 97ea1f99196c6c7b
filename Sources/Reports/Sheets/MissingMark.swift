import CircuitModel
import ExamStore
import GRDB
import Timer

/// One thing that an expected mark sheet lacks.
public struct MissingMark: Sendable {
  /// What is lacking.
  public enum Kind: Sendable {
    /// The whole sheet: it was not started.
    case sheet
    /// A required item is blank.
    case item(HeldItem)
    /// A section asks for something that is not recorded: which tooth, how often, how difficult.
    case fact(BlankFact)
    /// The sheet is not signed.
    case signature
    /// The candidate is here and has not been given the feedback, agreed with it or been signed out.
    case signOut(SignOut.Step)
    /// The candidate is queued for the re-run and was not examined in it: whatever else the sheet lacks while that is
    /// to come.
    case rerun(RerunItem)

    /// The word that the document has for it.
    public var word: String {
      switch self {
      case .sheet: "sheet"
      case .item: "item"
      case .fact: "fact"
      case .signature: "signature"
      case .signOut: "signOut"
      case .rerun: "rerun"
      }
    }
  }

  /// What is lacking.
  public let kind: Kind
  /// The sheet that lacks it; of a sign-out the lead assessor's last.
  public let sheet: PlannedSheet
  /// The username of who is to fill the sheet; nil where nobody is planned.
  public let assessor: String?

  /// The item, where one is blank.
  public var item: HeldItem? { if case .item(let item) = kind { item } else { nil } }

  /// Which of the station's sheets it is of, in front of what is lacking: `Examination: `; empty where there is one.
  public var sheetPrefix: String {
    if case .signOut = kind { return "" }
    return sheet.nameAmongSeveral.map { "\($0): " } ?? ""
  }

  fileprivate init(_ kind: Kind, of sheet: PlannedSheet, _ assessor: String?) {
    (self.kind, self.sheet, self.assessor) = (kind, sheet, assessor)
  }

  /// Calls `body` with all that is missing, in the order of sessions, stations and rounds, and then with what is still
  /// queued for re-runs: the re-run alone owes that, until it has been held. Nothing is missing where nothing is due.
  /// - Parameter now: as of when the clocks of re-runs are read.
  public static func forEach(in db: Database, at now: Instant, _ body: (MissingMark) throws -> Void) throws {
    let usernames = try Usernames(db)
    let remaining = try RerunQueue.remaining(in: db)
    let begun = try begun(remaining, in: db, at: now)
    let reruns = remaining.filter { !begun.contains($0.entry.key) }
    let queued = Set(reruns.map(\.entry.key))
    let excuses = try Excuses.read(in: db)
    var walk = MissingWalk(db, usernames)
    try SheetWalk.forEach(.blanks, in: db) { sheet in
      if !queued.contains(sheet.entry.key), !excuses.isExcused(sheet) { try walk.take(sheet, body) }
    }
    try walk.leave(body)
    for item in reruns where !excuses.isExcused(item.entry, at: item.station) {
      guard let sheet = try PlannedSheet.of(item, in: db) else { continue }
      try body(MissingMark(.rerun(item), of: sheet, sheet.assessor.flatMap { usernames[$0.staff] }))
    }
  }

  /// The entries in the queue whose own sheets say what is missing: somebody has signed one, or the round of the re-run
  /// was held and left marks.
  private static func begun(_ items: [RerunItem], in db: Database, at now: Instant) throws -> Set<String> {
    var begun: Set<String> = []
    for (session, items) in Dictionary(grouping: items, by: \.station.session) {
      let reruns = try HeldReruns(session, at: now, in: db)
      let heldPlaces = Dictionary(items.map { ($0.entry.key, reruns.wasHeld($0.place, since: $0.since)) }) { $0 || $1 }
      var seen: Set<Int> = []
      let places = items.map(\.station).filter { seen.insert($0.timetable).inserted }
      try SheetWalk.forEach(.tally, at: places, in: db) { sheet in
        guard sheet.isExpected, let held = sheet.held, let wasHeld = heldPlaces[sheet.entry.key] else { return }
        if held.signedAt != nil || wasHeld && held.tally.answered > 0 { begun.insert(sheet.entry.key) }
      }
    }
    return begun
  }

  /// Calls `body` with all that is missing in a part of the plan, in the same order.
  /// - Throws: `StoreError` where the exam has nothing of that name.
  public static func forEach(
    matching filter: PlanFilter, in db: Database, at now: Instant, _ body: (MissingMark) throws -> Void
  ) throws {
    let places = filter.isAll ? nil : Set(try filter.find(in: db, at: now).places.map(\.timetable))
    try forEach(in: db, at: now) { missing in
      let sheet = missing.sheet
      if let places, !places.contains(sheet.place.timetable) { return }
      if let candidate = filter.candidate, sheet.entry.number != candidate { return }
      try body(missing)
    }
  }

  /// Calls `body` with all that is missing at some station sessions, in the order of rounds: also of what is queued or
  /// excused, which a sheet that is open there shows.
  public static func forEach(
    at places: [StationSession], in db: Database, _ body: (MissingMark) throws -> Void
  ) throws {
    var walk = MissingWalk(db, try Usernames(db))
    try SheetWalk.forEach(.blanks, at: places, in: db) { try walk.take($0, body) }
    try walk.leave(body)
  }

  fileprivate static func missing(
    in sheet: PlannedSheet, _ usernames: Usernames, _ body: (MissingMark) throws -> Void
  ) throws {
    guard sheet.isExpected else { return }
    let assessor = sheet.assessor.flatMap { usernames[$0.staff] }
    guard let held = sheet.held else {
      return try body(MissingMark(.sheet, of: sheet, assessor))
    }
    for item in held.items where item.isBlank && item.part.isRequired {
      try body(MissingMark(.item(item), of: sheet, assessor))
    }
    for fact in held.blankFacts { try body(MissingMark(.fact(fact), of: sheet, assessor)) }
    if held.signedAt == nil {
      try body(MissingMark(.signature, of: sheet, assessor))
    }
  }

  /// `{"kind":"sheet|item|fact|signature|signOut|rerun","date","start","circuit","station","timetable","round",
  /// "student_number","candidate","assessor","seat","form","section","copy","item","text"}`. The last four are null but
  /// for an item; a fact has all of them but the item. Of a sign-out and a re-run the form is null too, and the text says
  /// what is to be done, and in which round of the re-run the station comes.
  public var json: JSONDocument {
    let lack = lack
    return .object([
      ("kind", .text(kind.word)), ("date", .text(sheet.place.session.date)),
      ("start", .text(sheet.place.session.startTime)), ("circuit", .text(sheet.place.circuit.name)),
      ("station", .text(sheet.place.stationCode)), ("timetable", .number(sheet.place.timetable)),
      ("round", .number(sheet.entry.round)), ("student_number", .text(sheet.entry.number)),
      ("candidate", .text(sheet.entry.candidate)), ("assessor", .optional(assessor)), ("seat", .text(sheet.seat.name)),
      ("form", lack.isOfForm ? .text(sheet.template.code ?? sheet.template.name) : .null),
      ("section", .optional(lack.section?.name)), ("copy", .number(lack.copy)), ("item", .number(item?.number)),
      ("text", .optional(lack.text)),
    ])
  }
}

extension MissingMark {
  /// What the document says of it: whether of a form, in which section, and in words.
  private var lack: (isOfForm: Bool, section: SectionTemplate?, copy: Int?, text: String?) {
    switch kind {
    case .sheet, .signature: (true, nil, nil, nil)
    case .item(let item): (true, item.section, item.copy, item.template.text)
    case .fact(let fact): (true, fact.section, fact.copy, fact.fact.short)
    case .signOut(let step): (false, nil, nil, step.lack)
    case .rerun(let item): (false, nil, nil, "re-run round \(item.place)")
    }
  }
}

/// Sheets one after the other, and behind those of each roster entry what its candidate's sign-out lacks.
private struct MissingWalk {
  private let db: Database
  private let usernames: Usernames
  /// The lead assessor's last sheet of the entry that is gone through, where candidates sign out.
  private var last: PlannedSheet?
  /// What was read last of a station session.
  private var read: (timetable: Int, steps: [String: [SignOut.Step]])?

  init(_ db: Database, _ usernames: Usernames) { (self.db, self.usernames) = (db, usernames) }

  mutating func take(_ sheet: PlannedSheet, _ body: (MissingMark) throws -> Void) throws {
    if last.map({ $0.entry.key != sheet.entry.key }) == true { try leave(body) }
    try MissingMark.missing(in: sheet, usernames, body)
    if sheet.isExpected, sheet.seat == .lead, sheet.place.requiresSignout { last = sheet }
  }

  /// Ends an entry.
  mutating func leave(_ body: (MissingMark) throws -> Void) throws {
    guard let sheet = last else { return }
    last = nil
    let place = sheet.place
    if read?.timetable != place.timetable { read = (place.timetable, try SignOut.missing(at: place, in: db)) }
    let assessor = sheet.assessor.flatMap { usernames[$0.staff] }
    for step in read?.steps[sheet.entry.key] ?? [] {
      try body(MissingMark(.signOut(step), of: sheet, assessor))
    }
  }
}
