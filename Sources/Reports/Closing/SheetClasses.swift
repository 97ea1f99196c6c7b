import CircuitModel
import ExamStore
import GRDB
import Journal
import Standards
import Timer

/// What became of a sheet that the plan expects. The raw values are stable.
public enum SheetClass: String, CaseIterable, Sendable {
  /// The lead has ruled that it is not to be had.
  case excluded
  /// It is still to be filled in a re-run, or by a candidate without a round.
  case queued
  /// It is here.
  case held
  /// The candidate did not come.
  case absent
  /// Nothing is here, and nobody has said why.
  case noSheet
  /// The candidate is recorded absent, and the sheet is marked: one of the two is wrong.
  case absentWithMarks
  /// It has answers, but no place in the plan, or its candidate was taken off the roster.
  case unplanned

  /// Whether somebody has to rule on it before the exam can be closed.
  var isOpen: Bool { self == .noSheet || self == .absentWithMarks || self == .unplanned }
}

/// One sheet with its class.
public struct ClassedSheet: Sendable {
  let place: StationSession
  let entry: RosterPlan.Entry
  let seat: Seat
  /// The template's code, or its name, and its key.
  let form: String
  let template: Int
  let sheetClass: SheetClass
  /// The sheet; nil where there is none.
  let sheet: String?
  let signedAt: Instant?
  /// Who is planned to fill it.
  let assessor: String?
  /// A digest of what it holds; empty where there is no sheet.
  let facts: String
}

/// How many sheets there are of each class: expected = held + absent + excluded + queued, where nothing is open.
public struct ClosingIdentity: Equatable, Sendable {
  /// Sheets of the plan alone, whatever is held.
  public internal(set) var expected = 0
  /// See `SheetClass`.
  public internal(set) var held = 0
  /// See `SheetClass`.
  public internal(set) var absent = 0
  /// See `SheetClass`.
  public internal(set) var excluded = 0
  /// See `SheetClass`.
  public internal(set) var queued = 0
  /// Sheets of the plan that are in no class.
  public internal(set) var open = 0
  /// Sheets with answers that the plan has no place for.
  public internal(set) var unplanned = 0
  /// Sheets of practice, which are in no sum.
  public internal(set) var practice = 0

  /// Sheets of the plan of which it is known what became.
  public var accounted: Int { held + absent + excluded + queued }

  /// Whether every sheet is in exactly one class and none is beside the plan.
  public var holds: Bool { expected == held + absent + excluded + queued && open == 0 && unplanned == 0 }

  /// How many sheets of practice a part of the exam has.
  static func practice(_ scope: ExamLock.Scope, in db: Database) throws -> Int {
    try Int.fetchOne(
      db,
      sql: """
        SELECT count(*) FROM dataForm f JOIN timetableAttendanceLog e ON e.uuid = f.attendanceLogID
        JOIN timetable t ON t.dsid = e.timetableID
        JOIN activityType a ON a.dsid = t.activityTypeID JOIN clinicGroup g ON g.dsid = a.clinicGroupID
        WHERE e.practice <> 0 AND f.dsDeleted = 0 AND e.dsDeleted = 0 AND (?1 IS NULL OR g.name = ?1)
          AND (?2 IS NULL OR \(Session.nameSQL) = ?2)
        """, arguments: [scope.circuit, scope.session]) ?? 0
  }

  mutating func count(_ found: SheetClass) {
    if found != .unplanned { expected += 1 }
    switch found {
    case .excluded: excluded += 1
    case .queued: queued += 1
    case .held: held += 1
    case .absent: absent += 1
    case .noSheet, .absentWithMarks: open += 1
    case .unplanned: unplanned += 1
    }
  }
}

/// Every sheet of the exam in its class. What is expected follows from the plan alone.
struct SheetClasses {
  let sheets: [ClassedSheet]

  init(_ policy: Policy, _ rulings: RulingsInForce, in db: Database) throws {
    var reader = try SheetClassReader(policy, rulings, db)
    sheets = try reader.read()
  }
}

/// Puts sheets in their classes.
private struct SheetClassReader {
  private let db: Database
  private let policy: Policy
  private let rulings: RulingsInForce
  private var scored: ScoredSheets
  private let usernames: Usernames
  private let held: [String: [HeldScores]]
  private let queued: Set<String>

  init(_ policy: Policy, _ rulings: RulingsInForce, _ db: Database) throws {
    (self.policy, self.rulings, self.db) = (policy, rulings, db)
    let scored = try ScoredSheets(db)
    self.scored = scored
    usernames = try Usernames(db)
    held = Dictionary(grouping: scored.sheets, by: \.entry)
    queued = Set(try RerunQueue.remaining(in: db).map(\.entry.key))
  }

