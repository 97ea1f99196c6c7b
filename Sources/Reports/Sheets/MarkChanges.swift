import CircuitModel
import ExamStore
import GRDB
import Journal
import Timer

/// An answer that took the place of another one.
public struct MarkChange: Equatable, Sendable {
  /// The number of the item on its sheet.
  public let item: Int
  /// The station's code.
  public let station: String
  /// What was changed of the item.
  public let aspect: Aspect
  /// What the item said before, in words.
  public let from: String
  /// What it was changed to, in words.
  public let to: String
  /// How: by which kind of operation, or that it undid one or did it again.
  public let kind: String
  /// The username of who typed.
  public let staff: String?
  /// The name of who typed.
  public let name: String?
  /// When.
  public let time: Instant
  /// How long after the end of the candidate's rotation, in seconds; nil where it was in time.
  public let secondsAfterBell: Int64?
  /// Why: the change's own reason, or that for which the sheet was opened again.
  public let reason: String?

  /// A part of an item that is answered on its own.
  public enum Aspect: String, Sendable, CaseIterable {
    /// The level, or that it could not be assessed.
    case mark
    /// What is written.
    case text
    /// How often, how difficult, and the supervisor's note.
    case work
    /// The tags chosen.
    case tags
    /// Whether it completes a case.
    case completedCase = "case"
    /// Whether it was recommended.
    case recommended
  }

  /// In one line: `HIST item 16: 0.5 → 1, Dr Ashworth, 22:12:39, 659 s after the bell, reopened: misheard`.
  /// - Parameter day: the sheet's; the time of another day has its date.
  func text(on day: String) -> String {
    let after = secondsAfterBell.map { "\($0) s after the bell" }
    let parts = [name ?? staff ?? "nobody known", time.text(on: day), after, reason].compactMap { $0 }
    return "\(station) item \(item): \(from) → \(to), \(parts.joined(separator: ", "))"
  }
}

/// Reads from the journal which answers took the place of others.
struct MarkChanges {
  private let histories: MarkHistories
  private let usernames: Usernames
  private let names: [Int: String]
  private let reopened: Set<String>
  private var bells: Bells

  /// - Parameter now: as of when the clocks are read.
  init(_ db: Database, at now: Instant) throws {
    histories = try MarkHistories(db)
    usernames = try Usernames(db)
    let staff = try ReadRow.fetchAll(
      db, sql: "SELECT dsid, title, forename, surname FROM user WHERE entity = 'Staff'")
    names = Dictionary(
      staff.compactMap { row -> (Int, String)? in
        personName(title: row[1], forename: row[2], surname: row[3]).map { (row[0], $0) }
      }, uniquingKeysWith: { first, _ in first })
    reopened = try String.fetchSet(
      db, sql: "SELECT DISTINCT entityID FROM operation WHERE entity = 'DataForm' AND kind = 'reopen'")
    bells = Bells(at: now)
  }

  /// The changes of a sheet, item by item, each oldest first.
  mutating func changes(of sheet: PlannedSheet, in db: Database) throws -> [(item: HeldItem, change: MarkChange)] {
    guard let held = sheet.held else { return [] }
    let items = held.items.filter { histories.isChanged($0) }
    if items.isEmpty { return [] }
    let rotations = try bells.rotations(of: sheet.entry, sheet.place.session, db)
    let openings = try openings(of: held.key, in: db)
    return try items.flatMap { item in
      try changes(of: item, on: sheet, rotations, openings, in: db).map { (item, $0) }
    }
  }

  private static let fields: [(aspect: MarkChange.Aspect, fields: [Stored.RatingQuestion.Field])] = [
    (.mark, [.rating, .unable, .descriptor]), (.text, [.feedback]), (.work, [.times, .difficulty, .note]),
    (.tags, [.tags]), (.completedCase, [.completedCase]), (.recommended, [.recommended]),
  ]

  private func changes(
    of item: HeldItem, on sheet: PlannedSheet, _ rotations: [Bells.HeldRotation],
    _ openings: [(at: HybridTime, reason: String)], in db: Database
  ) throws -> [MarkChange] {
    var found: [MarkChange] = []
    var standing: [String: Value] = [:]
    // A first answer is no change; one that is given after it was cleared is.
    var answered: Set<MarkChange.Aspect> = []
    for operation in try histories.operations(of: item, in: db) {
      guard let body = try? operation.body() else { continue }
      var next = standing
      for (field, value) in body.fields { next[field] = value }
      for (aspect, fields) in MarkChanges.fields {
        let (old, new) = (MarkChanges.answer(standing, fields), MarkChanges.answer(next, fields))
        let isFirst = !answered.contains(aspect)
        if !new.isEmpty { answered.insert(aspect) }
        guard operation.kind != .create, old != new, !isFirst else { continue }
        let undoing = try operation.undoing(body, in: db)
        // An undo gives back when the earlier answer was given: it was itself made later.
        let time = undoing == nil ? body.markedAt ?? operation.moment : operation.moment
        let opening = openings.last { $0.at <= operation.hlc }.map { "reopened: \($0.reason)" }
        found.append(
          MarkChange(
            item: item.number, station: sheet.place.stationCode, aspect: aspect,
            from: MarkChanges.text(old, item.template), to: MarkChanges.text(new, item.template),
            kind: undoing ?? operation.kind.rawValue, staff: operation.staff.flatMap { usernames[Int($0)] },
            name: operation.staff.flatMap { names[Int($0)] }, time: time,
            secondsAfterBell: Bells.secondsAfter(time, rotations),
            reason: OpenedOperation(operation).reason ?? opening))
      }
      standing = next
    }
    return found
  }

  /// What an item's level is by its fields, in words: `1 with help`, `blank`.
  static func mark(_ fields: [String: Value], on item: ItemTemplate) -> String {
    text(answer(fields, [.rating, .unable, .descriptor]), item)
  }

  private static func answer(_ fields: [String: Value], _ names: [Stored.RatingQuestion.Field]) -> [String: Value] {
    fields.filter { field, value in value.isAnswer && value != .text("[]") && names.contains { $0.rawValue == field } }
  }

  private static func text(_ answer: [String: Value], _ item: ItemTemplate) -> String {
    answer.isEmpty ? "blank" : AnswerChange(answer, on: item)?.text ?? "blank"
  }

  /// When a sheet was opened again, and why.
  private func openings(of sheet: String, in db: Database) throws -> [(at: HybridTime, reason: String)] {
    guard reopened.contains(sheet) else { return [] }
    return try OperationTable.history(of: Stored.DataForm.row(sheet), in: db).filter { $0.kind == .reopen }
      .map { ($0.hlc, OpenedOperation($0).reason ?? "no reason was given") }.sorted { $0.0 < $1.0 }
  }
}

extension Operation {
  /// When it was made, by the exam's time where that is known.
  fileprivate var moment: Instant { Instant(stored: examTime?.milliseconds ?? hlc.milliseconds) }

  /// `undo` of an operation that takes another back, `redo` of one that takes an undo back; nil of any other.
  func undoing(_ body: OperationBody, in db: Database) throws -> String? {
    guard !body.undone.isEmpty else { return nil }
    return try OperationTable.isUndo(id, in: db) ? "undo" : "redo"
  }
}
