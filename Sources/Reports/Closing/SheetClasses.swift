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
          AND (?2 IS NULL OR t.date || ' ' || t.startTime = ?2)
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

/// Puts every sheet of the exam in its class. What is expected follows from the plan alone.
struct SheetClasses {
  private(set) var sheets: [ClassedSheet] = []

  init(_ policy: Policy, _ rulings: RulingsInForce, in db: Database) throws {
    var scored = try ScoredSheets(db)
    let usernames = try Usernames(db)
    func add(
      _ sheet: HeldScores?, at place: StationSession, _ entry: RosterPlan.Entry, _ seat: Seat,
      _ form: (name: String, key: Int), _ found: SheetClass
    ) {
      sheets.append(
        ClassedSheet(
          place: place, entry: entry, seat: seat, form: form.name, template: form.key, sheetClass: found,
          sheet: sheet?.key,
          signedAt: sheet?.signedAt,
          assessor: place.assessors.first { $0.seat == seat }.flatMap { usernames[$0.staff] },
          facts: sheet?.facts ?? ""))
    }
    func addUnplanned(_ found: [HeldScores], at place: StationSession, _ entry: RosterPlan.Entry) {
      for sheet in found where sheet.isAnswered && !rulings.excludedSheets.contains(sheet.key) {
        add(sheet, at: place, entry, sheet.seat, (sheet.title, sheet.form), .unplanned)
      }
    }
    let held = Dictionary(grouping: scored.sheets, by: \.entry)
    let queued = Set(try RerunQueue.remaining(in: db).map(\.entry.key))
    let cancelled = try StationSession.cancelled(in: db)
    let removed = try StationSession.removed(in: db)
    for (places, isCancelled) in [(try StationSession.all(in: db), false), (cancelled + removed, true)] {
      for place in places {
        let forms = try StationForms.read(station: place.station, in: db)
        let names = try forms.ids.map { id in
          try scored.template(form: id, in: db).map { $0.template.code ?? $0.template.name } ?? String(id)
        }
        for entry in try RosterPlan.entries(timetable: place.timetable, in: db) {
          let atEntry = held[entry.key] ?? []
          var listed: Set<String> = []
          if !isCancelled {
            // Leaving a station or an item out of the results changes no sheet's class: the sheet is still held.
            let isExcluded = !policy.isDue(at: place, candidate: entry.number)
            let isQueued = queued.contains(entry.key) || entry.round == nil
            for seat in StationSession.seats(of: place) {
              let atSeat = atEntry.filter { $0.seat == seat }
              let wanted: [(form: (name: String, key: Int), sheet: HeldScores?)]
              if forms.isOne {
                let used = SheetInUse.chosen(of: atSeat.filter { forms.ids.contains($0.form) }, \.claim)
                wanted = names.isEmpty ? [] : [((used?.title ?? names[0], used?.form ?? forms.ids[0]), used)]
              } else {
                wanted = zip(forms.ids, names).map { id, name in ((name, id), atSeat.first { $0.form == id }) }
              }
              for (form, sheet) in wanted {
                let isRuledOut = sheet.map { rulings.excludedSheets.contains($0.key) } ?? false
                let found = SheetClasses.of(sheet, entry, isExcluded: isExcluded || isRuledOut, isQueued: isQueued)
                if let sheet { listed.insert(sheet.key) }
                add(sheet, at: place, entry, seat, form, found)
              }
            }
          }
          addUnplanned(atEntry.filter { !listed.contains($0.key) }, at: place, entry)
        }
        // Nothing is expected of those who were taken off the roster; what another terminal marked meanwhile is not lost.
        for entry in try RosterPlan.removed(timetable: place.timetable, in: db) {
          addUnplanned(held[entry.key] ?? [], at: place, entry)
        }
      }
    }
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

  /// The code of its template.
  fileprivate var title: String { template.template.code ?? template.template.name }
}