  mutating func read() throws -> [ClassedSheet] {
    var found: [ClassedSheet] = []
    for place in try StationSession.all(in: db) { found += try classes(at: place, isCancelled: false) }
    let cancelled = try StationSession.cancelled(in: db)
    for place in cancelled + (try StationSession.removed(in: db)) {
      found += try classes(at: place, isCancelled: true)
    }
    return found
  }

  /// The sheets of a station session: of one that is cancelled none is expected.
  private mutating func classes(at place: StationSession, isCancelled: Bool) throws -> [ClassedSheet] {
    let forms = try StationForms.read(station: place.station, in: db)
    var titles: [Int: String] = [:]
    for id in forms.ids { titles[id] = try scored.template(form: id, in: db)?.title }
    var found: [ClassedSheet] = []
    for entry in try RosterPlan.entries(timetable: place.timetable, in: db) {
      let expected = isCancelled ? [] : classes(of: entry, at: place, forms, titles)
      found += expected
      found += unplanned(of: entry, at: place, besides: Set(expected.compactMap(\.sheet)))
    }
    // Nothing is expected of those who were taken off the roster; what another terminal marked meanwhile is not lost.
    for entry in try RosterPlan.removed(timetable: place.timetable, in: db) {
      found += unplanned(of: entry, at: place, besides: [])
    }
    return found
  }

  /// The sheets that are expected of a roster entry.
  private func classes(
    of entry: RosterPlan.Entry, at place: StationSession, _ forms: StationForms, _ titles: [Int: String]
  ) -> [ClassedSheet] {
    let atEntry = held[entry.key] ?? []
    // Leaving a station or an item out of the results changes no sheet's class: the sheet is still held.
    let isExcluded = !policy.isDue(at: place, candidate: entry.number)
    let isQueued = queued.contains(entry.key) || entry.round == nil
    var found: [ClassedSheet] = []
    for seat in StationSession.seats(of: place) {
      let atSeat = atEntry.filter { $0.seat == seat }
      for (form, sheet) in forms.wanted(from: atSeat, form: { $0.form }, claim: { $0.claim }) {
        let isRuledOut = sheet.map { rulings.excludedSheets.contains($0.key) } ?? false
        let isOut = isExcluded || isRuledOut
        // One of several has the title that it was filled under.
        let title = (forms.isOne ? sheet?.template.title : nil) ?? titles[form] ?? String(form)
        found.append(
          classed(
            sheet, at: place, entry, seat, (title, form),
            SheetClassReader.of(sheet, entry, isExcluded: isOut, isQueued: isQueued)))
      }
    }
    return found
  }

  /// The sheets of a roster entry with answers that nobody expects.
  private func unplanned(
    of entry: RosterPlan.Entry, at place: StationSession, besides listed: Set<String>
  ) -> [ClassedSheet] {
    (held[entry.key] ?? []).filter {
      !listed.contains($0.key) && $0.isAnswered && !rulings.excludedSheets.contains($0.key)
    }.map { classed($0, at: place, entry, $0.seat, ($0.template.title, $0.form), .unplanned) }
  }

  private func classed(
    _ sheet: HeldScores?, at place: StationSession, _ entry: RosterPlan.Entry, _ seat: Seat,
    _ form: (title: String, key: Int), _ found: SheetClass
  ) -> ClassedSheet {
    ClassedSheet(
      place: place, entry: entry, seat: seat, form: form.title, template: form.key, sheetClass: found,
      sheet: sheet?.key, signedAt: sheet?.signedAt,
      assessor: place.assessors.first { $0.seat == seat }.flatMap { usernames[$0.staff] },
      facts: sheet?.facts ?? "")
  }

  /// The first class that fits.
  private static func of(
    _ sheet: HeldScores?, _ entry: RosterPlan.Entry, isExcluded: Bool, isQueued: Bool
  ) -> SheetClass {
    let isSigned = sheet?.signedAt != nil
    let isThere = isSigned || sheet?.isAnswered == true
    if isExcluded { return .excluded }
    if isQueued && !isSigned { return .queued }
    if entry.isPresent == false { return isThere ? .absentWithMarks : .absent }
    return isThere ? .held : .noSheet
  }
}

extension HeldScores {
  /// Whether anything is answered on it.
  var isAnswered: Bool { items.contains(where: \.isAnswered) }

  /// What its items hold, in few characters: two sheets with other answers differ in it.
  fileprivate var facts: String {
    var digest = StreamDigest()
    for item in items.sorted(by: { ($0.section, $0.copy, $0.link) < ($1.section, $1.copy, $1.link) }) {
      let value = item.rating.map { String($0) } ?? (item.isAnswered ? "answered" : "")
      digest.update("\(item.section).\(item.copy).\(item.link)=\(value)\(item.isUnable ? "u" : "");".utf8)
    }
    return String(digest.text.prefix(16))
  }
}
